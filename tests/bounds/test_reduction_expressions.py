"""Each expression of the depth reduction says what its sentence says, at values found by hand."""

import itertools
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.bound import Bound, Condition
from bounds.catalogue import catalogue, lookup
from bounds.reduction import dyck, final, neighbours, seed, stage1, stage2, stage3
from bounds.reduction.local_lemma import E10_RHS, E11_RHS, E12_LHS, E12_RHS, N11

F = Fraction
AT = {"c": 2, "k": 3, "H": 5, "n": 40, "U": 7, "C": F(1, 2), "eta": F(1, 4)}

VALUES = {
    "stage1.threshold": F(16),
    "stage1.limit": F(16),
    "stage1.pairs": F(80),
    "stage1.offenders": F(5),
    "stage1.stars": F(15),
    "stage2.values": F(4),
    "stage2.captured": F(2 * (4 * 3 + 1)),
    "stage2.repetitions": F(160, 3),
    "stage2.stars_after": F(15 - 14),
    "stage2.stars.as_stated": (F(3, 8) - F(4, 3)) * 40,
    "stage2.stars.repaired": (F(3, 8) - F(8, 3)) * 40,
    "stage2.stars.goal": F(10),
    "stage2.least_k": F(64),
    "stage2.k_dependence": F(24),
    "stage2.heads_per_input": F(16 * 3 * 2 * 5 * 2),
    "stage2.f": F(24 * 960),
    "stage2.events_nearby": F(4 * (24 * 960 + 1)),
    "stage3.independent.as_stated": F(3, 32),
    "stage3.independent.exact": F(1),  # 3 / (2 * 15 + 1), rounded up
    "final.through_heads": F(5 * 24),
    "final.c_out": F(5 * 24 + 2),
    "seed.b04.ratio": F(16),
    "seed.b07.repetitions": F(40, 3),
    "seed.b10.neighbours": F(16 * 4 * 9 * 5, 2),
}


@pytest.mark.parametrize("name", VALUES)
def test_value_by_hand(name: str) -> None:
    entry = lookup(name)
    assert isinstance(entry, Bound)
    assert entry.exact(**{str(s): AT[str(s)] for s in entry.symbols}) == VALUES[name]


def test_stage3_by_hand() -> None:
    assert stage3.SINGLE.exact(c=2, q=F(1, 2)) == F(15, 16)
    # (1/eta) c^2 / C = 32, so k = 64 gives exponent 2
    assert stage3.E9.exact(c=2, k=64, C=F(1, 2), eta=F(1, 4), q=F(1, 2)) == F(15, 16) ** 2
    # the review's exponent is eta c^2 / (C k) = 1
    assert seed.B12_EVENT.exact(c=2, k=1, C=F(1, 2), eta=F(1, 8), q=F(1, 2)) == F(15, 16)
    e8 = stage3.E8.ball(bits=100, C=1, n=24, eta=F(1, 4), q=F(1, 4), delta=1)  # exp(-1)
    assert e8.overlaps(arb(-1).exp())
    assert E10_RHS.exact(A=F(1, 2), B=F(1, 4), f=2) == F(1, 2) * F(3, 4) * F(1, 4)
    assert E11_RHS.exact(A=F(1, 2), B=F(1, 4), c=1, H=1, n=2) == F(1, 4) * F(1, 16)
    assert E12_RHS.exact(A=F(1, 4), B=F(3, 4), f=2, k=1) == F(1, 4) * F(1, 4) * F(9, 16)
    assert E12_LHS.exact(c=1, C=1, eta=F(1, 3), q=F(122, 125)) == F(4, 5)
    point = {"c": 1, "H": 1, "C": 1, "eta": F(1, 4), "q": F(1, 4), "delta": 1}
    n11 = N11.ball(bits=100, A=F(1, 100), B=F(1, 2), **point)
    assert n11.overlaps(arb(2).log() / (arb(1) / 24 + 2 * (arb(99) / 100).log()))


def test_conditions_by_hand() -> None:
    edge = {"c": 2, "C": F(1, 2), "eta": F(1, 4)}
    repaired = stage2.CONDITION_REPAIRED
    assert repaired.holds(k=64, **edge)
    assert not repaired.holds(k=63, **edge)
    assert stage2.CONDITION_STATED.holds(k=16, c=2, eta=F(1, 4))
    assert not stage2.CONDITION_STATED.holds(k=15, c=2, eta=F(1, 4))
    assert seed.B9_CONDITION.holds(k=640, n=40, c=2, eta=F(1, 4))
    assert not seed.B9_CONDITION.holds(k=639, n=40, c=2, eta=F(1, 4))
    assert final.STARS.exact(C=1, n=8, eta=F(1, 4), q=F(1, 4), delta=1) == 2


@given(
    c=st.integers(1, 3),
    k=st.integers(1, 60),
    C=st.fractions(F(1, 5), 1, max_denominator=12),
    eta=st.fractions(F(1, 20), F(9, 20), max_denominator=24),
    q=st.fractions(F(1, 10), F(9, 10), max_denominator=12),
)
@settings(max_examples=40, deadline=None)
def test_relations_between_the_bounds(c: int, k: int, C: F, eta: F, q: F) -> None:
    per_input = {"c": c, "k": k, "H": 2, "C": C, "eta": eta}
    product = neighbours.K_DEPENDENCE.exact(c=c, k=k) * neighbours.HEADS_PER_INPUT.exact(
        **per_input
    )
    assert neighbours.NEIGHBOURS.exact(**per_input) == product
    pairs = stage1.OFFENDERS.exact(eta=eta, C=C, n=9) * stage1.FEED_THRESHOLD.exact(
        c=c, eta=eta, C=C
    )
    assert stage1.PAIRS.exact(n=9, c=c) == pairs
    point = {"c": c, "k": k, "C": C, "eta": eta}
    exact, published = stage3.INDEPENDENT_EXACT, stage3.INDEPENDENT_STATED
    assert exact.exact(**point) >= published.exact(**point)
    finer, coarser = (b.ball(bits=200, q=q, **point) for b in (stage3.E9_EXACT, stage3.E9))
    assert not finer > coarser
    if stage2.CONDITION_REPAIRED.holds(**point):
        at = {"C": C, "n": 7, "eta": eta}
        assert stage2.STARS_REPAIRED.exact(c=c, k=k, **at) >= stage2.STARS_GOAL.exact(**at)


def completable(prefix: int, middle: tuple[int, ...]) -> bool:
    """Whether the fixed middle symbols (+1, -1, 0 for free) extend to a balanced word."""
    heights = {prefix}
    for symbol in middle:
        steps = (1, -1) if symbol == 0 else (symbol,)
        heights = {h + s for h in heights for s in steps if h + s >= 0}
    return prefix in heights


@pytest.mark.parametrize(("n", "a"), [(10, F(1, 5)), (10, F(1, 10)), (12, F(1, 3)), (8, F(1, 4))])
def test_bracket_budget_is_exact(n: int, a: Fraction) -> None:
    prefix = int(dyck.PREFIX.exact(a=a, n=n))
    middle = int(dyck.MIDDLE.exact(a=a, n=n))
    budget = int(dyck.BUDGET.exact(a=a, n=n))

    def always(fixed: int) -> bool:
        words = itertools.product((1, -1, 0), repeat=middle)
        return all(completable(prefix, w) for w in words if w.count(0) == middle - fixed)

    assert always(budget)
    assert not always(budget + 1)
    if a <= F(1, 4):
        share = dyck.RELATIVE_SHARE.exact(a=a)
        assert (1 - share) * (1 - 2 * a) == a


def test_every_entry_describes_itself() -> None:
    for name, entry in catalogue("bounds.reduction").items():
        assert isinstance(entry, Bound | Condition)
        assert entry.title, name
        assert entry.text.endswith("."), name
        assert entry.source.where, name
