"""Evaluation: a direct engine for short inputs, a columnar one for long or many."""
