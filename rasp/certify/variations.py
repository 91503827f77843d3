"""Words on which a single wrong weight shows: near the boundary of what programs tell apart.

A weight that is wrong at one position, or for one count, changes the output on few words.  Words
are therefore spread over all lengths and all degrees of imbalance, and include those that differ
in one or two places from words with a simple structure.

Main definitions: :func:`varied_words`, :func:`single_changes`, :func:`balanced_word`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Word = tuple[Any, ...]

PAIRS = (("(", ")"), ("{", "}"), ("[", "]"), ("<", ">"))
"""Brackets, for balanced words."""


def varied_words(symbols: Sequence[Any], length: int, rng: np.random.Generator) -> Iterator[Word]:
    """Yield random words without end, all lengths and all kinds in turn.

    Kinds: uniform, skewed, few long runs, two symbols, structured words with one or two changed
    places, words that begin badly balanced and go on with one symbol prevailing.

    Parameters
    ----------
    symbols
        The vocabulary.
    length
        Longest word, at least 1.
    rng
        Source of randomness.

    Examples
    --------
    >>> from itertools import islice
    >>> found = list(islice(varied_words("ab", 7, np.random.default_rng(0)), 42))
    >>> sorted({len(word) for word in found})
    [1, 2, 3, 4, 5, 6, 7]
    """
    kinds = (_uniform, _skewed, _runs, _two, _changed, _recovering)
    while True:
        for n in (rng.permutation(length) + 1).tolist():
            for kind in kinds:
                yield kind(symbols, n, rng)


def single_changes(symbols: Sequence[Any], length: int, rng: np.random.Generator) -> Iterator[Word]:
    """Yield longest words that are constant, balanced or alternating but for each one place."""
    first, last = symbols[0], symbols[-1]
    bases = [(first,) * length, (last,) * length, _alternating(symbols, length)]
    if brackets(symbols):
        bases += [balanced_word(symbols, length, rng) for _ in range(2)]
    for place in range(length):
        for base in bases:
            others = [symbol for symbol in symbols if symbol != base[place]]
            if others:
                other = others[int(rng.integers(len(others)))]
                yield (*base[:place], other, *base[place + 1 :])


def brackets(symbols: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the pairs of brackets among the symbols."""
    return [pair for pair in PAIRS if pair[0] in symbols and pair[1] in symbols]


def balanced_word(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    """Return a random word of balanced brackets; one more opening one if ``n`` is odd."""
    pairs = brackets(symbols)
    stack: list[Any] = []
    word: list[Any] = []
    while len(word) < n:
        room = n - len(word) - len(stack)
        if stack and (room == 0 or rng.random() < 0.5):
            word.append(stack.pop())
        else:
            left, right = pairs[int(rng.integers(len(pairs)))]
            word.append(left)
            stack.append(right)
    return tuple(word)


def _uniform(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    return tuple(symbols[i] for i in rng.integers(len(symbols), size=n).tolist())


def _skewed(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    shares = rng.dirichlet(np.full(len(symbols), 0.7))
    return tuple(symbols[i] for i in rng.choice(len(symbols), size=n, p=shares).tolist())


def _runs(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    word: list[Any] = []
    while len(word) < n:
        run = int(rng.integers(1, n + 1))
        word += [symbols[int(rng.integers(len(symbols)))]] * run
    return tuple(word[:n])


def _two(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    chosen = rng.permutation(len(symbols))[:2].tolist()
    share = rng.random()
    return tuple(symbols[chosen[0 if rng.random() < share else -1]] for _ in range(n))


def _alternating(symbols: Sequence[Any], n: int) -> Word:
    return tuple(symbols[i % len(symbols)] for i in range(n))


def _changed(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    """Return a structured word of which one or two places are changed."""
    if brackets(symbols) and rng.random() < 0.6:
        word = list(balanced_word(symbols, n, rng))
    elif rng.random() < 0.5:
        word = [symbols[int(rng.integers(len(symbols)))]] * n
    else:
        word = list(_alternating(symbols, n))
    for _ in range(int(rng.integers(1, 3))):
        word[int(rng.integers(n))] = symbols[int(rng.integers(len(symbols)))]
    return tuple(word)


def _recovering(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Word:
    """Return a short beginning of any kind, then one symbol in most places."""
    start = int(rng.integers(min(n, 6) + 1))
    chosen, share = symbols[int(rng.integers(len(symbols)))], rng.uniform(0.5, 0.95)
    rest = [chosen if rng.random() < share else s for s in _uniform(symbols, n - start, rng)]
    return (*_uniform(symbols, start, rng), *rest)
