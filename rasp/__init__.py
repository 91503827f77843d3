"""RASP, the programming language for transformer encoders (Weiss, Goldberg & Yahav 2021)."""
