"""What the directions of a residual row mean, and how an output is read from them.

A categorical s-op has one direction per value and, if it can be ``None``, one for that; a numeric
s-op is a linear form of a few directions.

Main definitions: :class:`Direction`, :class:`Readout`, :class:`Mark`, :class:`Unreadable`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from rasp.errors import MalformedModelError
from rasp.graph import Atom


@final
class Mark(StrEnum):
    """Meanings of a direction other than "the s-op has this value here"."""

    NUMERIC = "numeric"  # the value itself
    SQUARE = "square"  # the square of the value
    NONE = "none"  # 1 where the s-op has no value
    ONE = "one"  # 1 in every row
    BOS = "bos"  # 1 in the first row of models with BOS, else 0
    SHIFTED = "shifted"  # the value and a constant that makes floats round it to a grid
    SCRATCH = "scratch"  # an intermediate result, such as 1 / (1 + width)


Meaning: TypeAlias = Atom | Mark


@final
@dataclass(frozen=True)
class Direction:
    """One meaning of one coordinate of the residual rows.

    Attributes
    ----------
    index
        The coordinate, from 0.
    label
        The s-op it belongs to.
    value
        The atom whose presence it marks with 1, or a :class:`Mark`.
    born, dies
        First and last *stage* at which it carries that meaning.  Stage 0 is after the embedding,
        stage ``2 l - 1`` after the heads of layer ``l`` (from 1), stage ``2 l`` after its
        feed-forward network.  Coordinates are used again after ``dies``.
    """

    index: int
    label: str
    value: Meaning
    born: int
    dies: int

    def __post_init__(self) -> None:
        if self.index < 0 or not 0 <= self.born <= self.dies:
            raise MalformedModelError(
                f"direction {self.index} of {self.label} lives from {self.born} to {self.dies}: "
                "use 0 <= born <= dies and an index from 0"
            )


@final
@dataclass(frozen=True)
class Unreadable:
    """What a readout gives where the row holds no value of the s-op; equal to no atom."""

    coordinates: tuple[Any, ...]


@final
@dataclass(frozen=True, kw_only=True)
class Readout:
    """How one output is read from a row.

    Attributes
    ----------
    name
        Of the output; unique in the model.
    kind
        ``categorical``: the value whose direction holds 1 where the others hold 0.
        ``numeric``: ``scale * x[directions[0]] + offset``.
    directions
        Coordinates: one per value, or a single one.
    values
        The values of a categorical output, one per direction; empty for a numeric one.
    none_direction
        The coordinate that is 1 where the output is ``None``, if it can be.
    scale, offset
        Of a numeric output.
    cast
        ``int``, ``float``, ``bool`` or ``Fraction``: type of a numeric output.
    label
        The s-op of the graph that the output is, as in :class:`Direction`.

    Examples
    --------
    >>> sign = Readout(name="y", kind="categorical", directions=(0, 2), values=("-", "+"))
    >>> sign.read([0, 9, 1]), sign.read([0, 9, 0])
    ('+', Unreadable(coordinates=(0, 0)))
    >>> Readout(name="y", kind="numeric", directions=(1,), cast="int").read([0, Fraction(9), 1])
    9
    """

    name: str
    kind: str
    directions: tuple[int, ...]
    values: tuple[Atom, ...] = ()
    none_direction: int | None = None
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    cast: str = "Fraction"
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "directions", tuple(self.directions))
        object.__setattr__(self, "values", tuple(self.values))
        object.__setattr__(self, "scale", Fraction(self.scale))
        object.__setattr__(self, "offset", Fraction(self.offset))
        if self.kind not in ("categorical", "numeric"):
            raise MalformedModelError(f"readout kind {self.kind!r}: use categorical or numeric")
        expected = len(self.values) if self.kind == "categorical" else 1
        if len(self.directions) != expected or (self.kind == "numeric" and self.values):
            raise MalformedModelError(
                f"readout {self.name}: {len(self.directions)} directions and {len(self.values)} "
                "values; a categorical one has as many, a numeric one a direction and no values"
            )
        if self.cast not in ("int", "float", "bool", "Fraction"):
            raise MalformedModelError(f"cast {self.cast!r}: use int, float, bool or Fraction")

    def read(self, row: Sequence[Any], *, tolerance: Any = 0) -> Any:
        """Return the output that a row holds.

        Parameters
        ----------
        row
            The ``width`` coordinates, exact or floats.
        tolerance
            How far a coordinate may be from the 0, the 1 or the integer it should be; below 1/2.

        Returns
        -------
        Atom | None | Unreadable
            An :class:`Unreadable` where the row holds no value, so that nothing wrong is guessed.
        """
        table = np.empty((1, len(row)), dtype=object)
        table[0] = row
        return self.read_rows(table, tolerance=tolerance)[0]

    def read_rows(
        self, tops: npt.NDArray[Any], bottoms: npt.NDArray[Any] | None = None, *, tolerance: Any = 0
    ) -> list[Any]:
        """Return the outputs of many rows at once; see :meth:`read`.

        Parameters
        ----------
        tops
            Shape (rows, width): floats, or exact numbers.
        bottoms
            Shape (rows,): what the rows have to be divided by, if they are integers.
        tolerance
            As for :meth:`read`; 0 if there are ``bottoms``.
        """
        whole = 1 if bottoms is None else bottoms[:, None]
        held = tops[:, list(self.directions)]
        if self.kind == "categorical":
            ones = np.asarray(abs(held - whole) <= tolerance, dtype=bool)
            zeros = np.asarray(abs(held) <= tolerance, dtype=bool)
            good = (ones.sum(axis=1) == 1) & (zeros.sum(axis=1) == held.shape[1] - 1)
            places = ones.argmax(axis=1).tolist() if held.shape[1] else [0] * len(held)
            found: list[Any] = [
                self.values[place] if fits else None
                for place, fits in zip(places, good.tolist(), strict=True)
            ]
            for row in np.flatnonzero(~good).tolist():
                found[row] = Unreadable(tuple(_numbers(held[row], bottoms, row)))
        else:
            columns = [_numbers(held[row], bottoms, row)[0] for row in range(len(held))]
            found = [self._number(coordinate, tolerance) for coordinate in columns]
        if self.none_direction is not None:
            absent = tops[:, [self.none_direction]]
            for row in np.flatnonzero(np.asarray(abs(absent - whole) <= tolerance)).tolist():
                found[row] = None
        return found

    def _number(self, coordinate: Any, tolerance: Any) -> Any:
        value: Any = coordinate * self.scale + self.offset
        if self.cast == "Fraction":
            return value if isinstance(value, float) else Fraction(value)
        if self.cast == "float":
            return float(value)
        whole = round(value)
        if abs(value - whole) > tolerance or (self.cast == "bool" and whole not in (0, 1)):
            return Unreadable((coordinate,))
        return bool(whole) if self.cast == "bool" else int(whole)


def _numbers(held: npt.NDArray[Any], bottoms: npt.NDArray[Any] | None, row: int) -> list[Any]:
    if bottoms is None:
        numbers: list[Any] = held.tolist()
        return numbers
    return [Fraction(top, int(bottoms[row])) for top in held.tolist()]
