"""Altered statements: each is still true and proved, or refuted with a witness; never undecided."""

from collections.abc import Iterator

import pytest
import sympy as sp

from claims import Budget, Inequality, Rel, StatementError, Verdict, collect
from proofs.checkers.asymptotic import Rising
from proofs.checkers.exact import Exact
from proofs.checkers.smt import Smt

CLAIMS = {
    i: c
    for i, c in collect("proofs").items()
    if c.expect is Verdict.PROVED
    and isinstance(c.statement, Inequality)
    and isinstance(c.check, (Smt, Exact, Rising))
}
_OPPOSITE: dict[Rel, Rel] = {
    "<=": ">",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "==": "!=",
    "!=": "==",
}


def _alterations(s: Inequality) -> Iterator[tuple[str, Inequality]]:
    yield "a factor 2", Inequality(2 * s.lhs, s.rel, s.rhs, s.domain, s.given)
    yield "a factor 1/2", Inequality(s.lhs, s.rel, s.rhs / 2, s.domain, s.given)
    yield "relation reversed", Inequality(s.lhs, _OPPOSITE[s.rel], s.rhs, s.domain, s.given)
    if s.rhs != 0:
        yield "inverted", Inequality(s.lhs, s.rel, 1 / s.rhs, s.domain, s.given)
    for i, hypothesis in enumerate(s.given):
        rest = s.given[:i] + s.given[i + 1 :]
        yield f"without {hypothesis.text()}", Inequality(s.lhs, s.rel, s.rhs, s.domain, rest)


def _irrational(statement: Inequality) -> bool:
    powers = (statement.lhs - statement.rhs).atoms(sp.Pow)
    return bool(
        (statement.lhs - statement.rhs).has(sp.log, sp.exp)
        or any(sp.fraction(sp.together(power.exp))[1] != 1 for power in powers)
    )


@pytest.mark.slow
@pytest.mark.parametrize("claim_id", list(CLAIMS))
def test_no_alteration_is_undecided(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    assert isinstance(claim.statement, Inequality)
    for name, altered in _alterations(claim.statement):
        if name == "inverted" and isinstance(claim.check, Rising):
            continue  # both sides vanish at the base, so the inverse is undefined there
        if name == "relation reversed" and altered.rel == "!=" and _irrational(altered):
            continue  # no ball shows that two irrational sides are equal
        outcome = claim.check(altered, Budget(seconds=20))
        if outcome.verdict is Verdict.UNDECIDED and "is undefined at" in outcome.detail:
            continue  # a logarithm leaves its range without the hypothesis
        assert outcome.verdict in (Verdict.PROVED, Verdict.REFUTED), (name, outcome.detail)


def test_an_inverted_exponent_is_refuted() -> None:
    claim = CLAIMS["hahn2020.stage3.no_maximum_fixed"]
    assert isinstance(claim.statement, Inequality)
    upside_down = Inequality(
        1 / claim.statement.lhs,
        claim.statement.rel,
        claim.statement.rhs,
        claim.statement.domain,
        claim.statement.given,
    )
    assert claim.check(upside_down).verdict is Verdict.REFUTED


def test_a_division_by_zero_is_no_statement() -> None:
    claim = CLAIMS["hahn2020.stage3.e11.length"]
    assert isinstance(claim.statement, Inequality)
    with pytest.raises(StatementError, match="not finite"):
        Inequality(claim.statement.lhs, ">=", 1 / claim.statement.rhs, claim.statement.domain)
