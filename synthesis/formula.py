"""Clauses over named variables, in named groups, with one canonical numbering.

An encoder adds clauses over names such as ``("attend", layer, head, i, view, j)``.  The canonical
form sorts names and clauses, so two encoders that state the same constraints give the same
formula to the byte: this is what lets a checker regenerate the formula a proof speaks about.

Main definitions: `Formula`, `Cnf`, `Lit`, `Name`.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Name = tuple[object, ...]
"""A variable's name: a kind (str), then integers and tuples of integers; one shape per kind."""

Lit = tuple[bool, Name]
"""A literal: polarity and name."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula in canonical form.

    Parameters
    ----------
    names
        Variable ``v`` (from 1) is called ``names[v - 1]``.
    clauses
        Sorted tuples of signed variables, themselves sorted and distinct.
    """

    names: tuple[Name, ...]
    clauses: tuple[tuple[int, ...], ...]

    def digest(self) -> str:
        """Return the SHA-256 of the clauses and of what the variables are called."""
        sha = hashlib.sha256("\n".join(map(repr, self.names)).encode())
        sha.update("\n".join(" ".join(map(str, clause)) for clause in self.clauses).encode())
        return sha.hexdigest()


@dataclass(slots=True)
class Formula:
    """Clauses as an encoder collects them, by constraint group (grows by ``add`` only).

    Examples
    --------
    >>> f = Formula()
    >>> f.add("demo", (True, ("b",)), (False, ("a",)))
    >>> f.canonical().clauses
    ((-1, 2),)
    """

    groups: dict[str, dict[frozenset[Lit], None]] = field(default_factory=dict)

    def add(self, group: str, *literals: Lit) -> None:
        """Add one clause; a clause already present is kept once, a tautology not at all."""
        clause = frozenset(literals)
        if any((not sign, name) in clause for sign, name in clause):
            return
        self.groups.setdefault(group, {})[clause] = None

    def exactly_one(self, group: str, names: Iterable[Name]) -> None:
        """Demand that exactly one of the variables is true."""
        all_names = list(names)
        self.add(group, *((True, name) for name in all_names))
        for k, name in enumerate(all_names):
            for other in all_names[:k]:
                self.add(group, (False, name), (False, other))

    def sizes(self) -> Mapping[str, int]:
        """Return the number of clauses in every group."""
        return {group: len(clauses) for group, clauses in sorted(self.groups.items())}

    def canonical(self) -> Cnf:
        """Return the canonical form."""
        return canonical(clause for group in self.groups.values() for clause in group)


def canonical(clauses: Iterable[frozenset[Lit]]) -> Cnf:
    """Return the clauses over names numbered in sorted order."""
    distinct = set(clauses)
    names = tuple(sorted({name for clause in distinct for _, name in clause}, key=repr))
    number = {name: v for v, name in enumerate(names, start=1)}
    numbered = {
        tuple(sorted(number[name] if sign else -number[name] for sign, name in clause))
        for clause in distinct
    }
    # units last: a solver that simplifies while it reads would number lemmas of its own in between
    return Cnf(names, tuple(sorted(numbered, key=lambda c: (-len(c), c))))
