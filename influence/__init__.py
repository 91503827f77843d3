"""Influence of one input symbol under soft attention: measured, bounded, certified."""
