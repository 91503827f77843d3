"""From refuted cubes to one proof of the whole formula.

A proof of the formula together with a cube's literals becomes a derivation from the formula alone
when every lemma is widened by the denial of those cube literals that it rests on.  It then ends
in a clause that denies a part of the cube, the *core*.  Cores of two cubes that differ in one
variable resolve on it, and so on up the tree of cuts to the empty clause.

The result is an ordinary LRAT proof: the checker need not know that there were cubes.

Main definitions: `denial`, `join`, `Refuted`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synthesis.checker.lrat import ProofError
from synthesis.formula import Cnf
from synthesis.proof import Lemma, trim
from synthesis.splitting import Cube


@dataclass(frozen=True, slots=True)
class Refuted:
    """A refuted cube.

    Parameters
    ----------
    core
        The cube's literals that the refutation needs.
    lemmas
        A derivation of the denial of ``core``, its last lemma, from the clauses.
    words
        How many of the chosen words the clauses were about (``None``: all of the cell).
    """

    core: Cube
    lemmas: tuple[Lemma, ...]
    words: int | None = None


def denial(cnf: Cnf, cube: Cube, lemmas: Sequence[Lemma], words: int | None = None) -> Refuted:
    """Turn a refutation of ``cnf`` plus the cube's literals into a derivation from ``cnf``.

    Parameters
    ----------
    lemmas
        A proof of the empty clause in which the cube's literals, in order, are the unit clauses
        that follow those of ``cnf``.
    words
        As in `Refuted`.

    Raises
    ------
    ProofError
        If the proof never reaches the empty clause or a widened lemma says nothing.

    Examples
    --------
    >>> cnf = Cnf((("a",), ("b",)), ((-1, 2), (-1, -2)))
    >>> denial(cnf, ((True, ("a",)),), [Lemma(4, (), (3, 1, 2))]).lemmas
    (Lemma(name=3, literals=(-1,), hints=(1, 2)),)
    """
    size, width = len(cnf.clauses), len(cube)
    place = {name: v for v, name in enumerate(cnf.names, start=1)}
    rests: dict[int, frozenset[int]] = {
        size + k: frozenset({place[name] if sign else -place[name]})
        for k, (sign, name) in enumerate(cube, start=1)
    }
    widened: list[Lemma] = []
    for step in trim(lemmas, size + width):
        base = frozenset[int]().union(*(rests[h] for h in step.hints if h in rests))
        rests[step.name] = base
        if base & set(step.literals):
            raise ProofError(f"lemma {step.name} keeps a literal that its cube makes true")
        denied = (-lit for lit in sorted(base) if -lit not in step.literals)
        hints = tuple(h - width if h > size + width else h for h in step.hints)
        used = tuple(h for h, old in zip(hints, step.hints, strict=True)
                     if not size < old <= size + width)  # fmt: skip
        widened.append(Lemma(step.name - width, (*step.literals, *denied), used))
    final = {-lit for lit in widened[-1].literals}
    core = tuple(lit for lit in cube if (place[lit[1]] if lit[0] else -place[lit[1]]) in final)
    return Refuted(core, tuple(widened), words)


def join(
    cnf: Cnf,
    leaves: Sequence[Cube],
    refuted: Sequence[Refuted],
    formula_of: Callable[[int | None], Cnf],
) -> list[Lemma]:
    """Return one proof of ``cnf``.

    Parameters
    ----------
    cnf
        The whole formula.
    leaves
        The cubes that a tree of cuts ends in.
    refuted
        Cores of which every leaf contains one.
    formula_of
        The formula that a cube was refuted in, by its number of words; its clauses are, name by
        name, among those of ``cnf``.

    Raises
    ------
    ProofError
        If the cores leave a leaf open.
    """
    place = {name: v for v, name in enumerate(cnf.names, start=1)}
    clause = {tuple(sorted(row)): k for k, row in enumerate(cnf.clauses, start=1)}
    lemmas: list[Lemma] = []
    first = len(cnf.clauses) + 1
    ends: dict[frozenset[int], int] = {}  # the literals of a core -> the lemma that denies them
    for one in refuted:
        part = formula_of(one.words)
        number = [0, *(place[name] for name in part.names)]
        signed = [number[v] if v >= 0 else -number[-v] for v in _range(part)]

        def over(literals: Sequence[int], signed: list[int] = signed) -> tuple[int, ...]:
            return tuple(signed[v] for v in literals)

        new = {k: clause[tuple(sorted(over(row)))] for k, row in enumerate(part.clauses, 1)}
        for step in one.lemmas:
            new[step.name] = first + len(lemmas)
            hints = tuple(new[h] for h in step.hints)
            lemmas.append(Lemma(new[step.name], over(step.literals), hints))
        ends[frozenset(-lit for lit in lemmas[-1].literals)] = lemmas[-1].name
    paths = [tuple(place[name] if sign else -place[name] for sign, name in c) for c in leaves]

    def deny(path: tuple[int, ...]) -> frozenset[int]:
        """Return a part of the path that is denied, after adding the lemma that denies it."""
        known = [core for core in ends if core <= set(path)]
        if known:
            return min(known, key=len)
        below = [leaf for leaf in paths if leaf[: len(path)] == path and len(leaf) > len(path)]
        if not below:
            raise ProofError(f"the cube {path} was not refuted")
        lit = below[0][len(path)]
        yes = deny((*path, lit))
        if lit not in yes:
            return yes
        no = deny((*path, -lit))
        if -lit not in no:
            return no
        both = (yes | no) - {lit, -lit}
        name = first + len(lemmas)
        lemmas.append(Lemma(name, tuple(sorted(-k for k in both)), (ends[yes], ends[no])))
        ends[both] = name
        return both

    deny(())
    return trim(lemmas, len(cnf.clauses))


def _range(cnf: Cnf) -> list[int]:
    """Return 0, 1, .., v, -v, .., -1: a list over it is indexed by signed variables."""
    v = len(cnf.names)
    return [*range(v + 1), *range(-v, 0)]
