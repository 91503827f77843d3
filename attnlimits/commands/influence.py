"""``attnlimits influence``: how far one exchanged symbol moves a soft-attention transformer."""

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit, note, progress
from attnlimits.commands.influence_theory import construction, process

if TYPE_CHECKING:
    from influence.result import Influence

app = cyclopts.App(
    name="influence",
    help="Measure, bound and certify the influence of one symbol under soft attention.",
)

app.command(construction)
app.command(process)

Flag = cyclopts.Parameter(negative=())

LONG = 60.0
"""Seconds that a length may take before its cost is announced."""


@app.default
def curve(
    *,
    n: str = "2^8..2^20",
    model: str = "random",
    layers: int = 2,
    heads: int = 2,
    width: int = 16,
    logit_bound: float | None = 1.0,
    plain_logits: Annotated[bool, Flag] = False,
    log_n: Annotated[bool, Flag] = False,
    norms: Literal["none", "post", "pre"] = "none",
    eps: float = 1e-5,
    period: int = 8,
    mask: str = "full",
    alphabet: str = "01",
    pattern: str | None = None,
    word: str | None = None,
    positions: str = "all",
    to: str = "worst",
    statistic: Literal["mean", "worst"] = "mean",
    engine: Literal["auto", "brute", "types", "hybrid", "lowrank"] = "auto",
    certify: Annotated[bool, Flag] = False,
    seed: int = 0,
    journal: Path | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Measure influence against length, or the profile of one word.

    Parameters
    ----------
    n
        Lengths: 2^8..2^20 (doubling), 16..64:16, or 16,100,1000.
    model
        random, aligned (one logit at +A, the rest at -A), a state dict saved by torch.save, or a
        program compiled by rasp compile (words then begin with ^, if it has BOS).
    layers, heads, width
        Size of a random model; heads also for a saved one.
    logit_bound
        A: logits of random models are cosines times A.
    plain_logits
        Scaled dot products instead.
    log_n
        Multiply logits by ln n.
    norms, eps
        Layer norms: none, post or pre; their eps.
    period
        Period of the random position encoding.
    mask
        full, causal or window:WIDTH.
    alphabet
        One character per symbol.
    pattern
        The word of each length repeats this; default: 16 random symbols.
    word
        Measure this one word, position by position, instead of a curve.
    positions
        With --word: all, or a list such as 0,5,9 (from 0).
    to
        The symbol put in place, or worst.
    statistic
        Mean or worst over the positions (the reading position is left out).
    engine
        auto, brute, types, hybrid or lowrank.
    certify
        Add rigorous columns: an enclosure of the worst type's influence and the bound from
        measured weights (full attention, few types).
    seed
        Of random models and patterns.
    journal
        Keep finished lengths in this file and go on from there.
    format
        Text or JSON.
    """
    from attnlimits.influence_runs import ModelChoice, chosen_model

    choice = ModelChoice(
        model=model, layers=layers, heads=heads, width=width,
        logit_bound=None if plain_logits else logit_bound, norms=norms, eps=eps, period=period,
        alphabet=alphabet, mask=mask, log_n=log_n, seed=seed,
    )  # fmt: skip
    built = chosen_model(choice)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        if word is not None:
            value, text = _profile(built, word, positions, to, engine)
        else:
            if positions != "all":
                raise UsageError("--positions goes with --word")
            value, text = _curve(
                built, choice, n=n, pattern=pattern, to=to, statistic=statistic, engine=engine,
                certify=certify, journal=journal,
            )  # fmt: skip
    value["warnings"] = sorted({str(w.message) for w in seen})
    for message in value["warnings"]:
        note(f"warning: {message}")
    emit(value, text, format)
    return EXPECTED


def _profile(
    built: Any, word: str, positions: str, to: str, engine: Any
) -> tuple[dict[str, Any], str]:
    from influence import influence

    at: Any = "all"
    if positions != "all":
        parts = positions.split(",")
        if not all(part.strip().lstrip("-").isdigit() for part in parts):
            raise UsageError(f"--positions {positions}: write all, or numbers such as 0,5,9")
        at = [int(part) for part in parts]
    run = influence(built, tuple(word), positions=at, to=to, engine=engine)
    rows: list[dict[str, Any]] = [
        {"position": int(i), "influence": float(v), "to": str(built.alphabet[s]), "read": bool(r)}
        for i, v, s, r in zip(run.positions, run.values, run.symbols, run.at_read, strict=True)
    ]
    lines = ["position  symbol  to  influence"]
    for row in rows:
        mark = "  (reading position)" if row["read"] else ""
        i = row["position"]
        lines.append(f"{i:8d}  {word[i]:>6}  {row['to']:>2}  {row['influence']:.6e}{mark}")
    lines.append(_footer(run))
    value = {"n": run.n, "rows": rows, "engine": run.engine, "error_estimate": run.error}
    return value, "\n".join(lines)


def _footer(run: "Influence") -> str:
    return f"engine {run.engine}, estimated relative error {run.error:.1e}"


def _curve(
    built: Any, choice: Any, *, n: str, pattern: str | None, to: str, statistic: str,
    engine: Any, certify: bool, journal: Path | None,
) -> tuple[dict[str, Any], str]:  # fmt: skip
    from attnlimits.influence_runs import Journal, lengths, settings_of, word_family

    ns = lengths(n)
    family = word_family(built, pattern, choice.seed)
    kept = Journal(
        journal,
        settings_of(choice, pattern=pattern, to=to, statistic=statistic, engine=engine,
                    certify=certify),
    )  # fmt: skip
    before: tuple[int, float] | None = None
    with progress("measuring influence", len(ns)) as advance:
        for length in ns:
            if length not in kept.rows:
                if before is not None:
                    _tell_cost(length, *before)
                started = time.perf_counter()
                row = _measured(built, family(length), to, statistic, engine, certify)
                kept.add(row)
                quadratic = row["engine"] != "types"
                before = (length, time.perf_counter() - started) if quadratic else None
            advance(f"n={length}")
    rows = [kept.rows[length] for length in ns]
    return _summary(built, family, rows)


def _tell_cost(length: int, measured: int, seconds: float) -> None:
    """Note what a length may cost, from an earlier one: all pairs of positions are visited."""
    expected = seconds * (length / measured) ** 2
    if expected > LONG:
        note(
            f"n = {length} may take {expected / 60:.0f} minutes: n = {measured} took "
            f"{seconds:.0f} seconds and all pairs of positions are visited; finished lengths are "
            "kept with --journal, and full attention with a periodic encoding and --pattern is fast"
        )


def _measured(
    built: Any, word: Any, to: str, statistic: str, engine: Any, certify: bool
) -> dict[str, Any]:
    from influence import influence

    run = influence(built, word, to=to, engine=engine)
    value = run.mean() if statistic == "mean" else run.worst()
    row: dict[str, Any] = {
        "n": run.n, "influence": value, "n_times_influence": run.n * value,
        "engine": run.engine, "error_estimate": run.error,
    }  # fmt: skip
    if certify:
        row |= _certified(built, word, run)
    return row


def _certified(built: Any, word: Any, run: "Influence") -> dict[str, Any]:
    import numpy as np

    from influence.enclosure import enclose_change
    from influence.exchange import readout_matrix
    from influence.measured_bound import certified_influence
    from influence.words import type_table

    table = type_table(built, word)
    if len(table.counts) > 64:
        raise UsageError(
            f"--certify needs few types, this word has {len(table.counts)}: use a pattern and a "
            "periodic encoding"
        )
    others = np.flatnonzero(run.others())
    worst = int(others[run.values[others].argmax()])
    position = int(run.positions[worst])
    if table.type_of is not None:
        kind = int(table.type_of[position])
    else:
        kind = table.read if position < 0 else int(np.flatnonzero(table.first == position)[0])
    target = int(run.symbols[worst])
    readout = readout_matrix(built, None)
    bits = 200 + 3 * run.n.bit_length()
    balls = enclose_change(built, table, exchanged=kind, target=target, readout=readout, bits=bits)
    bound = certified_influence(built, table, exchanged=kind, target=target, readout=readout)
    size = sum((b * b for b in balls[1:]), balls[0] * balls[0]).sqrt()
    return {"worst_enclosure": size.str(12), "worst_certified_bound": float(bound)}


def _summary(built: Any, family: Any, rows: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    import math

    from influence.curve import measured_logit_bound

    value: dict[str, Any] = {"rows": rows}
    lines = [f"{'n':>20}  {'influence':>13}  {'n * influence':>13}  {'slope':>7}  engine"]
    before = None
    for row in rows:
        slope = ""
        if before is not None and before["influence"] > 0 and row["influence"] > 0:
            row["local_slope"] = math.log(row["influence"] / before["influence"]) / math.log(
                row["n"] / before["n"]
            )
            slope = f"{row['local_slope']:+.4f}"
        lines.append(
            f"{row['n']:>20}  {row['influence']:13.6e}  {row['n_times_influence']:13.6g}  "
            f"{slope:>7}  {row['engine']}"
        )
        if "worst_enclosure" in row:
            lines.append(
                f"{'':>20}  worst: {row['worst_enclosure']}, certified <= "
                f"{row['worst_certified_bound']:.6e}"
            )
        before = row
    last = rows[-1]["n"]
    bound = measured_logit_bound(
        built, family(last if rows[-1]["engine"] == "types" else min(last, 4096))
    )
    knee = math.exp(min(2 * bound, 700))
    value |= {"measured_logit_bound": bound, "knee": knee, "slope": None}
    usable = [(math.log(r["n"]), math.log(r["influence"])) for r in rows if r["influence"] > 0]
    if len(usable) > 1:
        mean_x = sum(x for x, _ in usable) / len(usable)
        mean_y = sum(y for _, y in usable) / len(usable)
        value["slope"] = sum((x - mean_x) * (y - mean_y) for x, y in usable) / sum(
            (x - mean_x) ** 2 for x, _ in usable
        )
        lines.append(f"fitted slope {value['slope']:+.5f}")
    lines.append(
        f"measured logit bound A = {bound:.4g}, the 1/n law sets in near e^(2A) = {knee:.3g}"
    )
    if knee > last:
        warnings.warn(
            f"e^(2A) = {knee:.3g} exceeds the largest n = {last}: the slope says nothing yet",
            stacklevel=1,
        )
    return value, "\n".join(lines)
