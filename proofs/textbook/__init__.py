"""Theorems that we assume from textbooks, checked as far as exact computation goes."""
