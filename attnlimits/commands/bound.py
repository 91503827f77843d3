"""``attnlimits bound``: list, evaluate and sweep bounds and conditions."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit

if TYPE_CHECKING:
    from bounds.bound import Bound, Condition

app = cyclopts.App(
    name="bound",
    help="Evaluate a bound or a condition exactly, at a point or over a grid.",
)

for _verb, _function, _help in (
    ("parity-n0", "parity", "From which length on no transformer of a size computes PARITY."),
    ("mod-n0", "mod", "The same for counting ones modulo a number."),
    ("dyck-n0", "dyck", "The same for 1DYCK, hence for every kDYCK."),
):
    app.command(f"attnlimits.commands.bound_limits:{_function}", name=_verb, help=_help)

_DIGITS = 15
_BITS = 12_000  # of a number that is still written out in full


@app.default
def bound(
    name: str | None = None,
    *values: str,
    least: Literal["k", "n"] | None = None,
    best_weights: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    bits: int = 256,
    format: Format = "text",  # noqa: A002
) -> int:
    """Evaluate a bound.

    Parameters
    ----------
    name
        Name of the bound or condition; without one, all are listed.
    values
        Exact values of its symbols: k=40, eta=1/10, q=0.05, n=2^20; lists q=0.1,0.2; ranges
        k=10..100, k=10..100:10, n=2^8..2^20:*2.  Without values the bound is described.
    least
        Ask for the least k or n instead, certified as least: of stage3.e10, stage3.e11 or
        stage3.e12; with final.reaches, for parameters that reach the share Cprime.
    best_weights
        With --least: the local lemma's best weights instead of the published ones.
    bits
        Precision of the enclosure where the value is irrational.
    format
        Text or JSON.
    """
    from attnlimits.boundary import progress
    from attnlimits.grid import points, read_grid
    from bounds.catalogue import catalogue, lookup

    if name is None:
        listed = {i: b.title for i, b in catalogue().items()}
        width = max(map(len, listed))
        emit(listed, lambda: "\n".join(f"{i:<{width}}  {t}" for i, t in listed.items()), format)
        return EXPECTED
    chosen = lookup(name)
    if not values and chosen.symbols and least is None:
        emit(_description(chosen), lambda: _described(chosen), format)
        return EXPECTED
    if least is None and best_weights:
        raise UsageError("--best-weights goes with --least")
    places = list(points(read_grid(values)))
    rows: list[dict[str, Any]] = []
    with progress(f"evaluating {name}", len(places)) as advance:
        for place in places:
            at = {s: _exact(v) for s, v in place.items()}
            if least is None:
                rows.append({"at": at, **_value(chosen, place, bits)})
            else:
                rows.append({"at": at, **_least(name, least, place, best_weights)})
            advance(", ".join(f"{s}={v}" for s, v in rows[-1]["at"].items()))
    emit({"name": name, "rows": rows}, lambda: _table(rows), format)
    return EXPECTED


def _value(chosen: "Bound | Condition", place: dict[str, Any], bits: int) -> dict[str, Any]:
    from bounds.bound import Condition

    if isinstance(chosen, Condition):
        return {"holds": chosen.holds(**place)}
    value = chosen.at(bits=bits, **place)
    if isinstance(value, Fraction):
        return {"value": _exact(value), "decimal": _decimal(value)}
    return {"enclosure": str(value.str(_DIGITS))}


def _least(name: str, symbol: str, place: dict[str, Any], best: bool) -> dict[str, Any]:
    from attnlimits.inverse import invert

    found = invert(name, symbol, place, best=best)
    return {k: _exact(v) if isinstance(v, (int, Fraction)) else v for k, v in found.items()}


def _exact(value: int | Fraction) -> str:
    """Return the number in full, or in words when Python would refuse to write its digits."""
    from bounds.values import shown

    size = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
    return str(value) if size <= _BITS else shown(value)


def _decimal(value: Fraction) -> str:
    """Return a decimal that is exact or rounded to nearest, computed without floats."""
    from flint import arb, fmpq

    if value.denominator == 1 and abs(value.numerator) < 10**_DIGITS:
        return str(value.numerator)
    return str(arb(fmpq(value.numerator, value.denominator)).str(_DIGITS, radius=False))


def _description(chosen: "Bound | Condition") -> dict[str, Any]:
    from bounds.bound import Condition

    formula = chosen.relation.text() if isinstance(chosen, Condition) else str(chosen.expression)
    return {
        "name": chosen.name,
        "title": chosen.title,
        "text": chosen.text,
        "source": str(chosen.source),
        "symbols": {str(s): str(d) for s, d in chosen.symbols.items()},
        "given": [relation.text() for relation in chosen.given],
        "formula": formula,
    }


def _described(chosen: "Bound | Condition") -> str:
    d = _description(chosen)
    lines = [f"{d['name']}: {d['title']}", d["text"], f"source   {d['source']}"]
    lines.append(f"formula  {d['formula']}")
    lines += [f"given    {relation}" for relation in d["given"]]
    lines += [f"symbol   {symbol}: {domain}" for symbol, domain in sorted(d["symbols"].items())]
    example = " ".join(f"{symbol}=..." for symbol in sorted(d["symbols"]))
    return "\n".join([*lines, f"evaluate attnlimits bound {d['name']} {example}"])


def _table(rows: list[dict[str, Any]]) -> str:
    names = list(rows[0]["at"])
    table = [[*names, "value"]]
    for row in rows:
        if "holds" in row:
            shown = "holds" if row["holds"] else "fails"
        elif "least" in row:
            shown = f"least {row['least']}"
        elif "eta" in row:
            shown = ", ".join(f"{s} = {row[s]}" for s in ("eta", "q", "delta", "k", "n", "c_out"))
        elif "enclosure" in row:
            shown = row["enclosure"]
        else:
            exact, decimal = row["value"], row["decimal"]
            shown = decimal if exact == decimal or len(exact) > 40 else f"{decimal} = {exact}"
        table.append([*(_short(row["at"][n]) for n in names), shown])
    widths = [max(len(line[i]) for line in table) for i in range(len(names))]
    return "\n".join(
        "  ".join([*(f"{cell:>{w}}" for cell, w in zip(line, widths, strict=False)), line[-1]])
        for line in table
    )


def _short(number: str) -> str:
    return number if len(number) <= 24 else f"{number[:10]}…({len(number)} characters)"
