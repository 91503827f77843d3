r"""Soft-attention transformers: what one is made of, checked when it is built.

A layer maps the activations y of shape (n, d) to ``f_act(y_j, b_j^1, ..., b_j^H)`` with
``b_j^h = sum_l softmax_l(a_jl^h) v_l^h``.  Heads, residual connections, layer norm and a ReLU
feed-forward block are all instances of the paper's f_act; values are linear in the activations.

Main definitions
----------------
Logits, Mask, SoftTransformer (and, from :mod:`attention.soft_layers`, LayerNorm, SoftLayer).

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
from attention.soft_layers import LayerNorm as LayerNorm
from attention.soft_layers import SoftLayer as SoftLayer
from attention.soft_layers import SoftModelError as SoftModelError
from attention.soft_layers import require_finite

Array = NDArray[Any]


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
        return self.allowed_block(0, n, 0, n)

    def reach(self, start: int, stop: int, n: int) -> tuple[int, int]:
        """Return (low, high): rows start to stop of n attend to nothing outside low to high."""
        if self.width is not None:
            return max(0, start - self.width), min(n, stop + self.width)
        return 0, stop if self.kind == "causal" else n

    def allowed_block(self, start: int, stop: int, low: int, high: int) -> NDArray[np.bool_] | None:
        """Return rows start to stop and columns low to high of :meth:`allowed`."""
        if self.kind == "full":
            return None
        gap = np.arange(start, stop)[:, None] - np.arange(low, high)[None, :]
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
        require_finite("embedding", self.embedding)
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
            require_finite("output", self.output)
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
