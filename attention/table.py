"""A hard-attention transformer given as integer tables.

Activations are the integers ``0 .. V_k - 1``.  A table with a position axis of length 1 is the
same at every position, so a model whose scores ignore positions stays small at any ``n``.

Main definitions: :class:`TableTransformer`.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from attention.transformer import (
    AbstractHardTransformer,
    Mask,
    ModelError,
    Ties,
    require_frame,
    require_hashable,
)

Table: TypeAlias = npt.NDArray[np.int64]


def integer_table(data: Any, where: str) -> Table:
    """Return ``data`` as a read-only int64 array; reject ragged, empty and non-integer data."""
    try:
        raw = np.array(data)
    except ValueError:
        raise ModelError(f"{where} is ragged: every row must have the same length") from None
    if raw.size == 0:
        raise ModelError(f"{where} is empty: give at least one entry along each axis")
    if raw.dtype.kind == "f":
        if not np.isfinite(raw).all():
            raise ModelError(f"{where} contains NaN or an infinity: use integers")
        if (raw != np.floor(raw)).any() or (np.abs(raw) >= 2**53).any():
            raise ModelError(f"{where} contains a number that is not an integer: scale it up")
    elif raw.dtype.kind not in "iub":
        raise ModelError(f"{where} has entries of type {raw.dtype}: use 64-bit integers")
    table = raw.astype(np.int64)
    table.flags.writeable = False
    return table


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TableTransformer(AbstractHardTransformer):
    """A model made of tables.

    Parameters
    ----------
    n
        Number of positions.
    alphabet
        Input symbols.
    embedding
        Layer-0 activation of each symbol, shape (n or 1, symbols).
    scores
        Per layer and head, shape (n or 1, values of the query, n or 1, values of the key).
    acts
        Per layer, shape (n or 1, own values, attended values of head 0, of head 1, ...).
    outputs
        Output of each final activation, length ``V_L``.
    ties, mask
        As in :class:`AbstractHardTransformer`.

    Raises
    ------
    ModelError
        For ragged, empty, non-integer or mutually inconsistent tables.

    Examples
    --------
    One head that looks for a 0 and reports whether there is none (the language 1*):

    >>> from attention.hard import evaluate
    >>> ones = TableTransformer(
    ...     n=3, alphabet=("0", "1"), embedding=[[0, 1]],
    ...     scores=[[[[[[1, 0]], [[1, 0]]]]]], acts=[[[[0, 0], [0, 1]]]], outputs=(False, True))
    >>> evaluate(ones, "111"), evaluate(ones, "101")
    (True, False)
    """

    n: int
    alphabet: tuple[Hashable, ...]
    embedding: Any
    scores: Any
    acts: Any
    outputs: Sequence[Hashable]
    ties: Ties = "leftmost"
    mask: Mask = "full"

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "alphabet", tuple(self.alphabet))
        scores = tuple(
            tuple(
                integer_table(table, f"the score table of layer {layer}, head {head}")
                for head, table in enumerate(heads)
            )
            for layer, heads in enumerate(self.scores, 1)
        )
        heads = {len(row) for row in scores}
        if len(heads) > 1:
            raise ModelError(f"layers have {sorted(heads)} heads: use the same number in each")
        require_frame(
            self.n, len(scores), max(heads, default=0), self.alphabet, self.ties, self.mask
        )
        put(self, "scores", scores)
        put(self, "embedding", integer_table(self.embedding, "the embedding table"))
        acts = tuple(
            integer_table(table, f"the activation table of layer {layer}")
            for layer, table in enumerate(self.acts, 1)
        )
        put(self, "acts", acts)
        put(self, "outputs", tuple(require_hashable(o, "an output") for o in self.outputs))
        self._check_shapes()

    def _check_shapes(self) -> None:
        if len(self.acts) != self.layers:
            raise ModelError(
                f"{len(self.acts)} activation tables for {self.layers} layers of scores: "
                "give one a layer"
            )
        if self.embedding.ndim != 2 or self.embedding.shape[1] != len(self.alphabet):
            raise ModelError(
                f"the embedding table has shape {self.embedding.shape}: "
                f"use (n or 1, {len(self.alphabet)})"
            )
        self._check_positions(self.embedding, (0,), "the embedding table")
        values = _value_count(self.embedding, "the embedding table")
        for layer in range(1, self.layers + 1):
            act = self.acts[layer - 1]
            for head in range(self.heads):
                where = f"the score table of layer {layer}, head {head}"
                table = self.scores[layer - 1][head]
                if table.ndim != 4 or table.shape[1] < values or table.shape[3] < values:
                    raise ModelError(
                        f"{where} has shape {table.shape}: use (n or 1, {values}, n or 1, {values})"
                    )
                self._check_positions(table, (0, 2), where)
            where = f"the activation table of layer {layer}"
            if act.ndim != 2 + self.heads or min(act.shape[1:]) < values:
                want = ", ".join([str(values)] * (1 + self.heads))
                raise ModelError(f"{where} has shape {act.shape}: use (n or 1, {want})")
            self._check_positions(act, (0,), where)
            values = _value_count(act, where)
        if len(self.outputs) < values:
            raise ModelError(f"{len(self.outputs)} outputs for {values} final values: give all")

    def _check_positions(self, table: Table, axes: tuple[int, ...], where: str) -> None:
        for axis in axes:
            if table.shape[axis] not in (1, self.n):
                raise ModelError(
                    f"{where} has {table.shape[axis]} positions on axis {axis}: use {self.n} or 1"
                )

    @property
    def layers(self) -> int:  # type: ignore[override]
        """Number of layers."""
        return len(self.scores)

    @property
    def heads(self) -> int:  # type: ignore[override]
        """Number of heads per layer."""
        return len(self.scores[0])

    def values(self, layer: int) -> int:
        """Return how many different activations layer ``layer`` (0 .. layers) can have."""
        table = self.embedding if layer == 0 else self.acts[layer - 1]
        return int(table.max()) + 1

    def embed(self, i: int, symbol: Hashable) -> Hashable:
        """Look the layer-0 activation up."""
        return int(self.embedding[_at(self.embedding, 0, i), self.alphabet.index(symbol)])

    def score(self, layer: int, head: int, i: int, j: int, query: Any, key: Any) -> int:
        """Look the score up."""
        table = self.scores[layer - 1][head]
        return int(table[_at(table, 0, i), query, _at(table, 2, j), key])

    def act(self, layer: int, i: int, own: Any, attended: tuple[Any, ...]) -> Hashable:
        """Look the activation up."""
        table = self.acts[layer - 1]
        return int(table[(_at(table, 0, i), own, *attended)])

    def readout(self, value: Any) -> Hashable:
        """Look the output up."""
        output: Hashable = self.outputs[value]
        return output


def _at(table: Table, axis: int, position: int) -> int:
    """Return the index of ``position`` on an axis that may be shared by all positions."""
    return position if table.shape[axis] > 1 else 0


def _value_count(table: Table, where: str) -> int:
    if table.min() < 0:
        raise ModelError(f"{where} contains {table.min()}: activations are integers from 0")
    return int(table.max()) + 1
