"""Checks before running: precedence traps, names, types."""
