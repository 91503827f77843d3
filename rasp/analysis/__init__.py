"""Layers and heads of a program: by the paper's rule, with sharing, and at the optimum."""
