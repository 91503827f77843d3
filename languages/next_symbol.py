"""Laws of the next symbol: exact, mixed, and their entropies.

Main definitions: :data:`Law`, :data:`END`, :func:`mixture`, :func:`entropy_bits`,
:func:`cross_entropy_bits`.

References
----------
Hahn (2020), Theorem 6 [hahn2020].
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

Law: TypeAlias = Mapping[str, Fraction]

END = "$"
"""The symbol that stands for the end of the word."""


def mixture(parts: Iterable[tuple[Fraction, Law]]) -> Law:
    """Return the weighted sum of laws; weights sum to 1.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> mixture([(half, {"a": Fraction(1)}), (half, {"b": Fraction(1)})])
    {'a': Fraction(1, 2), 'b': Fraction(1, 2)}
    """
    total: dict[str, Fraction] = {}
    for weight, law in parts:
        for symbol, chance in law.items():
            total[symbol] = total.get(symbol, Fraction(0)) + weight * chance
    return dict(sorted(total.items()))


def entropy_bits(law: Law) -> float:
    """Return the entropy in bits (float64, relative error about 1e-15).

    Examples
    --------
    >>> entropy_bits({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    1.0
    """
    return math.fsum(-float(q) * math.log2(q) for q in law.values() if q)


def cross_entropy_bits(law: Law, predicted: Mapping[str, float]) -> float:
    """Return the expected surprise in bits of ``predicted`` under ``law``.

    Infinite if a possible symbol is predicted with probability 0.
    """
    if any(q and not predicted.get(symbol, 0) > 0 for symbol, q in law.items()):
        return math.inf
    return math.fsum(-float(q) * math.log2(predicted[s]) for s, q in law.items() if q)
