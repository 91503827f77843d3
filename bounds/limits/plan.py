"""Which proof is being tuned: the question asked, the shape of the proof, its free parameters.

Main definitions: `Question`, `Plan`, `shapes`, `LimitError`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Literal

Task = Literal["parity", "mod", "dyck"]
WIDTHS = 6  # how many numbers of stars get a width of their own
TASKS: tuple[Task, ...] = ("parity", "mod", "dyck")


class LimitError(ValueError):
    """A question or a parameter outside its range; the message names the value and the range."""


@dataclass(frozen=True, slots=True)
class Question:
    """A task and a size: for which lengths can no such transformer decide the task.

    Parameters
    ----------
    task
        ``parity`` (even number of ones), ``mod`` (number of ones divisible by ``modulus``) or
        ``dyck`` (well-bracketed, one kind of bracket; hence also any number of kinds).
    layers, heads
        At least 1.
    padding
        Number of extra positions that carry no input symbol, at least 0.
    modulus
        At least 2; only read for ``mod``.

    Raises
    ------
    LimitError
        If a field is out of range.

    Examples
    --------
    >>> Question("parity", 2, 1).positions(13)
    13
    """

    task: Task
    layers: int
    heads: int
    padding: int = 0
    modulus: int = 2

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise LimitError(f"unknown task {self.task!r}; known: {', '.join(TASKS)}")
        for name, value, low in (
            ("layers", self.layers, 1),
            ("heads", self.heads, 1),
            ("padding", self.padding, 0),
            ("modulus", self.modulus, 2),
        ):
            if value < low:
                raise LimitError(f"{name} = {value} is too small; it must be at least {low}")

    @property
    def free(self) -> int:
        """Free variables that already contradict a constant output (1, or modulus - 1)."""
        return self.modulus - 1 if self.task == "mod" else 1

    @property
    def step(self) -> int:
        """Distance of two lengths in question: 2 for ``dyck`` (odd words are never members)."""
        return 2 if self.task == "dyck" else 1

    def positions(self, n: int) -> int:
        """Return the number of attention positions at length ``n``."""
        return n + self.padding


@dataclass(frozen=True, slots=True)
class Plan:
    """A shape (stage kinds, the last one final) with values for its free parameters.

    ``numbers`` holds floats by name: ``p0, w0, narrow0`` for stage 0 and so on; ``y1, y2, ...`` for
    the widths that the final stage of three layers allows with 1, 2, ... stars; ``share`` for
    ``dyck``.
    """

    question: Question
    shape: tuple[str, ...]
    choice: Literal["sets", "tuples"] = "sets"
    numbers: dict[str, float] = field(default_factory=dict)

    def with_number(self, name: str, value: float) -> Plan:
        """Return the same plan with one number replaced."""
        return replace(self, numbers={**self.numbers, name: value})

    @property
    def lift(self) -> float:
        """Base of the maximal inequality for the random middle of ``dyck``, at its optimum."""
        p, share = self.numbers["p0"], self.numbers["share"]
        slope = share / (1 - 2 * share)
        return sqrt((1 - p) * (1 + slope) / ((1 + p) * max(1 - slope, 1e-9)))

    @property
    def final(self) -> str:
        """The final stage's kind."""
        return self.shape[-1]


def shapes(question: Question) -> tuple[tuple[str, ...], ...]:
    """Return the proof shapes tried for a question, the usually best one first.

    Examples
    --------
    >>> shapes(Question("parity", 3, 1))
    (('last-three',), ('first-layer', 'last-two'))
    """
    layers = question.layers
    if layers == 1:
        return (("last",),)
    if layers == 2:
        return (("last-two",),)
    if layers == 3:
        return (("last-three",), ("first-layer", "last-two"))
    middle = ("next-layer",) * (layers - 4)
    both: tuple[tuple[str, ...], ...] = (
        ("two-layers", *middle, "last-two"),
        ("first-layer", *("next-layer",) * (layers - 3), "last-two"),
    )
    if layers == 4:
        return (*both, ("first-layer", "last-three"))
    return both


def starting_plan(
    question: Question, shape: tuple[str, ...], choice: Literal["sets", "tuples"] = "sets"
) -> Plan:
    """Return rough numbers to start a descent from; they decide nothing."""
    h = question.heads
    numbers: dict[str, float] = {}
    for i, kind in enumerate(shape[:-1]):
        last = i == len(shape) - 2
        if kind == "two-layers":
            numbers |= {f"p{i}": 0.0125 / h**0.9, f"narrow{i}": 7 + 4 * h, f"w{i}": 5 + 1.4 * h}
        elif kind == "first-layer":
            w = 1 if shape[-1] == "last-three" else 2 + 0.7 * h
            numbers |= {f"p{i}": 0.1 / h**0.7, f"w{i}": w}
        else:
            numbers |= {f"p{i}": 0.03 / h**0.8, f"w{i}": 10 + 2 * h + (0 if last else 1)}
    if shape[-1] == "last-three":  # the more stars, the narrower a term has to be
        top = 6.5 + 4.2 * h
        numbers |= {f"y{k}": max(top - (2.6 + 0.08 * h) * (k - 1), 3) for k in range(1, WIDTHS + 1)}
    if question.task == "dyck":
        numbers["share"] = {1: 0.25, 2: 0.1, 3: 0.06}.get(question.layers, 0.02)
        if shape[0] in ("two-layers", "first-layer"):
            numbers["share"] = 0.01 + 1.2 * numbers["p0"]
    whole = {k: float(round(v)) if k[0] in "wny" else v for k, v in numbers.items()}
    return Plan(question, shape, choice, whole)
