"""Bounds on soft attention: the largest weight, and the influence of one symbol (Section 6)."""
