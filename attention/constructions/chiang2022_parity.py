r"""PARITY by soft attention: two layers, two heads, an influence of order 1/n^2 or, normed, 1.

Layer 1 averages: k/N ones and 1/N from the reading position.  Its ReLU block marks the position
i = k.  Layer 2's heads look at even and at odd positions from the reading position; their
difference carries the sign of (-1)^k.

Main definitions
----------------
parity_transformer, parity_logit, parity_cross_entropy.

References
----------
Chiang and Cholak (2022), Section 3 [chiang2022].
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.constructions.chiang2022 import (
    CLS,
    checked_eps,
    clearing_block,
    cross_entropy_bits,
    doubled,
    layer,
    normed,
)
from attention.soft import Logits, SoftModelError, SoftTransformer
from attention.soft_encodings import FractionEncoding

Array = NDArray[Any]

WIDTH = 10
ZERO, ONE, MARK, PLACE, COS, COUNT, UNIT, HIT, OUT = range(9)
_DIRECT = 100_000
"""Up to this length sums over positions are taken term by term."""


def _scale(eps: float | None, scale: float | None) -> float:
    if scale is not None:
        return scale
    return 1 / math.sqrt(WIDTH / 2) if eps is None else 1 / math.sqrt(WIDTH)


def parity_transformer(
    *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> SoftTransformer:
    """Build the transformer; its word is the bits followed by the mark ``"$"``.

    Parameters
    ----------
    eps
        Layer norm eps >= 0; ``None`` for the exact version without layer norm.
    scale
        Factor c of the layer-2 logits; default one over the root of the head width (5, or 10
        with layer norm).
    log_n
        Multiply logits by ln(n + 1).

    Returns
    -------
    SoftTransformer
        Its single output is positive exactly for an even number of ones.

    Raises
    ------
    SoftModelError
        If eps is negative.

    Examples
    --------
    >>> from attention.soft_forward import evaluate
    >>> [float(evaluate(parity_transformer(eps=0.0), w + "$")[0]) > 0 for w in ("0110", "0111")]
    [True, False]
    """
    checked_eps(eps)
    on = eps is not None
    size = 2 * WIDTH if on else WIDTH
    rows = np.zeros((3, WIDTH))
    rows[[0, 1, 2], [ZERO, ONE, MARK]] = 1
    unit = np.eye(WIDTH)

    values, outputs = np.zeros((2, WIDTH, 2)), np.zeros((2, 2, WIDTH))
    values[0, ONE, 0] = values[0, MARK, 1] = 1
    outputs[0, 0, COUNT] = outputs[0, 1, UNIT] = 1
    inner = np.zeros((size, 3))
    inner[COUNT], inner[PLACE], inner[UNIT] = 1, -1, (-1, 0, 1)
    outer = doubled(np.array([[1.0], [-2.0], [1.0]]) * unit[HIT], on=on)
    idle = np.zeros((2, WIDTH, 2))
    first = layer(
        queries=idle, keys=idle, values=values, outputs=outputs,
        inner=inner, inner_bias=np.zeros(3), outer=outer, eps=eps,
    )  # fmt: skip

    queries, keys = np.zeros((2, WIDTH, 1)), np.zeros((2, WIDTH, 1))
    values, outputs = np.zeros((2, WIDTH, 1)), np.zeros((2, 1, WIDTH))
    queries[:, MARK, 0] = _scale(eps, scale)
    keys[0, COS, 0], keys[1, COS, 0] = 1, -1
    values[:, HIT, 0] = 1
    outputs[0, 0, OUT], outputs[1, 0, OUT] = 1, -1
    if on:
        block = clearing_block(WIDTH, OUT)
    else:
        block = (np.zeros((size, 0)), np.zeros(0), np.zeros((0, size)))
    second = layer(
        queries=queries, keys=keys, values=values, outputs=outputs,
        inner=block[0], inner_bias=block[1], outer=block[2], eps=eps,
    )  # fmt: skip
    return SoftTransformer(
        alphabet=("0", "1", CLS),
        embedding=doubled(rows, on=on),
        encoding=FractionEncoding(doubled(unit[PLACE], on=on), doubled(unit[COS], on=on)),
        layers=(first, second),
        logits=Logits("plain", 1.0, log_n),
        norms="post" if on else "none",
        output=np.eye(size)[:, OUT : OUT + 1],
    )


def parity_logit(
    n: int, k: int, *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> float:
    """Return the output for n bits with k ones, from the closed form.

    Parameters
    ----------
    n, k
        ``0 <= k <= n``, n >= 1.
    eps, scale, log_n
        As for :func:`parity_transformer`.

    Returns
    -------
    float
        Positive for even k, negative for odd k.

    Raises
    ------
    SoftModelError
        If k or eps is out of range.

    Notes
    -----
    Deterministic.  O(1) without layer norm; O(n) with it up to n = 10^5, O(1) beyond by the
    Euler-Maclaurin formula.  Positions count from 0; N = n + 1; the mark stands at n.

    References
    ----------
    Chiang and Cholak (2022), Section 3 [chiang2022]; closed form ours.

    Examples
    --------
    >>> round(parity_logit(9, 4) * 100, 6)
    0.839212
    """
    checked_eps(eps)
    if n < 1 or not 0 <= k <= n:
        raise SoftModelError(f"n = {n}, k = {k}: need n >= 1 and 0 <= k <= n")
    length = n + 1
    c = _scale(eps, scale) * (math.log(length) if log_n else 1.0)
    if eps is None:
        gap = _gap(*_plain_sums(length, c), c, even=k % 2 == 0)
        return gap / length
    count, unit = k / length, 1 / length

    def size(place: Array) -> Array:
        """Return the factor of layer 1's two norms at relative places, away from i = k."""
        square = 2 + place**2 + count**2 + unit**2
        one = 1 / np.sqrt(square / WIDTH + eps)
        return np.asarray(one / np.sqrt(square * one**2 / WIDTH + eps))

    square = 2 + count**2 + count**2 + unit**2  # at i = k, where the mark is added
    one = 1 / math.sqrt(square / WIDTH + eps)
    two = 1 / math.sqrt((square + unit**2) * one**2 / WIDTH + eps)
    at_k = one * two
    reader = at_k if k == n else float(size(np.array(n / length)))
    c *= reader
    even, odd = _normed_sums(length, c, size)
    if k % 2 == 0:  # position k carries its own norm
        even = _replaced(even, c, float(size(np.array(count))), at_k)
    else:
        odd = _replaced(odd, c, float(size(np.array(count))), at_k)
    plus, minus = even[0] + odd[1], even[1] + odd[0]
    lift = c * at_k * (1 if k % 2 == 0 else -1)
    z = unit * at_k * (math.exp(lift) / plus - math.exp(-lift) / minus)
    square = 2 + (n / length) ** 2 + count**2 + unit**2 + (unit**2 if k == n else 0)
    before = square * reader**2 + z**2
    t = z / math.sqrt(before / WIDTH + eps)
    return normed(t, WIDTH, eps)


Sums = tuple[float, float]


def _plain_sums(length: int, c: float) -> Sums:
    even, odd = (length + 1) // 2, length // 2
    return (
        even * math.exp(c) + odd * math.exp(-c),
        even * math.exp(-c) + odd * math.exp(c),
    )


def _gap(plus: float, minus: float, c: float, *, even: bool) -> float:
    sign = 1 if even else -1
    return math.exp(sign * c) / plus - math.exp(-sign * c) / minus


def _replaced(sums: Sums, c: float, old: float, new: float) -> Sums:
    return (
        sums[0] - math.exp(c * old) + math.exp(c * new),
        sums[1] - math.exp(-c * old) + math.exp(-c * new),
    )


def _normed_sums(length: int, c: float, size: Any, direct: int = _DIRECT) -> tuple[Sums, Sums]:
    """Return, for even and for odd positions, the sums of exp(+c s_i) and exp(-c s_i)."""
    both = []
    for start in (0, 1):
        number = (length - start + 1) // 2
        if length <= direct:
            s = size((start + 2.0 * np.arange(number)) / length)
            both.append((float(np.exp(c * s).sum()), float(np.exp(-c * s).sum())))
            continue
        ends = (start / length, (start + 2 * (number - 1)) / length)
        nodes, weights = np.polynomial.legendre.leggauss(40)
        middle, half = (ends[1] + ends[0]) / 2, (ends[1] - ends[0]) / 2
        s = size(middle + half * nodes)
        edge = size(np.array(ends))
        # sum = integral / step + mean of the ends, up to step * slope (about 1/n of one term)
        both.append(
            (
                float((weights @ np.exp(c * s)) * half * length / 2 + np.exp(c * edge).sum() / 2),
                float((weights @ np.exp(-c * s)) * half * length / 2 + np.exp(-c * edge).sum() / 2),
            )
        )
    return both[0], both[1]


def parity_cross_entropy(
    n: int, *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> float:
    """Return the mean cross-entropy in bits over all strings of n bits.

    Parameters
    ----------
    n
        Length, 1 to 10^9 and beyond.
    eps, scale, log_n
        As for :func:`parity_transformer`.

    Returns
    -------
    float
        In [0, 1] bits per string.

    Notes
    -----
    Deterministic.  The number of ones is binomial; beyond 64 values of k the sum is taken over a
    grid of even and odd k within seven standard deviations, on which the summand is smooth.

    References
    ----------
    Chiang and Cholak (2022), Section 4 [chiang2022].

    Examples
    --------
    >>> round(parity_cross_entropy(100), 7)
    0.9999407
    >>> round(parity_cross_entropy(10**9, eps=0.0), 6)
    0.059811
    """
    if n < 1:
        raise SoftModelError(f"n = {n} must be at least 1")
    if eps is None:  # only the parity of k matters, and both are equally likely
        ends = (parity_logit(n, k, scale=scale, log_n=log_n) for k in (0, 1))
        return sum(cross_entropy_bits(abs(z)) for z in ends) / 2
    spread = math.sqrt(n) / 2
    low, high = max(0, int(n / 2 - 7 * spread)), min(n, math.ceil(n / 2 + 7 * spread))
    step = max(1, (high - low) // 40)
    step += step % 2 == 0  # an odd step visits both parities of k alike
    total = mass = 0.0
    for k in range(low, high + 1, step):
        weight = math.exp(
            math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        ) if n < 10**6 else math.exp(-2 * (k - n / 2) ** 2 / n)  # fmt: skip
        z = parity_logit(n, k, eps=eps, scale=scale, log_n=log_n)
        total += weight * cross_entropy_bits(abs(z))
        mass += weight
    return total / mass
