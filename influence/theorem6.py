r"""Theorem 6 for one model: what a measured influence costs in cross-entropy.

Take a prefix and the same prefix with the due opening bracket exchanged.  The model's log-odds of
the two closers differ by D between them, but the right answers are opposite, so the mean
cross-entropy of the bracket type over the pair is at least ``log2(1 + exp(-D/2))`` bits, whatever
else the model does.  With D = C/n the floor rises to 1 bit.  The same holds for PARITY with the
log-odds of the two answers.

Main definitions
----------------
pair_floor_bits, certified_floor, OpenerExchange, opener_exchange, type_cross_entropy, opener_of.

References
----------
Hahn (2020), Theorem 6 [hahn2020].
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from flint import arb

from attention.soft import SoftTransformer
from attention.soft_forward import evaluate
from influence.measure import influence
from influence.result import InfluenceError
from languages.dyck_process import CLOSER

OTHER = {"(": "[", "[": "("}


def pair_floor_bits(log_odds_change: float) -> float:
    """Return the least mean cross-entropy of a pair with opposite answers, in bits.

    Parameters
    ----------
    log_odds_change
        D >= 0, natural units: how far the log-odds of the two answers differ within the pair.

    Returns
    -------
    float
        ``log2(1 + exp(-D/2))``, in (0, 1]: by convexity the best is +D/2 and -D/2.

    Raises
    ------
    InfluenceError
        If D is negative or not a number.

    Examples
    --------
    >>> pair_floor_bits(0.0)
    1.0
    """
    if not log_odds_change >= 0:
        raise InfluenceError(f"log-odds change {log_odds_change} must be at least 0")
    return math.log1p(math.exp(-log_odds_change / 2)) / math.log(2)


def certified_floor(change: arb) -> arb:
    """Return the floor in bits, in ball arithmetic, from a certified bound on the change.

    Parameters
    ----------
    change
        Upper bound on the log-odds change D >= 0, e.g. from
        :func:`influence.measured_bound.certified_influence` with the difference of the two
        answers' readout columns.

    Returns
    -------
    flint.arb
        A ball for ``log2(1 + exp(-D/2))``; the pair's mean cross-entropy is at least its lower
        end.

    Examples
    --------
    >>> certified_floor(arb("0.01")) > arb("0.99")
    True
    """
    if not change >= 0:
        raise InfluenceError(f"log-odds change {change} must be at least 0")
    return (1 + (-change / 2).exp()).log() / arb(2).log()


def opener_of(prefix: Sequence[str]) -> int:
    """Return the position of the innermost open bracket.

    Raises
    ------
    InfluenceError
        If the prefix is balanced: no closer is due.

    Examples
    --------
    >>> opener_of("([]()")
    0
    """
    depth = 0
    for at in range(len(prefix) - 1, -1, -1):
        depth += 1 if prefix[at] in CLOSER else -1
        if depth == 1:
            return at
    raise InfluenceError(f"{''.join(prefix)!r} has no open bracket: no closer is due")


@final
@dataclass(frozen=True, slots=True)
class OpenerExchange:
    """A pair of prefixes that differ in the type of the due opening bracket.

    Parameters
    ----------
    n
        Length.
    opener
        Position of the bracket, from 0.
    log_odds_change
        How far the log-odds of ``)`` against ``]`` move, absolute.
    cross_entropy
        Mean cross-entropy of the bracket type over the pair, in bits.
    floor
        What the change alone forces: ``log2(1 + exp(-D/2))`` bits.
    """

    n: int
    opener: int
    log_odds_change: float
    cross_entropy: float
    floor: float


def type_cross_entropy(log_odds: float, *, round_due: bool) -> float:
    """Return the cross-entropy of the bracket type in bits, given the log-odds of ``)``."""
    z = log_odds if round_due else -log_odds
    return max(-z, 0) / math.log(2) + math.log1p(math.exp(-abs(z))) / math.log(2)


def opener_exchange(model: SoftTransformer, prefix: Sequence[str]) -> OpenerExchange:
    """Exchange the due opening bracket and compare the model's predictions of the closer.

    Parameters
    ----------
    model
        Its readout has one column per symbol of its alphabet (logits of the next symbol).
    prefix
        An unbalanced prefix of 2DYCK.

    Returns
    -------
    OpenerExchange
        Measured values and the floor.

    Raises
    ------
    InfluenceError
        If no closer is due or the readout does not predict symbols.

    Notes
    -----
    Deterministic.
    """
    if model.output is None or model.output.shape[1] < len(model.alphabet):
        raise InfluenceError("the model's readout must have a logit for every symbol")
    at = opener_of(prefix)
    round_, square = model.alphabet.index(")"), model.alphabet.index("]")
    direction = model.output[:, round_] - model.output[:, square]
    run = influence(model, tuple(prefix), positions=[at], to=OTHER[prefix[at]], readout=direction)
    change = float(run.changes[0, 0])
    logits = evaluate(model, tuple(prefix))
    before = float(logits[round_] - logits[square])
    due_round = prefix[at] == "("
    cost = (
        type_cross_entropy(before, round_due=due_round)
        + type_cross_entropy(before + change, round_due=not due_round)
    ) / 2
    return OpenerExchange(len(prefix), at, abs(change), cost, pair_floor_bits(abs(change)))


def mean_exchange(
    model: SoftTransformer, prefixes: Sequence[Sequence[str]]
) -> tuple[float, float, float]:
    """Return mean log-odds change, mean cross-entropy and mean floor over prefixes."""
    pairs = [opener_exchange(model, prefix) for prefix in prefixes]
    return (
        float(np.mean([p.log_odds_change for p in pairs])),
        float(np.mean([p.cross_entropy for p in pairs])),
        float(np.mean([p.floor for p in pairs])),
    )
