r"""FIRST by soft attention: does the word start with 1?  Influence of order 1/n or, normed, 1.

The reading position stands in front.  A ReLU unit of layer 1 marks a leading 1; layer 2 looks at
the first symbol from the reading position with logit c, diluted by n other positions.

Main definitions
----------------
first_transformer, first_logit, first_cross_entropy.

References
----------
Chiang and Cholak (2022), Section 5 [chiang2022].
"""

import math

import numpy as np

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
from attention.soft_encodings import FirstEncoding

WIDTH = 6
ZERO, ONE, MARK, HEAD, HIT, OUT = range(6)


def _scale(eps: float | None, scale: float | None) -> float:
    if scale is not None:
        return scale
    return 1 / math.sqrt(WIDTH) if eps is None else 1 / math.sqrt(2 * WIDTH)


def first_transformer(
    *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> SoftTransformer:
    """Build the transformer; its word is the mark ``"$"`` followed by the bits.

    Parameters
    ----------
    eps
        Layer norm eps >= 0; ``None`` for the version without layer norm.
    scale
        Factor c of the layer-2 logit; default one over the root of the head width (6, or 12).
    log_n
        Multiply logits by ln(n + 1).

    Returns
    -------
    SoftTransformer
        Its single output is positive exactly if the first bit is 1.

    Raises
    ------
    SoftModelError
        If eps is negative.

    Examples
    --------
    >>> from attention.soft_forward import evaluate
    >>> [float(evaluate(first_transformer(), "$" + w)[0]) > 0 for w in ("100", "011")]
    [True, False]
    """
    checked_eps(eps)
    on = eps is not None
    size = 2 * WIDTH if on else WIDTH
    rows = np.zeros((3, WIDTH))
    rows[[0, 1, 2], [ZERO, ONE, MARK]] = 1
    unit = np.eye(WIDTH)
    idle = np.zeros((1, WIDTH, 1))
    inner = np.zeros((size, 1))
    if on:  # no bias: scaling by a layer norm must not change the decision
        inner[HEAD], inner[ZERO], inner[MARK] = 1, -1, -1
    else:
        inner[HEAD] = inner[ONE] = 1
    first = layer(
        queries=idle, keys=idle, values=idle, outputs=np.zeros((1, 1, WIDTH)),
        inner=inner, inner_bias=np.array([0.0 if on else -1.0]),
        outer=doubled(unit[HIT : HIT + 1], on=on), eps=eps,
    )  # fmt: skip
    queries, keys, values = (np.zeros((1, WIDTH, 1)) for _ in range(3))
    queries[0, MARK, 0] = _scale(eps, scale)
    keys[0, HEAD, 0] = 1
    values[0, HIT, 0], values[0, HEAD, 0] = 1, -0.5
    if on:
        block = clearing_block(WIDTH, OUT)
    else:
        block = (np.zeros((size, 0)), np.zeros(0), np.zeros((0, size)))
    second = layer(
        queries=queries, keys=keys, values=values, outputs=unit[None, OUT : OUT + 1],
        inner=block[0], inner_bias=block[1], outer=block[2], eps=eps,
    )  # fmt: skip
    return SoftTransformer(
        alphabet=("0", "1", CLS),
        embedding=doubled(rows, on=on),
        encoding=FirstEncoding(doubled(unit[HEAD], on=on), at=1),
        layers=(first, second),
        logits=Logits("plain", 1.0, log_n),
        norms="post" if on else "none",
        output=np.eye(size)[:, OUT : OUT + 1],
        read="first",
    )


def first_logit(
    n: int, bit: int, *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> float:
    """Return the output for a word of n bits that starts with ``bit``, from the closed form.

    Parameters
    ----------
    n
        At least 1.
    bit
        0 or 1.
    eps, scale, log_n
        As for :func:`first_transformer`.

    Returns
    -------
    float
        Positive for 1, negative for 0; the other bits do not matter.

    Raises
    ------
    SoftModelError
        If n, the bit or eps is out of range.

    Notes
    -----
    Deterministic, O(1).

    References
    ----------
    Chiang and Cholak (2022), Section 5 [chiang2022]; closed form ours.

    Examples
    --------
    >>> round(first_logit(10, 1), 6), round(first_logit(10**9, 1, eps=0.0) ** 2, 6)
    (0.065375, 6.0)
    """
    checked_eps(eps)
    if n < 1 or bit not in (0, 1):
        raise SoftModelError(f"n = {n}, bit = {bit}: need n >= 1 and a bit")
    c = _scale(eps, scale) * (math.log(n + 1) if log_n else 1.0)
    if eps is None:
        return (bit - 0.5) * math.exp(c) / (math.exp(c) + n)
    # the reader is a bare mark, the first symbol a bit with the head coordinate (and the hit)
    reader = 1 / math.sqrt(1 / WIDTH + eps)
    reader /= math.sqrt(reader**2 / WIDTH + eps)
    one = 1 / math.sqrt(2 / WIDTH + eps)
    square = (3 if bit else 2) * one**2
    head = one / math.sqrt(square / WIDTH + eps)
    lift = math.exp(c * reader * head)
    z = (bit - 0.5) * head * lift / (lift + n)
    t = z / math.sqrt((reader**2 + z**2) / WIDTH + eps)
    return normed(t, WIDTH, eps)


def first_cross_entropy(
    n: int, *, eps: float | None = None, scale: float | None = None, log_n: bool = False
) -> float:
    """Return the mean cross-entropy in bits over all strings of n bits.

    Parameters
    ----------
    n, eps, scale, log_n
        As for :func:`first_logit`.

    Returns
    -------
    float
        In [0, 1] bits per string.

    Examples
    --------
    >>> round(first_cross_entropy(1000), 6), round(first_cross_entropy(1000, eps=0.0), 6)
    (0.999458, 0.119473)
    """
    logits = (first_logit(n, bit, eps=eps, scale=scale, log_n=log_n) for bit in (0, 1))
    return sum(cross_entropy_bits(abs(z)) for z in logits) / 2
