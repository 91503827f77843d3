"""Processes of decision trees and term lists, executed canonically under a restriction.

A process runs K modules in turn; the kinds of the modules are fixed, the concrete tree or list may
depend on the outcomes so far.  The canonical execution queries every free variable it meets: a tree
at each starred node, a list all free variables of its first term that is not falsified.

Main definitions: `Term`, `Tree`, `Module`, `Process`, `Block`, `paths`, `canonical_depth`.

References
----------
Own definitions; canonical execution in the manner of the switching lemma [razborov1995].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

Restriction = tuple[int | None, ...]  # shape (m,): 0, 1 or None for a star
Term = tuple[tuple[int, int], ...]  # literals (variable, wanted bit) on distinct variables
Outcome = int  # the leaf's label, the index of the satisfied term, or NOTHING
NOTHING: Final = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree: a leaf (``variable`` is None) with a label, or a query with two branches."""

    label: int = 0
    variable: int | None = None
    branches: tuple[Tree, Tree] | None = None


Module = Tree | tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Process:
    """``size`` modules of the given kinds; ``module(i, outcomes)`` is the i-th one.

    ``kinds`` holds pairs ("tree" | "list", width), as the series and the tails read them.
    """

    kinds: tuple[tuple[str, int], ...]
    module: Callable[[int, tuple[Outcome, ...]], Module]

    @staticmethod
    def fixed(kinds: tuple[tuple[str, int], ...], modules: tuple[Module, ...]) -> Process:
        """Return the process whose modules do not depend on outcomes."""
        return Process(kinds, lambda i, _: modules[i])


@dataclass(frozen=True, slots=True)
class Block:
    """One group of queries: in module ``module``, variables with answers.

    ``places`` are the levels (tree) or positions inside the term (list).  ``satisfied`` tells
    whether a list block's answers agree with its term; it is True for trees.
    """

    module: int
    variables: tuple[int, ...]
    places: tuple[int, ...]
    answers: tuple[int, ...]
    satisfied: bool


Path = tuple[Block, ...]


def value(rho: Restriction, known: Mapping[int, int], variable: int) -> int | None:
    """Return the bit of a variable under a restriction and further answers, or None."""
    return known.get(variable, rho[variable])


def _walk_tree(
    tree: Tree, rho: Restriction, known: dict[int, int], module: int
) -> Iterator[tuple[Path, dict[int, int], Outcome]]:
    def go(
        node: Tree, level: int, known: dict[int, int], asked: tuple[tuple[int, int, int], ...]
    ) -> Iterator[tuple[Path, dict[int, int], Outcome]]:
        if node.variable is None or node.branches is None:
            block = Block(
                module,
                tuple(v for v, _, _ in asked),
                tuple(p for _, p, _ in asked),
                tuple(b for _, _, b in asked),
                True,
            )
            yield ((block,) if asked else ()), known, node.label
            return
        bit = value(rho, known, node.variable)
        for answer in (0, 1) if bit is None else (bit,):
            more = asked if bit is not None else (*asked, (node.variable, level, answer))
            now = known if bit is not None else {**known, node.variable: answer}
            yield from go(node.branches[answer], level + 1, now, more)

    yield from go(tree, 0, known, ())


def _walk_list(
    terms: tuple[Term, ...], rho: Restriction, known: dict[int, int], module: int
) -> Iterator[tuple[Path, dict[int, int], Outcome]]:
    for index, term in enumerate(terms):
        bits = [value(rho, known, v) for v, _ in term]
        if any(b is not None and b != want for b, (_, want) in zip(bits, term, strict=True)):
            continue
        free = [k for k, b in enumerate(bits) if b is None]
        if not free:
            yield (), known, index
            return
        names = tuple(term[k][0] for k in free)
        for code in range(1 << len(free)):
            answers = tuple(code >> k & 1 for k in range(len(free)))
            now = {**known, **dict(zip(names, answers, strict=True))}
            done = all(a == term[k][1] for a, k in zip(answers, free, strict=True))
            block = Block(module, names, tuple(free), answers, done)
            if done:
                yield (block,), now, index
            else:
                for rest, last, outcome in _walk_list(terms[index + 1 :], rho, now, module):
                    shifted = outcome if outcome == NOTHING else outcome + index + 1
                    yield (block, *rest), last, shifted
        return
    yield (), known, NOTHING


def paths(process: Process, rho: Restriction) -> Iterator[Path]:
    """Yield every canonical path of the process under a restriction.

    Examples
    --------
    >>> one = Process.fixed((("list", 1),), ((((0, 1),), ((1, 1),)),))
    >>> sorted(sum(len(b.variables) for b in p) for p in paths(one, (None, None)))
    [1, 2, 2]
    """

    def go(i: int, known: dict[int, int], outcomes: tuple[Outcome, ...]) -> Iterator[Path]:
        if i == len(process.kinds):
            yield ()
            return
        module = process.module(i, outcomes)
        walk = _walk_tree if isinstance(module, Tree) else _walk_list
        for part, now, outcome in walk(module, rho, known, i):  # type: ignore[arg-type]
            for rest in go(i + 1, now, (*outcomes, outcome)):
                yield (*part, *rest)

    yield from go(0, {}, ())


def queries(path: Path) -> int:
    """Return the number of variables that a path queries."""
    return sum(len(block.variables) for block in path)


def canonical_depth(process: Process, rho: Restriction) -> int:
    """Return the largest number of queries over all answers."""
    return max(queries(path) for path in paths(process, rho))
