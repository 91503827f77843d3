"""The types engine: slope over 2^8 .. 2^50, its error against ball arithmetic, and its cost.

Run ``python benchmarks/influence_types.py``.
"""

import time

import numpy as np

from attention.soft_random import random_transformer
from influence import RepeatedWord, influence_curve
from influence.enclosure import enclose_change
from influence.types import type_changes
from influence.words import type_table

PATTERN = tuple("0010111011000101")


def main() -> None:
    """Print one line per number of layers."""
    print("L   slope 2^8..2^50   CPU s   worst relative error to 2^50   Arb CPU s at 2^40")
    for layers in (1, 2, 4):
        rng = np.random.default_rng(1)
        model = random_transformer(rng, layers=layers, heads=2, width=16, norms="post")
        assert model.output is not None
        began = time.process_time()
        curve = influence_curve(
            model, lambda n: RepeatedWord(PATTERN, n), [2**k for k in range(8, 51)]
        )
        spent = time.process_time() - began
        error, arb_cost = 0.0, 0.0
        for power in (8, 20, 40, 50):
            table = type_table(model, RepeatedWord(PATTERN, 2**power))
            fast = type_changes(model, table, 1 - table.symbols, model.output).elsewhere[:, 0]
            worst = int(np.abs(fast).argmax())
            began = time.process_time()
            ball = enclose_change(
                model, table, exchanged=worst, target=1 - int(table.symbols[worst]),
                readout=model.output, bits=300,
            )[0]  # fmt: skip
            if power == 40:
                arb_cost = time.process_time() - began
            error = max(error, abs(float((ball - float(fast[worst])) / ball)))
        print(f"{layers}   {curve.slope:+.6f}         {spent:5.2f}   {error:.1e}"
              f"                        {arb_cost:.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
