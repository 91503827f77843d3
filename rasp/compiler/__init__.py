"""Compile RASP programs to exact transformer weights."""
