"""Decide a stored limit: malformed, not proved, or re-established for every length from n0 on.

A limit states: no unique-hard-attention transformer with ``layers`` layers and ``heads`` heads
decides ``task`` on inputs of any length ``n >= n0``.  It carries ranges of lengths, and for each
range the stages of a proof with rational parameters.  Bounded ranges are evaluated at every length;
the last, open range at its first length, because every load decreases with the length
(``docs/explicit-limits.md`` says why).

Main definitions: `verify_file`, `verify`, `Report`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.limits.verifier.counts import need
from bounds.limits.verifier.proof import Proof

SCHEMA = "attention-limits/n0/1"
TABLE_SCHEMA = "attention-limits/n0-table/1"
TASKS = ("parity", "mod", "dyck")


class LimitRefusedError(ValueError):
    """A stored limit that its own numbers do not prove."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the verifier found: ``ok``, the statement it stands for, and reasons if not ok."""

    ok: bool
    statement: str
    reasons: tuple[str, ...] = ()


def _checked_parts(cert: dict[str, Any]) -> list[dict[str, Any]]:
    """Refuse a malformed limit; return its ranges, which must follow each other to infinity."""
    need(cert.get("schema") == SCHEMA, "unknown schema")
    need(cert["task"] in TASKS, f"unknown task {cert['task']!r}")
    lowest = {"layers": 1, "heads": 1, "n0": 1, "padding": 0, "modulus": 2}
    for key, low in lowest.items():
        need(type(cert[key]) is int and cert[key] >= low, f"{key} must be an integer >= {low}")
    parts, expected = list(cert["ranges"]), cert["n0"]
    step = 2 if cert["task"] == "dyck" else 1
    need(bool(parts) and expected % step == 0, "no ranges, or an odd length for dyck")
    for part in parts:
        need(part["from"] == expected, f"ranges leave a gap at {expected}")
        last = part["to"] is None
        need(last or part["to"] - expected <= 10_000, "a bounded range is too long to check")
        need(last == (part is parts[-1]), "only the last range may be open")
        need(last or (type(part["to"]) is int and part["to"] >= expected), "empty range")
        expected = None if last else part["to"] + step
    return parts


def verify(cert: dict[str, Any]) -> Report:
    """Decide one limit given as parsed JSON.

    Examples
    --------
    >>> last = {"from": 3, "to": None, "stages": [{"kind": "last"}]}
    >>> verify({"schema": "attention-limits/n0/1", "task": "parity", "layers": 1, "heads": 1,
    ...         "padding": 0, "modulus": 2, "n0": 3, "ranges": [last]}).ok
    True
    """
    said = f"{cert.get('task')}, {cert.get('layers')} layers, {cert.get('heads')} heads"
    try:
        step = 2 if cert["task"] == "dyck" else 1
        for part in _checked_parts(cert):
            stop = part["from"] if part["to"] is None else part["to"]
            for n in range(part["from"], stop + 1, step):
                proof = Proof(cert, part, n)
                for stage in part["stages"][:-1]:
                    proof.restrict(stage)
                load = proof.load(part["stages"][-1])
                need(load < 1, f"at length {n} the load is {float(load):.6f}, not below 1")
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError) as broken:
        return Report(False, said, (f"{type(broken).__name__}: {broken}",))
    return Report(True, f"{said}: impossible for every length n >= {cert['n0']}")


def verify_file(path: Path | str) -> tuple[Report, ...]:
    """Verify a stored limit, or every limit of a stored table, in the order of the file."""
    try:
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
        limits = stored["limits"] if stored["schema"] == TABLE_SCHEMA else [stored]
    except (KeyError, TypeError, json.JSONDecodeError) as damage:
        return (Report(False, str(path), (f"not a stored limit: {damage}",)),)
    return tuple(verify(cert) for cert in limits)


def verify_stored(path: Path) -> str:
    """Verify a file and say in one sentence what it establishes.

    Raises
    ------
    LimitRefusedError
        If one of its limits is malformed or not proved by its own numbers.
    """
    reports = verify_file(path)
    broken = [f"{r.statement}: {'; '.join(r.reasons)}" for r in reports if not r.ok]
    if broken or not reports:
        raise LimitRefusedError(broken[0] if broken else "the table is empty")
    if len(reports) == 1:
        return reports[0].statement
    return f"{len(reports)} limits re-established from their own numbers"
