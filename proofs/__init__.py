"""The claims of the literature, one small file per result, each with its check."""
