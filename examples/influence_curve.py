"""Influence against length for a random two-layer model, with a certified column.

Run ``python examples/influence_curve.py``; it takes about a second.
"""

import numpy as np

from attention.soft_random import random_transformer
from influence import RepeatedWord, influence, influence_curve
from influence.measured_bound import certified_influence
from influence.words import type_table


def main() -> None:
    """Print n, n times the mean influence, and n times the certified bound on the worst."""
    rng = np.random.default_rng(1)
    model = random_transformer(rng, layers=2, heads=2, width=8, logit_bound=None)
    assert model.output is not None
    pattern = tuple("0010111011000101")
    lengths = [2**k for k in range(12, 51, 6)]
    curve = influence_curve(model, lambda n: RepeatedWord(pattern, n), lengths)
    for n, constant in zip(curve.ns, curve.constants, strict=True):
        word = RepeatedWord(pattern, n)
        table, run = type_table(model, word), influence(model, word)
        others = np.flatnonzero(run.others())
        worst = int(others[run.values[others].argmax()])
        bound = certified_influence(
            model,
            table,
            exchanged=worst,
            target=int(run.symbols[worst]),
            readout=model.output,
        )
        print(f"n = {n:>16}  mean * n = {constant:.6f}  worst * n <= {float(bound) * n:.1f}")
    print(f"slope {curve.slope:.6f}, the law sets in near n = {curve.knee:.3g}")


if __name__ == "__main__":
    main()
