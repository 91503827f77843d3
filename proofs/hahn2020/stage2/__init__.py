"""Stage 2: selections, satisfied heads, the repetitions and the k-neighbours."""
