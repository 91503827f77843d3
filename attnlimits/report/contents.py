"""What the report says, as data for its template: rows, tables and sections of claims.

Main definitions: :class:`Entry`, :func:`entries`, :func:`errata`, :func:`counted`,
:func:`by_label`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from attnlimits.decisions import Decisions
from attnlimits.report.formulas import blocks, formula, inline
from attnlimits.report.graph import MARKS
from attnlimits.report.wording import quantifiers, sentence
from attnlimits.twins import twin_id
from claims import OWN, Claim, Kind, Verdict, ancestors


@dataclass(frozen=True, slots=True)
class Entry:
    """One claim as the page shows it; texts are ready-made HTML."""

    id: str
    labels: str
    kind: str
    says: Markup
    source: str
    quantifiers: Markup
    formula: Markup
    sentence: Markup
    verdict: str
    mark: str
    standing: str
    standing_mark: str
    expected: bool
    expect: str
    by: str
    checker: str
    scope: Markup
    detail: Markup
    witness: tuple[tuple[str, str], ...]
    digest: str
    difference: Markup
    repairs: str
    repaired_by: tuple[str, ...]
    related: tuple[str, ...]
    twin_drops: Markup
    twin_verdict: str
    no_twin: Markup
    proof: Markup
    rests_on: tuple[tuple[str, str], ...]


def entries(decisions: Decisions) -> dict[str, Entry]:
    """Return every decided claim as the page shows it, by id."""
    return {i: _entry(decisions, c) for i, c in decisions.claims.items()}


def errata(decisions: Decisions, *, seeds: bool) -> list[str]:
    """Return the ids of the refuted statements of papers, or of seed documents, in order."""
    return sorted(
        (
            i
            for i, c in decisions.claims.items()
            if c.kind is Kind.AS_STATED
            and decisions.verdict(i) is Verdict.REFUTED
            and _is_seed(c) is seeds
        ),
        key=lambda i: (decisions.claims[i].source.paper.key, _natural(i)),
    )


def counted(decisions: Decisions) -> list[tuple[str, list[int], int]]:
    """Return, for every kind of claim, the number of claims by verdict and their sum."""
    rows = []
    for kind in Kind:
        found = Counter(decisions.verdict(i) for i, c in decisions.claims.items() if c.kind is kind)
        if found:
            rows.append((kind.value, [found[v] for v in Verdict], found.total()))
    return rows


def by_label(decisions: Decisions) -> list[tuple[str, str, list[str]]]:
    """Return (paper, label, ids of the claims that carry it), in natural order."""
    found: dict[tuple[str, str], list[str]] = {}
    for i, claim in decisions.claims.items():
        for label in claim.labels:
            found.setdefault((_about(claim), label), []).append(i)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], _natural(item[0][1])))
    return [(paper, label, ids) for (paper, label), ids in ordered]


def textbook(decisions: Decisions) -> list[tuple[str, int]]:
    """Return the textbook theorems that were assumed, with the number of claims on each."""
    uses = Counter(a for i in decisions.claims for a in ancestors(decisions.known, i)[:-1])
    return [(i, uses[i]) for i, c in decisions.claims.items() if c.kind is Kind.TEXTBOOK]


def sections(decisions: Decisions) -> list[tuple[str, list[str]]]:
    """Return the claims by the folder part of their ids, in order."""
    found: dict[str, list[str]] = {}
    for i in decisions.claims:
        found.setdefault(".".join(i.split(".")[:2]), []).append(i)
    return sorted((name, sorted(ids, key=_natural)) for name, ids in found.items())


def roots(decisions: Decisions, labels: Iterable[str] = ("T1", "T2")) -> list[str]:
    """Return the claims that the graph leads to: the named theorems, else all final claims."""
    wanted = set(labels)
    named = [
        i
        for i, c in decisions.claims.items()
        if wanted & set(c.labels)
        and c.kind in (Kind.AS_STATED, Kind.REPAIRED)
        and decisions.verdict(i) is not Verdict.REFUTED
    ]
    if named:
        beneath = {a for i in named for a in ancestors(decisions.known, i)[:-1]}
        return [i for i in named if i not in beneath]
    used = {a for c in decisions.known.values() for a in c.assumes}
    return [i for i, c in decisions.claims.items() if c.assumes and i not in used]


def versions(decisions: Decisions) -> Sequence[tuple[str, str]]:
    """Return the versions of the solvers that the certificates name."""
    found: dict[str, str] = {}
    for result in decisions.results.values():
        found.update(result.certificate.versions)
    return sorted(found.items())


def _related(decisions: Decisions, claim: Claim) -> list[str]:
    """Return the repaired claims about the same place of the source."""
    return [
        i
        for i, c in decisions.claims.items()
        if c.kind is Kind.REPAIRED
        and c.source.paper.key == claim.source.paper.key
        and set(c.labels) & set(claim.labels)
    ]


def _about(claim: Claim) -> str:
    """Return the key of the paper whose statement a claim is about, also for our own claims."""
    return claim.id.split(".")[0] if claim.source.paper == OWN else claim.source.paper.key


def _is_seed(claim: Claim) -> bool:
    return claim.source.paper.key.startswith("review-")


def _natural(text: str) -> list[tuple[int, int, str]]:
    parts = re.findall(r"\d+|\D+", text)
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts]


def _entry(decisions: Decisions, claim: Claim) -> Entry:
    certificate = decisions.results[claim.id].certificate
    outcome = certificate.outcome
    standing = decisions.standing(claim.id)
    latex = claim.statement.latex()
    repairing = [i for i, c in decisions.claims.items() if c.repairs == claim.id]
    return Entry(
        id=claim.id,
        labels=", ".join(claim.labels),
        kind=claim.kind.value,
        says=Markup(inline(claim.says)),
        source=str(claim.source),
        quantifiers=Markup(inline(quantifiers(claim.statement))),
        formula=Markup(formula(latex, display=True) if latex else ""),
        sentence=Markup(inline(sentence(claim.statement))),
        verdict=outcome.verdict.value,
        mark=MARKS[outcome.verdict],
        standing=standing.value,
        standing_mark=MARKS[standing],
        expected=outcome.verdict is claim.expect,
        expect=claim.expect.value,
        by=outcome.by,
        checker=certificate.checker,
        scope=Markup(inline(outcome.scope)),
        detail=Markup(inline(outcome.detail)),
        witness=tuple(sorted((k, str(v)) for k, v in outcome.witness.items())),
        digest=str(json.loads(certificate.to_json())["digest"]),
        difference=Markup(inline(claim.difference)),
        repairs=claim.repairs or "",
        repaired_by=tuple(repairing),
        related=() if repairing else tuple(_related(decisions, claim)),
        twin_drops=Markup(inline(claim.twin.drops) if claim.twin is not None else ""),
        twin_verdict=decisions.verdict(twin_id(claim.id)).value if claim.twin is not None else "",
        no_twin=Markup(inline(claim.no_twin)),
        proof=Markup(blocks(claim.proof)),
        rests_on=tuple((i, decisions.verdict(i).value) for i in claim.assumes),
    )
