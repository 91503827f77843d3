"""Restricted attention: which programs survive when a head may only look at some positions.

A profile says which keys a query may attend to, whatever the program's selectors ask for.  A
program survives a profile up to a length if its result stays the same on all inputs tried;
otherwise a shortest input on which it changes is the witness.

Low rank is a property of the pattern rather than of positions: a selector whose Boolean matrix
has real rank above ``r`` on some input cannot be a product of two ``n`` by ``r`` factors there.

Main definitions: :class:`Profile`, :func:`restricted`, :func:`survives`, :func:`highest_rank`.

References
----------
Weiss, Goldberg & Yahav (2021), section 6, on restricted-attention transformers [weiss2021].
Tay, Dehghani, Bahri & Metzler (2022) for the kinds of restriction [tay2022].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from rasp.evaluate.engine import evaluation
from rasp.expand import expand_widths, rebuild
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Node,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    ancestors,
)
from rasp.sops import SOp
from rasp.verify import Comparison, compare, words


class ProfileError(ValueError):
    """A profile with a nonsensical size, or of an unknown kind."""


def _shifted(distance: int) -> SOpNode:
    return Elementwise("+", (Indices(), Constant(distance)))


def _scaled(size: int, op: str) -> SOpNode:
    if op == "%":
        return Elementwise("%", (Indices(), Constant(size)))
    rest = Elementwise("%", (Indices(), Constant(size)))
    return Elementwise("-", (Indices(), rest))


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """A restriction of attention.

    Attributes
    ----------
    kind
        ``full``; ``causal``: no later key; ``window``: keys at distance at most ``size``;
        ``block``: keys of the same block of ``size``; ``strided``: keys whose distance is a
        multiple of ``size``, and the window of ``size`` (both patterns together, one head).
    size
        Positive, in positions; not used by ``full`` and ``causal``.

    Examples
    --------
    >>> Profile("window", 2).allows(5, 7), Profile("window", 2).allows(5, 8)
    (True, False)
    """

    kind: str
    size: int = 0

    def __post_init__(self) -> None:
        if self.kind not in ("full", "causal", "window", "block", "strided"):
            raise ProfileError(
                f"unknown profile {self.kind!r}: use full, causal, window, block or strided"
            )
        if self.kind in ("window", "block", "strided") and self.size < 1:
            raise ProfileError(f"a {self.kind} profile needs a size of at least 1")

    def __str__(self) -> str:
        return f"{self.kind}({self.size})" if self.size else self.kind

    def allows(self, query: int, key: int) -> bool:
        """Return whether ``query`` may attend to ``key`` (positions from 0)."""
        match self.kind:
            case "causal":
                return key <= query
            case "window":
                return abs(key - query) <= self.size
            case "block":
                return key // self.size == query // self.size
            case "strided":
                return (key - query) % self.size == 0 or abs(key - query) <= self.size
        return True

    def mask(self) -> SelectorNode:
        """Return the allowed cells as a selector."""
        position = Indices()
        near = And(
            Select(position, _shifted(self.size), "<="),
            Select(position, _shifted(-self.size), ">="),
        )
        match self.kind:
            case "causal":
                return Select(position, position, "<=")
            case "window":
                return near
            case "block":
                block = _scaled(self.size, "-")
                return Select(block, block, "==")
            case "strided":
                rest = _scaled(self.size, "%")
                return Or(Select(rest, rest, "=="), near)
        return Select(Constant(1), Constant(1), "==")


def restricted(root: SOpNode, profile: Profile) -> SOpNode:
    """Return the program with every head cut down to the profile.

    Widths are written out first: their two heads are restricted like any other.
    """
    mask = profile.mask()

    def cut(node: Node) -> Node:
        if isinstance(node, Aggregate):
            return Aggregate(_within(node.selector, mask), node.values, node.default)
        return node

    result = rebuild(expand_widths(root), cut)
    assert isinstance(result, SOpNode)
    return result


def _within(selector: SelectorNode, mask: SelectorNode) -> SelectorNode:
    match selector:
        case Best():  # the best of the keys that are allowed
            return Best(And(selector.inner, mask), selector.keys, selector.queries, selector.op)
        case And() | Or():
            kind = type(selector)
            return kind(_within(selector.left, mask), _within(selector.right, mask))
        case Not():
            return And(Not(_within(selector.inner, mask)), mask)
    return And(selector, mask)


def survives(sop: SOp, profile: Profile, alphabet: Sequence[Any], *, up_to: int) -> Comparison:
    """Compare a program with itself under a profile on all inputs up to a length.

    Returns
    -------
    Comparison
        ``equal`` if it survives; else with a shortest input on which it changes (an error under
        the profile counts as a change).

    Examples
    --------
    >>> from rasp import aggregate, indices, length, select, tokens
    >>> reverse = aggregate(select(indices, length - 1 - indices, "=="), tokens, "")
    >>> survives(reverse, Profile("window", 1), "ab", up_to=4).difference.input
    ('a', 'a', 'a')
    """
    under = SOp(restricted(sop.node, profile), f"{sop.name} under {profile}")
    return compare(sop, under, alphabet, up_to=up_to)


def rank(rows: Sequence[int], n: int) -> int:
    """Return the rank over the rationals of a Boolean matrix given as bit masks.

    Examples
    --------
    >>> rank([0b011, 0b110, 0b101], 3)
    3
    """
    matrix = [[Fraction(mask >> key & 1) for key in range(n)] for mask in dict.fromkeys(rows)]
    found = 0
    for column in range(n):
        pivot = next((i for i in range(found, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            continue
        matrix[found], matrix[pivot] = matrix[pivot], matrix[found]
        head = matrix[found]
        for i in range(found + 1, len(matrix)):
            if matrix[i][column]:
                times = matrix[i][column] / head[column]
                matrix[i] = [a - times * b for a, b in zip(matrix[i], head, strict=True)]
        found += 1
    return found


@final
@dataclass(frozen=True, slots=True)
class RankFound:
    """The highest rank of a program's selectors, the selector and the input that have it."""

    rank: int
    selector: SelectorNode | None
    input: tuple[Any, ...]


def highest_rank(sop: SOp, alphabet: Sequence[Any], *, up_to: int) -> RankFound:
    """Return the highest rank that a selector of ``sop`` has on inputs up to a length.

    Notes
    -----
    A selector of rank ``n`` on inputs of length ``n`` needs full rank, so no factorisation of
    its pattern through fewer dimensions exists.  What counts is the Boolean pattern itself.
    """
    heads = [node for node in ancestors((expand_widths(sop.node),)) if isinstance(node, Aggregate)]
    best = RankFound(0, None, ())
    for word in words(alphabet, up_to):
        found = evaluation(word)
        for head in heads:
            here = rank(found.rows(head.selector), len(word))
            if here > best.rank:
                best = RankFound(here, head.selector, word)
    return best
