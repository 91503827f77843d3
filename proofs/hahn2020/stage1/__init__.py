"""Stage 1: inputs that feed into too many activations are fixed."""
