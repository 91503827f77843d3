"""Inputs on which a compiled model is compared with its program.

All words, where there are few; otherwise all short ones, boundary cases of the lengths at which
compilers go wrong (1, 2, N - 1, N), and random words of uniform and of skewed distribution.

Main definitions: :func:`chosen_words`, :class:`Scope`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

Word = tuple[Any, ...]

PAIRS = (("(", ")"), ("{", "}"), ("[", "]"), ("<", ">"))
"""Brackets, for balanced words."""


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
        Number of random words; boundary cases and short words come on top.
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
    for _ in range(samples):
        found[_random_word(symbols, length, rng)] = None
    parts = [f"all words of length 1 to {short}"] if short else []
    parts.append(f"{boundary} boundary cases of length up to {length}")
    parts.append(f"{len(found) - complete - boundary} random words")
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
        yield from _balanced(symbols, n - n % 2, rng)


def _balanced(symbols: Sequence[Any], n: int, rng: np.random.Generator) -> Iterator[Word]:
    pairs = [pair for pair in PAIRS if pair[0] in symbols and pair[1] in symbols]
    if not pairs or n < 2:
        return
    for _ in range(3):
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
        yield tuple(word)


def _random_word(symbols: Sequence[Any], length: int, rng: np.random.Generator) -> Word:
    """Return a word of uniform length over a random part of the symbols: counts get large too."""
    n = int(rng.integers(1, length + 1))
    used = int(rng.integers(1, len(symbols) + 1))
    allowed = rng.permutation(len(symbols))[:used]
    return tuple(symbols[allowed[i]] for i in rng.integers(0, used, size=n))
