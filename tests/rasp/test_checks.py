"""Checks before running: each trap once, and silence where there is none."""

import pytest
from hypothesis import given, settings
from rasp_graphs import graphs, selectors

from rasp import aggregate, full_s, indices, select, tokens, tokens_asis, where
from rasp.checks.names import name_findings
from rasp.checks.precedence import precedence_findings
from rasp.checks.program import check_source
from rasp.checks.types import infer, type_findings
from rasp.errors import RaspError
from rasp.evaluate.direct import DirectEvaluation
from rasp.graph import (
    Aggregate,
    Constant,
    Indices,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    ancestors,
)
from rasp.interpret.library import library_text
from rasp.syntax.lexer import Source


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("not a == b;", "(not a) == b"),
        ("a or b and c;", "(a or b) and c"),
        ("-a ^ 2;", "(-a) ^"),
        ("a ^ b ^ c;", "(a ^ b) ^"),
        ("a < b < c;", "(a < b) < c"),
        ("6 % 4 * 2;", "% (4 * 2)"),
        ("a if b else c if d else e;", "(a if b else c) if"),
        ("1 in a and 2 in b;", "'in' binds last"),
        ("x = [f(not a == b) for q in r];", "(not a) == b"),
    ],
)
def test_traps_are_found(code: str, part: str) -> None:
    assert any(part in finding.message for finding in precedence_findings(Source(code)))


@pytest.mark.parametrize(
    "code",
    [
        *("(not a) == b;", "not (a == b);", "(a or b) and c;", "a or (b and c);", "(-a) ^ 2;"),
        *("(a ^ b) ^ c;", "(a < b) < c;", "6 % (4 * 2);", "a and b and c;", "4 * 2 % 6;"),
        *("(a if b else c) if d else e;", "(1 in a) and (2 in b);", "not a;", "a + b in c;"),
    ],
)
def test_explicit_readings_pass(code: str) -> None:
    assert precedence_findings(Source(code)) == []


def test_the_library_passes() -> None:
    for name in ("rasplib", "paper_examples", "stdlib"):
        errors = [f for f in check_source(library_text(name), name) if f.severity == "error"]
        assert errors == [], name


def test_names_before_and_without_definition() -> None:
    code = "a = b; b = 1; def f(x) { y = x + later + nowhere; return y; } later = [z for z in [b]];"
    assert [finding.message for finding in name_findings(Source(code))] == [
        "b is used before it is defined",
        "nowhere is used but never defined",
    ]
    (finding,) = name_findings(Source("x = indcies;"))
    assert finding.message.endswith("did you mean indices?")
    assert name_findings(Source('load "other"; a = unknown;')) == []


@pytest.mark.parametrize(
    ("sop", "rule", "severity"),
    [
        (aggregate(full_s, tokens), "mean-of-text", "error"),
        (aggregate(full_s, indices == 0), "mean-of-bools", "error"),
        (aggregate(select(tokens, tokens, "=="), tokens), "mean-of-text", "warning"),
        (aggregate(select(indices, indices - 1, "=="), tokens), "default-type", "warning"),
        (aggregate(select(indices, -1, "=="), indices), "out-of-range", "warning"),
        (aggregate(select(tokens, indices, "<"), indices), "order-of-types", "error"),
        (aggregate(select(tokens, 3, "=="), indices), "never", "warning"),
        (tokens + 1, "types", "error"),
        (tokens - tokens, "types", "error"),
        (where(indices > 1, "a", 2), "types", "warning"),
        (indices.lookup([1, 2, 3]), "out-of-range", "warning"),
        ((indices + 5).lookup("abc"), "out-of-range", "error"),
        ((indices < 0), "out-of-range", "warning"),
    ],
)
def test_type_rules(sop: object, rule: str, severity: str) -> None:
    remarks = type_findings(sop.node)  # type: ignore[attr-defined]
    assert (rule, severity) in [(remark.rule, remark.severity) for remark in remarks]


@pytest.mark.parametrize(
    "sop",
    [
        aggregate(select(indices, indices - 1, "=="), tokens, ""),
        aggregate(full_s, indices),
        aggregate(select(indices, 0, "=="), indices == 1, False),
        tokens_asis + 1,
        indices % 3 == 2,
    ],
)
def test_sound_programs_pass(sop: object) -> None:
    assert type_findings(sop.node) == []  # type: ignore[attr-defined]


@settings(max_examples=80, deadline=None)
@given(graphs())
def test_inferred_types_hold_on_inputs_that_evaluate(node: SOpNode) -> None:
    kinds = infer(node)
    found = DirectEvaluation("ab(a", exact=False)
    for below in ancestors((node,)):
        if not isinstance(below, SOpNode):
            continue
        try:
            values = found.sequence(below)
        except RaspError:
            return
        types = {type(value).__name__ for value in values}
        assert types <= kinds[below.digest].types, (below, values)


def test_a_comparison_of_constants_counts_as_what_it_is() -> None:
    never = Aggregate(Select(Constant(1), Constant(2), "=="), Tokens("str"), 0)
    always = Aggregate(Select(Constant(1), Constant(2), "<"), Tokens("str"), 0)
    assert infer(never)[never.digest].types == {"str", "int"}
    assert [r for r in type_findings(never) if r.severity == "error"] == []
    assert [r.rule for r in type_findings(always)] == ["mean-of-text"]


@settings(max_examples=60, deadline=None)
@given(selectors())
def test_what_is_said_never_to_fail_does_not(selector: SelectorNode) -> None:
    node = Aggregate(selector, Indices(), -1)
    assert [r for r in type_findings(node) if r.severity == "error"] == []
    DirectEvaluation("abab").sequence(node)


def test_findings_point_into_the_source() -> None:
    text = "a = 1;\nb = aggregate(full_s, tokens);\n"
    (finding,) = check_source(text, "demo.rasp")
    shown = finding.text(Source(text, "demo.rasp"))
    assert shown.startswith("demo.rasp:2:5: error: every row selects all positions")
    assert "    b = aggregate(full_s, tokens);\n        ^^^" in shown
