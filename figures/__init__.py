"""Figures: one module each, with a pure data() and a draw(ax, data)."""
