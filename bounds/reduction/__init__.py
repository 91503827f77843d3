"""Every bound of the depth reduction lemma (Hahn 2020, Section 5), one concept per file."""
