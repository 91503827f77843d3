"""The symbols a compiled model reads, and the numbers that stand for them.

Symbols come first, in the given order; then PAD, which fills up short words of a batch and is
masked; then BOS, a first position of its own, in models that have one.

Main definitions: :class:`Vocabulary`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from rasp.errors import MalformedModelError, WordError
from rasp.graph import Atom


@final
@dataclass(frozen=True)
class Vocabulary:
    """The input symbols, and whether words get a first position BOS.

    ``1``, ``1.0``, ``True`` and ``"1"`` are four symbols.

    Examples
    --------
    >>> letters = Vocabulary(("a", "b"), bos=True)
    >>> letters.encode("ba"), letters.pad, letters.begin, letters.size
    ([3, 1, 0], 2, 3, 4)
    """

    symbols: tuple[Atom, ...]
    bos: bool = True
    _ids: dict[tuple[type, Atom], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", tuple(self.symbols))
        ids = {(type(symbol), symbol): i for i, symbol in enumerate(self.symbols)}
        object.__setattr__(self, "_ids", ids)
        if not self.symbols:
            raise MalformedModelError("a vocabulary without symbols: give at least one")
        if len(ids) != len(self.symbols):
            twice = [s for i, s in enumerate(self.symbols) if ids[type(s), s] != i]
            raise MalformedModelError(f"symbol {twice[0]!r} is in the vocabulary twice")

    @property
    def pad(self) -> int:
        """The id that fills up words of a batch."""
        return len(self.symbols)

    @property
    def begin(self) -> int:
        """The id of the first position, in models with BOS."""
        return len(self.symbols) + 1

    @property
    def size(self) -> int:
        """How many ids there are: symbols, PAD, and BOS if the model has it."""
        return len(self.symbols) + 1 + self.bos

    def encode(self, word: Sequence[Any]) -> list[int]:
        """Return the ids of a word, after BOS if the model has it.

        Raises
        ------
        WordError
            If the word is empty or no sequence, or a symbol is not in the vocabulary.
        """
        if not isinstance(word, Collection):
            raise WordError(f"the word {word!r}: use a string or a list of symbols")
        if not len(word):
            raise WordError("the empty word: give at least one symbol")
        ids = self._ids
        try:
            found = [ids[type(symbol), symbol] for symbol in word]
        except (KeyError, TypeError):
            place, bad = next(
                (i, s) for i, s in enumerate(word) if (type(s), str(s)) not in self._shown()
            )
            known = ", ".join(map(repr, self.symbols[:20]))
            raise WordError(
                f"symbol {bad!r} at position {place} is not in the vocabulary: it has {known}"
                + (" ..." if len(self.symbols) > 20 else "")
            ) from None
        return [self.begin, *found] if self.bos else found

    def _shown(self) -> set[tuple[type, str]]:
        return {(type(symbol), str(symbol)) for symbol in self.symbols}
