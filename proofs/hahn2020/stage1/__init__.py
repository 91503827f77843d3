"""Stage 1: few inputs feed into many activations."""
