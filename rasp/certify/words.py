"""Inputs on which a compiled model is compared with its program.

All words, where there are few; otherwise all short ones, boundary cases of the lengths at which
compilers go wrong (1, 2, N - 1, N), words that differ from them in one place, and random words of
all lengths and several distributions (:mod:`rasp.certify.variations`).

Main definitions: :func:`chosen_words`, :class:`Scope`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, final

import numpy as np

from rasp.certify.variations import (
    PAIRS,
    Word,
    balanced_word,
    brackets,
    single_changes,
    varied_words,
)


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Words, what they are, and whether they are all."""

    words: tuple[Word, ...]
    text: str
    exhaustive: bool


def chosen_words(
    symbols: Sequence[Any],
    length: int,
    *,
    samples: int,
    rng: np.random.Generator,
    exhaustive: int = 3000,
) -> Scope:
    """Return words over ``symbols`` of up to ``length`` tokens.

    Parameters
    ----------
    symbols
        The vocabulary.
    length
        Longest word.
    samples
        Number of random words that are not among the others, as far as there are so many; boundary
        cases, about half as many words with one changed place (at most one per place and kind), and
        short words come on top.
    rng
        Source of randomness.
    exhaustive
        All words are taken if they are no more than this; of the short ones a third of it.

    Examples
    --------
    >>> scope = chosen_words("ab", 3, samples=0, rng=np.random.default_rng(0))
    >>> len(scope.words), scope.text, scope.exhaustive
    (14, 'all words over 2 symbols of length 1 to 3', True)
    """
    whole = _fitting(len(symbols), length, exhaustive)
    if whole == length:
        words = [w for n in range(1, length + 1) for w in product(symbols, repeat=n)]
        text = f"all words over {len(symbols)} symbols of length 1 to {length}"
        return Scope(tuple(words), text, True)
    short = _fitting(len(symbols), length, exhaustive // 3)
    found = dict.fromkeys(w for n in range(1, short + 1) for w in product(symbols, repeat=n))
    complete = len(found)
    found.update(dict.fromkeys(boundary_words(symbols, length, rng)))
    boundary = len(found) - complete
    changed = list(single_changes(symbols, length, rng))
    step = max(1, len(changed) // max(1, samples // 2))
    found.update(dict.fromkeys(changed[::step] if samples else ()))
    near = len(found) - complete - boundary
    most = len(found) + samples
    for word in islice(varied_words(symbols, length, rng), 6 * samples):
        if len(found) == most:
            break
        found[word] = None
    parts = [f"all words of length 1 to {short}"] if short else []
    parts.append(f"{boundary} boundary cases of length up to {length}")
    parts.append(f"{near} words of length {length} with one changed place")
    parts.append(f"{len(found) - complete - boundary - near} random words of all lengths")
    return Scope(tuple(found), ", ".join(parts), False)


def _fitting(symbols: int, length: int, most: int) -> int:
    """Return the greatest n up to ``length`` with at most ``most`` words of length 1 to n."""
    total = n = 0
    while n < length and total + symbols ** (n + 1) <= most:
        n += 1
        total += symbols**n
    return n


def boundary_words(symbols: Sequence[Any], length: int, rng: np.random.Generator) -> Iterator[Word]:
    """Yield constant, all-distinct, sorted, alternating and balanced words of extreme lengths."""
    first, last = symbols[0], symbols[-1]
    for n in sorted({1, 2, length // 2, length - 1, length} - {0}):
        for symbol in symbols[:4]:
            yield (symbol,) * n
        cycle = [symbols[i % len(symbols)] for i in range(n)]
        yield tuple(cycle)
        yield tuple(reversed(cycle))
        yield tuple(cycle[i] for i in rng.permutation(n))
        yield tuple(symbols[i * len(symbols) // n] for i in range(n))  # every symbol in one run
        yield (first,) * (n - 1) + (last,)
        yield (last,) + (first,) * (n - 1)
        for left, right in PAIRS:
            if left in symbols and right in symbols:
                yield (left,) * (n // 2) + (right,) * (n - n // 2)
                yield tuple((left, right)[i % 2] for i in range(n))
        if brackets(symbols) and n > 1:
            for _ in range(3):
                yield balanced_word(symbols, n - n % 2, rng)
