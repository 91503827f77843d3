"""What running a compiled model gives: outputs, and attention and residuals by name of s-op.

Main definitions: :class:`Run`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy.typing as npt

from rasp.errors import MalformedModelError
from rasp.weights.model import CompiledModel

RETURNS = ("outputs", "attention", "residuals")
"""What a run can be asked for."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """The results of one batch, word by word, in the order of the words.

    Attributes
    ----------
    model
        Which ran.
    outputs
        Readout name to one list of atoms per word, without BOS; ``None`` and
        :class:`~rasp.weights.readout.Unreadable` can occur.
    attention
        Head name to one matrix per word, BOS included: row ``i`` is where row ``i`` attends.
        In the exact runtime a Boolean matrix, whose rows share the attention equally between
        their true entries; else the softmax.
    residuals
        Per stage (see :class:`~rasp.weights.readout.Direction`) one array (rows, width) per word,
        BOS included: Fractions in the exact runtime, else floats.
    gaps
        Head name to the least difference between the greatest score of a row and the next
        distinct one that occurred, exact runtime only; absent if no row had two scores.
    """

    model: CompiledModel
    outputs: Mapping[str, Sequence[list[Any]]] = field(default_factory=dict)
    attention: Mapping[str, Sequence[npt.NDArray[Any]]] = field(default_factory=dict)
    residuals: Sequence[Sequence[npt.NDArray[Any]]] = ()
    gaps: Mapping[str, Fraction] = field(default_factory=dict)

    def output(self, name: str | None = None) -> Sequence[list[Any]]:
        """Return the values of an output, one list per word; without a name, of the first."""
        return self.outputs[self.model.readout(name).name]

    def attention_of(self, label: str) -> dict[str, Sequence[npt.NDArray[Any]]]:
        """Return the patterns of every head that serves an s-op, by head name.

        Raises
        ------
        MalformedModelError
            If no head serves it.
        """
        heads = [head.name for _, head in self.model.heads() if label in head.serves]
        if not heads:
            served = sorted({label for _, head in self.model.heads() for label in head.serves})
            raise MalformedModelError(f"no head serves {label!r}: heads serve {served}")
        return {name: self.attention[name] for name in heads}

    def coordinates_of(self, label: str) -> list[npt.NDArray[Any]]:
        """Return the coordinates of an s-op, shape (rows, its directions) for each word.

        They are read at the stage at which the last of its directions is written; columns are in
        the order of :meth:`CompiledModel.coordinates`.

        Raises
        ------
        MalformedModelError
            If the basis does not name the s-op.
        """
        directions = self.model.coordinates(label)
        if not directions:
            known = sorted({d.label for d in self.model.basis})
            raise MalformedModelError(f"no coordinate belongs to {label!r}: the basis has {known}")
        stage = max(d.born for d in directions)
        columns = [d.index for d in directions if d.dies >= stage]
        return [rows[:, columns] for rows in self.residuals[stage]]
