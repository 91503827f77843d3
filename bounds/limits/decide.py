"""Stored limits of any task: decided by the verifier of their task, singly or as a file.

Main definitions: `decide`, `load_at`, `verify_file`, `verify_stored`, `TABLE_SCHEMA`.
"""

import json
from fractions import Fraction
from pathlib import Path

from bounds.limits.verifier import Data, Report, load, verify
from bounds.limits.verifier_dyck import dyck_load, verify_dyck

TABLE_SCHEMA = "attention-limits/n0-table/1"


class LimitRefusedError(ValueError):
    """A stored limit that its own numbers do not prove."""


def decide(cert: Data) -> Report:
    """Decide one stored limit given as parsed JSON.

    Examples
    --------
    >>> decide({"task": "dyck"}).ok
    False
    """
    return verify_dyck(cert) if cert.get("task") == "dyck" else verify(cert)


def load_at(cert: Data, part: Data, n: int) -> Fraction:
    """Return the load of one range at length ``n``; below 1 is a proof.

    Raises
    ------
    ValueError
        If the stages are malformed or leave nothing to count.
    """
    return dyck_load(cert, part, n) if cert["task"] == "dyck" else load(cert, part, n)


def verify_file(path: Path | str) -> tuple[Report, ...]:
    """Verify a stored limit, or every limit of a stored table, in the order of the file."""
    try:
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
        limits = stored["limits"] if stored["schema"] == TABLE_SCHEMA else [stored]
        return tuple(decide(cert) for cert in limits)
    except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as damage:
        return (Report(False, str(path), (f"not a stored limit: {damage}",)),)


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
