"""``attnlimits check``: decide claims and their negative twins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit

if TYPE_CHECKING:
    from attnlimits.decisions import Decisions
    from claims import Claim

app = cyclopts.App(
    name="check",
    help="Decide claims and their negative twins; exit 1 if one does not come out as expected.",
)

Packages = Annotated[
    tuple[str, ...],
    cyclopts.Parameter(
        name="--package",
        negative=(),
        help="Importable package that declares claims; may be repeated.",
    ),
]
"""Annotation shared by the verbs that look for claims."""


@app.default
def check(
    *names: str,
    list_only: Annotated[bool, cyclopts.Parameter(name="--list", negative=())] = False,
    out: Path | None = None,
    fresh: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    certify: Path | None = None,
    stale: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    seconds: float = 120.0,
    workers: int | None = None,
    package: Packages = ("proofs",),
    format: Format = "text",  # noqa: A002
) -> int:
    """Decide claims.

    Parameters
    ----------
    names
        Ids, labels (S2g, B9), leading parts of ids (hahn2020.stage2) or globs; all if none.
    list_only
        Only list the claims, with their labels and expected verdicts.
    out
        Folder in which results are kept as they come, and from which a later run resumes.
    fresh
        With --out: decide everything again.
    certify
        Folder to which the certificate of every decided claim is written.
    stale
        With --certify: only claims whose certificate there is missing or outdated.
    seconds
        Time limit of each check; a check that exceeds it is killed and stays UNDECIDED.
    workers
        Number of processes; the number of processors by default.
    package
        Where the claims are declared.
    format
        Text or JSON.
    """
    from attnlimits.decisions import decide_all
    from attnlimits.pool import cores
    from attnlimits.selection import known_claims, select
    from attnlimits.store import kept_in, make_folder, write_atomically
    from attnlimits.verification import stale_claims
    from claims import Budget

    known = known_claims(package)
    claims = select(known, names)
    if list_only:
        emit([_declared(c) for c in claims.values()], lambda: _list(claims), format)
        return EXPECTED
    if stale and certify is None:
        raise UsageError("--stale goes with --certify DIR")
    if certify is not None:
        make_folder(certify)
        claims = stale_claims(claims, certify) if stale else claims
    with kept_in(out, package) as store:
        decisions = decide_all(
            claims,
            known,
            packages=package,
            budget=Budget(seconds=seconds),
            workers=cores() if workers is None else workers,
            store=store,
            fresh=fresh,
        )
    if certify is not None:
        for result in decisions.results.values():
            write_atomically(certify / f"{result.claim}.json", result.certificate.to_json())
    emit(as_data(decisions), lambda: _table(decisions), format)
    return DIFFERS if decisions.differences() else EXPECTED


def as_data(decisions: "Decisions") -> dict[str, Any]:
    """Return decisions as JSON-compatible data."""
    from attnlimits.twins import twin_id

    rows = {}
    for claim_id, claim in decisions.claims.items():
        result = decisions.results[claim_id]
        outcome = result.certificate.outcome
        twin = decisions.results.get(twin_id(claim_id))
        rows[claim_id] = {
            **_declared(claim),
            "verdict": outcome.verdict,
            "by": outcome.by,
            "scope": outcome.scope,
            "witness": dict(outcome.witness),
            "detail": outcome.detail,
            "seconds": round(result.seconds, 3),
            "standing": decisions.standing(claim_id) if decisions.has_standing(claim_id) else None,
            "twin": None if twin is None else twin.certificate.outcome.verdict,
        }
    return {
        "claims": rows,
        "counts": decisions.counts(),
        "differences": decisions.differences(),
    }


def _declared(claim: "Claim") -> dict[str, Any]:
    return {
        "id": claim.id,
        "labels": list(claim.labels),
        "kind": claim.kind,
        "expect": claim.expect,
        "source": str(claim.source),
    }


def _list(claims: dict[str, "Claim"]) -> str:
    width = max((len(i) for i in claims), default=0)
    return "\n".join(
        f"{i:<{width}}  {c.expect:<9}  {', '.join(c.labels)}".rstrip() for i, c in claims.items()
    )


def _table(decisions: "Decisions") -> str:
    lines = []
    for claim_id, claim in decisions.claims.items():
        outcome = decisions.results[claim_id].certificate.outcome
        mark = " " if outcome.verdict is claim.expect else "!"
        label = f"  [{', '.join(claim.labels)}]" if claim.labels else ""
        lines.append(f"{mark} {outcome.verdict:<9}  {claim_id}{label}")
        if outcome.witness:
            found = ", ".join(f"{k} = {v}" for k, v in sorted(outcome.witness.items()))
            lines.append(f"             witness: {_short(found)}")
    counts = ", ".join(f"{n} {v}" for v, n in decisions.counts().items())
    twins = len(decisions.results) - len(decisions.claims)
    lines.append(f"{len(decisions.claims)} claims: {counts or 'none'}; negative twins: {twins}")
    differences = decisions.differences()
    if differences:
        lines.append("not as expected:")
        lines += [f"  {sentence}" for sentence in differences]
    else:
        lines.append("all as expected")
    return "\n".join(lines)


def _short(text: str, limit: int = 160) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
