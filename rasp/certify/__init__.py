"""Is a compiled model the program? Tests on inputs, static arguments, forms for other engines."""
