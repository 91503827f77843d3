"""``attnlimits bound parity-n0 | mod-n0 | dyck-n0``: certified limits at explicit lengths."""

import contextlib
import csv
import io
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, emit, note, progress

if TYPE_CHECKING:
    from bounds.limits.plan import Task

Output = Annotated[
    Literal["text", "json", "csv"],
    cyclopts.Parameter(name="--format", help="Text for people, json or csv for programs."),
]
LARGEST = {"layers": 8, "heads": 32}


def parity(
    *,
    layers: str = "2",
    heads: str = "1",
    padding: int = 0,
    method: str = "best",
    sensitivity: bool = False,
    table: bool = False,
    out: Path | None = None,
    workers: int = 1,
    format: Output = "text",  # noqa: A002
) -> int:
    """From which length on can no such transformer compute PARITY.

    Parameters
    ----------
    layers, heads
        A number or a range such as 1..4.
    padding
        Extra positions without an input symbol.
    method
        "best", "tuples" (ordered tuples in the union bound), "all" (every method side by side), or
        the name of one method such as "greedy" or "no X0".
    sensitivity
        Also change every number of the proof by one step and print how far the length moves.
    table
        Print layers 1..4 against heads 1..8 from the stored certificates, verified now.
    out
        File that the certificates are written to; limits already in it are kept (resume).
    workers
        Number of processes of a search.
    format
        Text, JSON or CSV.
    """
    if method not in ("best", "tuples"):
        return _compare(_span("layers", layers), _span("heads", heads), padding, method, format)
    return _answer(
        _Asked("parity", layers, heads, padding, 2, method),
        sensitivity=sensitivity,
        table=table,
        out=out,
        workers=workers,
        shape=format,
    )


def mod(
    *,
    modulus: int,
    layers: str = "2",
    heads: str = "1",
    padding: int = 0,
    sensitivity: bool = False,
    out: Path | None = None,
    workers: int = 1,
    format: Output = "text",  # noqa: A002
) -> int:
    """From which length on can none decide whether the number of ones is divisible by a modulus.

    Parameters
    ----------
    modulus
        At least 2.
    layers, heads
        A number or a range such as 1..4.
    padding
        Extra positions without an input symbol.
    sensitivity
        Also change every number of the proof by one step and print how far the length moves.
    out
        File that the certificates are written to; limits already in it are kept (resume).
    workers
        Number of processes of a search.
    format
        Text, JSON or CSV.
    """
    return _answer(
        _Asked("mod", layers, heads, padding, modulus, "best"),
        sensitivity=sensitivity,
        table=False,
        out=out,
        workers=workers,
        shape=format,
    )


def dyck(
    *,
    layers: str = "2",
    heads: str = "1",
    padding: int = 0,
    sensitivity: bool = False,
    table: bool = False,
    out: Path | None = None,
    workers: int = 1,
    format: Output = "text",  # noqa: A002
) -> int:
    """From which even length on can no such transformer recognise 1DYCK (hence kDYCK).

    Parameters
    ----------
    layers, heads
        A number or a range such as 1..4.
    padding
        Extra positions without an input symbol.
    sensitivity
        Also change every number of the proof by one step and print how far the length moves.
    table
        Print layers 1..4 against heads 1..8 from the stored certificates, verified now.
    out
        File that the certificates are written to; limits already in it are kept (resume).
    workers
        Number of processes of a search.
    format
        Text, JSON or CSV.
    """
    return _answer(
        _Asked("dyck", layers, heads, padding, 2, "best"),
        sensitivity=sensitivity,
        table=table,
        out=out,
        workers=workers,
        shape=format,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The sizes asked for, as written on the command line."""

    task: "Task"
    layers: str
    heads: str
    padding: int
    modulus: int
    method: str


def _span(name: str, text: str) -> range:
    from bounds.limits.plan import LimitError

    low, dots, high = text.partition("..")
    try:
        span = range(int(low), int(high if dots else low) + 1)
    except ValueError:
        raise LimitError(f"{name} = {text!r}: write a number or a range such as 1..4") from None
    if not span or span[0] < 1 or span[-1] > LARGEST[name]:
        raise LimitError(f"{name} = {text}: take numbers from 1 to {LARGEST[name]}")
    return span


def _answer(
    asked: _Asked, *, sensitivity: bool, table: bool, out: Path | None, workers: int, shape: str
) -> int:
    from bounds.limits.decide import decide
    from bounds.limits.plan import LimitError
    from bounds.limits.sweep import stored

    if workers < 1:
        raise LimitError(f"workers = {workers}: take at least 1")
    if table:
        certs = stored("parity-tuples" if asked.method == "tuples" else asked.task)
    else:
        certs = _searched(asked, out, workers)
    certs.sort(key=lambda c: (c["layers"], c["heads"]))
    reports = [decide(cert) for cert in certs]
    for report in reports:
        if not report.ok:
            note(f"not proved: {report.statement}: {report.reasons[0]}")
    proved = [r.ok for r in reports]
    if sensitivity:
        _print_moves(certs, proved, shape)
    else:
        _print(certs, proved, shape)
    return EXPECTED if all(proved) else DIFFERS


def _searched(asked: _Asked, out: Path | None, workers: int) -> list[dict[str, Any]]:
    """Search every size asked for, keeping what ``out`` already holds."""
    from bounds.limits.plan import Question
    from bounds.limits.sweep import read_table, sweep, table_json

    questions = [
        Question(asked.task, k, h, asked.padding, asked.modulus)
        for k in _span("layers", asked.layers)
        for h in _span("heads", asked.heads)
    ]
    known = read_table(out) if out is not None and out.exists() else {}
    certs: list[dict[str, Any]] = []
    choice = "tuples" if asked.method == "tuples" else "sets"
    with _pool(workers) as pool, progress("searching", len(questions)) as advance:
        for cert in sweep(questions, pool=pool, known=known, choice=choice):
            certs.append(cert)
            if out is not None:  # after every limit, so that an interrupted run can resume
                rest = {k: v for k, v in known.items() if v not in certs}
                part = out.with_name(out.name + ".part")
                part.write_text(table_json([*rest.values(), *certs]), encoding="utf-8")
                part.replace(out)  # in one step: a kill leaves the old table or the new one
            advance(f"L={cert['layers']} H={cert['heads']}")
    return certs


def _compare(layers: range, heads: range, padding: int, method: str, shape: str) -> int:
    """Print one or every method for every size asked; every number shown was decided exactly."""
    from bounds.limits.ladder import METHODS, ladder, statement_of
    from bounds.limits.plan import LimitError

    wanted = [name for name in METHODS if method == "all" or method.lower() in name.lower()]
    if not wanted:
        raise LimitError(
            f"unknown method {method!r}; known: best, tuples, all, {', '.join(METHODS)}"
        )
    rows = [
        {"layers": k, "heads": h, "method": r.method, "side": r.side, "value": r.shown}
        for k in layers
        for h in heads
        for r in ladder(k, h, padding=padding, only=tuple(wanted))
    ]
    if not rows:
        raise LimitError(f"{', '.join(wanted)}: no bound for these sizes")
    if shape == "json":
        emit(rows, "", "json")
    elif shape == "csv":
        _csv(rows)
    else:
        lines = [
            f"L={r['layers']} H={r['heads']}  {r['side']:<9}  {r['value']:>22}  {r['method']}"
            for r in rows
        ]
        shown = sorted({str(r["method"]) for r in rows})
        if len(shown) == 1 and statement_of(shown[0]):
            lines += ["", statement_of(shown[0])]
        emit(rows, "\n".join(lines), "text")
    return EXPECTED


def _print_moves(certs: list[dict[str, Any]], proved: list[bool], shape: str) -> None:
    """Print every limit and, for each number of its proof, how far one step moves it."""
    from dataclasses import asdict

    from bounds.limits.sensitivity import sensitivity

    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for cert, ok in zip(certs, proved, strict=True):
        size = {
            "layers": cert["layers"],
            "heads": cert["heads"],
            "from": cert["ranges"][-1]["from"],
        }
        lines.append(_sentence(cert, ok))
        for m in sensitivity(cert):
            rows.append({**size, **asdict(m)})
            where = m.kind if m.stage is None else f"stage {m.stage} {m.kind}"
            moved = "proves nothing" if m.change is None else f"{m.change:+,}"
            lines.append(f"  {where:<22} {m.parameter:<8} {m.before} -> {m.after}: {moved}")
    if shape == "csv":
        _csv(rows)
    else:
        emit({"limits": certs, "moves": rows, "proved": proved}, "\n".join(lines), shape)  # type: ignore[arg-type]


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[Executor | None]:
    if workers == 1:
        yield None
        return
    with ProcessPoolExecutor(workers) as pool:
        yield pool


def _print(certs: list[dict[str, Any]], proved: list[bool], shape: str) -> None:
    rows = [
        {
            **{k: c[k] for k in ("task", "layers", "heads", "padding", "modulus", "n0")},
            "proved": ok,
        }
        for c, ok in zip(certs, proved, strict=True)
    ]
    if shape == "json":
        emit({"limits": certs, "proved": proved}, "", "json")
    elif shape == "csv":
        _csv(rows)
    elif len(certs) == 1:
        emit(rows, _sentence(certs[0], proved[0]), "text")
    else:
        emit(rows, _grid(rows), "text")


def _csv(rows: list[dict[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    emit(rows, text.getvalue(), "text")


def _sentence(cert: dict[str, Any], ok: bool) -> str:
    task = {
        "parity": "computes PARITY",
        "mod": f"decides whether the number of ones is divisible by {cert['modulus']}",
        "dyck": "recognises 1DYCK (hence none recognises kDYCK)",
    }[cert["task"]]
    pad = f" and {cert['padding']} idle positions" if cert["padding"] else ""
    every = "even length" if cert["task"] == "dyck" else "length"
    lines = [
        f"No unique-hard-attention transformer with {cert['layers']} layers and "
        f"{cert['heads']} heads{pad}, of any width, {task} for any {every} n >= {cert['n0']}.",
        "verified from its own numbers" if ok else "NOT PROVED by its own numbers",
    ]
    for part in cert["ranges"]:
        until = "and all larger n" if part["to"] is None else f"to {part['to']}"
        stages = "; ".join(
            " ".join([s["kind"], *(f"{k}={v}" for k, v in sorted(s.items()) if k != "kind")])
            for s in part["stages"]
        )
        frame = f"frame {part['share']} of the word; " if "share" in part else ""
        lines.append(f"  n = {part['from']} {until}: {frame}{stages}")
    return "\n".join(lines)


def _grid(rows: list[dict[str, Any]]) -> str:
    heads = sorted({r["heads"] for r in rows})
    cells = {(r["layers"], r["heads"]): f"{r['n0']:,}" + ("" if r["proved"] else "?") for r in rows}
    table = [["L \\ H", *map(str, heads)]]
    for layers in sorted({r["layers"] for r in rows}):
        table.append([str(layers), *(cells.get((layers, h), "") for h in heads)])
    widths = [max(len(line[i]) for line in table) for i in range(len(heads) + 1)]
    lines = ["  ".join(f"{c:>{w}}" for c, w in zip(line, widths, strict=True)) for line in table]
    return "\n".join([*lines, f"{sum(r['proved'] for r in rows)} of {len(rows)} verified"])
