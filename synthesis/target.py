"""The languages a search can aim at, as symbol indices.

Main definitions: `Target`, `TARGETS`, `Word`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

Word = tuple[int, ...]
"""A word as indices into the alphabet of its language."""


def _dyck(word: Word) -> bool:
    stack: list[int] = []
    for symbol in word:
        if symbol % 2 == 0:
            stack.append(symbol)
        elif not stack or stack.pop() != symbol - 1:
            return False
    return not stack


@dataclass(frozen=True, slots=True)
class Target:
    """A language: its name, its symbols in index order, and membership of index words."""

    name: str
    alphabet: tuple[str, ...]
    accepts: Callable[[Word], bool]


_BITS = ("0", "1")
TARGETS = MappingProxyType(
    {
        t.name: t
        for t in (
            Target("parity", _BITS, lambda w: sum(w) % 2 == 1),
            Target("mod3", _BITS, lambda w: sum(w) % 3 == 0),
            Target("majority", _BITS, lambda w: 2 * sum(w) > len(w)),
            Target("first", _BITS, lambda w: w[0] == 1),
            Target("ones", _BITS, lambda w: all(w)),
            Target("dyck1", ("(", ")"), _dyck),
            Target("dyck2", ("(", ")", "[", "]"), _dyck),
        )
    }
)
"""Every target by name."""
