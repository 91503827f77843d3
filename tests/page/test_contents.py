import re
from dataclasses import replace

import pytest

from attnlimits.decisions import Decisions, decide_all
from attnlimits.report import Drawing, contents, page
from attnlimits.report.page import embedded
from attnlimits.report.wording import quantifiers
from claims import Asymptotic, Budget, Inequality, Integers, Reals, Relation, Verdict, collect


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    claims = collect("sample_claims")
    return decide_all(
        claims,
        claims,
        packages=("sample_claims",),
        budget=Budget(seconds=20),
        workers=2,
        store=None,
    )


def test_the_errata_hold_the_refuted_statement_with_its_repair(decisions: Decisions) -> None:
    assert contents.errata(decisions, seeds=False) == ["sample.cube.as_stated"]
    assert contents.errata(decisions, seeds=True) == []
    entry = contents.entries(decisions)["sample.cube.as_stated"]
    assert entry.repaired_by == ("sample.cube.repaired",)
    assert entry.witness == (("case", "-3"),)


def test_the_counts_are_of_the_results(decisions: Decisions) -> None:
    assert contents.counted(decisions) == [
        ("as stated", [0, 1, 0, 0, 1], 2),
        ("repaired", [0, 1, 0, 0, 0], 1),
    ]


def test_every_claim_is_on_the_page_with_all_its_parts(decisions: Decisions) -> None:
    html = page(decisions, [])
    for claim in decisions.claims.values():
        assert f'<article id="{claim.id}"' in html
        assert str(claim.source) in html
    assert "case = -3" in html
    assert "REFUTED when dropped: the exponent 2 becomes 3" in html
    assert "<details><summary>Proof</summary><p>If <math" in html
    assert "None of the reviews" in html
    assert "Every result is as expected." in html


def test_the_page_is_the_same_each_time_and_links_only_to_itself(decisions: Decisions) -> None:
    html = page(decisions, [])
    assert html == page(decisions, [])
    targets = set(re.findall(r'href="([^"]+)"', html)) - {"data:,"}
    assert all(t.startswith("#") for t in targets)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert {t[1:] for t in targets} <= set(ids)


def test_an_unexpected_result_raises_an_alarm(decisions: Decisions) -> None:
    changed = replace(decisions.claims["sample.square"], expect=Verdict.PROVED)
    claims = {**decisions.claims, "sample.square": changed}
    html = page(replace(decisions, claims=claims, known=claims), [])
    assert 'class="alarm"' in html
    assert "sample.square: EXHAUSTED, expected PROVED" in html


def test_labels_are_in_natural_order(decisions: Decisions) -> None:
    assert [label for _, label, _ in contents.by_label(decisions)] == ["Q1", "Q2"]
    assert sorted(["B10", "B9", "B1"], key=contents._natural) == ["B1", "B9", "B10"]


def test_figures_are_embedded_as_elements(decisions: Decisions) -> None:
    svg = '<?xml version="1.0"?><!DOCTYPE svg><svg width="144pt" height="72pt" viewBox="0 0 2 1">'
    svg += '<metadata>x</metadata><g id="f-1"/></svg>'
    element = embedded(svg)
    assert element.startswith('<svg viewBox="0 0 2 1" style="max-width: 22rem; min-width: 12rem">')
    assert "metadata" not in element
    html = page(decisions, [Drawing("f", "Title", "Caption $x$", "At 3.", svg)])
    assert '<figure id="figure-f">' in html
    assert "At 3." in html


def test_domains_are_said_in_words() -> None:
    import sympy as sp

    n, x = sp.Symbol("n"), sp.Symbol("x")
    domain = {x: Reals(0, 1, open_lo=True), n: Integers(1, 3)}
    assert quantifiers(Inequality(n, "<=", x, domain)) == (
        r"for all integers $n \in \{1, \ldots, 3\}$ and real $x \in (0, 1]$"
    )
    statement = Asymptotic(
        Relation(n, ">=", x), n, x, {n: Integers(), x: Reals()}, (Relation(x, ">", 2),)
    )
    assert quantifiers(statement) == (
        r"for all integers $n$ and real $x \in (-\infty, \infty)$ with $x > 2$"
    )
