"""When is a pair ((h, i), z) satisfied?  The literal definition, and the repaired one.

Literal: one of the currently selected activations is fixed to the value that attains (7).  It
speaks of a selection, and selections are recomputed while inputs get fixed.  Repaired: the pair
has a *witness*, an activation whose score is constant, and the ranking up to the witness is fed
by at most ck free inputs.  The witness needs no selection and is never lost.

Main definitions: :func:`literally`, :func:`witnessed`, :func:`witness_inputs`.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020]; the repaired notion is our own.
"""

from proofs.hahn2020.combinatorics.orders import Family, Order
from proofs.hahn2020.combinatorics.pairs import Pair, Restriction, free


def feeding(pair: Pair, base: Restriction) -> Order:
    """Return the sets of all inputs, fixed ones too, in the order (7) under ``base``."""
    return Order(tuple(free(pair.feeds[j], ()) for j in pair.ranking(base)))


def literally(pair: Pair, base: Restriction, rho: Restriction, family: Family) -> bool:
    """Tell whether ``rho`` satisfies the pair in the sense of the paper.

    Parameters
    ----------
    base
        Restriction for which (7) and the ranking are computed.
    rho
        Restriction extending ``base``; it must fix every input of the activation.
    family
        The selected ranks, from 0.

    Examples
    --------
    >>> pair = Pair(((0,), (1,)), ((0, 2), (0, 1)))
    >>> stars = (None, None)
    >>> literally(pair, stars, (1, None), (0,)), literally(pair, stars, (0, None), (0,))
    (True, False)
    """
    ranking = pair.ranking(base)
    return any(
        not free(pair.feeds[ranking[r]], rho)
        and pair.attainable(rho, ranking[r]) == (pair.best(base, ranking[r]),)
        for r in family
    )


def witness_inputs(pair: Pair, rho: Restriction) -> int | None:
    """Return how many free inputs feed the ranking up to the first constant score.

    ``None`` if rho makes no score constant.

    Examples
    --------
    >>> pair = Pair(((0,), (1,)), ((0, 2), (0, 1)))
    >>> witness_inputs(pair, (1, None)), witness_inputs(pair, (None, 1))
    (0, 1)
    """
    fed_by = 0
    for j, constant in pair.ranked(rho):
        fed_by |= free(pair.feeds[j], rho)
        if constant:
            return fed_by.bit_count()
    return None


def witnessed(pair: Pair, rho: Restriction, limit: int) -> bool:
    """Tell whether the pair has a witness whose prefix at most ``limit`` free inputs feed.

    ``limit`` is ck in Stage 2; dimensionless, at least 0.

    Examples
    --------
    >>> pair = Pair(((0,), (1,)), ((0, 2), (0, 1)))
    >>> witnessed(pair, (None, None), 1), witnessed(pair, (1, None), 1)
    (False, True)
    """
    fed_by = witness_inputs(pair, rho)
    return fed_by is not None and fed_by <= limit
