r"""One-dimensional soft-attention transformers, executed in rationals or balls.

Activations are numbers in [-1, 1] (F = 1), logits are ``m y_j y_l`` (dot products, so
A = F^2 |m|), all heads of a layer agree, and
``f_act(y, b_1, ..., b_H) = clip(scale (own y + attend (b_1 + ... + b_H)) + shift)`` with Lipschitz
constant ``scale sqrt(own + attend H)`` in the Euclidean norm of all its arguments together; own
and attend are 0 or 1.  A word is a list of groups of equal numbers, so lengths like 10^20 run.

Main definitions: :class:`Run`, :func:`changes`, :func:`within`.

References
----------
Hahn (2020), Section 6: these are instances of its model [hahn2020].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import sympy as sp
from flint import arb, ctx

from bounds import ball
from bounds.soft.attention_weight import A, n
from bounds.soft.published import L_F, H, k
from bounds.soft.recursion import D

BITS = 512


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A transformer, a word in groups, and the exchange of the one symbol of the first group.

    Parameters
    ----------
    name
        Shown as the witness.
    logit
        m, an integer; A = |m|.
    heads
        H, equal heads.
    scale, own, attend, shift
        f_act, see the module.
    lipschitz
        Its Lipschitz constant ``scale sqrt(own + attend H)``, rational.
    layers
        Number of layers, all alike.
    before, after
        Value of the exchanged symbol.
    rest
        The other symbols: (value, count).
    frozen
        Keep the attention weights of the word before the exchange (not a transformer; shows what
        a proof with frozen weights would see).
    """

    name: str
    logit: int
    heads: int
    scale: Fraction
    own: int
    attend: int
    lipschitz: Fraction
    before: Fraction
    after: Fraction
    rest: tuple[tuple[Fraction, int], ...]
    shift: Fraction = Fraction(0)
    layers: int = 1
    frozen: bool = False

    def __post_init__(self) -> None:
        arguments = self.own + self.attend * self.heads
        if self.lipschitz**2 != self.scale**2 * arguments:
            raise ValueError(f"{self.name}: {self.lipschitz} is not the Lipschitz constant")

    @property
    def length(self) -> int:
        """Length n of the word."""
        return 1 + sum(count for _, count in self.rest)

    def __str__(self) -> str:
        return (
            f"{self.name}: n={self.length}, H={self.heads}, A={abs(self.logit)}, "
            f"L_f={self.lipschitz}, k={self.layers}, D={abs(self.after - self.before)}"
        )


Number = Any  # Fraction where all logits vanish, arb otherwise


def _exp(x: Number) -> Number:
    return Fraction(1) if isinstance(x, Fraction) and x == 0 else _arb(x).exp()


def _arb(x: Number) -> arb:
    return arb(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def _clip(x: Number) -> Number:
    if isinstance(x, Fraction):
        return max(Fraction(-1), min(Fraction(1), x))
    return x.max(arb(-1)).min(arb(1))


def _weights(run: Run, values: Sequence[Number], counts: Sequence[int]) -> list[list[Number]]:
    rows = []
    for query in values:
        terms = [c * _exp(run.logit * query * key) for key, c in zip(values, counts, strict=True)]
        total = sum(terms[1:], terms[0])
        rows.append([t / total for t in terms])
    return rows


def _layer(run: Run, values: Sequence[Number], weights: list[list[Number]]) -> list[Number]:
    out = []
    for y, row in zip(values, weights, strict=True):
        parts = [w * value for w, value in zip(row, values, strict=True)]
        b = sum(parts[1:], parts[0])
        scale, shift = run.scale, run.shift
        if not isinstance(y, Fraction):
            scale, shift = _arb(scale), _arb(shift)
        out.append(_clip(scale * (run.own * y + run.attend * run.heads * b) + shift))
    return out


def changes(run: Run) -> tuple[Number, Number]:
    """Return the change at the exchanged position and the largest elsewhere, after all layers.

    Examples
    --------
    >>> mean = Run("mean", 0, 1, Fraction(1), 0, 1, Fraction(1), Fraction(0), Fraction(1),
    ...            ((Fraction(0), 3),))
    >>> changes(mean)
    (Fraction(1, 4), Fraction(1, 4))
    """
    with ctx.workprec(BITS):
        counts = [1, *(c for _, c in run.rest)]
        start: list[Number] = [run.before, *(v for v, _ in run.rest)]
        end: list[Number] = [run.after, *(v for v, _ in run.rest)]
        if run.logit:
            start, end = [_arb(v) for v in start], [_arb(v) for v in end]
        for _ in range(run.layers):
            base = _weights(run, start, counts)
            moved = base if run.frozen else _weights(run, end, counts)
            start, end = _layer(run, start, base), _layer(run, end, moved)
        gaps = [abs(a - b) for a, b in zip(start, end, strict=True)]
        largest = gaps[1]
        for gap in gaps[2:]:
            largest = max(largest, gap) if isinstance(gap, Fraction) else largest.max(gap)
        return gaps[0], largest


def within(run: Run, bound: sp.Expr, *, elsewhere: bool) -> bool:
    """Decide whether the executed change is at most ``bound`` evaluated for this run.

    Parameters
    ----------
    run
        What is executed.
    bound
        Expression in A, n, k, H, L_f and D.
    elsewhere
        Compare the largest change at other positions, else that at the exchanged one.

    Raises
    ------
    ArithmeticError
        If the balls overlap at the working precision.
    """
    value = changes(run)[1 if elsewhere else 0]
    at = {
        A: Fraction(abs(run.logit)), n: Fraction(run.length), k: Fraction(run.layers),
        H: Fraction(run.heads), L_F: run.lipschitz, D: abs(run.after - run.before),
    }  # fmt: skip
    used = {s: v for s, v in at.items() if s in bound.free_symbols}
    with ctx.workprec(BITS):
        gap = ball.enclose(bound, used, bits=BITS) - _arb(value)
        if gap >= 0:
            return True
        if gap < 0:
            return False
    raise ArithmeticError(f"{run}: undecided at {BITS} bits")
