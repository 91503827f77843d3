"""Claims: what must be declared, how standing is computed, cycles and unknown ids."""

from dataclasses import replace

import pytest
import sympy as sp

from claims import (
    OWN,
    Claim,
    ClaimError,
    Inequality,
    Kind,
    Outcome,
    Reals,
    Verdict,
    ancestors,
    standing,
    weakest,
)
from proofs.checkers import smt

x = sp.Symbol("x")
BASE = Claim(
    id="a",
    says="a",
    source=OWN.at("tests"),
    kind=Kind.OWN,
    statement=Inequality(x, "<=", x, {x: Reals()}),
    check=smt.decide(),
    expect=Verdict.PROVED,
    no_twin="for the test",
)


def test_a_proof_needs_its_twin_and_a_refutation_its_difference() -> None:
    with pytest.raises(ClaimError, match="twin"):
        replace(BASE, no_twin="")
    with pytest.raises(ClaimError, match="difference"):
        replace(BASE, expect=Verdict.REFUTED)
    with pytest.raises(ClaimError, match="repairs"):
        replace(BASE, kind=Kind.REPAIRED)
    with pytest.raises(ClaimError, match="lower case"):
        replace(BASE, id="A b")


def test_standing_is_the_weakest_link() -> None:
    claims = {
        "a": BASE,
        "b": replace(BASE, id="b", assumes=("a",)),
        "c": replace(BASE, id="c", assumes=("b",)),
    }
    proved = Outcome(Verdict.PROVED, "t")
    outcomes = {"b": proved, "c": proved, "a": Outcome(Verdict.EXHAUSTED, "t", scope="n <= 3")}
    assert standing(claims, outcomes, "c") is Verdict.EXHAUSTED
    assert standing(claims, {"c": proved}, "c") is Verdict.UNDECIDED
    assert ancestors(claims, "c") == ["a", "b", "c"]


def test_cycles_and_unknown_assumptions_are_errors() -> None:
    loop = {"a": replace(BASE, assumes=("b",)), "b": replace(BASE, id="b", assumes=("a",))}
    with pytest.raises(ClaimError, match="cycle"):
        ancestors(loop, "a")
    with pytest.raises(ClaimError, match="unknown claim"):
        ancestors({"a": replace(BASE, assumes=("zz",))}, "a")


def test_weakest_orders_all_five() -> None:
    assert weakest(list(Verdict)) is Verdict.REFUTED
    assert weakest([Verdict.SAMPLED, Verdict.EXHAUSTED]) is Verdict.SAMPLED
    assert weakest([]) is Verdict.PROVED
