"""The parts of a compiled layer: attention heads and the feed-forward network, exact.

A residual row is a vector ``x`` of ``width`` rationals.  Nothing is normalised and nothing is
added but what these parts write.

Main definitions: :class:`Head`, :class:`FeedForward`, :class:`Layer`.

References
----------
Vaswani et al. (2017), Section 3 [vaswani2017], without layer norm; Weiss, Goldberg & Yahav (2021),
Section 3 [weiss2021].
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from rasp.errors import MalformedModelError
from rasp.weights.matrix import Matrix, joined


@final
@dataclass(frozen=True, kw_only=True)
class Head:
    """One attention head: row ``i`` attends where ``(x_i Q) . (x_j K)`` is greatest.

    With average-hard attention the head adds to row ``i`` the mean of ``x_j V O`` over the
    visible rows ``j`` with the greatest score.

    Attributes
    ----------
    name
        Unique in the model.
    query, key
        ``Q`` and ``K``, of shapes (width, k).
    value, output
        ``V`` and ``O``, of shapes (width, m) and (m, width).
    separation
        At most the difference between the greatest score of a row and the next distinct one, for
        every input the model reads; positive, in units of the score.
    serves
        Labels of the s-ops, for which this head is the attention part.

    Examples
    --------
    >>> one = Matrix.of([[1]])
    >>> Head(name="h", query=one, key=one, value=one, output=one, separation=Fraction(1)).sizes
    (1, 1)
    """

    name: str
    query: Matrix
    key: Matrix
    value: Matrix
    output: Matrix
    separation: Fraction
    serves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "serves", tuple(self.serves))
        object.__setattr__(self, "separation", Fraction(self.separation))
        width = self.query.shape[0]
        if self.key.shape != self.query.shape:
            raise MalformedModelError(
                f"head {self.name}: query {self.query.shape} and key {self.key.shape} differ"
            )
        if self.value.shape[0] != width or self.output.shape != self.value.shape[::-1]:
            raise MalformedModelError(
                f"head {self.name}: value {self.value.shape} and output {self.output.shape} "
                f"do not fit width {width}"
            )
        if self.separation <= 0:
            raise MalformedModelError(
                f"head {self.name}: separation {self.separation} must be positive"
            )

    @property
    def width(self) -> int:
        """Width of the residual rows the head reads."""
        return self.query.shape[0]

    @property
    def sizes(self) -> tuple[int, int]:
        """Key size and value size."""
        return self.query.shape[1], self.value.shape[1]

    @property
    def matrices(self) -> dict[str, Matrix]:
        """The weights by name."""
        return {"query": self.query, "key": self.key, "value": self.value, "output": self.output}


@final
@dataclass(frozen=True, kw_only=True)
class FeedForward:
    """The feed-forward network of a layer: ``x`` becomes ``x + relu(x W1 + b1) W2``.

    Attributes
    ----------
    w1, b1, w2
        Of shapes (width, h), (1, h) and (h, width).
    units
        One label per hidden unit, or empty.

    Examples
    --------
    >>> one = Matrix.of([[1]])
    >>> FeedForward(w1=one, b1=one, w2=one).hidden
    1
    """

    w1: Matrix
    b1: Matrix
    w2: Matrix
    units: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        width, hidden = self.w1.shape
        if self.b1.shape != (1, hidden) or self.w2.shape != (hidden, width):
            raise MalformedModelError(
                f"feed-forward shapes {self.w1.shape}, {self.b1.shape}, {self.w2.shape}: "
                "use (width, h), (1, h), (h, width)"
            )
        if len(self.units) not in (0, hidden):
            raise MalformedModelError(f"{len(self.units)} unit labels for {hidden} units")

    @property
    def width(self) -> int:
        """Width of the residual rows."""
        return self.w1.shape[0]

    @property
    def hidden(self) -> int:
        """How many hidden units there are."""
        return self.w1.shape[1]

    @property
    def inner(self) -> Matrix:
        """``W1`` with ``b1`` as a last row, for rows with a last coordinate 1."""
        width, hidden = self.w1.shape
        return joined((width + 1, hidden), [(self.w1, 0, 0), (self.b1, width, 0)])

    @property
    def matrices(self) -> dict[str, Matrix]:
        """The weights by name."""
        return {"w1": self.w1, "b1": self.b1, "w2": self.w2}


@final
@dataclass(frozen=True)
class Layer:
    """Heads that read the same residual rows and add to them, then a feed-forward network."""

    heads: tuple[Head, ...] = field(default=())
    feed_forward: FeedForward | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(self.heads))
        if not self.heads and self.feed_forward is None:
            raise MalformedModelError("a layer without heads and without a feed-forward network")
