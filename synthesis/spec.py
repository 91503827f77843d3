"""What a search is for: one language, one length, one size of hard-attention transformer.

A :class:`Spec` names a cell of the reach tables: does a unique hard-attention transformer with
``layers`` layers, ``heads`` heads and ``alphabet`` hidden symbols decide the language on every
word of length ``n`` (position-aware variants) or of every length up to ``up_to`` (uniform one)?
Absurd questions are refused at construction, with the reason.

Variants: ``causal`` position ``i`` attends to ``j < i``; ``full`` to ``j != i``; ``uniform`` has
letters ``f(x_i, i)`` but position-free scores and tables, and full attention including itself.
Attending to itself is left out of the first two: it repeats what the own value already says.

Main definitions: `Spec`, `SpecError`.

References
----------
Hahn (2020), Section 3 [hahn2020]; Hao, Angluin, Frank (2022), generalised unique hard attention
[hao2022].
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import product
from typing import Literal

import numpy as np

from languages.language import AbstractLanguage, LanguageError
from languages.registry import language

MAX_WORDS = 1 << 16
"""Most input words one encoding may hold; beyond it the clauses no longer fit in memory."""


Word = tuple[int, ...]
"""A word as indices into the alphabet of its language."""

Labels = Mapping[Word, bool]
"""Input words with the answers they must get."""


class SpecError(ValueError):
    """The question itself is ill-posed; the message names the value and the fix."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One cell: language, length, size and variant of the transformers searched.

    Parameters
    ----------
    language
        A name known to :func:`languages.registry.language`.
    n
        Word length, >= 1 (``uniform``: all lengths from 1 to ``n``).
    layers, heads
        Numbers of layers and of heads in each layer, >= 1.
    alphabet
        Number of hidden symbols S >= 2, or ``None`` for unbounded.
    variant
        Who sees whom; see the module's text.
    ties
        Which of several positions with the best score wins; it matters only for ``uniform``,
        because with positions in the scores every preorder refines to a strict order.

    Examples
    --------
    >>> Spec("parity", n=3, layers=1, heads=1, alphabet=2).words()
    8
    """

    language: str
    n: int
    layers: int
    heads: int
    alphabet: int | None = 2
    variant: Literal["causal", "full", "uniform"] = "causal"
    ties: Literal["leftmost", "rightmost"] = "leftmost"

    def __post_init__(self) -> None:
        """Refuse questions that have no sensible answer."""
        try:
            language(self.language)
        except LanguageError as unknown:
            raise SpecError(str(unknown)) from unknown
        for name in ("n", "layers", "heads"):
            if getattr(self, name) < 1:
                raise SpecError(f"{name}={getattr(self, name)} must be at least 1")
        if self.alphabet is not None and self.alphabet < 2:
            raise SpecError(
                f"alphabet={self.alphabet}: one hidden symbol carries no information, use >= 2"
            )
        if self.variant not in ("causal", "full", "uniform"):
            raise SpecError(f"variant={self.variant!r} must be causal, full or uniform")
        if self.ties not in ("leftmost", "rightmost"):
            raise SpecError(f"ties={self.ties!r} must be leftmost or rightmost")
        if self.variant == "uniform" and self.alphabet is None:
            raise SpecError("variant=uniform needs a finite alphabet: its letters are the bound")
        if self.words() > MAX_WORDS:
            raise SpecError(
                f"n={self.n} means {self.words()} input words; at most {MAX_WORDS} fit in memory"
            )

    @property
    def target(self) -> AbstractLanguage:
        """The language as data."""
        return language(self.language)

    def words(self) -> int:
        """Return the number of input words the transformer has to get right."""
        letters = len(self.target.alphabet)
        if self.variant == "uniform":
            return sum(letters**length for length in range(1, self.n + 1))
        return int(letters**self.n)

    def inputs(self) -> Iterator[Word]:
        """Yield the input words as symbol indices, shortest first, then lexicographic."""
        first = 1 if self.variant == "uniform" else self.n
        for length in range(first, self.n + 1):
            yield from product(range(len(self.target.alphabet)), repeat=length)

    def labels(self) -> Labels:
        """Return every input word with its right answer."""
        words = tuple(self.inputs())
        members = self.target.members
        return {w: bool(members(np.array([w], dtype=np.uint8))[0]) for w in words}

    def visible(self, i: int) -> range | tuple[int, ...]:
        """Return the positions (from 0) that position ``i`` may attend to."""
        if self.variant == "causal":
            return range(i)
        return tuple(j for j in range(self.n) if j != i)

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain data."""
        return asdict(self)

    def digest(self) -> str:
        """Return a SHA-256 that names exactly this question."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()
