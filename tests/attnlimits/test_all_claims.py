"""Every claim can be put on the page, and what is wrong in a source is said."""

from attnlimits.selection import known_claims
from claims import Kind, Verdict

CLAIMS = known_claims(["proofs"])


def test_every_refuted_statement_says_what_is_wrong_and_every_repair_is_complete() -> None:
    for claim in CLAIMS.values():
        if claim.expect is Verdict.REFUTED:
            assert claim.difference, claim.id
        if claim.kind is Kind.REPAIRED:
            assert claim.repairs in CLAIMS, claim.id
            assert CLAIMS[claim.repairs].expect is not Verdict.PROVED, claim.id
            assert claim.difference, claim.id


def test_every_claim_can_be_shown() -> None:
    from attnlimits.report.formulas import blocks, formula, inline
    from attnlimits.report.wording import quantifiers, sentence
    from attnlimits.twins import with_twins

    for claim in with_twins(CLAIMS).values():
        texts = [
            inline(claim.says),
            inline(claim.difference),
            inline(claim.no_twin),
            blocks(claim.proof),
            inline(quantifiers(claim.statement)),
            inline(sentence(claim.statement)),
            formula(claim.statement.latex()) if claim.statement.latex() else "",
        ]
        for html in texts:
            assert "unrendered" not in html, (claim.id, html)
            assert "$" not in html, (claim.id, html)
