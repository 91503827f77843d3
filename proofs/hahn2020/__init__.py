"""Hahn (2020), "Theoretical Limitations of Self-Attention in Neural Sequence Models".

One folder per part of the proof: ``stage1``, ``stage2``, ``stage3`` (Section 5.1), ``section5``
(Theorem 1 and what follows from it), ``section6`` (soft attention).
"""
