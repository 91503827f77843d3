"""What a program is compiled for: symbols, length, BOS, mask.

Main definitions: :class:`Setting`, :func:`setting_of`, :class:`SettingError`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

from rasp.compiler.domains import is_number
from rasp.errors import RaspError

LONGEST = 5000
MOST_SYMBOLS = 20_000


class SettingError(RaspError):
    """A vocabulary or a length that nothing can be compiled for."""


@final
@dataclass(frozen=True)
class Setting:
    """The words a compiled model reads, and how its rows see one another.

    Attributes
    ----------
    symbols
        The vocabulary: 1 to :data:`MOST_SYMBOLS` different atoms.
    length
        Longest word, in symbols, 1 to :data:`LONGEST`.
    bos
        Whether a row for BOS precedes the word.
    causal
        Whether a row sees only itself and earlier rows; every selector is cut down to that.
    """

    symbols: tuple[Any, ...]
    length: int
    bos: bool = True
    causal: bool = False

    def __post_init__(self) -> None:
        if type(self.length) is not int or not 1 <= self.length <= LONGEST:
            raise SettingError(f"length {self.length!r}: use an integer from 1 to {LONGEST}")
        if not 1 <= len(self.symbols) <= MOST_SYMBOLS:
            raise SettingError(
                f"a vocabulary of {len(self.symbols)} symbols: use 1 to {MOST_SYMBOLS}"
            )
        for symbol in self.symbols:
            if not (isinstance(symbol, str) or is_number(symbol)):
                raise SettingError(f"symbol {symbol!r}: use strings, finite numbers or Booleans")
        if len({(type(symbol), symbol) for symbol in self.symbols}) < len(self.symbols):
            raise SettingError("a symbol is in the vocabulary twice")


def setting_of(vocabulary: Iterable[Any], length: int, *, bos: bool, causal: bool) -> Setting:
    """Return the setting of a call; a vocabulary that lists nothing is named."""
    if not isinstance(vocabulary, Iterable):
        raise SettingError(f"vocabulary {vocabulary!r}: use a string or a list of symbols")
    return Setting(tuple(vocabulary), length, bos, causal)
