"""Which small hard-attention transformers exist: exact results of synthesis, with certificates."""
