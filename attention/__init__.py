"""Self-attention models as the papers define them: unique hard, average hard, soft."""
