"""What a program is compiled for: symbols, length, BOS, mask.

Main definitions: :class:`Setting`.
"""

from dataclasses import dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class Setting:
    """The words a compiled model reads, and how its rows see one another.

    Attributes
    ----------
    symbols
        The vocabulary.
    length
        Longest word, in symbols.
    bos
        Whether a row for BOS precedes the word.
    causal
        Whether a row sees only itself and earlier rows; every selector is cut down to that.
    """

    symbols: tuple[Any, ...]
    length: int
    bos: bool = True
    causal: bool = False
