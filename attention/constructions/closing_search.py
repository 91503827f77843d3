"""Search for literal lists that close a cube: annealing on the number of points left over.

Main definitions: `search`, `read_system`, `write_system`.
"""

from __future__ import annotations

import re
from math import exp

import numpy as np

from attention.constructions.list_systems import LiteralList, close
from attention.transformer import ModelError


def search(
    k: int, outside: int, *, steps: int, rng: np.random.Generator
) -> tuple[tuple[LiteralList, ...], int]:
    """Return the last system visited and its number of points left over (0: it closes).

    Parameters
    ----------
    k
        Number of variables, 2..12: one list for every owned literal.
    outside
        Number of lists without an owned literal.
    steps
        Number of annealing moves (swap two literals, or turn one) at most.
    rng
        Source of randomness; the result is a function of its state.

    Examples
    --------
    >>> system, left = search(4, 1, steps=200, rng=np.random.default_rng(1))
    >>> len(system), left
    (9, 0)
    """
    if not 2 <= k <= 12:
        raise ModelError(f"k = {k}: closing systems are searched for 2..12 variables")
    owned = [(v, b) for v in range(k) for b in (0, 1)]
    system = [_random(k, own, rng) for own in [*owned, *[None] * outside]]
    here, heat = close(k, system).left.bit_count(), 3.0
    for _ in range(steps):
        if not here:
            break
        i = int(rng.integers(len(system)))
        old = system[i]
        system[i] = _moved(old, rng)
        now = close(k, system).left.bit_count()
        heat = max(0.3, heat * 0.9995)
        if now <= here or rng.random() < exp((here - now) / heat):
            here = now
        else:
            system[i] = old
    return tuple(system), here


def _random(k: int, own: tuple[int, int] | None, rng: np.random.Generator) -> LiteralList:
    names = [v for v in range(k) if own is None or v != own[0]]
    order = rng.permutation(names)
    return LiteralList(tuple((int(v), int(rng.integers(2))) for v in order), own)


def _moved(row: LiteralList, rng: np.random.Generator) -> LiteralList:
    literals = list(row.literals)
    a, b = (int(x) for x in rng.integers(len(literals), size=2))
    if rng.random() < 0.5:
        literals[a], literals[b] = literals[b], literals[a]
    else:
        literals[a] = (literals[a][0], 1 - literals[a][1])
    return LiteralList(tuple(literals), row.own)


def write_system(system: tuple[LiteralList, ...]) -> str:
    """Write a system as words such as ``-3+0-1``, one per list, owned lists first."""
    return " ".join(
        "".join(f"{'+' if bit else '-'}{v}" for v, bit in row.literals) for row in system
    )


def read_system(k: int, text: str) -> tuple[LiteralList, ...]:
    """Read what `write_system` wrote: 2k owned lists, then the others.

    Examples
    --------
    >>> read_system(2, "+1 -1 +0 -0")[0]
    LiteralList(literals=((1, 1),), own=(0, 0))
    """
    rows = []
    for i, word in enumerate(text.split()):
        found = re.findall(r"([+-])(\d+)", word)
        literals = tuple((int(v), int(sign == "+")) for sign, v in found)
        rows.append(LiteralList(literals, (i // 2, i % 2) if i < 2 * k else None))
    return tuple(rows)
