"""Published and planted hard-attention machines as values."""
