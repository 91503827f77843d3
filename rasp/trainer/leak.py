r"""The leak of a trained histogram: what the keys of other letters weigh, and how it must grow.

A trained histogram counts a letter by the weight on the mark: one key against ``c`` keys of the
same letter.  Trained logits are bounded, so every other key keeps a weight, and ``c`` looks like
``c`` plus the *leak*, the sum of those weights in units of one key of the own letter.  If ``r`` is
the least ratio of the weight of another letter's key to that of an own one, the leak of *every*
word of length ``n`` is at least ``(n - c) r``; for logits of absolute value at most ``A`` the ratio
is at least ``exp(-2A)`` (Hahn 2020, Lemma 5).  From half an occurrence on, a count read off the
mark's weight looks like the next one.

Main definitions: :func:`leaks`, :func:`least_ratio`, :func:`leaking_length`.

References
----------
Hahn (2020), Lemma 5, for bounded logits [hahn2020]; the leak is our own.
"""

from fractions import Fraction
from math import ceil

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from rasp.trainer.balls import BITS, Head
from rasp.trainer.lessons import Bools, Floats


def leaks(attention: Floats, own: Bools) -> npt.NDArray[np.float64]:
    """Return the weight of keys of other letters in units of one key of the own letter.

    Parameters
    ----------
    attention
        Rows of weights, the mark's left out, shape (rows, keys).
    own
        Which keys are of the row's letter, shape (rows, keys).

    Examples
    --------
    >>> leaks(np.array([[0.2, 0.2, 0.05]]), np.array([[True, True, False]])).round(3).tolist()
    [0.25]
    """
    weights = attention.astype(np.float64)
    mean = np.where(own, weights, 0).sum(-1) / own.sum(-1)
    return np.asarray(np.where(own, 0, weights).sum(-1) / mean)


def least_ratio(head: Head) -> float:
    """Return a lower bound on the least weight of another letter's key in units of an own one.

    The least over all queries and over all types of both keys: no word, of any length, has a
    smaller one, as long as trained positions are used again.
    """
    found = arb("inf")
    with ctx.workprec(BITS):
        for asker, (letter, place) in enumerate(head.types):
            if not place:
                continue
            own, other = arb("-inf"), arb("inf")
            for key, (symbol, at) in enumerate(head.types):
                if at and symbol == letter:
                    own = own.max(head.scores[asker, key])
                elif at:
                    other = other.min(head.scores[asker, key])
            found = found.min((other - own).exp())
    # the nearest float may be above the ball's lower end, the one before it is not
    return float(np.nextafter(float(found.lower()), 0))


def leaking_length(ratio: float, count: int) -> int:
    """Return a length from which on every word leaks at least half an occurrence.

    Parameters
    ----------
    ratio
        As :func:`least_ratio` returns it.
    count
        How often the letter occurs.

    Examples
    --------
    >>> leaking_length(0.25, 2)
    4
    """
    return count + ceil(1 / (2 * Fraction(ratio)))
