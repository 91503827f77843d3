r"""Lemma E as executable code: an encoder and a decoder of restrictions with a long path.

**Lemma E.** For a process with module kinds M and 1 <= t <= s, at most
:math:`\binom{m}{s-t} 2^{m-s+t} [z^t] code_M(z)` restrictions of m variables with exactly s stars
have a canonical path of at least t queries.

*Proof.* `encode` maps such a restriction to a restriction with t stars fewer and a code; `decode`
inverts it.  The answers of list blocks are replaced by answers that satisfy the block's term, so
that the decoder finds the term as the first one that is not falsified; the code keeps which
positions of the term were stars and, for a falsified block, which answers disagree with it.  Codes
are counted by the series of `bounds.limits.series`.

Main definitions: `encode`, `decode`, `codes`, `longest`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from bounds.limits.process import NOTHING, Path, Process, Restriction, Term, Tree, paths, queries

Mark = tuple[tuple[int, ...], tuple[int, ...] | None]  # places; flips of a falsified block
Code = tuple[tuple[Mark, ...], ...]  # the marks of each module reached, the last one unfinished


@dataclass(frozen=True, slots=True)
class Image:
    """What a restriction is mapped to: fewer stars, and the code that brings it back."""

    restriction: Restriction
    code: Code


def longest(process: Process, rho: Restriction) -> Path:
    """Return a canonical path with the most queries (the first such path)."""
    return max(paths(process, rho), key=queries)


def encode(process: Process, rho: Restriction, t: int) -> Image:
    """Map a restriction with a path of at least ``t`` queries to its image.

    Raises
    ------
    ValueError
        If no canonical path is that long.
    """
    path = longest(process, rho)
    if queries(path) < t or t < 1:
        raise ValueError(f"no path of {t} >= 1 queries: the longest has {queries(path)}")
    sigma: dict[int, int] = {}
    marks: dict[int, list[Mark]] = {}
    known: dict[int, int] = {}
    outcomes: tuple[int, ...] = ()
    left = t
    for i in range(len(process.kinds)):
        marks[i] = []
        module = process.module(i, outcomes)
        mine = [block for block in path if block.module == i]
        for block in mine:
            take = min(left, len(block.variables))
            left -= take
            names, places = block.variables[:take], block.places[:take]
            if isinstance(module, Tree):
                sigma |= dict(zip(names, block.answers, strict=False))
                marks[i].append((places, None))
            else:
                wanted = {v: b for term in (_current(module, rho, known),) for v, b in term}
                sigma |= {v: wanted[v] for v in names}
                flips = tuple(a ^ wanted[v] for v, a in zip(names, block.answers, strict=False))
                keep = None if block.satisfied or left == 0 else flips
                marks[i].append((places, keep))
            known |= dict(zip(block.variables, block.answers, strict=True))
            if left == 0:
                a = tuple(sigma.get(v, bit) for v, bit in enumerate(rho))
                return Image(a, tuple(tuple(marks[k]) for k in range(i + 1)))
        if not isinstance(module, Tree) and not (mine and mine[-1].satisfied):
            marks[i].append(((), None))  # the list ends without querying
        elif isinstance(module, Tree) and not mine:
            marks[i].append(((), None))
        outcomes = (*outcomes, _outcome(module, rho, known))
    raise AssertionError("unreachable: the path has at least t queries")


def _falsified(term: Term, rho: Restriction, known: dict[int, int]) -> bool:
    return any(known.get(v, rho[v]) not in (None, b) for v, b in term)


def _current(terms: tuple[Term, ...], rho: Restriction, known: dict[int, int]) -> Term:
    return next(term for term in terms if not _falsified(term, rho, known))


def _outcome(module: Tree | tuple[Term, ...], rho: Restriction, known: dict[int, int]) -> int:
    if isinstance(module, Tree):
        node = module
        while node.variable is not None and node.branches is not None:
            bit = known.get(node.variable, rho[node.variable])
            assert bit is not None
            node = node.branches[bit]
        return node.label
    return next((k for k, term in enumerate(module) if not _falsified(term, rho, known)), NOTHING)


def decode(process: Process, image: Image) -> Restriction:
    """Recover the restriction from its image.

    Examples
    --------
    >>> one = Process.fixed((("list", 1),), ((((0, 1),), ((1, 1),)),))
    >>> decode(one, encode(one, (0, None), 1))
    (0, None)
    """
    a, known, stars = image.restriction, dict[int, int](), set[int]()
    outcomes: tuple[int, ...] = ()
    for i, marks in enumerate(image.code):
        module, last = process.module(i, outcomes), i == len(image.code) - 1
        if isinstance(module, Tree):
            levels, node, level = set(marks[0][0]), module, 0
            while node.variable is not None and node.branches is not None:
                if level in levels:
                    stars.add(node.variable)
                if last and level == max(levels):
                    break  # all stars are recovered
                bit = a[node.variable] if node.variable not in known else known[node.variable]
                assert bit is not None
                node, level = node.branches[bit], level + 1
            outcomes = (*outcomes, node.label)
            continue
        for places, flips in marks:
            if not places:
                continue
            term = _current(module, a, known)
            stars.update(term[k][0] for k in places)
            if flips is not None:  # from here on the true answers hold
                known |= {term[k][0]: term[k][1] ^ f for k, f in zip(places, flips, strict=True)}
        if not last:
            outcomes = (*outcomes, _outcome(module, a, known))
    return tuple(None if v in stars else bit for v, bit in enumerate(a))


def codes(kinds: tuple[tuple[str, int], ...], t: int) -> Iterator[Code]:
    """Yield every code for ``t`` queried stars: as many as the series' coefficient says."""
    if not kinds or t < 1:
        return
    (kind, w), rest = kinds[0], kinds[1:]

    def marks(y: int) -> Iterator[tuple[int, ...]]:
        yield from combinations(range(w), y)

    def falsified(budget: int) -> Iterator[tuple[int, tuple[Mark, ...]]]:
        yield budget, ()
        if kind == "list":
            for y in range(1, min(w, budget) + 1):
                for places in marks(y):
                    for flips in list(product((0, 1), repeat=y))[1:]:  # all zero would satisfy
                        for left, more in falsified(budget - y):
                            yield left, ((places, flips), *more)

    for left, lead in falsified(t):
        if 1 <= left <= w:
            yield from (((*lead, (places, None)),) for places in marks(left))
        for y in range(min(w, left - 1) + 1):
            for places in marks(y):
                for more in codes(rest, left - y):
                    yield ((*lead, (places, None)), *more)
