r"""The two-sided table: for each language and length, sizes that exist, sizes that are refuted.

All entries are read off the stored certificates and carried over where that is proved: to shorter
words by neutral prefixes (`synthesis.reach`), to more heads, layers and symbols because a larger
transformer can ignore them, and for one layer by the patterns of `proofs.synthesis.one_layer`.

Main definitions: `lines`, `Line`, `Size`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from proofs.synthesis.two_sided import LANGUAGES, Program, program_of
from synthesis.reach import neutral_prefix
from synthesis.spec import Spec
from synthesis.stored import folder

_CYCLE = {"parity": 2, "mod3": 3}


@dataclass(frozen=True, slots=True)
class Size:
    """Layers, heads, and hidden symbols (``None``: unbounded; one layer needs none)."""

    layers: int
    heads: int
    symbols: int | None = None

    def within(self, other: "Size") -> bool:
        """Return whether this size is no larger than the other in any respect.

        Examples
        --------
        >>> Size(1, 2).within(Size(2, 2, 2)), Size(2, 1, 3).within(Size(2, 1, 2))
        (True, False)
        """
        fits = self.layers == 1 or (self.symbols or inf) <= (other.symbols or inf)
        return self.layers <= other.layers and self.heads <= other.heads and fits

    def __str__(self) -> str:
        hidden = "" if self.layers == 1 else f", S = {self.symbols or 'any'}"
        return f"({self.layers}, {self.heads}){hidden}"


@dataclass(frozen=True, slots=True)
class Line:
    """One language at one length, causal hard attention.

    Parameters
    ----------
    exist
        Smallest sizes known to decide it; none of them lies within another.
    refuted
        Largest sizes known not to.
    construction
        The smallest one-headed size for which a construction for every length is at hand.
    program
        The RASP program.
    """

    language: str
    n: int
    exist: tuple[Size, ...]
    refuted: tuple[Size, ...]
    construction: Size
    program: Program


def lines(names: Sequence[str] = LANGUAGES) -> tuple[Line, ...]:
    """Return the table for the languages, by language and length; deterministic."""
    cells = [(spec, found) for spec, found in _stored() if spec.variant == "causal"]
    table = []
    for name in names:
        mine = [(spec, found) for spec, found in cells if spec.language == name]
        for n in sorted({spec.n for spec, _ in mine if spec.n > 1}):
            exist = {_size(s) for s, found in mine if found and _carries(s, n)}
            refuted = {_size(s) for s, found in mine if not found and _carries(_at(s, n), s.n)}
            exist |= {_reading(name, n), _tree(name, n)}
            refuted |= _pattern(name, n)
            smallest = [s for s in exist if not any(t.within(s) for t in exist - {s})]
            largest = [s for s in refuted if not any(s.within(t) for t in refuted - {s})]
            line = Line(
                name, n, _sorted(smallest), _sorted(largest), _tree(name, n), program_of(name)
            )
            table.append(line)
    return tuple(table)


def _stored() -> Iterable[tuple[Spec, bool]]:
    """Yield the cells of all stored certificates and whether a machine was found."""
    for path in sorted(folder().glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        yield Spec(**data["spec"]), data["kind"] == "machine"


def _at(spec: Spec, n: int) -> Spec:
    return Spec(spec.language, n, spec.layers, spec.heads, spec.alphabet, spec.variant)


def _carries(spec: Spec, n: int) -> bool:
    """Return whether a machine of the cell gives one of its size at length ``n``."""
    prefix = neutral_prefix(spec)
    return spec.n == n or (prefix is not None and spec.n > n and (spec.n - n) % len(prefix) == 0)


def _size(spec: Spec) -> Size:
    return Size(spec.layers, spec.heads, None if spec.layers == 1 else spec.alphabet)


def _reading(name: str, n: int) -> Size:
    """Return the one-layer size that reads all other positions, or finds a decisive one."""
    return Size(1, 1) if name in ("first", "ones") else Size(1, n - 1)


def _pattern(name: str, n: int) -> set[Size]:
    """Return the one-layer size that a pattern proved for every H refutes."""
    if name in _CYCLE:
        heads = n - _CYCLE[name]
    else:
        heads = n // 2 - 1 if name.startswith("dyck") or name == "majority" else 0
    return {Size(1, heads)} if heads > 0 else set()


def _tree(name: str, n: int) -> Size:
    if name in ("first", "ones"):
        return Size(1, 1)
    return Size((n - 1).bit_length(), 1, None if n == 2 else _CYCLE.get(name))


def _sorted(sizes: Iterable[Size]) -> tuple[Size, ...]:
    return tuple(sorted(sizes, key=lambda s: (s.layers, s.heads, s.symbols or inf)))
