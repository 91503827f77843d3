r"""The computation graph: immutable, content-addressed nodes of two sorts.

**For whoever compiles these graphs.**  A program is one node, the *root*; everything it needs is
reachable through :meth:`Node.parents`.  There are two sorts of node.

*S-ops* (:class:`SOpNode`) stand for a sequence of ``n`` atoms, one per input position:
:class:`Tokens`, :class:`Indices` and :class:`Constant` are the leaves; :class:`Elementwise` is
the feed-forward part (one of the operations of :mod:`rasp.operations`, applied position by
position); :class:`Aggregate` is the value part of an attention head; :class:`Width` counts the
selected positions.

*Selectors* (:class:`SelectorNode`) stand for a Boolean ``n`` by ``n`` matrix, rows are queries
(outputs), columns are keys (inputs): :class:`Select` compares a key s-op with a query s-op, cell
``(i, j)`` holds ``keys[j] op queries[i]``; :class:`And`, :class:`Or`, :class:`Not` combine them;
:class:`Best` keeps in each row only the selected key with the highest score.

Every node carries a *digest* of its structure.  Two nodes are equal iff their structures are, in
whatever order, module or process they were made: memo tables, shared subexpressions and golden
files key on the digest, and no table of nodes has to exist.  Object identity is kept apart on
purpose: it says how often the *text* of a program wrote a selector, which is what the paper's
count of heads looks at (:mod:`rasp.analysis`).  Names are not part of a node; they live on the
handles of :mod:`rasp.sops`.

Semantics that matter to a compiler: an aggregate gives ``default`` where nothing is selected, the
value itself (unchanged, of any type) where exactly one position is, and the mean where several
are, which is an error unless all ``n`` values are numbers and not all are Booleans.

Main definitions: :class:`Node`, the classes above, :func:`ancestors`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import abc
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import TypeAlias, final

Atom: TypeAlias = int | float | str | bool | Fraction
CASTS = ("str", "int", "float", "bool", "asis")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
SCORES = ("+", "-", "*")


def _digest(*parts: object) -> int:
    text = "\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=16).digest(), "big")


def atom_key(value: object) -> str:
    """Return text that tells ``1``, ``1.0`` and ``True`` apart, which ``==`` does not."""
    return f"{type(value).__name__}:{value!r}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node(abc.ABC):
    """A vertex of the graph; equal to another iff the structure below is the same."""

    digest: int = field(init=False)

    def _seal(self, *parts: object) -> None:
        object.__setattr__(self, "digest", _digest(type(self).__name__, *parts))

    @property
    @abc.abstractmethod
    def parents(self) -> tuple["Node", ...]:
        """The nodes this one is computed from, in a fixed order."""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Node) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest:032x}>"


class SOpNode(Node):
    """A node that evaluates to one atom per position."""

    __slots__ = ()


class SelectorNode(Node):
    """A node that evaluates to a Boolean matrix, rows are queries, columns are keys."""

    __slots__ = ()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tokens(SOpNode):
    """The input, each token cast by ``str``, ``int``, ``float``, ``bool``, or left as it is."""

    cast: str = "str"

    def __post_init__(self) -> None:
        if self.cast not in CASTS:
            raise ValueError(f"unknown cast {self.cast!r}: use one of {', '.join(CASTS)}")
        self._seal(self.cast)

    @property
    def parents(self) -> tuple[Node, ...]:
        """None: the input is a leaf."""
        return ()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Indices(SOpNode):
    """The positions ``0 .. n-1``."""

    def __post_init__(self) -> None:
        self._seal()

    @property
    def parents(self) -> tuple[Node, ...]:
        """None: positions are a leaf."""
        return ()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(SOpNode):
    """The same value at every position; a value that is no atom fails when evaluated."""

    value: object

    def __post_init__(self) -> None:
        self._seal(atom_key(self.value))

    @property
    def parents(self) -> tuple[Node, ...]:
        """None: a constant is a leaf."""
        return ()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HostFunction:
    """A Python function of atoms, for programs built in Python; compared by identity."""

    function: Callable[..., Atom]
    label: str

    def __repr__(self) -> str:
        return f"{self.label}@{id(self.function):x}"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Elementwise(SOpNode):
    """One operation of :mod:`rasp.operations` at every position.

    ``param`` holds what is not a sequence: the list of ``in``, the table of ``get``, the
    function of ``map``.
    """

    op: str
    args: tuple[SOpNode, ...]
    param: Hashable = None

    def __post_init__(self) -> None:
        self._seal(self.op, _param_key(self.param), *(a.digest for a in self.args))

    @property
    def parents(self) -> tuple[Node, ...]:
        """The operands, left to right."""
        return self.args


def _param_key(param: object) -> str:
    if isinstance(param, tuple):
        return "(" + ",".join(_param_key(p) for p in param) + ")"
    return atom_key(param)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Select(SelectorNode):
    """Cell ``(i, j)`` holds ``keys[j] op queries[i]``."""

    keys: SOpNode
    queries: SOpNode
    op: str

    def __post_init__(self) -> None:
        if self.op not in COMPARISONS:
            raise ValueError(f"unknown comparison {self.op!r}: use one of {COMPARISONS}")
        self._seal(self.op, self.keys.digest, self.queries.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """Keys, then queries."""
        return (self.keys, self.queries)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(SelectorNode):
    """Cells selected by both; still one attention pattern, one head."""

    left: SelectorNode
    right: SelectorNode

    def __post_init__(self) -> None:
        self._seal(self.left.digest, self.right.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """Left, then right."""
        return (self.left, self.right)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(SelectorNode):
    """Cells selected by either."""

    left: SelectorNode
    right: SelectorNode

    def __post_init__(self) -> None:
        self._seal(self.left.digest, self.right.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """Left, then right."""
        return (self.left, self.right)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(SelectorNode):
    """Cells not selected."""

    inner: SelectorNode

    def __post_init__(self) -> None:
        self._seal(self.inner.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """The selector that is complemented."""
        return (self.inner,)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Best(SelectorNode):
    """In each row of ``inner`` the key with the highest ``keys[j] op queries[i]``, leftmost wins.

    The scorer the authors' comments wish for: it turns the four layers of Dyck-2 into three.
    """

    inner: SelectorNode
    keys: SOpNode
    queries: SOpNode
    op: str = "+"

    def __post_init__(self) -> None:
        if self.op not in SCORES:
            raise ValueError(f"unknown score operation {self.op!r}: use one of {SCORES}")
        self._seal(self.op, self.inner.digest, self.keys.digest, self.queries.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """The restricted selector, then keys and queries of the score."""
        return (self.inner, self.keys, self.queries)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Aggregate(SOpNode):
    """Per row of the selector: ``default``, the one selected value, or the mean of several."""

    selector: SelectorNode
    values: SOpNode
    default: object = 0

    def __post_init__(self) -> None:
        self._seal(atom_key(self.default), self.selector.digest, self.values.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """The selector, then the values."""
        return (self.selector, self.values)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Width(SOpNode):
    """How many positions each row selects.

    Stands for the library's ``selector_width``: two heads of one layer and arithmetic, see
    :func:`rasp.expand.expand_widths` for the two aggregates it abbreviates.
    """

    selector: SelectorNode

    def __post_init__(self) -> None:
        self._seal(self.selector.digest)

    @property
    def parents(self) -> tuple[Node, ...]:
        """The selector whose rows are counted."""
        return (self.selector,)


def ancestors(
    roots: tuple[Node, ...],
    *,
    key: Callable[[Node], Hashable] = attrgetter("digest"),
    skip: object = (),
) -> Iterator[Node]:
    """Yield every node below ``roots``, parents before children, each once.

    Parameters
    ----------
    roots
        Where to start; they come last.
    key
        What makes two nodes one: the digest (the default) by structure, ``id`` by occurrence.
    skip
        A container of keys whose nodes, and what lies only below them, are left out.

    Notes
    -----
    Iterative, so depth is no limit; deterministic; linear in nodes and edges.

    Examples
    --------
    >>> flip = Select(Indices(), Constant(0), "==")
    >>> [type(node).__name__ for node in ancestors((Aggregate(flip, Tokens()),))]
    ['Indices', 'Constant', 'Select', 'Tokens', 'Aggregate']
    """
    seen: set[Hashable] = set()
    stack: list[tuple[Node, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        mark = key(node)
        if ready:
            yield node
            continue
        if mark in seen or mark in skip:  # type: ignore[operator]
            continue
        seen.add(mark)
        stack.append((node, True))
        stack.extend((parent, False) for parent in reversed(node.parents))


def selector_nodes(root: SelectorNode) -> list[SelectorNode]:
    """Return the selectors that ``root`` is combined from, itself last; s-ops are not entered.

    Examples
    --------
    >>> one = Select(Indices(), Constant(0), "==")
    >>> [type(node).__name__ for node in selector_nodes(Not(And(one, one)))]
    ['Select', 'And', 'Not']
    """
    found: dict[int, SelectorNode] = {}
    stack: list[tuple[SelectorNode, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if node.digest in found:
            continue
        if ready:
            found[node.digest] = node
            continue
        stack.append((node, True))
        stack.extend((parent, False) for parent in node.parents if isinstance(parent, SelectorNode))
    return list(found.values())


@lru_cache(maxsize=64)
def evaluation_order(root: Node) -> tuple[Node, ...]:
    """Return :func:`ancestors` of one root; kept, because programs are evaluated many times."""
    return tuple(ancestors((root,)))
