import itertools

import numpy as np
import pytest
from hard_models import as_functions, random_dot, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.families import oracle
from attention.hard import TableTransformer, trace
from attention.scoring import unpack
from restrictions.propagate import Caps, Propagator
from restrictions.rows import BlowUp

WIDE = Caps(position=100_000, layer=1_000_000)


def cell(draw_case):
    """A random model with a random restriction and all its completions."""
    seed, layers, heads, ties, mask, family = draw_case
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    if family == "dot":
        model = random_dot(n, layers, heads, rng, d=3, ties=ties, mask=mask)
    else:
        model = random_table(
            n,
            layers,
            heads,
            int(rng.integers(2, 6)),
            rng,
            ties=ties,
            mask=mask,
            spread=int(rng.choice([2, 50])),
            position_aware=family == "aware",
        )
    if family == "functions":
        model = as_functions(model)
    true = false = 0
    for j in range(n):
        kind = rng.integers(3)
        true |= (kind == 1) << j
        false |= (kind == 2) << j
    return model, int(true), int(false)


CASES = st.tuples(
    st.integers(0, 10**9),
    st.integers(1, 3),
    st.integers(1, 2),
    st.sampled_from(["leftmost", "rightmost"]),
    st.sampled_from(["full", "causal"]),
    st.sampled_from(["aware", "blind", "dot", "functions"]),
)


def completions(n, true, false):
    for word in itertools.product((0, 1), repeat=n):
        mask = sum(b << j for j, b in enumerate(word))
        if mask & true == true and mask & false == 0:
            yield mask, word


@settings(max_examples=60, deadline=None)
@given(CASES)
def test_every_completion_is_covered_by_an_item_whose_cube_contains_it(draw_case) -> None:
    model, true, false = cell(draw_case)
    prop = Propagator(model, [("0", "1")] * model.n)
    setting = prop.setting(true, false)
    layers = {k: prop.layer(setting, k, WIDE) for k in range(1, model.layers)}
    final = prop.final(setting, WIDE)
    for mask, word in completions(model.n, true, false):
        run = trace(model, [model.alphabet[b] for b in word])
        for k, layer in layers.items():
            values = unpack(layer.values)
            for i in range(model.n):
                assert any(
                    values[u] == run.activations[k][i]
                    and layer.cubes[u] & ~(mask | (mask ^ (1 << model.n) - 1) << model.n) == 0
                    for u in range(layer.starts[i], layer.starts[i + 1])
                )
        assert any(
            out == run.output and pos & ~mask == 0 and neg & mask == 0
            for out, pos, neg in final.items
        )


@settings(max_examples=30, deadline=None)
@given(CASES)
def test_one_layer_is_exact(draw_case) -> None:
    model, true, false = cell((draw_case[0], 1, *draw_case[2:]))
    prop = Propagator(model, [("0", "1")] * model.n)
    actual = {
        trace(model, [model.alphabet[b] for b in word]).output
        for _, word in completions(model.n, true, false)
    }
    assert prop.final(prop.setting(true, false), WIDE).outputs == actual


@settings(max_examples=25, deadline=None)
@given(CASES, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=6))
def test_incremental_propagation_equals_a_fresh_one(draw_case, changes) -> None:
    model, true, false = cell(draw_case)
    prop = Propagator(model, [("0", "1")] * model.n)
    setting = prop.setting(true, false)
    for j, kind in changes:
        if j >= model.n:
            continue
        prop.final(setting, WIDE)
        true, false = true & ~(1 << j), false & ~(1 << j)
        true |= (kind == 1) << j
        false |= (kind == 2) << j
        setting = prop.setting(true, false, base=setting)
    fresh = Propagator(model, [("0", "1")] * model.n)
    assert sorted(prop.final(setting, WIDE).items) == sorted(
        fresh.final(fresh.setting(true, false), WIDE).items
    )


def test_long_lists_are_extended_and_caps_raise() -> None:
    """A head that prefers the 1 furthest to the left walks over every position."""
    n = 300
    scores = np.zeros((1, 2, n, 2), dtype=int)
    scores[0, :, :, 1] = 2 * n - np.arange(n)
    scores[0, :, :, 0] = -np.arange(n)
    model = TableTransformer(
        n=n,
        alphabet=("0", "1"),
        embedding=[[0, 1]],
        scores=[[scores]],
        acts=[np.array([[[0, 1], [0, 1]]])],
        outputs=(False, True),
    )
    prop = Propagator(model, [("0", "1")] * n)
    final = prop.final(prop.setting(0, 0), WIDE)
    assert final.outputs == {False, True}
    assert len(final.items) == 2 * n
    # beyond the cap, cases that attend to equal values are merged: two by two of them
    small = prop.final(prop.setting(0, 0), Caps(position=20, layer=10_000))
    assert small.outputs == {False, True}
    assert len(small.items) <= 20
    told_apart = Propagator(oracle(60, 1, 1, seed=0), [("0", "1")] * 60)
    with pytest.raises(BlowUp):
        told_apart.final(told_apart.setting(0, 0), Caps(position=20, layer=10_000))


@settings(max_examples=40, deadline=None)
@given(CASES, st.integers(2, 12))
def test_merging_under_a_small_cap_keeps_every_completion_covered(draw_case, cap) -> None:
    model, true, false = cell(draw_case)
    prop = Propagator(model, [("0", "1")] * model.n)
    setting = prop.setting(true, false)
    caps = Caps(position=cap, layer=1000, last=cap)
    try:
        final = prop.final(setting, caps)
        constant = prop.constant(setting, caps)
    except BlowUp:
        return
    assert constant == (tuple(final.outputs) if len(final.outputs) == 1 else None)
    for mask, word in completions(model.n, true, false):
        output = trace(model, [model.alphabet[b] for b in word]).output
        assert any(
            out == output and pos & ~mask == 0 and neg & mask == 0 for out, pos, neg in final.items
        )
