"""Random RASP programs whose parts have matching types, and comparison of models with them."""

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rasp.errors import RaspError
from rasp.evaluate.engine import evaluate_batch
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
)
from rasp.profiles import Profile, restricted
from rasp.weights.model import CompiledModel
from rasp.weights.run import run

TOKENS = Tokens("str")
COMPARISONS = ["==", "==", "!=", "<", "<=", ">", ">="]


def _op(op: str, *args: SOpNode) -> SOpNode:
    return Elementwise(op, args)


class RandomProgram:
    """Programs over the letters a and b; ``depth`` bounds nesting."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def any(self, depth: int) -> SOpNode:
        return self.rng.choice([self.number, self.number, self.truth, self.text])(depth)

    def number(self, depth: int) -> SOpNode:
        rng, below = self.rng, depth - 1
        kind = rng.randint(0, 13)
        if depth <= 0:
            a = _op("indicator", _op("==", TOKENS, Constant("a")))
            return rng.choice([Indices(), Indices(), Constant(rng.randint(-1, 3)), a])
        if kind <= 1:
            return Indices()
        if kind == 2:
            return _op(rng.choice("+-"), self.number(below), self.number(below))
        if kind == 3:
            return _op("*", self.number(below), Constant(rng.randint(-2, 3)))
        if kind == 4:
            return _op("indicator", self.truth(below))
        if kind == 5:
            return _op("if", self.truth(below), self.number(below), self.number(below))
        if kind <= 8:
            return Width(self.selector(below))
        if kind <= 11:
            default = rng.choice([0, 0, 1, -1])
            return Aggregate(self.selector(below), self.number(below), default)
        if kind == 12:
            return _op("%", self.number(below), Constant(rng.randint(2, 3)))
        return _op("round", _op("/", self.number(below), Constant(2)))

    def truth(self, depth: int) -> SOpNode:
        rng, below = self.rng, depth - 1
        kind = rng.randint(0, 5)
        if depth <= 0 or kind == 0:
            return _op("==", TOKENS, Constant(rng.choice("ab")))
        if kind == 1:
            return _op(rng.choice(COMPARISONS), self.number(below), self.number(below))
        if kind == 2:
            return _op(rng.choice(["and", "or"]), self.truth(below), self.truth(below))
        if kind == 3:
            return _op("not", self.truth(below))
        if kind == 4:
            return _op("==", self.text(below), Constant("a"))
        return _op(rng.choice(["==", "<", ">"]), self.number(below), Constant(rng.randint(0, 2)))

    def text(self, depth: int) -> SOpNode:
        rng, below = self.rng, depth - 1
        kind = rng.randint(0, 4)
        if depth <= 0 or kind == 0:
            return TOKENS
        if kind == 1:
            return _op("if", self.truth(below), self.text(below), self.text(below))
        if kind == 2:
            return _op("+", TOKENS, Constant("x"))
        if kind == 3:
            return Aggregate(Select(Indices(), self.number(below), "=="), self.text(below), "-")
        best = Best(self.selector(below), self.number(0), Constant(0), "+")
        return Aggregate(best, self.text(below), "-")

    def selector(self, depth: int) -> SelectorNode:
        rng, below = self.rng, depth - 1
        kind = rng.randint(0, 9)
        if kind == 0 and depth > 0:
            return And(self.selector(below), self.selector(below))
        if kind == 1 and depth > 0:
            return Or(self.selector(below), self.selector(below))
        if kind == 2 and depth > 0:
            return Not(self.selector(below))
        op = rng.choice(COMPARISONS)
        if kind in (3, 4):
            return Select(TOKENS, TOKENS, op)
        if kind == 5:
            return Select(Indices(), Indices(), op)
        if kind == 6:
            return Select(TOKENS, Constant(rng.choice("ab")), op)
        return Select(self.number(below), self.number(below), op)


def all_words(symbols: Sequence[Any], longest: int) -> list[tuple[Any, ...]]:
    return [w for n in range(1, longest + 1) for w in itertools.product(symbols, repeat=n)]


def some_words(
    symbols: Sequence[Any], longest: int, count: int, seed: int = 0
) -> list[tuple[Any, ...]]:
    """Random words over few and many symbols, and the extremes."""
    rng = random.Random(seed)
    found = [(symbols[0],) * longest, (symbols[-1],), tuple(symbols)[:longest]]
    found.append(tuple(rng.choice(symbols) for _ in range(longest)))
    while len(found) < count:
        few = rng.sample(list(symbols), rng.randint(1, len(symbols)))
        found.append(tuple(rng.choice(few) for _ in range(rng.randint(1, longest))))
    return found


def mistakes(
    model: CompiledModel,
    node: SOpNode,
    words: Sequence[Sequence[Any]],
    *,
    runtime: str = "exact",
    output: str | None = None,
) -> list[Any]:
    """Return the words on which a model differs from its program; failing inputs are skipped."""
    reference = restricted(node, Profile("causal")) if model.causal else node
    wanted = evaluate_batch(reference, words)
    found = run(model, words, runtime=runtime).output(output)
    wrong = []
    for word, right, got in zip(words, wanted, found, strict=True):
        if isinstance(right, RaspError):
            continue
        if not all(_same(a, b, runtime) for a, b in zip(right, got, strict=True)):
            wrong.append((word, right, got))
    return wrong


def _same(a: Any, b: Any, runtime: str) -> bool:
    numbers = isinstance(a, (int, float, Fraction)) and isinstance(b, (int, float, Fraction))
    if runtime != "exact" and numbers:
        return abs(float(a) - float(b)) <= 1e-4
    return bool(a == b)
