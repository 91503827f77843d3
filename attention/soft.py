r"""Soft-attention transformers: what one is made of, checked when it is built.

A layer maps the activations y of shape (n, d) to ``f_act(y_j, b_j^1, ..., b_j^H)`` with
``b_j^h = sum_l softmax_l(a_jl^h) v_l^h``.  Heads, residual connections, layer norm and a ReLU
feed-forward block are all instances of the paper's f_act; values are linear in the activations.

Main definitions
----------------
LayerNorm, SoftLayer, Logits, Mask, SoftTransformer.

References
----------
Hahn (2020), Section 3 [hahn2020]; Vaswani et al. (2017) [vaswani2017].
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from attention.soft_encodings import AbstractEncoding, NoEncoding

Array = NDArray[Any]


class SoftModelError(ValueError):
    """A soft-attention model cannot be built from, or applied to, what was given."""


def _finite(name: str, value: Array) -> None:
    if not np.all(np.isfinite(value)):
        raise SoftModelError(f"{name} contains NaN or infinity: repair the weights first")


@final
@dataclass(frozen=True, slots=True, eq=False)
class LayerNorm:
    """``gain * (x - mean) / sqrt(var + eps) + bias`` over the last axis.

    Parameters
    ----------
    gain, bias
        Shape (d,).
    eps
        At least 0.  With 0 the map is not Lipschitz and Lemma 5 does not apply.
    """

    gain: Array
    bias: Array
    eps: float

    def __post_init__(self) -> None:
        _finite("layer norm gain", self.gain)
        _finite("layer norm bias", self.bias)
        if not self.eps >= 0:
            raise SoftModelError(f"layer norm eps = {self.eps} must be a number >= 0")


@final
@dataclass(frozen=True, slots=True, eq=False)
class SoftLayer:
    """One layer: attention (H heads of width a), residual, norm, ReLU block, residual, norm.

    Parameters
    ----------
    wq, wk, wv
        Shape (H, d, a); ``q = x @ wq[h] + bq[h]``.
    bq, bk, bv
        Shape (H, a).
    wo
        Shape (H, a, d); the head outputs are summed: ``sum_h o_h @ wo[h] + bo``.
    bo
        Shape (d,).
    w1, b1, w2, b2
        ReLU block, shapes (d, m), (m,), (m, d), (d,); m = 0 leaves it out.
    norm1, norm2
        After (post) or before (pre) attention and ReLU block; ``None`` for none.
    """

    wq: Array
    bq: Array
    wk: Array
    bk: Array
    wv: Array
    bv: Array
    wo: Array
    bo: Array
    w1: Array
    b1: Array
    w2: Array
    b2: Array
    norm1: LayerNorm | None = None
    norm2: LayerNorm | None = None

    def __post_init__(self) -> None:
        heads, d, a = self.wq.shape
        m = self.w1.shape[1]
        want = {
            "wk": (heads, d, a), "wv": (heads, d, a), "wo": (heads, a, d),
            "bq": (heads, a), "bk": (heads, a), "bv": (heads, a), "bo": (d,),
            "w1": (d, m), "b1": (m,), "w2": (m, d), "b2": (d,), "wq": (heads, d, a),
        }  # fmt: skip
        for name, shape in want.items():
            value = getattr(self, name)
            if value.shape != shape:
                raise SoftModelError(f"{name} has shape {value.shape}, expected {shape}")
            _finite(name, value)

    @property
    def heads(self) -> int:
        """Number of heads H."""
        return int(self.wq.shape[0])

    @property
    def width(self) -> int:
        """Width d of the activations."""
        return int(self.wq.shape[1])


@final
@dataclass(frozen=True, slots=True)
class Logits:
    """How logits come from queries and keys.

    Parameters
    ----------
    rule
        ``"plain"``: ``scale * q.k``.  ``"bounded"``: ``scale * q.k / (|q| |k|)``, hence of
        absolute value at most ``scale`` (and not Lipschitz where q or k vanishes).
    scale
        Positive, dimensionless; for ``"bounded"`` this is the bound A.
    log_n
        Multiply by the natural logarithm of n.
    """

    rule: Literal["plain", "bounded"] = "plain"
    scale: float = 1.0
    log_n: bool = False

    def __post_init__(self) -> None:
        if self.rule not in ("plain", "bounded"):
            raise SoftModelError(f"logit rule {self.rule!r}: use 'plain' or 'bounded'")
        if not (np.isfinite(self.scale) and self.scale >= 0):
            raise SoftModelError(f"logit scale {self.scale} must be a finite number >= 0")

    def factor(self, n: int) -> float:
        """Return the factor of q.k (or of the cosine) at length n."""
        return float(self.scale * np.log(n)) if self.log_n else float(self.scale)


@final
@dataclass(frozen=True, slots=True)
class Mask:
    """Which positions l a position j may attend to.

    Parameters
    ----------
    kind
        ``"full"``: all; ``"causal"``: l <= j; ``"window"``: |l - j| <= width.
    width
        Half width of the window, at least 0; only for ``"window"``.
    """

    kind: Literal["full", "causal", "window"] = "full"
    width: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("full", "causal", "window"):
            raise SoftModelError(f"mask {self.kind!r}: use 'full', 'causal' or 'window'")
        if (self.kind == "window") != (self.width is not None):
            raise SoftModelError("a mask has a width exactly if its kind is 'window'")
        if self.width is not None and self.width < 0:
            raise SoftModelError(f"window width {self.width} must be at least 0")

    def allowed(self, n: int) -> NDArray[np.bool_] | None:
        """Return the boolean (n, n) matrix, or ``None`` if everything is allowed."""
        if self.kind == "full":
            return None
        gap = np.arange(n)[:, None] - np.arange(n)[None, :]
        if self.kind == "causal":
            return np.asarray(gap >= 0)
        assert self.width is not None
        return np.asarray(np.abs(gap) <= self.width)


@final
@dataclass(frozen=True, slots=True, eq=False)
class SoftTransformer:
    """A soft-attention transformer over a finite alphabet.

    Parameters
    ----------
    alphabet
        The symbols; row s of ``embedding`` belongs to ``alphabet[s]``.
    embedding
        Shape (symbols, d).
    encoding
        Added to the embedding at every position.
    layers
        At least one.
    norms
        ``"none"``, ``"post"`` or ``"pre"``.
    final_norm
        Applied once at the end (usual with ``"pre"``), or ``None``.
    output, output_bias
        Readout of shape (d, r) and (r,), or ``None``: the activation itself.
    read
        The position whose last activation is read: ``"last"`` or ``"first"``.
    embedding_norm
        Layer norm directly after the embedding, or ``None``.

    Raises
    ------
    SoftModelError
        If shapes do not fit, a weight is not finite, or norms and ``norms`` disagree.
    """

    alphabet: tuple[Hashable, ...]
    embedding: Array
    layers: tuple[SoftLayer, ...]
    encoding: AbstractEncoding = field(default_factory=NoEncoding)
    logits: Logits = field(default_factory=Logits)
    mask: Mask = field(default_factory=Mask)
    norms: Literal["none", "post", "pre"] = "none"
    final_norm: LayerNorm | None = None
    output: Array | None = None
    output_bias: Array | None = None
    read: Literal["first", "last"] = "last"
    embedding_norm: LayerNorm | None = None

    def __post_init__(self) -> None:
        if len(set(self.alphabet)) != len(self.alphabet) or not self.alphabet:
            raise SoftModelError(f"alphabet {self.alphabet!r} must be nonempty without repeats")
        if self.embedding.shape[:1] != (len(self.alphabet),) or self.embedding.ndim != 2:
            raise SoftModelError(
                f"embedding has shape {self.embedding.shape}, expected ({len(self.alphabet)}, d)"
            )
        _finite("embedding", self.embedding)
        if not self.layers:
            raise SoftModelError("a transformer needs at least one layer")
        if self.norms not in ("none", "post", "pre"):
            raise SoftModelError(f"norms {self.norms!r}: use 'none', 'post' or 'pre'")
        for number, layer in enumerate(self.layers, start=1):
            if layer.width != self.width:
                raise SoftModelError(f"layer {number}: width {layer.width} is not {self.width}")
            has = (layer.norm1 is not None, layer.norm2 is not None)
            if self.norms == "none" and has != (False, False):
                raise SoftModelError(f"layer {number} has a layer norm but norms is 'none'")
        if self.output is not None:
            _finite("output", self.output)
            if self.output.ndim != 2 or self.output.shape[0] != self.width:
                raise SoftModelError(f"output {self.output.shape} must be ({self.width}, r)")

    @property
    def width(self) -> int:
        """Width d of the activations."""
        return int(self.embedding.shape[1])

    @property
    def depth(self) -> int:
        """Number of layers L."""
        return len(self.layers)

    def indices(self, word: Sequence[Hashable]) -> NDArray[np.int64]:
        """Return the symbol numbers of a word, shape (n,).

        Raises
        ------
        SoftModelError
            If the word is empty or holds a symbol outside the alphabet.

        Examples
        --------
        >>> from attention.soft_random import random_transformer
        >>> model = random_transformer(np.random.default_rng(0), layers=1, heads=1, width=4)
        >>> model.indices("0110").tolist()
        [0, 1, 1, 0]
        """
        if len(word) == 0:
            raise SoftModelError("the word is empty: attention needs at least one position")
        number = {symbol: s for s, symbol in enumerate(self.alphabet)}
        unknown = [symbol for symbol in word if symbol not in number]
        if unknown:
            raise SoftModelError(
                f"unknown symbol {unknown[0]!r}: the alphabet is {list(self.alphabet)!r}"
            )
        return np.array([number[symbol] for symbol in word], dtype=np.int64)

    def reading_position(self, n: int) -> int:
        """Return the position (from 0) that is read at length n."""
        return 0 if self.read == "first" else n - 1
