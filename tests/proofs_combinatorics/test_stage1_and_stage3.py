"""Stage 1 counts, Stage 3 probabilities and the textbook theorems, by independent means."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims import ForAll, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.combinatorics.independence import (
    Missed,
    greedy,
    missed_families,
    most_shared,
)
from proofs.hahn2020.combinatorics.orders import Order
from proofs.hahn2020.combinatorics.stage1 import feedings
from proofs.hahn2020.stage3 import dependency, independence
from proofs.textbook import chernoff, local_lemma

MASKS = st.lists(st.integers(1, 31), min_size=1, max_size=6)


def test_stage1_has_something_to_do_in_the_family() -> None:
    offenders = [case.offenders() for case in feedings()]
    assert sum(count > 0 for count in offenders) > 100


@given(masks=MASKS)
def test_greedy_sets_are_disjoint_and_cannot_be_extended(masks: list[int]) -> None:
    kept = greedy(masks)
    assert all(not masks[i] & masks[j] for i, j in combinations(kept, 2))
    used = sum(masks[i] for i in kept)
    assert all(mask & used for i, mask in enumerate(masks) if i not in kept)


@given(masks=MASKS)
def test_most_shared_counts_memberships(masks: list[int]) -> None:
    assert most_shared(masks) == max(sum(m >> i & 1 for m in masks) for i in range(5))


def test_probabilities_agree_with_inclusion_and_exclusion() -> None:
    for case in list(missed_families())[::37]:
        n = len(case.order)
        total = Fraction(0)
        for size in range(n + 1):
            for hit in combinations(range(n), size):
                ones = {i for s in hit for i in range(4) if case.targets[s] >> i & 1}
                zeros = {
                    i
                    for s in hit
                    for i in range(4)
                    if case.order.masks[s] >> i & 1 and not case.targets[s] >> i & 1
                }
                chance = Fraction(0) if ones & zeros else Fraction(1, 6) ** len(ones | zeros)
                total += (-1) ** size * chance
        assert case.probability(range(n)) == total


def test_overlapping_events_do_not_multiply() -> None:
    case = Missed(Order.of("a", "a"), (1, 0), 1)
    assert case.probability((0, 1)) != case.probability([0]) * case.probability([1])


def test_the_inference_fails_on_the_complete_graph() -> None:
    text = independence.INFERENCE.check(independence.INFERENCE.statement).witness["case"]
    edges = {tuple(part.split("-")) for part in text.split("pairs ")[1].split(", ")}
    assert len(edges) == comb(4, 2)  # every two of the four events: one independent, 4/3 asked


def test_events_missing_from_the_papers_set_exceed_f() -> None:
    assert dependency.AS_STATED.check(dependency.AS_STATED.statement).verdict is Verdict.REFUTED
    used = (8, 12, 19, 22, 28, 33, 41, 45, 46, 47)
    heads = 2 * len({(d - e) % 53 for d in used for e in used})  # the head itself included
    f = Fraction(4 * 25 * 100, 49)
    assert heads - 1 <= f < 2 * heads - 1


@pytest.mark.parametrize(("m", "q"), [(7, Fraction(1, 3)), (12, Fraction(3, 8))])
def test_chernoff_cases_cover_every_delta(m: int, q: Fraction) -> None:
    cases = [t for t in chernoff.lattice_tails() if (t.m, t.q) == (m, q)]
    for delta in (Fraction(i, 40) for i in range(1, 41)):
        least = -(-(1 + delta) * q * m // 1)
        tail = sum(comb(m, j) * q**j * (1 - q) ** (m - j) for j in range(int(least), m + 1))
        covering = [t for t in cases if t.delta >= delta and t.value >= tail]
        assert covering or tail == 0


def test_chernoff_decisions_agree_with_high_precision() -> None:
    with mpmath.workdps(40):
        for case in list(chernoff.far_tails()) + list(chernoff.lattice_tails())[::500]:
            bound = mpmath.exp(
                -(mpmath.mpf(case.delta.numerator) ** 2)
                / case.delta.denominator**2
                * case.m
                * case.q.numerator
                / case.q.denominator
                / 3
            )
            tail = mpmath.mpf(case.value.numerator) / case.value.denominator
            assert chernoff.below_chernoff(case) == (tail <= bound)


def test_a_chernoff_bound_that_decays_twice_as_fast_is_refuted() -> None:
    def below_square(case: chernoff.Tail) -> bool:
        twice = chernoff.Tail(case.m, 2 * case.q, case.delta, case.value)
        return chernoff.below_chernoff(twice)  # exp(-2 delta^2 q m / 3)

    statement = ForAll("twice", chernoff.SCOPE, chernoff.lattice_tails, below_square)
    assert exhaustive.decide()(statement).verdict is Verdict.REFUTED


def test_local_lemma_instances_satisfy_the_hypotheses_and_are_not_vacuous() -> None:
    graphs = set()
    for case in list(local_lemma.instances())[::7]:
        atoms = [Fraction(p, 12) for p in case.atoms]
        assert sum(atoms) == 1
        for i in range(3):
            alone = sum(p for a, p in enumerate(atoms) if a >> i & 1)
            near = [j for j in range(3) if {(i, j), (j, i)} & set(case.edges)]
            assert alone <= case.weights[i] * prod(1 - case.weights[j] for j in near)
            far = [j for j in range(3) if j != i and j not in near]
            for signs in product((0, 1), repeat=len(far)):
                wanted = [
                    a
                    for a in range(8)
                    if all(a >> j & 1 == s for j, s in zip(far, signs, strict=True))
                ]
                joint = sum(atoms[a] for a in wanted if a >> i & 1)
                assert joint == alone * sum(atoms[a] for a in wanted)
            if alone:
                graphs.add(case.edges)
    assert graphs == set(local_lemma.GRAPHS)
