"""The concrete language: tokens, trees, parser, formatter."""
