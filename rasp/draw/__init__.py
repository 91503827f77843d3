"""Pictures of programs: scenes of boxes, lines and text, written as SVG, PDF or PNG."""
