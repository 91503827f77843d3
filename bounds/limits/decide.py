"""Stored limits of any task: decided by the verifier of their task, singly or as a file.

Main definitions: `decide`, `Report`, `load_at`, `verify_file`, `verify_stored`, `TABLE_SCHEMA`.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from bounds.limits.verifier import Data
from bounds.limits.verifier_dyck import dyck_load, verify_dyck
from bounds.limits.verifier_exact import parity_load, verify_parity

TABLE_SCHEMA = "attention-limits/n0-table/1"


class LimitRefusedError(ValueError):
    """A stored limit that its own numbers do not prove."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the verifier found: ``ok``, the statement it stands for, and reasons if not ok."""

    ok: bool
    statement: str
    reasons: tuple[str, ...] = ()


def decide(cert: Data) -> Report:
    """Decide one stored limit given as parsed JSON.

    Examples
    --------
    >>> decide({"task": "dyck"}).ok
    False
    """
    said = f"{cert.get('task')}, {cert.get('layers')} layers, {cert.get('heads')} heads"
    try:
        _as_specified(cert)
        (verify_dyck if cert["task"] == "dyck" else verify_parity)(cert)
    except KeyError as absent:
        return Report(False, said, (f"{absent} is a missing field or an unknown name",))
    except IndexError:
        return Report(False, said, ("a list has too few entries",))
    except ZeroDivisionError:
        return Report(False, said, ("a parameter makes a denominator zero",))
    except (TypeError, ValueError) as broken:
        return Report(False, said, (str(broken),))
    return Report(True, f"{said}: impossible for every length n >= {cert['n0']}")


def _as_specified(cert: Data) -> None:
    """Refuse what the verifiers could read but the format does not allow."""
    if cert["task"] == "parity" and cert["modulus"] != 2:
        raise ValueError(f"modulus = {cert['modulus']}: PARITY has modulus 2, others the task mod")
    for part in cert["ranges"]:
        for stage in part["stages"]:
            if not isinstance(stage.get("p", ""), str):
                raise TypeError(f'p = {stage["p"]}: write a fraction as text, such as "7/100"')


def load_at(cert: Data, part: Data, n: int) -> Fraction:
    """Return the load of one range at length ``n``; below 1 is a proof.

    Raises
    ------
    ValueError
        If the stages are malformed or leave nothing to count.
    """
    return (dyck_load if cert["task"] == "dyck" else parity_load)(cert, part, n)


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
