"""Many limits at once: through an executor that the caller owns, resumable, in any order.

Main definitions: `sweep`, `read_table`, `stored`, `table_json`, `key`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import Any

from bounds.limits.certify import Certificate, limit
from bounds.limits.decide import TABLE_SCHEMA
from bounds.limits.plan import LimitError, Question

Key = tuple[str, int, int, int, int]


def key(cert: Mapping[str, Any]) -> Key:
    """Return what a stored limit is about: task, layers, heads, padding, modulus."""
    return (cert["task"], cert["layers"], cert["heads"], cert["padding"], cert["modulus"])


def _key_of(question: Question) -> Key:
    q = question
    return (q.task, q.layers, q.heads, q.padding, q.modulus)


def sweep(
    questions: Sequence[Question],
    *,
    pool: Executor | None = None,
    known: Mapping[Key, Certificate] | None = None,
    choice: str = "sets",
) -> Iterator[Certificate]:
    """Yield a certified limit for every question, each as soon as it is found.

    Parameters
    ----------
    questions
        What to ask; order does not matter.
    pool
        Runs the searches; ``None`` runs them here, one after the other.
    known
        Limits found earlier (resume): they are yielded first and not searched again.
    choice
        ``"sets"`` (count sets of positions) or ``"tuples"`` (count ordered tuples).

    Examples
    --------
    >>> [c["n0"] for c in sweep([Question("parity", 1, h) for h in (1, 2)])]
    [3, 4]
    """
    done = known or {}
    yield from (done[_key_of(q)] for q in questions if _key_of(q) in done)
    todo = [q for q in questions if _key_of(q) not in done]
    if pool is None:
        yield from (limit(q, choice=choice) for q in todo)
        return
    futures = [pool.submit(limit, q, choice=choice) for q in todo]
    for future in as_completed(futures):
        yield future.result()


def table_json(certs: Sequence[Certificate]) -> str:
    """Return a stored table: canonical order, sorted keys, one limit a line."""
    rows = sorted(certs, key=key)
    lines = ",\n".join(json.dumps(row, sort_keys=True) for row in rows)
    return f'{{"limits": [\n{lines}\n], "schema": "{TABLE_SCHEMA}"}}\n'


def read_table(path: Path) -> dict[Key, Certificate]:
    """Read a stored table without verifying it.

    Raises
    ------
    LimitError
        If the file is not a table of limits.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as damage:
        raise LimitError(f"{path} is not JSON: {damage}") from damage
    if not isinstance(stored, dict) or stored.get("schema") != TABLE_SCHEMA:
        raise LimitError(f"{path} is not a table of limits (schema {TABLE_SCHEMA})")
    try:
        return {key(cert): cert for cert in stored["limits"]}
    except (KeyError, TypeError) as damage:
        raise LimitError(f"{path} is damaged: {damage}") from damage


def stored(name: str) -> list[Certificate]:
    """Return a table of ``certificates/limits``, of the working directory or of this clone.

    Parameters
    ----------
    name
        ``"parity"``, ``"parity-wide"``, ``"parity-tuples"`` or ``"dyck"``.

    Raises
    ------
    LimitError
        If neither place has the table.
    """
    places = (Path("certificates"), Path(__file__).parents[2] / "certificates")
    for place in places:
        folder = place / "limits"
        one = folder / f"{name}.json"  # a large table is kept in one file for each number of layers
        files = [one] if one.exists() else sorted(folder.glob(f"{name}-layers-*.json"))
        if files:
            return [cert for path in files for cert in read_table(path).values()]
    raise LimitError(f"no table {name!r} in certificates/limits: run in a clone")
