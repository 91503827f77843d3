"""Brute force on all words of one length at once, one bit a word.

For every position and value a packed bit set holds the words in which the position has that
value.  A head walks its pairs (position, value) from the best score down and takes the words that
are still open: a handful of word-wide operations a pair instead of an evaluation a word.

Main definitions: `wrong_words`, `MAX_WORDS`.
"""

from itertools import product

import numpy as np
import numpy.typing as npt

from attention.table import TableTransformer
from languages.language import AbstractLanguage

Bits = npt.NDArray[np.uint8]
MAX_WORDS = 1 << 24
"""Most words that are enumerated (two megabytes a bit set)."""


def wrong_words(
    model: TableTransformer, language: AbstractLanguage, limit: int = 1
) -> list[tuple[int, ...]]:
    """Return up to ``limit`` words, lexicographic, on which the model and the language differ.

    Parameters
    ----------
    model
        Tables with boolean outputs over the language's alphabet, ``symbols ** n <= MAX_WORDS``.
    language
        The language it should decide.

    Returns
    -------
    list
        Words of symbol indices; empty means that the model is right on every word.
    """
    symbols, n = len(model.alphabet), model.n
    count = symbols**n
    values = _inputs(model, count)
    for layer in range(1, model.layers + 1):
        last = layer == model.layers
        above: list[dict[int, Bits]] = []
        for i in range(n):
            above.append({} if last and i < n - 1 else _position(model, layer, i, values))
        values = above
    accepted = np.zeros((count + 7) // 8, dtype=np.uint8)
    for value, here in values[n - 1].items():
        if model.outputs[value]:
            accepted |= here
    wrong = np.unpackbits(accepted ^ _members(language, n, count))[:count]
    found = np.flatnonzero(wrong)[:limit].tolist()
    return [tuple(k // symbols ** (n - 1 - i) % symbols for i in range(n)) for k in found]


def _inputs(model: TableTransformer, count: int) -> list[dict[int, Bits]]:
    symbols, n = len(model.alphabet), model.n
    index = np.arange(count)
    values: list[dict[int, Bits]] = []
    for i in range(n):
        symbol = index // symbols ** (n - 1 - i) % symbols
        here: dict[int, Bits] = {}
        for a in range(symbols):
            value = int(model.embedding[i if len(model.embedding) > 1 else 0, a])
            bits = np.packbits(symbol == a)
            here[value] = here[value] | bits if value in here else bits
        values.append(here)
    return values


def _position(
    model: TableTransformer, layer: int, i: int, values: list[dict[int, Bits]]
) -> dict[int, Bits]:
    act = model.acts[layer - 1]
    row = act[i if act.shape[0] > 1 else 0]
    result: dict[int, Bits] = {}
    for own, mine in values[i].items():
        heads = [_head(model, layer, h, i, own, mine, values) for h in range(model.heads)]
        for choice in product(*(head.items() for head in heads)):
            together = mine
            for _, bits in choice:
                together = together & bits
            if together.any():
                value = int(row[(own, *(v for v, _ in choice))])
                result[value] = result[value] | together if value in result else together
    return result


def _head(
    model: TableTransformer,
    layer: int,
    head: int,
    i: int,
    own: int,
    mine: Bits,
    values: list[dict[int, Bits]],
) -> dict[int, Bits]:
    """Return, for every attended value, the words of ``mine`` in which it is attended."""
    result: dict[int, Bits] = {}
    left = mine
    for j, v in ranked(model, layer, head, i, own, [sorted(here) for here in values]):
        hit = left & values[j][v]
        result[v] = result[v] | hit if v in result else hit
        left = left & ~hit
        if not left.any():
            break
    return result


def ranked(
    model: TableTransformer, layer: int, head: int, i: int, own: int, present: list[list[int]]
) -> list[tuple[int, int]]:
    """Return the visible pairs (position, value), best first, with ties as the model breaks them.

    Parameters
    ----------
    present
        For every position, the values it can hold.
    """
    table = model.scores[layer - 1][head]
    scores = table[i if table.shape[0] > 1 else 0, own]
    visible = range(i + 1 if model.mask == "causal" else model.n)
    side = 1 if model.ties == "leftmost" else -1
    pairs = [(j, v) for j in visible for v in present[j]]
    wide = scores.shape[0] > 1
    return sorted(pairs, key=lambda p: (-int(scores[p[0] if wide else 0, p[1]]), side * p[0]))


def _members(language: AbstractLanguage, n: int, count: int) -> Bits:
    """Return the packed membership of all words in index order."""
    symbols = len(language.alphabet)
    step = max(8, min(count, 1 << 16))
    parts = []
    for start in range(0, count, step):
        index = np.arange(start, min(start + step, count))
        powers = symbols ** np.arange(n - 1, -1, -1)
        batch = (index[:, None] // powers % symbols).astype(np.uint8)
        parts.append(np.packbits(language.members(batch)))
    return np.concatenate(parts)
