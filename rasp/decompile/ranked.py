"""Heads that rank keys: ``best(selector, rank)``, read from the scores that the weights give.

A key is selectable for a query if it scores more than BOS; that is the selector, known for every
pair of a query and a key that occur, also in different words.  What keys contribute whatever the
query is, ranks them.

Main definitions: :func:`ranked`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rasp.decompile.probes import Probes, Sight
from rasp.decompile.selectors import Selection
from rasp.decompile.state import State, columns
from rasp.decompile.wording import combination
from rasp.errors import DecompileError
from rasp.weights.matrix import Matrix
from rasp.weights.parts import Head

Kind = Callable[[int, int], tuple[Any, ...]]


def ranked(state: State, head: Head, query: Kind, key: Kind) -> tuple[Sight, str]:
    """Return what a head may select, and the text of what it ranks keys by.

    Parameters
    ----------
    state
        At the stage before the layer; of a model with BOS.
    head
        The head.
    query, key
        ``(word, position) -> kind``, which ends with the coordinates that the matrix reads.

    Raises
    ------
    DecompileError
        If there is no BOS, if the order of keys depends on the query, or if the head does not
        attend to the key that comes first.
    """
    probes = state.probes
    if not state.model.bos:
        raise DecompileError(
            f"head {head.name} ranks keys: without BOS the weights do not say which it may select"
        )
    queries, keys = (_kinds(probes, kind) for kind in (query, key))
    asked, offered = _projected(queries, head.query), _projected(keys, head.key)
    bos = {c: probes.bos_value(state.stage, c) for c in set(head.key.rows.tolist())}
    threshold = asked @ _row(bos, head.key)
    scores = asked @ offered.T
    hits = np.asarray(scores > threshold[:, None], dtype=bool)
    steady = [d for d in range(asked.shape[1]) if len(set(asked[:, d].tolist())) == 1]
    rank = offered[:, steady] @ asked[0, steady]
    for row, eligible in zip(scores, hits, strict=True):
        if len(set((row - rank)[eligible].tolist())) > 1:
            raise DecompileError(f"head {head.name} ranks keys in an order that depends on the row")
    _confirm(probes, head, (queries, query), (keys, key), hits, rank)
    weights: dict[int, Fraction] = {}
    for d, form in columns(head.key).items():
        for c, factor in form if d in steady else ():
            weights[c] = weights.get(c, Fraction(0)) + factor * asked[0, d]
    kept = [(f, c) for c, f in sorted(weights.items()) if f and state.term(c).value is None]
    text = combination([(f, state.short(c).text) for f, c in kept], Fraction(0))
    sight = Sight(Selection(hits, np.ones_like(hits)), list(queries), list(keys), False, 0)
    return sight, text


def _kinds(probes: Probes, kind: Kind) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for number, word in enumerate(probes.words):
        for place in range(len(word)):
            found.setdefault(kind(number, place), len(found))
    return found


def _projected(kinds: Sequence[tuple[Any, ...]] | Any, matrix: Matrix) -> Any:
    """Return the query or key of every kind, shape (kinds, key size), of fractions."""
    read = sorted(set(matrix.rows.tolist()))
    rows = [
        _row(dict(zip(read, kind[len(kind) - len(read) :], strict=True)), matrix) for kind in kinds
    ]
    return np.array(rows, dtype=object)


def _row(held: dict[int, Any], matrix: Matrix) -> Any:
    out = np.full(matrix.shape[1], Fraction(0), dtype=object)
    for row, column, value in matrix.entries():
        out[column] += value * Fraction(held[row])
    return out


def _confirm(
    probes: Probes,
    head: Head,
    queries: tuple[dict[tuple[Any, ...], int], Kind],
    keys: tuple[dict[tuple[Any, ...], int], Kind],
    hits: Any,
    rank: Any,
) -> None:
    """Compare with where the head looked on the probe words."""
    for number, (word, pattern) in enumerate(
        zip(probes.words, probes.run.attention[head.name], strict=True)
    ):
        left = [queries[0][queries[1](number, i)] for i in range(len(word))]
        top = [keys[0][keys[1](number, i)] for i in range(len(word))]
        seen = probes.visible(len(word))
        for place, q in enumerate(left):
            offers = [j for j, k in enumerate(top) if hits[q, k] and seen[place, j]]
            best = max((rank[top[j]] for j in offers), default=None)
            chosen = {j for j in offers if rank[top[j]] == best}
            if {j - 1 for j in np.flatnonzero(pattern[place + 1]).tolist() if j} != chosen:
                raise DecompileError(f"head {head.name} does not attend to the key it ranks first")
