r"""The least k for E10 and E12 and the least n for E11, certified as least.

A search proposes; two certified signs, at the answer and one below, decide.  The slack changes
sign once (:mod:`bounds.reduction.monotone`), so they settle that the answer is least.  The search
is Newton's method in ball midpoints followed by doubling and bisection on certified signs, which
corrects any error of the proposal; integers of thousands of digits take a few evaluations.

Main definitions: :func:`least_k`, :func:`least_k_for_e11`, :func:`least_n`, :class:`Least`.

References
----------
Hahn (2020), Section 5.1, eqs. (10) to (12) [hahn2020].
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import sympy as sp
from flint import arb, ctx

from bounds.ball import enclose
from bounds.bound import bind
from bounds.reduction import symbols as sym
from bounds.reduction.local_lemma import RATE
from bounds.reduction.monotone import PUBLISHED, Weights
from bounds.reduction.stage3 import ALPHA
from bounds.rounding import MAX_BITS, PrecisionError
from bounds.values import BoundError, Exact, shown

_STEP = {s: sym.DOMAINS[s] for s in (sym.c, sym.H, sym.C, sym.eta, sym.q)}
_FULL = {**_STEP, sym.delta: sym.DOMAINS[sym.delta]}


class UnreachableError(BoundError):
    """No value satisfies the condition at the given parameters."""


@final
@dataclass(frozen=True, slots=True)
class Least:
    """A certified least value.

    Attributes
    ----------
    value
        The least k or n.
    slack
        Ball around the condition's slack at ``value``, certified >= 0.
    slack_below
        The same one below, certified < 0; ``None`` if ``value`` is the first admissible one.
    """

    value: int
    slack: arb
    slack_below: arb | None


def least_k(
    *, c: int, H: int, C: Exact, eta: Exact, q: Exact, weights: Weights = PUBLISHED
) -> Least:
    """Return the least k that satisfies E10, or equivalently E12.

    Parameters
    ----------
    c, H
        Inputs per activation and heads per layer, integers >= 1.
    C, eta, q
        Exact; C in (0, 1], eta in (0, 1/2), q in (0, 1); dimensionless.
    weights
        :data:`~bounds.reduction.monotone.PUBLISHED` or ``best_weights()``.

    Returns
    -------
    Least
        Its value is an integer >= 2, with the certified signs at k and k - 1.

    Raises
    ------
    BoundError
        If a value is not exact or outside its domain.
    bounds.rounding.PrecisionError
        If a sign stays open.

    Notes
    -----
    Deterministic.  Least by :data:`~bounds.reduction.monotone.MONOTONE`.

    References
    ----------
    Hahn (2020), Section 5.1, eqs. (10) and (12) [hahn2020].

    Examples
    --------
    >>> from fractions import Fraction
    >>> least_k(c=1, H=1, C=1, eta=Fraction(1, 4), q=Fraction(1, 4)).value
    909
    """
    at = bind(_STEP, (), {"c": c, "H": H, "C": C, "eta": eta, "q": q})
    return _least(sym.k, weights.slack10, at, max(weights.least, 2), _newton(weights, at))


def least_k_for_e11(
    *,
    c: int,
    H: int,
    C: Exact,
    eta: Exact,
    q: Exact,
    delta: Exact,
    n: int | None = None,
    weights: Weights = PUBLISHED,
) -> Least:
    """Return the least k that satisfies E11 at length ``n``, or at all large n if that is None.

    The latter is the least k with ``alpha + 2^c H ln(1 - A) > 0``; both sides grow with k.
    Parameters as in :func:`least_k`, with delta in (0, 1] and (1 + delta) q < 1.

    Raises
    ------
    UnreachableError
        If no k satisfies E11 at this n, because ``exp(-alpha n) >= B`` already.

    Examples
    --------
    >>> from fractions import Fraction
    >>> quarter = Fraction(1, 4)
    >>> least_k_for_e11(c=1, H=1, C=1, eta=quarter, q=quarter, delta=1).value
    7
    >>> least_k_for_e11(c=1, H=1, C=1, eta=quarter, q=quarter, delta=1, n=20).value
    17
    """
    at = _full(c, H, C, eta, q, delta)
    first = max(weights.least, 2)
    if n is None:
        return _least(sym.k, weights.headroom, at, first, 2)
    at |= bind({sym.n: sym.DOMAINS[sym.n]}, (), {"n": n})
    other = weights.other
    if _sign(ALPHA * sym.n + sp.log(sp.Rational(*other.as_integer_ratio())), at) < 0:
        raise UnreachableError(f"E11 holds for no k at n = {shown(n)}: use a larger n or delta")
    return _least(sym.k, weights.slack11, at, first, 2)


def least_n(
    *,
    k: int,
    c: int,
    H: int,
    C: Exact,
    eta: Exact,
    q: Exact,
    delta: Exact,
    weights: Weights = PUBLISHED,
) -> Least:
    """Return the least n that satisfies E11 at a given k; every larger n satisfies it too.

    Parameters as in :func:`least_k_for_e11`, with k >= 2 for the published weights.

    Raises
    ------
    UnreachableError
        If E11 holds for no n: k is too small for these parameters.

    Examples
    --------
    >>> from fractions import Fraction
    >>> quarter = Fraction(1, 4)
    >>> least_n(k=909, c=1, H=1, C=1, eta=quarter, q=quarter, delta=1).value
    17
    """
    at = {**_full(c, H, C, eta, q, delta), **bind({sym.k: sym.DOMAINS[sym.k]}, (), {"k": k})}
    if k < max(weights.least, 1):
        raise BoundError(f"k = {k} makes the weight A = 1: use k >= {weights.least}")
    if _sign(weights.headroom, at) < 0:
        raise UnreachableError(
            "E11 holds for no n at this k: use k >= the answer of least_k_for_e11, or larger delta"
        )
    other = weights.other
    bits = 128 + 2 * max(v.numerator.bit_length() for v in at.values())
    guess = enclose(
        -sp.log(sp.Rational(*other.as_integer_ratio())) / weights.headroom, at, bits=bits
    )
    return _least(sym.n, weights.slack11, at, 1, _integer(guess, bits))


def _full(c: int, H: int, C: Exact, eta: Exact, q: Exact, delta: Exact) -> dict[sp.Symbol, Exact]:
    values = {"c": c, "H": H, "C": C, "eta": eta, "q": q, "delta": delta}
    return bind(_FULL, (sym.FEW_FIXED,), values)


def _least(
    symbol: sp.Symbol, slack: sp.Expr, at: Mapping[sp.Symbol, Exact], first: int, guess: int
) -> Least:
    """Return the least integer >= ``first`` with slack >= 0, for a slack that changes sign once."""

    def holds(value: int) -> bool:
        return _sign(slack, {**at, symbol: value}) >= 0

    value = settle(holds, first, guess)
    bits = 64 + value.bit_length()
    return Least(
        value,
        enclose(slack, {**at, symbol: value}, bits=bits),
        enclose(slack, {**at, symbol: value - 1}, bits=bits) if value > first else None,
    )


def settle(holds: Callable[[int], bool], first: int, guess: int) -> int:
    """Return the least integer >= ``first`` that ``holds``, where all larger ones hold as well.

    Parameters
    ----------
    holds
        Exact or certified; false up to some point and true from there on.
    first
        Smallest integer that counts.
    guess
        Where to look first; only speed depends on it.

    Examples
    --------
    >>> settle(lambda m: m * m >= 10**60, 1, 7)
    1000000000000000000000000000000
    """
    high = max(guess, first)
    step, low = 1, high
    while not holds(high):
        low, high = high, high + step
        step *= 2
    step = 1
    while low == high or holds(low):  # here `high` holds
        if low == first:
            return first
        high = min(high, low)
        low = max(first, high - step)
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _sign(expression: sp.Expr, at: Mapping[sp.Symbol, Exact]) -> int:
    """Certify the sign by a ball, with enough bits for the largest number from the start."""
    bits = 64 + max(v.numerator.bit_length() for v in at.values())
    while bits <= MAX_BITS:
        ball = enclose(expression, at, bits=bits)
        if ball > 0 or ball < 0:
            return 1 if ball > 0 else -1
        bits *= 2
    raise PrecisionError(f"sign still open at {MAX_BITS} bits: the slack may be exactly zero")


def _newton(weights: Weights, at: Mapping[sp.Symbol, Exact]) -> int:
    """Propose the least k; r - 2/k is the derivative up to terms of order E/k^3."""
    bits, guess = 128 + max(v.numerator.bit_length() for v in at.values()), arb(0)
    for _ in range(60):
        rate = enclose(RATE, at, bits=bits)
        with ctx.workprec(bits):
            guess = arb.max(guess, 8 / rate).mid()
            slack = enclose(weights.slack10, {**at, sym.k: guess}, bits=bits)
            moved = (guess - slack / (rate - 2 / guess)).mid()
            done = bool(abs(moved - guess) < arb(0.25))
            size = abs(moved).log().upper().ceil().unique_fmpz()
            guess = moved
        needed = MAX_BITS + 1 if size is None else 64 + int(size) * 3 // 2  # log2 k is 1.44 ln k
        if needed > MAX_BITS:
            raise BoundError(
                f"the least k has more than {MAX_BITS} bits: use a smaller c, or enclose it with "
                "bounds.reduction.growth"
            )
        if done and bits >= needed:
            break
        bits = max(bits, needed)
    return _integer(guess, bits)


def _integer(value: arb, bits: int) -> int:
    with ctx.workprec(bits):
        whole = value.mid().ceil().unique_fmpz()
    return int(whole) if whole is not None else 2
