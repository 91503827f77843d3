"""Which inputs give a model which output, by an algebra of input sets.

Each statement "activation (i, k) has value v" is a set of inputs.  A head walks its decision list
of (position, value) pairs downwards: the inputs not yet decided that make the pair true attend to
it.  How sets are represented is left to the algebra: packed words (:mod:`attention.bitparallel`)
or decision diagrams (:mod:`attention.diagrams`).

Main definitions: :class:`AbstractInputSets`, :func:`outputs_over`.
"""

import abc
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np

from attention.scoring import score_rows
from attention.transformer import AbstractHardTransformer, ModelError, visible

S = TypeVar("S")


class AbstractInputSets(abc.ABC, Generic[S]):
    """Sets of inputs of ``n`` two-symbol positions."""

    n: int

    @abc.abstractmethod
    def everything(self) -> S:
        """Return the set of all inputs."""

    @abc.abstractmethod
    def position(self, j: int) -> S:
        """Return the inputs whose position ``j`` has the second symbol."""

    @abc.abstractmethod
    def both(self, a: S, b: S) -> S:
        """Return the intersection."""

    @abc.abstractmethod
    def either(self, a: S, b: S) -> S:
        """Return the union."""

    @abc.abstractmethod
    def minus(self, a: S, b: S) -> S:
        """Return the inputs of ``a`` that are not in ``b``."""

    @abc.abstractmethod
    def empty(self, a: S) -> bool:
        """Return whether there is no input in ``a``."""

    @abc.abstractmethod
    def require_room(self, layer: int, sets: Sequence[dict[Hashable, S]]) -> None:
        """Raise a ModelError when the sets of a layer have become too large."""


def outputs_over(
    model: AbstractHardTransformer, algebra: AbstractInputSets[S]
) -> dict[Hashable, S]:
    """Return, for each output, the set of inputs that yield it.

    Raises
    ------
    ModelError
        If the model has not two symbols, or the sets become too large.

    Notes
    -----
    O(L H n V times the lengths of the lists) set operations for V values a position.
    """
    if len(model.alphabet) != 2:
        raise ModelError(f"the model has {len(model.alphabet)} symbols: use a two-symbol model")
    layer: list[dict[Hashable, S]] = []
    everything = algebra.everything()
    for i in range(model.n):
        one = algebra.position(i)
        sets: dict[Hashable, S] = {}
        for symbol, inputs in zip(
            model.alphabet, (algebra.minus(everything, one), one), strict=True
        ):
            _add(algebra, sets, model.embed(i, symbol), inputs)
        layer.append(sets)
    for k in range(1, model.layers + 1):
        wanted = range(model.n) if k < model.layers else (model.n - 1,)
        layer = [_next(model, algebra, k, i, layer) for i in wanted]
        algebra.require_room(k, layer)
    found: dict[Hashable, S] = {}
    for value, inputs in layer[-1].items():
        _add(algebra, found, model.readout(value), inputs)
    return found


def _next(
    model: AbstractHardTransformer,
    algebra: AbstractInputSets[S],
    k: int,
    i: int,
    layer: list[dict[Hashable, S]],
) -> dict[Hashable, S]:
    """Return the sets of position ``i`` at layer ``k``."""
    pairs = [(j, value) for j in range(visible(model, i)) for value in layer[j]]
    if model.ties == "rightmost":
        pairs.reverse()
    columns, keys = [j for j, _ in pairs], [value for _, value in pairs]
    own_values = list(layer[i])
    orders = [
        np.argsort(
            -score_rows(model, k, head, [i] * len(own_values), own_values, columns, keys),
            axis=1,
            kind="stable",
        )
        for head in range(model.heads)
    ]
    found: dict[Hashable, S] = {}
    for row, own in enumerate(own_values):
        cases: dict[tuple[Hashable, ...], S] = {(): layer[i][own]}
        for order in orders:
            attended = _attend(algebra, layer, pairs, order[row].tolist(), layer[i][own])
            grown: dict[tuple[Hashable, ...], S] = {}
            for before, inputs in cases.items():
                for value, hits in attended.items():
                    both = algebra.both(inputs, hits)
                    if not algebra.empty(both):
                        grown[*before, value] = both
            cases = grown
        for values, inputs in cases.items():
            _add(algebra, found, model.act(k, i, own, values), inputs)
    return found


def _attend(
    algebra: AbstractInputSets[S],
    layer: list[dict[Hashable, S]],
    pairs: list[tuple[int, Hashable]],
    order: list[int],
    alive: S,
) -> dict[Hashable, S]:
    """Return, for each attended value, the inputs of ``alive`` that attend to it."""
    left = alive
    attended: dict[Hashable, S] = {}
    for t in order:
        j, value = pairs[t]
        hits = algebra.both(left, layer[j][value])
        if not algebra.empty(hits):
            _add(algebra, attended, value, hits)
            left = algebra.minus(left, hits)
            if algebra.empty(left):
                break
    return attended


def _add(
    algebra: AbstractInputSets[S], sets: dict[Hashable, S], value: Hashable, inputs: S
) -> None:
    known = sets.get(value)
    sets[value] = inputs if known is None else algebra.either(known, inputs)
