"""A small checker of refutations: every added clause follows by unit propagation.

Deletions are ignored, which can only make more clauses available, so accepting stays sound.

Main definitions: :func:`proves_unsatisfiable`.

References
----------
Goldberg & Novikov (2003), verification of proofs of unsatisfiability for CNF formulas
[goldberg2003].
"""

from collections.abc import Sequence


def proves_unsatisfiable(clauses: Sequence[Sequence[int]], proof: Sequence[Sequence[int]]) -> bool:
    """Return whether ``proof`` derives the empty clause from ``clauses``.

    Parameters
    ----------
    clauses
        A formula in conjunctive normal form, literals as non-zero integers.
    proof
        Clauses in the order they are added; the empty clause may be left out at the end.

    Notes
    -----
    Deterministic.  Unit propagation with occurrence lists; meant for formulas of up to some ten
    thousand clauses.

    Examples
    --------
    >>> square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    >>> proves_unsatisfiable(square, [[1]]), proves_unsatisfiable(square[:3], [[1]])
    (True, False)
    """
    known = [tuple(clause) for clause in clauses]
    occurs: dict[int, list[int]] = {}
    for number, clause in enumerate(known):
        for literal in clause:
            occurs.setdefault(literal, []).append(number)
    for clause in [*map(tuple, proof), ()]:
        if not _conflict(known, occurs, clause):
            return False
        if not clause:
            return True
        for literal in clause:
            occurs.setdefault(literal, []).append(len(known))
        known.append(clause)
    return False


def _conflict(
    known: list[tuple[int, ...]], occurs: dict[int, list[int]], clause: tuple[int, ...]
) -> bool:
    """Assume every literal of ``clause`` false; return whether propagation meets a conflict."""
    true: set[int] = set()
    queue = [-literal for literal in clause]
    queue += [unit[0] for unit in known if len(unit) == 1]
    if any(not empty for empty in known):
        return True
    while queue:
        literal = queue.pop()
        if literal in true:
            continue
        if -literal in true:
            return True
        true.add(literal)
        for number in occurs.get(-literal, ()):
            free = 0
            satisfied = False
            for other in known[number]:
                if other in true:
                    satisfied = True
                    break
                if -other not in true:
                    if free:
                        satisfied = True  # two literals left: nothing to propagate
                        break
                    free = other
            if satisfied:
                continue
            if not free:
                return True
            queue.append(free)
    return False
