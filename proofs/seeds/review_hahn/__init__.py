"""The Korean review of Hahn (2020), formula by formula, beside the paper's own.

One file per part of the review: ``results`` (B1, B2), ``stage1`` (B3, B4), ``stage2`` (B5, B7, B8,
B10), ``stage2_condition`` (B6, B9), ``stage3`` (B11 to B14), ``conclusion`` (B19, B20); B15 to B18
stand in ``soft``.
"""
