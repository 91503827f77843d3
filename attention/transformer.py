"""Unique hard attention, exactly as the paper defines it, for arbitrary activations.

A model answers five questions: its layer-0 activations, its attention scores, its activation
function, its readout, and how equal scores are broken.  Activations are any hashable values;
scores are exact rationals, so that an argmax is never decided by rounding.  Layers count from 1,
heads and positions from 0; the verdict is read from the last position.

Main definitions: :class:`AbstractHardTransformer`, :class:`ModelError`.

References
----------
Hahn (2020), Section 3 and footnote 1 [hahn2020].
"""

import abc
import numbers
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Ties: TypeAlias = Literal["leftmost", "rightmost"]
Mask: TypeAlias = Literal["full", "causal"]


class ModelError(ValueError):
    """A model is malformed, or an input does not fit it; the message names the fix."""


class AbstractHardTransformer(abc.ABC):
    """A hard-attention transformer at one input length.

    Attributes
    ----------
    n
        Number of positions, ``n >= 1``.
    layers, heads
        Numbers of layers and of heads per layer, both ``>= 1``.
    alphabet
        The input symbols, at least one, all different.
    ties
        Which of the equally scored positions is attended.
    mask
        ``"causal"``: position i attends to positions ``j <= i`` only.
    """

    n: int
    layers: int
    heads: int
    alphabet: tuple[Hashable, ...]
    ties: Ties
    mask: Mask

    @abc.abstractmethod
    def embed(self, i: int, symbol: Hashable) -> Hashable:
        """Return the layer-0 activation of ``symbol`` at position ``i``."""

    @abc.abstractmethod
    def score(self, layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int | Fraction:
        """Return the attention score of position ``i`` for position ``j``, exactly."""

    @abc.abstractmethod
    def act(self, layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        """Return the activation from the own value and the attended value of each head."""

    @abc.abstractmethod
    def readout(self, value: Any) -> Hashable:
        """Return the output read from the last position's final activation."""


def require_frame(
    n: int, layers: int, heads: int, alphabet: tuple[Hashable, ...], ties: str, mask: str
) -> None:
    """Reject a model frame that no transformer can have.

    Raises
    ------
    ModelError
        Naming the field, its value and what is allowed.
    """
    for name, value in (("n", n), ("layers", layers), ("heads", heads)):
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise ModelError(f"{name} must be an integer, not {value!r}")
        if value < 1:
            raise ModelError(f"{name} = {value}: a transformer needs {name} >= 1")
    if not alphabet:
        raise ModelError("the alphabet is empty: give at least one symbol")
    if len(set(alphabet)) != len(alphabet):
        raise ModelError(f"the alphabet {alphabet!r} repeats a symbol: list each symbol once")
    if ties not in ("leftmost", "rightmost"):
        raise ModelError(f"ties = {ties!r}: use 'leftmost' or 'rightmost'")
    if mask not in ("full", "causal"):
        raise ModelError(f"mask = {mask!r}: use 'full' or 'causal'")


def require_hashable(value: Hashable, where: str) -> Hashable:
    """Return ``value``; reject one that cannot be compared and stored."""
    try:
        hash(value)
    except TypeError:
        raise ModelError(
            f"{where} is a {type(value).__name__}, which is not hashable: "
            "return ints, strings, Fractions or tuples of these"
        ) from None
    return value


def require_exact(score: object, where: str) -> int | Fraction:
    """Return ``score`` as an int or a Fraction; reject floats, NaN and everything else."""
    if isinstance(score, (int, Fraction)):
        return score
    if isinstance(score, numbers.Rational):
        return Fraction(int(score.numerator), int(score.denominator))
    raise ModelError(
        f"{where} is {score!r} ({type(score).__name__}): scores must be int or Fraction; "
        "Fraction(x) keeps a finite float's exact value"
    )


def visible(model: AbstractHardTransformer, i: int) -> int:
    """Return how many positions ``0 .. visible - 1`` position ``i`` may attend to."""
    return i + 1 if model.mask == "causal" else model.n
