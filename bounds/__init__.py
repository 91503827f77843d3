"""Bounds, one per file: a symbolic expression with its source, evaluated exactly or as a ball."""
