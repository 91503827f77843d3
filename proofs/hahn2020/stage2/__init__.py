"""Stage 2: selections, satisfied heads, and the loop that fixes busy activations."""
