"""Compare programs with one another or with a specification in Python.

Exhaustive up to a length, in order of length, so that the first difference found is a shortest
one; random beyond, with differences shrunk by dropping and simplifying tokens.

Main definitions: :func:`compare`, :func:`compare_random`, :class:`Comparison`, :class:`Difference`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, TypeAlias, final

import numpy as np

from rasp.errors import RaspError
from rasp.evaluate.engine import evaluate_batch
from rasp.sequences import sequence_kind, show_sequence
from rasp.sops import SOp

Specification: TypeAlias = Callable[[tuple[Any, ...]], Sequence[Any]]
"""From the tokens of an input to one value per token."""

AT_ONCE = 4096


class ScopeError(ValueError):
    """A comparison over nothing."""


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which two programs differ; an error is shown as its message."""

    input: tuple[Any, ...]
    left: str
    right: str


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared and how it came out.

    Attributes
    ----------
    scope
        The inputs covered, in words.
    inputs
        Their number.
    exhaustive
        Whether these were all inputs of the scope.
    difference
        A counterexample, shortest if ``exhaustive``, else shrunk; ``None`` if none was found.
    """

    scope: str
    inputs: int
    exhaustive: bool
    difference: Difference | None

    @property
    def equal(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def text(self) -> str:
        """Return the outcome in a line or four."""
        if self.difference is None:
            how = "equal on all" if self.exhaustive else "no difference on"
            return f"{how} {self.inputs} inputs: {self.scope}\n"
        shown = "".join(map(str, self.difference.input))
        if any(len(str(token)) != 1 for token in self.difference.input):
            shown = str(list(self.difference.input))
        return (
            f"different on {shown!r}\n  left   {self.difference.left}\n"
            f"  right  {self.difference.right}\n"
        )


def _outcomes(
    program: SOp | Specification, inputs: Sequence[tuple[Any, ...]], exact: bool
) -> list[list[Any] | RaspError]:
    if isinstance(program, SOp):
        return evaluate_batch(program.node, inputs, exact=exact)
    return [list(program(values)) for values in inputs]


def _same(left: list[Any] | RaspError, right: list[Any] | RaspError) -> bool:
    if isinstance(left, RaspError) or isinstance(right, RaspError):
        return isinstance(left, RaspError) and isinstance(right, RaspError)
    return left == right and _numeric(left) == _numeric(right)


def _numeric(values: list[Any]) -> str:
    kind = sequence_kind(values)
    return "numbers" if kind in ("ints", "floats") else kind


def _show(outcome: list[Any] | RaspError) -> str:
    return f"error: {outcome}" if isinstance(outcome, RaspError) else show_sequence(outcome)


def _first_difference(
    left: SOp | Specification,
    right: SOp | Specification,
    inputs: Sequence[tuple[Any, ...]],
    exact: bool,
) -> Difference | None:
    pairs = zip(
        inputs, _outcomes(left, inputs, exact), _outcomes(right, inputs, exact), strict=True
    )
    for values, one, other in pairs:
        if not _same(one, other):
            return Difference(values, _show(one), _show(other))
    return None


def words(alphabet: Sequence[Any], up_to: int) -> Iterator[tuple[Any, ...]]:
    """Yield all non-empty words over ``alphabet``, shorter ones first."""
    for length in range(1, up_to + 1):
        yield from product(alphabet, repeat=length)


def compare(
    left: SOp | Specification,
    right: SOp | Specification,
    alphabet: Sequence[Any],
    *,
    up_to: int,
    exact: bool = True,
) -> Comparison:
    """Compare on every input up to a length.

    Parameters
    ----------
    left, right
        S-ops, or Python functions of the tuple of tokens.
    alphabet
        The tokens.
    up_to
        Longest length, at least 1.
    exact
        How to evaluate.

    Returns
    -------
    Comparison
        With a shortest difference if there is one.  Numbers are equal if Python says so, whatever
        their type; strings, Booleans and numbers are never equal to one another.

    Raises
    ------
    ScopeError
        If there is nothing to compare on.

    Notes
    -----
    Deterministic; ``len(alphabet) ** up_to`` inputs, in batches.

    Examples
    --------
    >>> from rasp import indices, length
    >>> compare(indices + 1, length, "a", up_to=3).difference.input
    ('a', 'a')
    """
    if not alphabet or up_to < 1:
        raise ScopeError("nothing to compare: give an alphabet and a length of at least 1")
    scope = f"all words over {''.join(map(str, alphabet))} of length 1 to {up_to}"
    pending = words(alphabet, up_to)
    count = 0
    while chunk := list(islice(pending, AT_ONCE)):
        difference = _first_difference(left, right, chunk, exact)
        if difference is not None:
            return Comparison(scope, count + chunk.index(difference.input) + 1, True, difference)
        count += len(chunk)
    return Comparison(scope, count, True, None)


def compare_random(
    left: SOp | Specification,
    right: SOp | Specification,
    alphabet: Sequence[Any],
    *,
    samples: int,
    longest: int,
    rng: np.random.Generator,
    exact: bool = True,
) -> Comparison:
    """Compare on random inputs of random lengths up to ``longest``; shrink a difference.

    Raises
    ------
    ScopeError
        If there is nothing to compare on.
    """
    if not alphabet or longest < 1 or samples < 1:
        raise ScopeError("nothing to compare: give an alphabet, a length and a number of samples")
    scope = f"{samples} random words over {''.join(map(str, alphabet))} up to length {longest}"
    for begin in range(0, samples, AT_ONCE):
        lengths = rng.integers(1, longest, endpoint=True, size=min(AT_ONCE, samples - begin))
        chunk = [
            tuple(alphabet[i] for i in rng.integers(0, len(alphabet), size=int(n)).tolist())
            for n in lengths
        ]
        difference = _first_difference(left, right, chunk, exact)
        if difference is not None:
            shrunk = _shrink(left, right, alphabet, difference, exact)
            return Comparison(scope, begin + len(chunk), False, shrunk)
    return Comparison(scope, samples, False, None)


def _shrink(
    left: SOp | Specification,
    right: SOp | Specification,
    alphabet: Sequence[Any],
    difference: Difference,
    exact: bool,
) -> Difference:
    """Drop tokens, then replace them by earlier letters, as long as the programs still differ."""
    while True:
        tokens = difference.input
        candidates = [
            tokens[:begin] + tokens[begin + size :]
            for size in (len(tokens) // 2, len(tokens) // 4, 2, 1)
            if 0 < size < len(tokens)
            for begin in range(len(tokens) - size + 1)
        ]
        for position, token in enumerate(tokens):
            for letter in alphabet[: alphabet.index(token)]:
                candidates.append((*tokens[:position], letter, *tokens[position + 1 :]))
        smaller = _first_difference(left, right, candidates, exact) if candidates else None
        if smaller is None:
            return difference
        difference = smaller
