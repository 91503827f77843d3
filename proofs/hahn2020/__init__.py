"""Hahn (2020): one file per numbered statement, folders named after the stages of its proof."""
