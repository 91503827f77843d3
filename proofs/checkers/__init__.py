"""Checkers: each decides one form of statement, and can prove, refute and stay undecided."""
