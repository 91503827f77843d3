"""Compiled models: what their weights are, how they run, and which files hold them."""
