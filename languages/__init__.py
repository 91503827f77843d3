"""Formal languages as data: membership, words, sampling, sensitivity."""
