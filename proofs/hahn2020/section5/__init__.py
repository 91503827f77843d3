"""Section 5: Theorem 1, Corollary 2, Lemma 4 and their arithmetic."""
