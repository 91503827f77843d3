"""Explicit limits at single lengths: the lemmas, their constants, the tables and the machines."""
