r"""Random soft-attention models for experiments, and the aligned head that is hardest to dilute.

Main definitions
----------------
random_transformer, aligned_transformer.

References
----------
Hahn (2020), Section 6 [hahn2020].
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, Logits, Mask, SoftLayer, SoftModelError, SoftTransformer
from attention.soft_encodings import AbstractEncoding, PeriodicEncoding

Array = NDArray[Any]


def random_transformer(
    rng: np.random.Generator,
    *,
    layers: int,
    heads: int,
    width: int,
    hidden: int | None = None,
    symbols: str = "01",
    logit_bound: float | None = 1.0,
    log_n: bool = False,
    norms: Literal["none", "post", "pre"] = "none",
    eps: float = 1e-5,
    period: int = 8,
    encoding: AbstractEncoding | None = None,
    mask: Mask | None = None,
) -> SoftTransformer:
    """Draw a transformer with Gaussian weights scaled to keep activations of order one.

    Parameters
    ----------
    rng
        Source of randomness; the model is a function of its state.
    layers, heads, width
        L >= 1, H >= 1 and d, with H dividing d.
    hidden
        Width of the ReLU block; default 4 d; 0 leaves it out.
    symbols
        The alphabet, one character a symbol.
    logit_bound
        A: normalised queries and keys, logits of absolute value at most A.
        ``None``: plain scaled dot products.
    log_n
        Multiply logits by ln n.
    norms, eps
        Placement of layer norms and their eps.
    period, encoding
        Period of a random periodic encoding, unless ``encoding`` is given.
    mask
        Default: full attention.

    Returns
    -------
    SoftTransformer
        With a readout of one direction of unit length.

    Raises
    ------
    SoftModelError
        If the sizes do not fit.

    Notes
    -----
    Deterministic given ``rng``.

    References
    ----------
    Hahn (2020), Section 6 [hahn2020].

    Examples
    --------
    >>> model = random_transformer(np.random.default_rng(1), layers=2, heads=2, width=8)
    >>> model.depth, model.width, model.encoding.period
    (2, 8, 8)
    """
    if layers < 1 or heads < 1 or width < 1 or width % heads:
        raise SoftModelError(
            f"layers={layers}, heads={heads}, width={width}: need L, H >= 1 and H dividing d"
        )
    a, m = width // heads, 4 * width if hidden is None else hidden

    def normal(*shape: int, fan: int) -> Array:
        return np.asarray(rng.standard_normal(shape) / np.sqrt(max(fan, 1)))

    def norm() -> LayerNorm | None:
        if norms == "none":
            return None
        return LayerNorm(np.ones(width), np.zeros(width), eps)

    built = tuple(
        SoftLayer(
            wq=normal(heads, width, a, fan=width), bq=normal(heads, a, fan=width),
            wk=normal(heads, width, a, fan=width), bk=normal(heads, a, fan=width),
            wv=normal(heads, width, a, fan=width), bv=normal(heads, a, fan=width),
            wo=normal(heads, a, width, fan=width), bo=normal(width, fan=width),
            w1=normal(width, m, fan=width), b1=normal(m, fan=width),
            w2=normal(m, width, fan=m), b2=normal(width, fan=width),
            norm1=norm(), norm2=norm(),
        )
        for _ in range(layers)
    )  # fmt: skip
    readout = normal(width, 1, fan=1)
    plain = Logits("plain", 1 / np.sqrt(a), log_n)
    return SoftTransformer(
        alphabet=tuple(symbols),
        embedding=normal(len(symbols), width, fan=1),
        encoding=encoding or PeriodicEncoding(0.5 * normal(period, width, fan=1)),
        layers=built,
        logits=plain if logit_bound is None else Logits("bounded", logit_bound, log_n),
        mask=mask or Mask(),
        norms=norms,
        output=readout / np.linalg.norm(readout),
    )


def aligned_transformer(logit_bound: float, *, log_n: bool = False) -> SoftTransformer:
    """Build the head that gives the symbol 1 logit +A and the symbol 0 logit -A.

    Parameters
    ----------
    logit_bound
        A >= 0, dimensionless.
    log_n
        Multiply the logits by ln n.

    Returns
    -------
    SoftTransformer
        One layer, one head, width 2, no encoding, no ReLU block.

    Notes
    -----
    Flipping one symbol of 0^n moves the output by ``2 e^{2A} / (e^{2A} + n - 1)``: flat up to
    ``n ~ e^{2A}``, then of slope -1.

    References
    ----------
    Hahn (2020), proof of Lemma 5: one logit at +A, the rest at -A [hahn2020].

    Examples
    --------
    >>> aligned_transformer(1.0).depth
    1
    """
    one = np.ones((1, 2, 1))
    layer = SoftLayer(
        wq=0 * one, bq=np.ones((1, 1)),
        wk=np.array([[[1.0], [0.0]]]), bk=np.zeros((1, 1)),
        wv=np.array([[[1.0], [0.0]]]), bv=np.zeros((1, 1)),
        wo=np.array([[[0.0, 1.0]]]), bo=np.zeros(2),
        w1=np.zeros((2, 0)), b1=np.zeros(0), w2=np.zeros((0, 2)), b2=np.zeros(2),
    )  # fmt: skip
    return SoftTransformer(
        alphabet=("0", "1"),
        embedding=np.array([[-1.0, 0.0], [1.0, 0.0]]),
        layers=(layer,),
        logits=Logits("plain", logit_bound, log_n),
        output=np.array([[0.0], [1.0]]),
    )
