"""Weiss, Goldberg & Yahav (2021): what RASP programs say about transformers."""
