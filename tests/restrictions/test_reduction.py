import itertools
from fractions import Fraction

import numpy as np
import pytest
from hard_models import random_dot, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.constructions.trees import parity_tree
from attention.families import oracle, sinusoidal
from attention.hard import evaluate, trace
from restrictions.attainable import ScoreTable
from restrictions.ctransformer import CTransformer, lift, next_leaves
from restrictions.probe import Fixing, positions
from restrictions.reduction import reduce_depth, reduce_layers
from restrictions.restriction import RestrictionError
from restrictions.rows import BlowUp
from restrictions.stages import StageError, cover, moser_tardos, stage1

MODELS = st.tuples(
    st.integers(0, 10**9),
    st.integers(1, 3),
    st.integers(1, 2),
    st.sampled_from(["leftmost", "rightmost"]),
    st.sampled_from(["full", "causal"]),
    st.booleans(),
)


def build(drawn, n):
    seed, layers, heads, ties, mask, dot = drawn
    rng = np.random.default_rng(seed)
    if dot:
        return random_dot(n, layers, heads, rng, d=3, ties=ties, mask=mask)
    return random_table(n, layers, heads, 4, rng, ties=ties, mask=mask, spread=4)


@settings(max_examples=15, deadline=None)
@given(MODELS)
def test_leaves_partition_all_inputs_and_compute_every_layer(drawn) -> None:
    """Without any restriction the c-transformers of all layers equal the model everywhere."""
    model = build(drawn, 4)
    stages = [lift(model)]
    while stages[-1].layers:
        last = stages[-1]
        stages.append(
            CTransformer(model, last.ground, last.removed + 1, last.fixing, next_leaves(last))
        )
    for word in itertools.product("01", repeat=4):
        run = trace(model, word)
        mask = sum((s == "1") << j for j, s in enumerate(word))
        for k, stage in enumerate(stages):
            for i, leaves in enumerate(stage.activations):
                hits = [v for v, pos, neg in leaves if pos & ~mask == 0 and neg & mask == 0]
                assert hits == [run.activations[k][i]]
            assert stage.evaluate(word) == run.output


@settings(max_examples=12, deadline=None)
@given(MODELS, st.integers(1, 3), st.sampled_from(["greedy", "moser-tardos"]))
def test_reductions_keep_the_function_and_end_in_a_constant(drawn, k, method) -> None:
    n = 8
    model = build(drawn, n)
    found = reduce_layers(model, k=k, method=method, rng=np.random.default_rng(0))
    rng = np.random.default_rng(1)
    for step in found.steps:
        assert step.c_after <= step.c_bound
        assert step.stars_before - step.stars_after == step.stage1 + step.stage2 + step.stage3
        fixing, ground = step.transformer.fixing, step.transformer.ground
        for _ in range(6):
            word = list(ground.draw(rng))
            for j in positions(fixing.true | fixing.false):
                word[j] = "01"[fixing.true >> j & 1]
            assert step.transformer.evaluate(word) == evaluate(model, word)
    for word in itertools.islice(found.restriction.completions(), 64):
        assert evaluate(model, word) == found.output


def test_k_adapts_to_what_is_within_reach_and_may_differ_from_layer_to_layer() -> None:
    model, rng = oracle(24, 3, 1, seed=2), np.random.default_rng(0)
    caps = {cap: reduce_layers(model, rng=rng, cap=cap) for cap in (20_000, 40)}
    assert [step.k for step in caps[20_000].steps] == [4, 4]
    assert min(step.k for step in caps[40].steps) < 4
    assert all(step.leaves <= 40 for step in caps[40].steps)
    mixed = reduce_layers(model, k=(4, 1), rng=rng)
    assert [step.k for step in mixed.steps] == [4, 1]
    with pytest.raises(RestrictionError, match="give one each"):
        reduce_layers(model, k=(4,), rng=rng)
    with pytest.raises(BlowUp):
        reduce_layers(model, k=4, rng=rng, cap=3)


def test_every_head_attends_inside_its_captured_prefix() -> None:
    """The witness of a pair bounds where the head looks, on every completion that was drawn."""
    model = oracle(24, 1, 2, seed=4)
    table = ScoreTable(lift(model))
    fixing = Fixing().with_literals([2 * j + j % 2 for j in range(0, 24, 3)])
    pairs = list(table.pairs(fixing, limit=24))
    rng = np.random.default_rng(0)
    for _ in range(6):
        word = ["01"[b] for b in rng.integers(0, 2, 24)]
        for j in positions(fixing.true | fixing.false):
            word[j] = "01"[fixing.true >> j & 1]
        run = trace(model, word)
        for pair in pairs:
            leaves = lift(model).activations[pair.position]
            if run.activations[0][pair.position] == leaves[pair.leaf][0]:
                place = run.attended[0][pair.head][pair.position]
                assert place in pair.prefix or place == pair.witness


def test_satisfied_pairs_stay_satisfied_under_further_restriction() -> None:
    table = ScoreTable(lift(oracle(60, 1, 2, seed=2)))
    limit = 4
    rng = np.random.default_rng(0)
    fixing, satisfied = Fixing(), set()
    for _ in range(8):
        fixing = fixing.with_literals(
            2 * int(j) + int(b)
            for j, b in zip(rng.integers(0, 60, 5), rng.integers(0, 2, 5), strict=True)
        )
        now = {
            (p.head, p.position, p.leaf) for p in table.pairs(fixing, limit) if p.feeding <= limit
        }
        alive = {(p.head, p.position, p.leaf) for p in table.pairs(fixing, limit)}
        assert satisfied & alive <= now
        satisfied = now
    assert satisfied


def test_cover_satisfies_every_pair_and_moser_tardos_does_too() -> None:
    transformer = lift(oracle(200, 1, 1, seed=0))
    table = ScoreTable(transformer)
    k = 6
    greedy = cover(table, Fixing(), k=k, more_than=0)
    assert greedy.unsatisfied == 0
    assert all(p.feeding <= k for p in table.pairs(greedy.fixing, k))
    drawn = moser_tardos(table, Fixing(), k=k, q=0.6, rng=np.random.default_rng(0))
    assert drawn.satisfied
    assert all(p.feeding <= k for p in table.pairs(drawn.fixing, k))
    assert len(greedy.fixing) < len(drawn.fixing) < 200
    stuck = moser_tardos(table, Fixing(), k=1, q=0.05, rng=np.random.default_rng(0), most=50)
    assert not stuck.satisfied
    assert stuck.resamples == 50


def test_satisfied_heads_depend_on_few_inputs() -> None:
    """S2b: c (2^c k + 1) inputs at most, measured after the greedy cover."""
    for heads, k in ((1, 3), (1, 8), (2, 4)):
        step = reduce_depth(
            lift(sinusoidal(48, 2, heads, rng=np.random.default_rng(3))),
            k=k,
            rng=np.random.default_rng(0),
        )
        assert step.c_after <= 1 + 2 * k * heads
        assert "layer 1 removed" in step.text()


def test_stage_1_fixes_heavy_inputs_only() -> None:
    transformer = lift(oracle(12, 2, 1, seed=0))
    heavy = CTransformer(
        transformer.model,
        transformer.ground,
        1,
        Fixing(),
        tuple(
            ((0, 0, 1 | 1 << i), (1, 1, 0), (2, 1 << i & ~1, 1)) if i else ((0, 0, 1), (1, 1, 0))
            for i in range(12)
        ),
    )
    fixed = stage1(heavy, Fraction(1, 3))
    assert list(positions(fixed.true | fixed.false)) == [0]
    assert len(stage1(transformer, Fraction(1, 3))) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: stage1(t, Fraction(1, 2)), "between 0 and 1/2"),
        (lambda t: cover(ScoreTable(t), Fixing(), k=0, more_than=0), "k >= 1"),
        (
            lambda t: moser_tardos(
                ScoreTable(t), Fixing(), k=1, q=1.0, rng=np.random.default_rng(0)
            ),
            "probability",
        ),
    ],
)
def test_parameters_out_of_range_are_refused(call, words) -> None:
    with pytest.raises(StageError, match=words):
        call(lift(oracle(6, 1, 1, seed=0)))


@pytest.mark.parametrize(("layers", "heads", "n"), [(1, 3, 6), (2, 1, 7), (2, 2, 12)])
def test_a_parity_tree_depends_on_exactly_its_leaves(layers, heads, n) -> None:
    model = parity_tree(layers, heads, n=n)
    transformer = lift(model)
    while transformer.layers:
        transformer = CTransformer(
            model, transformer.ground, transformer.removed + 1, Fixing(), next_leaves(transformer)
        )
    leaves = (heads + 1) ** layers
    assert list(positions(transformer.sources(n - 1))) == list(range(n - leaves, n))
