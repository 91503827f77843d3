"""Restrictions executed on concrete hard-attention models, with certificates."""
