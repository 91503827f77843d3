"""RASP by the book: one Python closure per cell, matrices of Booleans, floats for means."""

import operator
from collections.abc import Sequence
from typing import Any

from rasp.errors import SequenceTypeError
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
    Tokens,
    Width,
)

ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "%": operator.mod, "^": operator.pow, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "and": lambda a, b: bool(a) and bool(b), "or": lambda a, b: bool(a) or bool(b),
    "not": lambda a: not a, "neg": operator.neg, "pos": operator.pos, "round": round,
    "indicator": lambda a: 1 if a else 0, "if": lambda c, a, b: a if c else b,
}  # fmt: skip
CASTS = {"str": str, "int": int, "float": float, "asis": lambda token: token}


def checked(values: list[Any]) -> list[Any]:
    """Refuse sequences without a common type."""
    types = {type(value) for value in values}
    if types - {str, bool, int, float} or (str in types and len(types) > 1):
        raise SequenceTypeError(str(values))
    return values


def naive(node: Node, word: Sequence[Any]) -> Any:
    """Return the sequence or the matrix of ``node`` on ``word``."""
    n = range(len(word))
    match node:
        case Tokens():
            return checked([CASTS[node.cast](token) for token in word])
        case Indices():
            return list(n)
        case Constant():
            return [node.value for _ in n]
        case Elementwise(op="in"):
            (values,) = (naive(a, word) for a in node.args)
            return [value in list(node.param) for value in values]  # type: ignore[call-overload]
        case Elementwise():
            columns = [naive(a, word) for a in node.args]
            out = [ARITHMETIC[node.op](*(column[i] for column in columns)) for i in n]
            if any(isinstance(value, complex) for value in out):
                raise ValueError("complex")
            return checked(out)
        case Select():
            keys, queries = naive(node.keys, word), naive(node.queries, word)
            return [[bool(ARITHMETIC[node.op](keys[j], queries[i])) for j in n] for i in n]
        case And():
            left, right = naive(node.left, word), naive(node.right, word)
            return [[left[i][j] and right[i][j] for j in n] for i in n]
        case Or():
            left, right = naive(node.left, word), naive(node.right, word)
            return [[left[i][j] or right[i][j] for j in n] for i in n]
        case Not():
            inner = naive(node.inner, word)
            return [[not inner[i][j] for j in n] for i in n]
        case Best():
            inner = naive(node.inner, word)
            keys, queries = naive(node.keys, word), naive(node.queries, word)
            rows = []
            for i in n:
                scores = {j: ARITHMETIC[node.op](keys[j], queries[i]) for j in n if inner[i][j]}
                top = [j for j in scores if not any(scores[k] > scores[j] for k in scores)]
                rows.append([j == min(top, default=-1) for j in n])
            return rows
        case Width():
            return [row.count(True) for row in naive(node.selector, word)]
        case Aggregate():
            matrix, values = naive(node.selector, word), naive(node.values, word)
            checked(values)
            numbers = {type(value) for value in values}
            out = []
            for row in matrix:
                chosen = [value for value, hit in zip(values, row, strict=True) if hit]
                if len(chosen) < 2:
                    out.append(chosen[0] if chosen else node.default)
                    continue
                if str in numbers or numbers == {bool}:
                    raise ValueError("non-numbers")
                total: Any = 0
                for value in chosen:
                    total = total + value
                out.append(total * 1.0 / len(chosen))
            return checked(out)
    raise AssertionError(node)
