"""From a solver's LRAT trace to a short proof: keep what the empty clause needs, renumber.

Main definitions: `Lemma`, `read_lrat`, `trim`, `as_text`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from synthesis.checker.lrat import ProofError


@dataclass(frozen=True, slots=True)
class Lemma:
    """A derived clause: its identifier, its literals and the clauses it follows from, in order."""

    name: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]


def read_lrat(trace: bytes, originals: int) -> list[Lemma]:
    """Parse a binary LRAT trace up to the empty clause; deletions are dropped.

    Parameters
    ----------
    trace
        Steps ``a id literals 0 hints 0`` and ``d ids 0``; the marks are bytes, every number is a
        sign-last integer in groups of seven bits, lowest first.
    originals
        Number of clauses of the formula.  The solver numbers them in order too, but slips in
        lemmas that it finds while reading; they are renumbered so that clause ``k`` is ``k``.

    Raises
    ------
    ProofError
        If the trace is cut off, unreadable or uses a step that is not unit propagation.
    """
    numbers = _numbers(trace)
    zeros = iter([k for k, value in enumerate(numbers) if value == 0])
    lemmas: list[Lemma] = []
    start, end = 0, -1
    while start < len(numbers):
        kind = numbers[start]
        try:
            end = next(zeros)
            if kind == _DELETE:
                start = end + 1
                continue
            middle, end = end, next(zeros)
        except StopIteration as cut:
            raise ProofError("the trace is cut off") from cut
        if kind != _ADD:
            raise ProofError(f"number {start} of the trace starts no step")
        name, hints = numbers[start + 1], numbers[middle + 1 : end]
        if any(hint < 0 for hint in hints):
            raise ProofError(f"lemma {name} needs more than unit propagation")
        literals = tuple(numbers[start + 2 : middle])
        lemmas.append(Lemma(name, literals, tuple(hints)))
        start = end + 1
        if not literals:
            break
    return _renumbered(lemmas, originals)


def _renumbered(lemmas: list[Lemma], originals: int) -> list[Lemma]:
    """Give the k-th number that no lemma has to clause k, and later numbers to the lemmas."""
    derived = {step.name for step in lemmas}
    free = (k for k in count(1) if k not in derived)
    new = {next(free): k for k in range(1, originals + 1)}
    new.update((step.name, originals + k) for k, step in enumerate(lemmas, start=1))
    try:
        return [Lemma(new[s.name], s.literals, tuple(new[h] for h in s.hints)) for s in lemmas]
    except KeyError as missing:
        raise ProofError(f"the trace uses clause {missing}, which it never derived") from missing


_ADD, _DELETE = -(ord("a") >> 1), ord("d") >> 1  # the marks, read as numbers


def _numbers(trace: bytes) -> list[int]:
    """Read the whole trace as sign-last integers, marks included (they are below 128 too)."""
    data = np.frombuffer(trace, dtype=np.uint8)
    if not len(data) or data[-1] >= 128:
        raise ProofError("the trace is cut off")
    last = np.flatnonzero(data < 128)
    first = np.concatenate(([0], last[:-1] + 1))
    length = last - first + 1
    if length.max() > 8:
        raise ProofError("the trace holds a number of more than 56 bits")
    value = np.zeros(len(last), dtype=np.int64)
    for k in range(int(length.max())):
        here = length > k
        value[here] |= (data[first[here] + k].astype(np.int64) & 127) << (7 * k)
    return np.where(value & 1, -(value >> 1), value >> 1).tolist()  # type: ignore[no-any-return]


def trim(lemmas: Sequence[Lemma], originals: int) -> list[Lemma]:
    """Return the lemmas the empty clause depends on, renumbered after ``originals``.

    Raises
    ------
    ProofError
        If no lemma is the empty clause.

    Examples
    --------
    >>> steps = [Lemma(9, (1,), (1,)), Lemma(12, (2,), (1, 2)), Lemma(15, (), (3, 9))]
    >>> [(s.name, s.hints) for s in trim(steps, originals=3)]
    [(4, (1,)), (5, (3, 4))]
    """
    if not any(not step.literals for step in lemmas):
        raise ProofError("the trace never reaches the empty clause")
    needed: set[int] = set()
    kept: list[Lemma] = []
    for step in reversed(lemmas):
        if step.literals and step.name not in needed:
            continue
        needed.update(step.hints)
        kept.append(step)
    kept.reverse()
    new = {step.name: originals + k for k, step in enumerate(kept, start=1)}
    return [
        Lemma(new[s.name], s.literals, tuple(new.get(hint, hint) for hint in s.hints)) for s in kept
    ]


def as_text(lemmas: Sequence[Lemma]) -> str:
    """Return the proof as LRAT text, one line a lemma."""
    return "".join(" ".join(map(str, (s.name, *s.literals, 0, *s.hints, 0))) + "\n" for s in lemmas)
