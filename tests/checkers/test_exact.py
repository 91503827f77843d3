"""Identities and limits: proved, refuted, undecided; sympy is not believed alone."""

import sympy as sp

from claims import Inequality, Integers, Limit, Reals, Verdict
from proofs.checkers import exact

c = sp.Symbol("c", positive=True)
k = sp.Symbol("k", positive=True, integer=True)
x = sp.Symbol("x")


def test_an_identity_with_powers_is_proved_and_its_alteration_refuted() -> None:
    domain = {c: Integers(1), k: Integers(1)}
    right = Inequality(2 ** (2 * c) * c**2 * k, "==", (2**c * c) * (2**c * c * k), domain)
    wrong = Inequality(2 ** (2 * c) * c**2 * k, "==", (2**c * c) * (2 * c * k), domain)
    assert exact.decide()(right).verdict is Verdict.PROVED
    refuted = exact.decide()(wrong)
    assert refuted.verdict is Verdict.REFUTED
    assert exact.decide().verify(wrong, refuted.evidence).verdict is Verdict.REFUTED


def test_what_sympy_cannot_simplify_stays_undecided() -> None:
    hidden = Inequality(
        sp.sqrt(5 + 2 * sp.sqrt(6)) + 0 * x,
        "==",
        sp.sqrt(2) + sp.sqrt(3) + 10 * sp.Min(0, x**2),
        {x: Reals()},
    )
    assert exact.decide()(hidden).verdict in (Verdict.UNDECIDED, Verdict.PROVED)
    floor = Inequality(
        sp.floor(x) + sp.floor(-x),
        "==",
        sp.ceiling(x) - sp.ceiling(x) - 1,
        {x: Reals(sp.Rational(1, 3).p, 2)},
    )
    assert exact.decide()(floor).verdict is not Verdict.PROVED


def test_limits_are_proved_and_refuted() -> None:
    one = Limit(k ** (sp.Integer(-2) / k), k, sp.Integer(1), {k: Integers(1)})
    assert exact.decide()(one).verdict is Verdict.PROVED
    wrong = Limit(k ** (sp.Integer(-2) / k), k, sp.Integer(0), {k: Integers(1)})
    refuted = exact.decide()(wrong)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness["limit"] == "1"


def test_a_limit_that_balls_do_not_confirm_is_undecided(monkeypatch: object) -> None:
    slow = Limit(1 / sp.log(sp.log(k + 3)), k, sp.Integer(5), {k: Integers(1)})
    assert exact.decide()(slow).verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
