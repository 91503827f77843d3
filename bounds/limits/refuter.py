"""The theorems on the last layers run as an algorithm: two inputs that a model cannot tell apart.

Given any unique-hard-attention model, the refuter makes the last position's layer-1 activation
constant, draws a restriction with s stars, and goes up layer by layer: for each head of the last
position the first pair (position, value) that is still possible is made certain by giving the
answers of that position's canonical execution.  If a star is left, the output does not depend on
it.  The answer is checked by running the model on both words.

Main definitions: `refute`, `Fooled`, `guarantee`; `constant_last`, `made_constant`,
`climb`, `checked`.

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
from attention.transformer import AbstractHardTransformer
from bounds.limits.model_paths import Fixed, Literals, ModelPaths, literals
from bounds.limits.plan import LimitError
from bounds.limits.verifier import load
from bounds.limits.verifier_exact import covered_exactly


@dataclass(frozen=True, slots=True)
class Fooled:
    """Two words that differ at ``flipped`` only and get the same output, re-evaluated."""

    word: tuple[Hashable, ...]
    other: tuple[Hashable, ...]
    flipped: int
    output: Any
    tries: int


def guarantee(
    n: int, heads: int, s: int, *, layers: int = 2, widths: tuple[int, ...] = ()
) -> Fraction:
    """Return a lower bound of the chance that one try with ``s`` stars succeeds (0 if useless).

    Parameters
    ----------
    n, heads
        Size of the model.
    s
        Stars of the restriction.
    layers
        2 or 3; other depths promise nothing.
    widths
        For three layers: falling widths of terms with 1, 2, ... stars; the bound holds for any.

    Examples
    --------
    >>> float(guarantee(24, 1, 7)) > 0.9
    True
    >>> float(guarantee(400, 1, 7, layers=3, widths=(11, 8, 5))) > 0.6
    True
    """
    cert = {"task": "parity", "layers": layers, "heads": heads, "padding": 0, "modulus": 2}
    # tries follow the heads in order, so ordered tuples of positions are counted
    final: dict[str, Any] = {"kind": "last-two", "s": s, "choice": "tuples"}
    if layers == 3:
        final |= {"kind": "last-three", "w": list(widths)}
    try:
        if (layers, heads) == (2, 1):
            share = covered_exactly(n, 0, heads, s)
        else:
            share = load(cert, {"from": n, "to": None, "stages": [final]}, n)
    except (ValueError, IndexError):
        return Fraction(0)
    return max(Fraction(0), 1 - share)


def refute(
    model: AbstractHardTransformer, *, stars: int, tries: int, rng: np.random.Generator
) -> Fooled | None:
    """Return two words with equal outputs, or None if no try succeeded.

    Parameters
    ----------
    model
        At least two layers, two symbols, any number of heads and any values; n >= heads + 2.
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
    compute PARITY this never returns a pair.  Time grows with n^2 for the layer-1 lists and, for
    every further layer, with the executions of all positions (exponential in the stars at worst).
    """
    if model.layers < 2 or len(model.alphabet) != 2:
        raise LimitError(
            f"needs two layers or more and two symbols, not {model.layers} layers and"
            f" {len(model.alphabet)} symbols"
        )
    if not 1 <= stars <= model.n - model.heads - 1 or tries < 1:
        raise LimitError(f"stars = {stars}, tries = {tries}: take 1..n-H-1 stars, 1 or more tries")
    lists: Literals = {}
    quiet = constant_last(model, lists)
    free = np.array([i for i in range(model.n) if i not in quiet])
    for attempt in range(1, tries + 1):
        chosen = {int(i) for i in rng.choice(free, size=stars, replace=False)}
        drawn = {i: int(rng.integers(2)) for i in free.tolist() if i not in chosen}
        fixed = made_constant(ModelPaths(model, quiet | drawn, lists))
        found = checked(model, fixed, attempt)
        if found is not None:
            return found
    return None


def checked(model: AbstractHardTransformer, fixed: Fixed, tries: int) -> Fooled | None:
    """Run the model on two words that agree with ``fixed`` and differ at one star left."""
    flipped = next((i for i in range(model.n) if i not in fixed), None)
    if flipped is None:
        return None
    base = [fixed.get(i, 0) for i in range(model.n)]
    turned = [1 - b if i == flipped else b for i, b in enumerate(base)]
    word, other = (tuple(model.alphabet[b] for b in bits) for bits in (base, turned))
    output = evaluate(model, word)
    return Fooled(word, other, flipped, output, tries) if evaluate(model, other) == output else None


def constant_last(model: AbstractHardTransformer, lists: Literals) -> Fixed:
    """Fix at most H + 1 inputs so that the last position's layer-1 activation is constant."""
    last = model.n - 1
    fixed: Fixed = {last: 0}
    for head in range(model.heads):
        for j, bit in literals(model, last, 0, head, lists):
            if fixed.get(j, bit) == bit:
                fixed[j] = bit
                break
    return fixed


def made_constant(paths: ModelPaths) -> Fixed:
    """Extend the restriction until the last position's final activation is constant."""
    ((query, _),) = paths.executions(1, paths.model.n - 1, {})
    return paths.fixed | climb(paths, 2, paths.model.layers, query)[1]


def climb(paths: ModelPaths, first: int, last: int, query: Hashable) -> tuple[Hashable, Fixed]:
    """Make the last position's heads of layers ``first..last`` constant, one after the other.

    ``query`` is its activation below; returns its activation above and the answers given.
    """
    told: Fixed = {}
    for layer in range(first, last + 1):
        attended = []
        for head in range(paths.model.heads):
            n = paths.model.n
            _, value, answers = paths.first_possible(layer, head, n - 1, query, told)
            told |= answers
            attended.append(value)
        query = paths.model.act(layer, n - 1, query, tuple(attended))
    return query, told
