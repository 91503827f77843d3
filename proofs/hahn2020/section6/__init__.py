"""Section 6: soft attention."""
