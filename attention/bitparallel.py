"""All 2^n inputs of a hard-attention model at once, 64 to a machine word.

Each statement "activation (i, k) has value v" is a packed set of inputs.  A head walks its
decision list of (position, value) pairs downwards: the inputs not yet decided that make the pair
true attend to it.  The cost depends on the number of different values a position has.

Main definitions: :func:`output_sets`, :func:`model_truth_table`.
"""

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from attention.scoring import score_rows
from attention.transformer import AbstractHardTransformer, ModelError, visible
from languages.sensitivity import TruthTable

Inputs: TypeAlias = npt.NDArray[np.uint64]
Sets: TypeAlias = dict[Hashable, Inputs]

MEMORY = 2**31
"""Greatest size in bytes of one layer's sets."""


def output_sets(model: AbstractHardTransformer) -> Sets:
    """Return, for each output, the packed set of inputs that yield it.

    Parameters
    ----------
    model
        A model with two symbols and at most 24 positions.

    Raises
    ------
    ModelError
        If the model is larger, or a layer has so many values that its sets exceed ``MEMORY``.

    Notes
    -----
    Time O(L H n V sum of list lengths x 2^n / 64); memory n V 2^n / 8 bytes a layer for V values
    a position.
    """
    if len(model.alphabet) != 2:
        raise ModelError(f"the model has {len(model.alphabet)} symbols: use a two-symbol model")
    if model.n > 24:
        raise ModelError(f"2^{model.n} inputs are out of reach: use n <= 24")
    layer: list[Sets] = []
    for i in range(model.n):
        one, everything = _position(model.n, i), _everything(model.n)
        sets: Sets = {}
        for symbol, inputs in zip(model.alphabet, (everything & ~one, one), strict=True):
            _add(sets, model.embed(i, symbol), inputs)
        layer.append(sets)
    for k in range(1, model.layers + 1):
        wanted = range(model.n) if k < model.layers else (model.n - 1,)
        layer = [_next(model, k, i, layer) for i in wanted]
        if sum(inputs.nbytes for sets in layer for inputs in sets.values()) > MEMORY:
            raise ModelError(f"layer {k} has too many activations: use a smaller n")
    found: Sets = {}
    for value, inputs in layer[-1].items():
        _add(found, model.readout(value), inputs)
    return found


def model_truth_table(model: AbstractHardTransformer) -> TruthTable:
    """Return the model's Boolean output on all inputs; input x has position j in bit j."""
    sets = output_sets(model)
    odd = [output for output in sets if not isinstance(output, (bool, np.bool_))]
    if odd:
        raise ModelError(f"the model answers {odd[0]!r}: a truth table needs boolean outputs")
    none = np.zeros(max(1, 2**model.n // 64), dtype=np.uint64)
    return TruthTable(model.n, sets.get(True, none))


def _next(model: AbstractHardTransformer, k: int, i: int, layer: list[Sets]) -> Sets:
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
    found: Sets = {}
    for row, own in enumerate(own_values):
        cases: dict[tuple[Hashable, ...], Inputs] = {(): layer[i][own]}
        for order in orders:
            attended = _attend(layer, pairs, order[row].tolist(), layer[i][own])
            grown: dict[tuple[Hashable, ...], Inputs] = {}
            for before, inputs in cases.items():
                for value, hits in attended.items():
                    both = inputs & hits
                    if both.any():
                        grown[*before, value] = both
            cases = grown
        for values, inputs in cases.items():
            _add(found, model.act(k, i, own, values), inputs)
    return found


def _attend(
    layer: list[Sets], pairs: list[tuple[int, Hashable]], order: list[int], alive: Inputs
) -> Sets:
    """Return, for each attended value, the inputs of ``alive`` that attend to it."""
    left = alive.copy()
    attended: Sets = {}
    for t in order:
        j, value = pairs[t]
        hits = left & layer[j][value]
        if hits.any():
            _add(attended, value, hits)
            left ^= hits
            if not left.any():
                break
    return attended


def _add(sets: Sets, value: Hashable, inputs: Inputs) -> None:
    known = sets.get(value)
    sets[value] = inputs if known is None else known | inputs


def _everything(n: int) -> Inputs:
    if n < 6:
        return np.array([2 ** (2**n) - 1], dtype=np.uint64)
    return np.full(2**n // 64, 2**64 - 1, dtype=np.uint64)


def _position(n: int, j: int) -> Inputs:
    """Return the inputs whose position ``j`` has symbol 1."""
    if j < 6:
        word = sum(1 << x for x in range(64) if x >> j & 1)
        return np.full(max(1, 2**n // 64), word, dtype=np.uint64) & _everything(n)
    block = np.repeat(np.array([0, 2**64 - 1], dtype=np.uint64), 1 << (j - 6))
    return np.tile(block, 2 ** (n - j - 1))
