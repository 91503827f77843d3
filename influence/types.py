r"""The types engine: exact influence of every type of position, at any length.

The exchanged position becomes a type of its own with count 1; the difference to the base run is
propagated through T + 1 rows.  Cost O(L T^2 d) per exchange, whatever n is.

Main definitions
----------------
TypeChanges, type_changes.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.difference import layer_difference, norm_difference
from influence.result import InfluenceError
from influence.words import TypeTable

Array = NDArray[Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class TypeChanges:
    """Changes of the readout by the type of the exchanged position.

    Parameters
    ----------
    elsewhere
        A position of type t other than the reading one is exchanged, shape (T, r); zero rows
        where there is no such position.
    at_read
        The reading position itself is exchanged, shape (r,).
    """

    elsewhere: Array
    at_read: Array


def type_changes(
    model: SoftTransformer,
    table: TypeTable,
    target: NDArray[np.int64] | int,
    readout: Array,
    *,
    budget: int = 2**22,
) -> TypeChanges:
    """Return the change of the readout for every type.

    Parameters
    ----------
    model
        A transformer with full attention.
    table
        The word by types.
    target
        Symbol number put in place: one for all, or one per type, shape (T,).
    readout
        Shape (d, r).
    budget
        Largest number of logits held at once.

    Returns
    -------
    TypeChanges
        Accurate to a few units in the last place times the conditioning of the network.

    Raises
    ------
    InfluenceError
        If the mask is not full: positions of one type then differ.

    Notes
    -----
    Deterministic; O(L T^3 d) for all types.

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> from influence.words import RepeatedWord, type_table
    >>> model = aligned_transformer(0.0)
    >>> table = type_table(model, RepeatedWord(("0",), 2**50))
    >>> float(type_changes(model, table, 1, np.array([[0.0], [1.0]])).elsewhere[0, 0]) * 2**50
    2.0
    """
    if model.mask.kind != "full":
        raise InfluenceError(
            f"the types engine needs full attention, not a {model.mask.kind} mask: "
            "use engine='brute'"
        )
    types = len(table.symbols)
    exchanged = np.append(np.arange(types), table.read)
    at_read = np.append(np.zeros(types, bool), True)
    put = np.broadcast_to(np.asarray(target), (types,))[exchanged]
    heads = max(layer.heads for layer in model.layers)
    rows = max(1, budget // (heads * (types + 1) ** 2))
    parts = [
        _changes(model, table, put[c], readout, exchanged[c], at_read[c])
        for c in (slice(s, s + rows) for s in range(0, types + 1, rows))
    ]
    out = np.concatenate(parts)
    lonely = table.counts[table.read] < 2
    if lonely:
        out[table.read] = 0
    return TypeChanges(out[:types], out[types])


def _changes(
    model: SoftTransformer,
    table: TypeTable,
    target: NDArray[np.int64],
    readout: Array,
    exchanged: NDArray[np.int64],
    at_read: NDArray[np.bool_],
) -> Array:
    types, m = len(table.symbols), len(exchanged)
    rows = model.embedding[table.symbols] + table.places
    x = np.concatenate([np.repeat(rows[None], m, 0), rows[exchanged][:, None]], axis=1)
    dx = np.zeros_like(x)
    dx[:, types] = model.embedding[target] - model.embedding[table.symbols[exchanged]]
    counts = np.repeat(np.append(table.counts, 1.0)[None], m, 0)
    counts[np.arange(m), exchanged] -= 1
    if model.embedding_norm is not None:
        x, dx = norm_difference(model.embedding_norm, x, dx)
    seen = np.where(at_read, types, table.read)
    for number, layer in enumerate(model.layers, start=1):
        only = seen if number == model.depth else None
        x, dx = layer_difference(model, layer, x, dx, counts, table.n, only)
    if model.final_norm is not None:
        x, dx = norm_difference(model.final_norm, x, dx)
    return np.asarray(dx[:, 0] @ readout)
