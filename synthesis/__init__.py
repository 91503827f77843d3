"""Search for small hard-attention transformers, and certificates that none exists."""
