"""What a stored certificate rests on: nothing here imports an encoder or a solver."""
