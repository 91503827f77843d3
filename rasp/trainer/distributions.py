"""Distributions of inputs: how the words that a model is trained and tested on are drawn.

A distribution draws symbols for many words at once; the lengths are drawn before.

Main definitions: :data:`DISTRIBUTIONS`, :class:`Distribution`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Draw: TypeAlias = Callable[[int, int, int, np.random.Generator], Ints]
"""From number of words, length, number of symbols and generator to symbols, shape (words, n)."""


@final
@dataclass(frozen=True, slots=True)
class Distribution:
    """A way of drawing words of one length.

    Attributes
    ----------
    name
        As in settings and results.
    says
        What is drawn, in a sentence.
    draw
        The function that draws.
    """

    name: str
    says: str
    draw: Draw


def uniform(words: int, n: int, symbols: int, rng: np.random.Generator) -> Ints:
    """Draw every symbol independently, all equally likely."""
    return rng.integers(0, symbols, (words, n))


def skewed(words: int, n: int, symbols: int, rng: np.random.Generator) -> Ints:
    """Draw for each word how many different symbols it may use, then those, then the word."""
    used = rng.integers(1, symbols + 1, words)
    order = rng.permuted(np.tile(np.arange(symbols), (words, 1)), axis=1)
    which = rng.integers(0, used[:, None], (words, n))
    return np.take_along_axis(order, which, axis=1)


def brackets(words: int, n: int, symbols: int, rng: np.random.Generator) -> Ints:
    """Draw prefixes of Dyck words, half of them spoilt at one position.

    Symbols ``2i`` and ``2i + 1`` are the brackets of kind ``i``.  Step by step: with nothing open
    a bracket is opened; otherwise one is opened or the last one closed with equal probability.
    Kinds are uniform.  In half of the words one position, chosen uniformly, is then replaced by a
    uniform symbol.
    """
    kinds = symbols // 2
    stack = np.zeros((words, n + 1), np.int64)
    depth = np.zeros(words, np.int64)
    out = np.zeros((words, n), np.int64)
    each = np.arange(words)
    for t in range(n):
        opens = (depth == 0) | (rng.random(words) < 0.5)
        kind = np.where(opens, rng.integers(0, kinds, words), stack[each, np.maximum(depth - 1, 0)])
        out[:, t] = 2 * kind + ~opens
        stack[each[opens], depth[opens]] = kind[opens]
        depth += np.where(opens, 1, -1)
    spoilt = rng.random(words) < 0.5
    where = rng.integers(0, n, words)
    what = rng.integers(0, symbols, words)
    out[each[spoilt], where[spoilt]] = what[spoilt]
    return out


DISTRIBUTIONS = {
    known.name: known
    for known in (
        Distribution("uniform", "symbols independent and uniform", uniform),
        Distribution(
            "skewed", "a uniform number of different symbols, uniform among these", skewed
        ),
        Distribution(
            "brackets",
            "prefixes of random Dyck words, in half of them one position replaced at random",
            brackets,
        ),
    )
}
"""Every distribution by name."""
