"""A small model of any kind as tables, so that it can be written to a file.

Main definitions: :func:`tabulate`.
"""

from collections.abc import Hashable
from itertools import product

import numpy as np

from attention.scoring import score_rows, unpack
from attention.table import TableTransformer
from attention.transformer import AbstractHardTransformer, ModelError, visible


def tabulate(model: AbstractHardTransformer, *, limit: int = 4_000_000) -> TableTransformer:
    """Return the table model that computes the same as ``model`` on every word.

    Parameters
    ----------
    model
        Any model.
    limit
        Greatest number of entries of one table.

    Raises
    ------
    ModelError
        If a table would exceed the limit.

    Notes
    -----
    Values of a layer are numbered in order of appearance; entries that cannot occur are 0.

    Examples
    --------
    >>> from attention.constructions.trees import parity_tree
    >>> from attention.hard import evaluate
    >>> evaluate(tabulate(parity_tree(1, 2)), "011")
    True
    """
    n, heads = model.n, model.heads
    at: list[list[Hashable]] = [[model.embed(i, s) for s in model.alphabet] for i in range(n)]
    number = _numbers(at)
    embedding = [[number[v] for v in row] for row in at]
    scores, acts = [], []
    for layer in range(1, model.layers + 1):
        size = len(number)
        _require(n * size * n * size, limit)
        pairs = [(i, v) for i in range(n) for v in sorted({number[value] for value in at[i]})]
        by_number = {index: value for value, index in number.items()}
        where = [i for i, _ in pairs]
        values = [by_number[v] for _, v in pairs]
        tables = []
        for head in range(heads):
            table = np.zeros((n, size, n, size), dtype=np.int64)
            found = score_rows(model, layer, head, where, values, where, values)
            index = np.array([v for _, v in pairs])
            table[np.array(where)[:, None], index[:, None], np.array(where)[None, :], index] = found
            tables.append(table)
        scores.append(tables)
        _require(n * size ** (1 + heads), limit)
        above: list[list[Hashable]] = []
        cases = []
        for i in range(n):
            seen = sorted({v for j, v in pairs if j < visible(model, i)})
            row = []
            for own in sorted({v for j, v in pairs if j == i}):
                for attended in product(seen, repeat=heads):
                    values_of = tuple(by_number[v] for v in attended)
                    row.append(model.act(layer, i, by_number[own], values_of))
                    cases.append(((i, own, *attended), row[-1]))
            above.append(row)
        after = _numbers(above)
        act = np.zeros((n, *[size] * (1 + heads)), dtype=np.int64)
        for place, value in cases:
            act[place] = after[value]
        acts.append(act)
        at, number = above, after
    return TableTransformer(
        n=n,
        alphabet=model.alphabet,
        embedding=embedding,
        scores=scores,
        acts=acts,
        outputs=tuple(model.readout(value) for value in unpack(list(number))),
        ties=model.ties,
        mask=model.mask,
    )


def _numbers(rows: list[list[Hashable]]) -> dict[Hashable, int]:
    found: dict[Hashable, int] = {}
    for row in rows:
        for value in row:
            found.setdefault(value, len(found))
    return found


def _require(size: int, limit: int) -> None:
    if size > limit:
        raise ModelError(f"a table would have {size} entries, more than {limit}: use a smaller n")
