"""Explicit, certified limits of unique hard attention at every single length."""
