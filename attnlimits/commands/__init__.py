"""One module per verb of the command line; each exposes ``app``."""
