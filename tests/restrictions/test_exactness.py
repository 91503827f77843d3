import itertools
from fractions import Fraction

import numpy as np
import pytest
from hard_models import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.bitparallel import model_truth_table
from attention.constructions.recognisers import tribes
from attention.constructions.trees import needle, parity_tree
from attention.families import oracle
from attention.hard import evaluate
from languages import language
from languages.sensitivity import TruthTable, truth_table
from restrictions.accuracy import accuracy_bounds
from restrictions.certify import Certified, certify
from restrictions.counting import CountingError, members_in
from restrictions.optimum import largest_constant_subcubes
from restrictions.probe import positions
from restrictions.restriction import Restriction, RestrictionError
from restrictions.sat import constant_by_sat, insensitive_edge


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(0, 2**16 - 1))
def test_largest_constant_subcubes_are_the_largest(n, code) -> None:
    values = [bool(code >> x & 1) for x in range(2**n)]
    fixing, value = next(largest_constant_subcubes(TruthTable.of_values(n, np.array(values))))
    held = fixing.true | fixing.false
    assert {values[x] for x in range(2**n) if x & held == fixing.true} == {value}
    for size in range(len(fixing)):
        for fixed in itertools.combinations(range(n), size):
            for bits in itertools.product((0, 1), repeat=size):
                inside = [
                    x
                    for x in range(2**n)
                    if all(x >> j & 1 == b for j, b in zip(fixed, bits, strict=True))
                ]
                assert len({values[x] for x in inside}) == 2


@pytest.mark.parametrize("seed", range(8))
def test_search_reaches_the_optimum_within_two_for_two_layers(seed) -> None:
    model = random_table(10, 2, 1 + seed % 2, 6, np.random.default_rng(seed), spread=10**6)
    best, _ = next(largest_constant_subcubes(model_truth_table(model)))
    found = certify(model, seconds=0.6, rng=np.random.default_rng(0), enough=len(best))
    assert isinstance(found, Certified)
    assert len(best) <= 10 - found.restriction.dimension <= len(best) + 2


@pytest.mark.parametrize(("n", "block"), [(16, 4), (64, 8), (36, 4)])
def test_search_finds_the_optimum_of_ands_of_ors(n, block) -> None:
    optimum = min(block, n // block)
    found = certify(tribes(n, block), seconds=3, rng=np.random.default_rng(0), enough=optimum)
    assert isinstance(found, Certified)
    assert n - found.restriction.dimension == optimum


def test_one_layer_needs_at_most_one_more_than_its_heads() -> None:
    for heads in (1, 2, 4):
        for seed in range(5):
            found = certify(oracle(40, 1, heads, seed=seed), rng=np.random.default_rng(0))
            assert isinstance(found, Certified)
            assert 40 - found.restriction.dimension <= heads + 1


def test_parity_trees_yield_no_witness_and_sat_proves_that_none_exists() -> None:
    tree = parity_tree(2, 2)  # 9 bits
    assert insensitive_edge(tree).answer == "no"
    found = certify(tree, seconds=0.5, rng=np.random.default_rng(0))
    # a constant subcube of parity has no free position
    assert not isinstance(found, Certified) or found.restriction.dimension == 0


def test_sat_finds_the_needle_that_random_words_cannot() -> None:
    target = "0110100110010110"
    model = needle(2, 3, target)
    found = insensitive_edge(model)
    assert found.answer == "yes"
    word = list(found.word)
    other = list(word)
    other[found.position] = "10"[int(word[found.position])]
    assert evaluate(model, word) == evaluate(model, other)
    assert target in ("".join(word), "".join(other))


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10**9),
    st.integers(1, 3),
    st.integers(1, 2),
    st.sampled_from(["leftmost", "rightmost"]),
    st.sampled_from(["full", "causal"]),
)
def test_sat_agrees_with_brute_force_on_constancy(seed, layers, heads, ties, mask) -> None:
    rng = np.random.default_rng(seed)
    model = random_table(5, layers, heads, 3, rng, spread=3, ties=ties, mask=mask)
    rho = Restriction(tuple([("0", "1"), ("0",), ("1",)][k] for k in rng.integers(0, 3, 5)))
    outputs = {evaluate(model, w) for w in rho.completions()}
    for output in (False, True):
        found = constant_by_sat(model, rho, output)
        assert found.answer == ("yes" if outputs == {output} else "no")
        if found.answer == "no":
            assert rho.contains(found.word)
            assert evaluate(model, found.word) != output


def test_certificates_are_re_proved_by_sat() -> None:
    for seed in range(3):
        model = random_table(32, 2, 1, 5, np.random.default_rng(seed), spread=10**6)
        found = certify(model, seconds=1, rng=np.random.default_rng(0), enough=5)
        assert isinstance(found, Certified)
        assert constant_by_sat(model, found.restriction, found.output).answer == "yes"
        assert constant_by_sat(model, found.restriction, not found.output).answer == "no"


def test_accuracy_bounds_enclose_the_truth_and_close_for_one_layer() -> None:
    for seed, layers in ((0, 1), (1, 1), (2, 2)):
        model = random_table(10, layers, 1, 4, np.random.default_rng(seed), spread=100)
        bounds = accuracy_bounds(model, language("parity"), seconds=2)
        wrong = model_truth_table(model).words ^ truth_table(language("parity"), 10).words
        actual = 1 - Fraction(int(np.bitwise_count(wrong).sum()), 1024)
        assert bounds.low <= actual <= bounds.high
        if layers == 1:
            assert bounds.low == bounds.high == actual


@pytest.mark.parametrize(("n", "heads"), [(1024, 1), (128, 2)])
def test_one_layer_parity_accuracy_is_exactly_one_half(n, heads) -> None:
    bounds = accuracy_bounds(oracle(n, 1, heads, seed=0), language("parity"), seconds=20)
    assert bounds.low == bounds.high == Fraction(1, 2)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["parity", "mod3", "majority", "ones", "first", "dyck1", "dyck2"]),
    st.integers(1, 8),
    st.integers(0, 10**6),
)
def test_member_counts_agree_with_enumeration(name, n, seed) -> None:
    lang, rng = language(name), np.random.default_rng(seed)
    if name == "dyck2":
        member = lang.sample(n + n % 2, member=True, rng=rng)
        choices = [("(", "[") if s in "([" else (")", "]") for s in member]
        choices = [c if rng.random() < 0.6 else (s,) for c, s in zip(choices, member, strict=True)]
    else:
        choices = [
            tuple(lang.alphabet) if rng.random() < 0.6 else (lang.alphabet[int(rng.integers(2))],)
            for _ in range(n)
        ]
    rho = Restriction(tuple(choices))
    assert members_in(lang, rho) == sum(lang.contains(w) for w in rho.completions())


def test_counts_out_of_reach_and_impossible_restrictions_are_refused() -> None:
    with pytest.raises(CountingError, match="decided"):
        members_in(language("dyck2"), Restriction(((")", "["),) * 4))
    with pytest.raises(RestrictionError, match="n <= 14"):
        next(largest_constant_subcubes(truth_table(language("parity"), 15)))
    with pytest.raises(RestrictionError, match="at least one"):
        Restriction(((),))
    free = Restriction.free("01", 3)
    with pytest.raises(RestrictionError, match="fixed otherwise"):
        free.fix({0: "1"}).fix({0: "0"})
    with pytest.raises(RestrictionError, match="at least one"):
        free.fix({0: "1"}).compose(free.fix({0: "0"}))
    assert free.fix({0: "1"}).compose(free.fix({1: "0"})).apply("011") == ("1", "0", "1")
    assert list(positions(0b1010)) == [1, 3]
