"""A checker for LRAT refutations in which every lemma follows by unit propagation alone.

Trusted core: an accepted proof means that the given clauses have no solution.  Each lemma names
clauses already known ("hints"); assuming the lemma false, every hint in turn must have at most
one literal that is not false, which then becomes true, until a hint has none.

Main definitions: `check`, `ProofError`.

References
----------
Cruz-Filipe et al. (2017), Efficient certified RAT verification [cruzfilipe2017].
"""

from collections.abc import Iterable, Sequence


class ProofError(ValueError):
    """The proof does not show what it claims; the message names the line."""


def check(clauses: Iterable[Sequence[int]], proof: Iterable[str]) -> int:
    """Return the number of lemmas of an LRAT proof that refutes ``clauses``.

    Parameters
    ----------
    clauses
        The formula; clause ``k`` (from 1) has identifier ``k``.
    proof
        Lines ``id literals 0 hints 0`` with new identifiers; deletion lines are skipped.

    Raises
    ------
    ProofError
        If a line is not a unit-propagation step or the empty clause is never reached.

    Examples
    --------
    >>> check([(1,), (-1, 2), (-2,)], ["4 0 1 2 3 0"])
    1
    """
    known = {k: frozenset(clause) for k, clause in enumerate(clauses, start=1)}
    lemmas = 0
    for line in proof:
        fields = line.split()
        if len(fields) > 1 and fields[1] == "d":
            continue
        try:
            numbers = list(map(int, fields))
            end = numbers.index(0, 1)
        except ValueError as bad:
            raise ProofError(f"not an LRAT line: {line[:80]!r}") from bad
        name, lemma, hints = numbers[0], frozenset(numbers[1:end]), numbers[end + 1 : -1]
        if name in known or numbers[-1] != 0:
            raise ProofError(f"line {name}: identifier reused or final 0 missing")
        false = set(lemma)
        for hint in hints:
            if hint not in known:
                raise ProofError(f"line {name}: hint {hint} is not a known clause")
            free = known[hint] - false
            if len(free) > 1:
                raise ProofError(f"line {name}: hint {hint} is not unit")
            if not free:
                break
            (literal,) = free
            false.add(-literal)
        else:
            raise ProofError(f"line {name}: the hints reach no conflict")
        lemmas += 1
        if not lemma:
            return lemmas
        known[name] = lemma
    raise ProofError("the proof ends before the empty clause")
