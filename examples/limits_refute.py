"""Ask for a limit, verify it, and fool a concrete model beyond it."""

from typing import Any
from zlib import crc32

import numpy as np

from attention.constructions.tower_parity import tower_parity
from attention.function import FunctionTransformer
from bounds.limits.certify import limit
from bounds.limits.decide import decide
from bounds.limits.plan import Question
from bounds.limits.refuter import guarantee, refute


def scrambled(n: int) -> FunctionTransformer:
    """Return a two-layer model with pseudo-random scores that remembers everything it saw."""

    def noise(*parts: Any) -> int:
        return crc32(repr(parts).encode())

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=1,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, symbol),
        scoring=lambda layer, head, i, j, query, key: noise(layer, head, i, j, query, key),
        activation=lambda layer, i, own, attended: (own, attended),
        output=lambda value: noise(value) & 1,
    )


def main() -> None:
    """Print the limit for two layers and one head, a fooled model and a machine that is right."""
    cert = limit(Question("parity", 2, 1))
    print(decide(cert).statement)
    found = refute(scrambled(20), stars=6, tries=10, rng=np.random.default_rng(0))
    assert found is not None
    print(f"guaranteed chance per try at n = 20: {float(guarantee(20, 1, 6)):.3f}")
    print("equal outputs on", "".join(map(str, found.word)), "and", "".join(map(str, found.other)))
    right = refute(tower_parity(2), stars=3, tries=20, rng=np.random.default_rng(0))
    print("the nine-bit machine is", "fooled" if right else "never fooled")


if __name__ == "__main__":
    main()
