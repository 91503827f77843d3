"""The two-layer theorem run as an algorithm: two inputs one bit apart that a model cannot tell.

Given any unique-hard-attention model with two layers, the refuter makes the last position's layer-1
activation constant, draws a restriction with s stars, and follows the heads of layer 2: for each
head the first pair (position, value) that is still possible is made certain by answering the
queries of that position's canonical process.  If a star is left, the output does not depend on it.
The answer is checked by running the model on both words.

Main definitions: `refute`, `Fooled`, `guarantee`.

References
----------
Own derivation; the first step is Hahn (2020), Section 5 [hahn2020], with one prefix per value.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from attention.hard import evaluate
from attention.transformer import AbstractHardTransformer, visible
from bounds.limits.plan import LimitError
from bounds.limits.verifier import covered_exactly
from bounds.limits.verifier import load as load_at

Fixed = dict[int, int]  # position -> symbol index 0 or 1


@dataclass(frozen=True, slots=True)
class Fooled:
    """Two words that differ at ``flipped`` only and get the same output, re-evaluated."""

    word: tuple[Hashable, ...]
    other: tuple[Hashable, ...]
    flipped: int
    output: Any
    tries: int


def guarantee(n: int, heads: int, s: int) -> Fraction:
    """Return a lower bound of the chance that one try with ``s`` stars succeeds (0 if useless).

    Examples
    --------
    >>> float(guarantee(24, 1, 7)) > 0.9
    True
    """
    try:
        load = covered_exactly(n, 0, heads, s)
        if heads > 1:  # tries follow the heads in order, so ordered tuples are counted
            final = {"kind": "last-two", "s": s, "choice": "tuples"}
            part = {"from": n, "to": None, "stages": [final]}
            cert = {"task": "parity", "layers": 2, "heads": heads, "padding": 0, "modulus": 2}
            load = load_at(cert, part, n)
    except ValueError:
        return Fraction(0)
    return max(Fraction(0), 1 - load)


def refute(
    model: AbstractHardTransformer, *, stars: int, tries: int, rng: np.random.Generator
) -> Fooled | None:
    """Return two words with equal outputs, or None if no try succeeded.

    Parameters
    ----------
    model
        Two layers, two symbols, any number of heads and any values; n >= heads + 2.
    stars
        Stars of the random restriction, 1..n - heads - 1.
    tries
        Number of restrictions drawn at most, at least 1.
    rng
        Source of randomness; the result is a function of its state.

    Raises
    ------
    LimitError
        If the model or a number is out of range.

    Notes
    -----
    For PARITY equal outputs on words one bit apart are a contradiction, so on a model that does
    compute PARITY this never returns a pair.
    """
    if model.layers != 2 or len(model.alphabet) != 2:
        raise LimitError(f"needs two layers and two symbols, not {model.layers} layers")
    if not 1 <= stars <= model.n - model.heads - 1 or tries < 1:
        raise LimitError(f"stars = {stars}, tries = {tries}: take 1..n-H-1 stars, 1 or more tries")
    quiet = _constant_last(model)
    free = np.array([i for i in range(model.n) if i not in quiet])
    for attempt in range(1, tries + 1):
        chosen = {int(i) for i in rng.choice(free, size=stars, replace=False)}
        fixed = dict(quiet)
        for i in free.tolist():
            if i not in chosen:
                fixed[i] = int(rng.integers(2))
        for head in range(model.heads):
            fixed |= _first_possible(model, head, fixed)
        left = [i for i in range(model.n) if i not in fixed]
        if left:
            base = [fixed.get(i, 0) for i in range(model.n)]
            found = _checked(model, base, left[0], attempt)
            if found is not None:
                return found
    return None


def _checked(
    model: AbstractHardTransformer, base: list[int], flipped: int, tries: int
) -> Fooled | None:
    turned = [1 - b if i == flipped else b for i, b in enumerate(base)]
    word, other = (tuple(model.alphabet[b] for b in bits) for bits in (base, turned))
    output = evaluate(model, word)
    return Fooled(word, other, flipped, output, tries) if evaluate(model, other) == output else None


def _pairs(
    model: AbstractHardTransformer, layer: int, head: int, i: int, query: Any
) -> list[tuple[int, int]]:
    """Return the literals (position, bit) of one head in the order in which it prefers them."""
    rows = []
    for j in range(visible(model, i)):
        for bit, symbol in enumerate(model.alphabet):
            value = model.score(layer, head, i, j, query, model.embed(j, symbol))
            rows.append((value, -j if model.ties == "leftmost" else j, j, bit))
    rows.sort(key=lambda r: (r[0], r[1]), reverse=True)
    return [(j, bit) for _, _, j, bit in rows]


def _constant_last(model: AbstractHardTransformer) -> Fixed:
    """Fix at most H + 1 inputs so that the last position's layer-1 activation is constant."""
    last = model.n - 1
    fixed: Fixed = {last: 0}
    query = model.embed(last, model.alphabet[0])
    for head in range(model.heads):
        for j, bit in _pairs(model, 1, head, last, query):
            if fixed.get(j, bit) == bit:
                fixed[j] = bit
                break
    return fixed


def _leaves(model: AbstractHardTransformer, j: int, fixed: Fixed) -> list[tuple[Any, Fixed]]:
    """Return (layer-1 value, answers) for every canonical path of position ``j``."""
    found: list[tuple[Any, Fixed]] = []
    for bit in (fixed[j],) if j in fixed else (0, 1):
        own = model.embed(j, model.alphabet[bit])
        states: list[tuple[tuple[Any, ...], Fixed]] = [((), {} if j in fixed else {j: bit})]
        for head in range(model.heads):
            order = _pairs(model, 1, head, j, own)
            after: list[tuple[tuple[Any, ...], Fixed]] = []
            for attended, answers in states:
                path = dict(answers)
                for k, want in order:
                    known = fixed.get(k, path.get(k))
                    if known is None:
                        after.append(
                            (
                                (*attended, model.embed(k, model.alphabet[want])),
                                {**path, k: want},
                            )
                        )
                        path[k] = 1 - want
                    elif known == want:
                        after.append(((*attended, model.embed(k, model.alphabet[want])), path))
                        break
            states = after
        found += [(model.act(1, j, own, attended), answers) for attended, answers in states]
    return found


def _first_possible(model: AbstractHardTransformer, head: int, fixed: Fixed) -> Fixed:
    """Return the answers that make the head's first possible pair certain."""
    last = model.n - 1
    query = _leaves(model, last, fixed)[0][0]
    best: tuple[Any, int] | None = None
    chosen: Fixed = {}
    for j in range(model.n):
        for value, answers in _leaves(model, j, fixed):
            score = model.score(2, head, last, j, query, value)
            rank = (score, -j if model.ties == "leftmost" else j)
            if best is None or rank > best:
                best, chosen = rank, answers
    return chosen
