"""Heads that rank keys: ``best(selector, rank)``, read from the scores that the weights give.

A key is selectable for a query if it scores more than BOS; that is the selector, known for every
pair of a query and a key that occur, also in different words.  What keys contribute whatever the
query is, ranks them.

Main definitions: :func:`ranked`, :func:`completed`.
"""

from collections.abc import Callable, Iterable
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

MOST_PAIRS = 20_000
"""Most pairs of a query and a key whose scores are computed."""

Kind = Callable[[int, int], tuple[Any, ...]]
Kinds = Iterable[tuple[Any, ...]]


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
    asked, offered, threshold = _scored(state, head, queries, keys)
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


def _scored(state: State, head: Head, queries: Kinds, keys: Kinds) -> tuple[Any, Any, Any]:
    """Return queries, keys, and the score of BOS for each query."""
    bos = {c: state.probes.bos_value(state.stage, c) for c in set(head.key.rows.tolist())}
    asked = _projected(queries, head.query)
    return asked, _projected(keys, head.key), asked @ _row(bos, head.key)


def completed(state: State, head: Head, sight: Sight) -> Selection | None:
    """Return a selection between all kinds of queries and keys, also of different words.

    Nothing if there are too many, or without BOS, whose score says what is selected, or if it does
    not say it: where every row certainly selects something, BOS may score less.
    """
    if not state.model.bos or len(sight.queries) * len(sight.keys) > MOST_PAIRS:
        return None
    asked, offered, threshold = _scored(state, head, sight.queries, sight.keys)
    scores = asked @ offered.T
    hits = scores >= threshold[:, None] if sight.tied else scores > threshold[:, None]
    hits = np.asarray(hits, dtype=bool)
    selection = sight.selection
    if (hits != selection.hits)[selection.known].any():
        return None
    return Selection(hits, np.ones_like(hits))


def _kinds(probes: Probes, kind: Kind) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for number, word in enumerate(probes.words):
        for place in range(len(word)):
            found.setdefault(kind(number, place), len(found))
    return found


def _projected(kinds: Kinds, matrix: Matrix) -> Any:
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
