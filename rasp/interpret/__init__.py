"""The interpreter of the concrete language: environments, expressions, statements, sessions."""
