"""Hints for proofs that come without: backward, core-first unit propagation over DRUP text.

The empty clause is checked first and every lemma only if something checked needs it.  While
propagating, clauses already needed go first ("core first"), so fewer new ones are drawn in.
Deletions are ignored: keeping a clause never breaks a unit-propagation step.

Main definitions: `hints_for`.

References
----------
Heule, Hunt, Wetzler (2013), Trimming while checking clausal proofs [heule2013].
"""

from collections import defaultdict
from collections.abc import Sequence

from synthesis.checker.lrat import ProofError
from synthesis.formula import Cnf
from synthesis.proof import Lemma


def hints_for(cnf: Cnf, drup: bytes) -> list[Lemma]:
    """Return the needed lemmas of a DRUP proof of ``cnf``, each with its hints.

    Parameters
    ----------
    cnf
        The refuted formula; clause ``k`` gets identifier ``k``.
    drup
        Text, one clause a line ended by 0; lines starting with ``d`` delete.

    Returns
    -------
    list of Lemma
        In proof order, identifiers after those of ``cnf``, the empty clause last.

    Raises
    ------
    ProofError
        If a needed lemma does not follow by unit propagation.

    Notes
    -----
    Deterministic.  Plain Python: meant for thousands of lemmas, not for millions.

    Examples
    --------
    >>> hints_for(Cnf((("a",), ("b",)), ((1, 2), (1, -2), (-1, 2), (-1, -2))), b"1 0")[-1].hints
    (5, 3, 4)
    """
    clauses: list[tuple[int, ...]] = [(), *cnf.clauses]
    for line in drup.decode().splitlines():
        if line.strip() and not line.startswith("d"):
            literals = tuple(dict.fromkeys(int(f) for f in line.split()[:-1]))
            clauses.append(literals)
            if not literals:
                break
    if clauses[-1]:
        clauses.append(())
    engine = _Engine(clauses)
    needed = {len(clauses) - 1}
    lemmas: list[Lemma] = []
    for name in range(len(clauses) - 1, len(cnf.clauses), -1):
        if name in needed:
            hints = engine.explain(name)
            needed.update(hints)
            lemmas.append(Lemma(name, clauses[name], hints))
    return lemmas[::-1]


class _Engine:
    """Two-watched-literal propagation that can look at earlier clauses only."""

    def __init__(self, clauses: Sequence[tuple[int, ...]]) -> None:
        self.clauses = [list(c) for c in clauses]
        self.core = bytearray(len(clauses))
        self.watchers: dict[int, list[int]] = defaultdict(list)
        self.units: list[int] = []
        for name, clause in enumerate(self.clauses):
            if len(clause) == 1:
                self.units.append(name)
            elif clause:
                self.watchers[clause[0]].append(name)
                self.watchers[clause[1]].append(name)

    def explain(self, name: int) -> tuple[int, ...]:
        """Return clauses that refute the negation of clause ``name``, in propagation order."""
        reason: dict[int, int] = {-lit: 0 for lit in self.clauses[name]}
        trail = list(reason)
        conflict = 0
        for unit in sorted((u for u in self.units if u < name), key=lambda u: not self.core[u]):
            lit = self.clauses[unit][0]
            if -lit in reason:
                conflict = unit
                break
            if lit not in reason:
                reason[lit] = unit
                trail.append(lit)
        if not conflict:
            conflict = self._propagate(name, reason, trail)
        if not conflict:
            raise ProofError(f"lemma {name} does not follow by unit propagation")
        return self._collect(conflict, reason, trail)

    def _propagate(self, limit: int, reason: dict[int, int], trail: list[int]) -> int:
        """Propagate to the end; return the name of a falsified clause or 0."""
        core_at = other_at = 0
        while True:
            if core_at < len(trail):
                conflict = self._visit(trail[core_at], True, limit, reason, trail)
                core_at += 1
            elif other_at < len(trail):
                conflict = self._visit(trail[other_at], False, limit, reason, trail)
                other_at += 1
            else:
                return 0
            if conflict:
                return conflict

    def _visit(
        self, lit: int, core: bool, limit: int, reason: dict[int, int], trail: list[int]
    ) -> int:
        false, kept = -lit, []
        watching = self.watchers[false]
        conflict = 0
        for at, name in enumerate(watching):
            if name >= limit or self.core[name] != core:
                kept.append(name)
                continue
            clause = self.clauses[name]
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if first in reason:
                kept.append(name)
                continue
            for k in range(2, len(clause)):
                if -clause[k] not in reason:
                    clause[1], clause[k] = clause[k], false
                    self.watchers[clause[1]].append(name)
                    break
            else:
                kept.append(name)
                if -first in reason:
                    conflict = name
                    kept.extend(watching[at + 1 :])
                    break
                reason[first] = name
                trail.append(first)
        self.watchers[false] = kept
        return conflict

    def _collect(self, conflict: int, reason: dict[int, int], trail: list[int]) -> tuple[int, ...]:
        wanted = {-lit for lit in self.clauses[conflict]}
        used = [conflict]
        for lit in reversed(trail):
            if lit in wanted and (cause := reason[lit]):
                used.append(cause)
                wanted.update(-other for other in self.clauses[cause] if other != lit)
        for name in used:
            self.core[name] = 1
        return tuple(reversed(used))
