"""Stage 3: a random restriction satisfies the remaining heads."""
