"""Expressions of the language: literals, sums, and functions that are given as tables.

Tables are worded totally (with a last ``else``), since the interpreter evaluates every statement
on its running example, whatever the vocabulary is.

Main definitions: :func:`literal`, :func:`combination`, :func:`worded`, :func:`choice`.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rasp.errors import DecompileError

ONE = "indicator(indices == indices)"
MOST_CASES = 4
"""A table over two s-ops is worded case by case if no more cases of one of them differ."""

_WORD = re.compile(r"\w+")


def literal(atom: Any) -> str:
    """Return an atom as the language writes it.

    Raises
    ------
    DecompileError
        If it has no literal.

    Examples
    --------
    >>> [literal(a) for a in ("a", -2, True, 0.5)]
    ['"a"', '-2', 'True', '0.5']
    """
    if isinstance(atom, str) and '"' not in atom and "\n" not in atom and "\r" not in atom:
        return f'"{atom}"'
    if isinstance(atom, (bool, int)):
        return str(atom)
    if isinstance(atom, (float, Fraction)):
        near = float(atom)
        if re.fullmatch(r"-?\d+\.\d+", repr(near)) and Fraction(near) == Fraction(atom):
            return repr(near)
    raise DecompileError(f"the value {atom!r} has no literal in the language")


def simple(text: str) -> str:
    """Return an expression that can be an operand: itself or in parentheses.

    Examples
    --------
    >>> simple("f(x)"), simple("(x) + (y)")
    ('f(x)', '((x) + (y))')
    """
    return text if is_operand(text) else f"({text})"


def is_operand(text: str) -> bool:
    """Return whether a text is a word, a call, or in parentheses as a whole."""
    if _WORD.fullmatch(text):
        return True
    text = re.sub(r'"[^"]*"', '""', text)  # parentheses in strings do not count
    start = text.find("(")
    if start < 0 or not text.endswith(")") or not re.fullmatch(r"\w*", text[:start]):
        return False
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and place >= start:
            return place == len(text) - 1
    return False


def combination(parts: Sequence[tuple[Fraction, str]], constant: Fraction) -> str:
    """Return a linear combination as text; fractions become divisions, which are exact.

    Examples
    --------
    >>> combination([(Fraction(2), "x"), (Fraction(-1, 3), "y")], Fraction(1))
    '(2 * x - y / 3 + 1)'
    >>> combination([], Fraction(1, 2))
    '(indicator(indices == indices) / 2)'
    """
    pieces = []
    whole = [*parts]
    if constant.denominator != 1:
        whole.append((constant, ONE))
        constant = Fraction(0)
    for factor, text in whole:
        size = abs(factor)
        piece = simple(text) if size.numerator == 1 else f"{size.numerator} * {simple(text)}"
        if size.denominator != 1:
            piece = f"{piece} / {size.denominator}"
        pieces.append((factor < 0, piece))
    if constant or not pieces:
        pieces.append((constant < 0, str(abs(constant))))
    if len(pieces) == 1 and not pieces[0][0] and is_operand(pieces[0][1]):
        return pieces[0][1]
    text = "".join(f" {'-' if negative else '+'} {piece}" for negative, piece in pieces)
    text = text.removeprefix(" + ")
    return f"({text.replace(' - ', '-', 1) if text.startswith(' - ') else text})"


def choice(text: str, mapping: Mapping[Any, Any], show: Any = literal) -> str:
    """Return a function of one s-op as nested conditions; the most frequent value comes last.

    Examples
    --------
    >>> choice("tokens", {"a": 1, "b": 2, "c": 1})
    '(2 if tokens == "b" else 1)'
    """
    groups: dict[Any, list[Any]] = {}
    for key, value in mapping.items():
        groups.setdefault((type(value), value), []).append(key)
    ordered = sorted(groups.items(), key=lambda item: len(item[1]))
    result: str = show(ordered[-1][0][1])
    for (_, value), keys in reversed(ordered[:-1]):
        result = f"({show(value)} if {among(text, keys)} else {result})"
    return result


def is_whole(symbol: str) -> bool:
    """Return whether a symbol is a whole number as Python writes it.

    Examples
    --------
    >>> [is_whole(symbol) for symbol in ("12", "-3", "012", "a")]
    [True, True, False, False]
    """
    return re.fullmatch(r"0|-?[1-9][0-9]*", symbol) is not None


def among(text: str, keys: Sequence[Any]) -> str:
    """Return the condition that an s-op has one of some values."""
    if len(keys) == 1:
        return f"{simple(text)} == {literal(keys[0])}"
    return f"({simple(text)} in [{', '.join(map(literal, keys))}])"


def worded(
    bases: Sequence[tuple[str, Sequence[Any]]], table: Mapping[tuple[Any, ...], Fraction]
) -> str | None:
    """Return a table over bases as an expression, or nothing.

    Examples
    --------
    >>> square = {(x,): Fraction(x * x) for x in range(4)}
    >>> worded([("indices", range(4))], square)
    '(indices * indices)'
    >>> less = {(x, y): Fraction(x < y) for x in range(4) for y in range(4)}
    >>> worded([("x", range(4)), ("y", range(4))], less)
    'indicator(x < y)'
    """
    if not bases:
        return combination([], table[()])
    numeric = all(isinstance(v, int) and not isinstance(v, bool) for _, d in bases for v in d)
    if len(bases) == 1:
        return _of_one(bases[0][0], {key[0]: value for key, value in table.items()}, numeric)
    if numeric:
        found = _of_a_sum([text for text, _ in bases], table)
        if found is not None:
            return found
    if len(bases) == 2:
        return _of_two(bases[0][0], bases[1][0], table, numeric)
    return None


def _of_a_sum(texts: Sequence[str], table: Mapping[tuple[Any, ...], Fraction]) -> str | None:
    """Return a table that depends on a sum of whole numbers with signs alone."""
    for signs in product((1, -1), repeat=len(texts)):
        by_sum: dict[int, Fraction] = {}
        for key, value in table.items():
            total = sum(sign * x for sign, x in zip(signs, key, strict=True))
            if by_sum.setdefault(total, value) != value:
                break
        else:
            parts = [(Fraction(sign), text) for sign, text in zip(signs, texts, strict=True)]
            slopes = {by_sum[x + 1] - by_sum[x] for x in by_sum if x + 1 in by_sum}
            if len(slopes) == 1:
                slope = slopes.pop()
                shifts = {value - slope * x for x, value in by_sum.items()}
                if len(shifts) == 1:
                    sloped = [(slope * sign, text) for sign, text in parts]
                    return combination(sorted(sloped, reverse=True), shifts.pop())
            total_text = combination(sorted(parts, reverse=True), Fraction(0))
            compared = _compared_parts(parts, by_sum)
            return compared or _of_one(total_text, by_sum, numeric=True)
    return None


def _compared_parts(parts: Sequence[tuple[Fraction, str]], by_sum: Mapping[int, Fraction]) -> str:
    """Return the comparison of two s-ops, if that is what a table of their difference is."""
    if len(parts) != 2 or parts[0][0] == parts[1][0] or set(by_sum.values()) > {0, 1}:
        return ""
    left, right = (text for _, text in sorted(parts, reverse=True))
    for sign, holds in _COMPARED.items():
        if all(value == holds(difference, 0) for difference, value in by_sum.items()):
            return f"indicator({simple(left)} {sign} {simple(right)})"
    return ""


def _of_one(text: str, table: Mapping[Any, Fraction], numeric: bool) -> str:
    keys = sorted(table) if numeric else list(table)
    if len(set(table.values())) == 1:
        return combination([], table[keys[0]])
    if numeric and len(keys) > 1:
        slope = (table[keys[-1]] - table[keys[0]]) / (keys[-1] - keys[0])
        shift = table[keys[0]] - slope * keys[0]
        if all(table[key] == slope * key + shift for key in keys):
            return combination([(slope, text)], shift)
        if all(table[key] == key * key for key in keys):
            return f"({simple(text)} * {simple(text)})"
        if all(key >= 0 and table[key] == Fraction(1, 1 + key) for key in keys):
            return f"(1 / (1 + {simple(text)}))"
    if text == "tokens" and len(keys) > 2 and all(is_whole(key) for key in keys):
        counted = _of_one("tokens_int", {int(key): value for key, value in table.items()}, True)
        if " if " not in counted and "indicator" not in counted:
            return counted
    levels = sorted(set(table.values()))
    if len(levels) == 2 and 0 in levels:
        high = levels[1] or levels[0]
        where = [key for key in keys if table[key]]
        condition = _condition(text, keys, where, numeric)
        return combination([(high, f"indicator({condition})")], Fraction(0))
    bottom = math.lcm(*(value.denominator for value in levels))
    chosen = choice(text, {key: int(value * bottom) for key, value in table.items()})
    return chosen if bottom == 1 else f"({chosen} / {bottom})"


def _condition(text: str, keys: list[Any], where: list[Any], numeric: bool) -> str:
    if len(where) == 1:
        return f"{simple(text)} == {literal(where[0])}"
    if len(where) == len(keys) - 1:
        missing = next(key for key in keys if key not in where)
        return f"{simple(text)} != {literal(missing)}"
    if numeric and where == keys[: len(where)]:
        return f"{simple(text)} <= {literal(where[-1])}"
    if numeric and where == keys[-len(where) :]:
        return f"{simple(text)} >= {literal(where[0])}"
    return among(text, where)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    ">=": lambda x, y: x >= y,
    ">": lambda x, y: x > y,
}


def _of_two(
    left: str, right: str, table: Mapping[tuple[Any, ...], Fraction], numeric: bool
) -> str | None:
    levels = set(table.values())
    if levels <= {Fraction(0), Fraction(1)} and _comparable(table):
        for sign, holds in _COMPARED.items():
            if all(value == holds(*key) for key, value in table.items()):
                return f"indicator({simple(left)} {sign} {simple(right)})"
    if numeric and all(value == x * y for (x, y), value in table.items()):
        return f"({simple(left)} * {simple(right)})"
    return _by_cases(left, right, table)


def _by_cases(left: str, right: str, table: Mapping[tuple[Any, ...], Fraction]) -> str | None:
    """Return a table as one expression of one base for each of a few values of the other."""
    found: list[tuple[int, str]] = []
    for place, text, other in ((0, left, right), (1, right, left)):
        cases: dict[Any, dict[Any, Fraction]] = {}
        for key, value in table.items():
            cases.setdefault(key[place], {})[key[1 - place]] = value
        kinds = {tuple(case.items()) for case in cases.values()}
        if len(kinds) <= MOST_CASES:
            whole = {type(k) for case in cases.values() for k in case} == {int}
            texts = {key: _of_one(other, case, whole) for key, case in cases.items()}
            found.append((len(kinds), choice(text, texts, str)))
    return min(found)[1] if found else None


def _comparable(table: Mapping[tuple[Any, ...], Fraction]) -> bool:
    kinds = {isinstance(atom, str) for key in table for atom in key}
    return len(kinds) == 1
