"""``attnlimits show``: one claim with all that it rests on."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import cyclopts

from attnlimits.boundary import EXPECTED, Format, emit
from attnlimits.commands.check import Packages

if TYPE_CHECKING:
    from attnlimits.decisions import Decisions

app = cyclopts.App(
    name="show",
    help="Show a claim: statement, proof, witness, and the tree of what it rests on.",
)


@app.default
def show(
    name: str,
    *,
    out: Path | None = None,
    seconds: float = 60.0,
    workers: int | None = None,
    package: Packages = ("proofs",),
    format: Format = "text",  # noqa: A002
) -> int:
    """Show claims.

    Parameters
    ----------
    name
        An id, a label (S2g, B9), the leading part of ids, or a glob.
    out
        Folder in which results are kept; what it already holds is not decided again.
    seconds
        Time limit of each check.
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
    from attnlimits.store import kept_in
    from claims import Budget, ancestors

    known = known_claims(package)
    shown = select(known, [name])
    needed = {i: known[i] for claim_id in shown for i in ancestors(known, claim_id)}
    with kept_in(out, package) as store:
        decisions = decide_all(
            needed,
            known,
            packages=package,
            budget=Budget(seconds=seconds),
            workers=cores() if workers is None else workers,
            store=store,
        )
    data = {i: _as_data(decisions, i) for i in shown}
    emit(data, lambda: "\n\n".join(_page(decisions, i) for i in shown), format)
    return EXPECTED


def _as_data(decisions: "Decisions", claim_id: str) -> dict[str, Any]:
    import json

    from attnlimits.twins import twin_id
    from claims import ancestors

    claim = decisions.known[claim_id]
    certificate = json.loads(decisions.results[claim_id].certificate.to_json())
    return {
        "id": claim_id,
        "says": claim.says,
        "source": str(claim.source),
        "labels": list(claim.labels),
        "kind": claim.kind,
        "expect": claim.expect,
        "standing": decisions.standing(claim_id),
        "certificate": certificate,
        "difference": claim.difference,
        "repairs": claim.repairs,
        "proof": claim.proof,
        "assumes": list(claim.assumes),
        "twin": None
        if claim.twin is None
        else {"drops": claim.twin.drops, "verdict": decisions.verdict(twin_id(claim_id))},
        "no_twin": claim.no_twin,
        "rests_on": {i: decisions.verdict(i) for i in ancestors(decisions.known, claim_id)[:-1]},
    }


def _page(decisions: "Decisions", claim_id: str) -> str:
    from attnlimits.twins import twin_id

    claim = decisions.known[claim_id]
    certificate = decisions.results[claim_id].certificate
    outcome = certificate.outcome
    rows = [
        ("says", claim.says),
        ("source", str(claim.source)),
        ("kind", claim.kind.value + (f", corrects {claim.repairs}" if claim.repairs else "")),
        ("statement", claim.statement.text()),
        ("checker", certificate.checker),
        ("verdict", f"{outcome.verdict} by {outcome.by} (expected {claim.expect})"),
        ("scope", outcome.scope),
        ("detail", outcome.detail),
        ("witness", ", ".join(f"{k} = {v}" for k, v in sorted(outcome.witness.items()))),
        ("standing", f"{decisions.standing(claim_id)} (weakest of itself and what it rests on)"),
        ("difference", claim.difference),
        ("twin", claim.no_twin and f"none: {claim.no_twin}"),
    ]
    if claim.twin is not None:
        rows[-1] = ("twin", f"{decisions.verdict(twin_id(claim_id))} without: {claim.twin.drops}")
    title = claim_id + (f"  [{', '.join(claim.labels)}]" if claim.labels else "")
    lines = [title, "=" * len(title)]
    lines += [f"{key + ':':<12}{value}" for key, value in rows if value]
    lines += ["rests on:" + ("" if claim.assumes else "   nothing but its own check")]
    lines += _tree(decisions, claim_id, "")
    if claim.proof:
        lines += ["", "proof", "-----", claim.proof.strip()]
    return "\n".join(lines)


def _tree(decisions: "Decisions", claim_id: str, indent: str) -> list[str]:
    assumed = decisions.known[claim_id].assumes
    lines = []
    for index, i in enumerate(assumed):
        last = index == len(assumed) - 1
        verdict, standing = decisions.verdict(i), decisions.standing(i)
        remark = "" if standing is verdict else f" (stands as {standing})"
        lines.append(f"{indent}{'└─ ' if last else '├─ '}{verdict} {i}{remark}")
        lines += _tree(decisions, i, indent + ("   " if last else "│  "))
    return lines
