"""Lemma E: the encoder is injective and the decoder inverts it, on small and random processes."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.limits.encoding import codes, decode, encode
from bounds.limits.process import Module, Process, Restriction, Term, Tree, canonical_depth
from bounds.limits.verifier import code

Kinds = tuple[tuple[str, int], ...]


def restrictions(m: int, s: int) -> list[Restriction]:
    return [r for r in product((0, 1, None), repeat=m) if r.count(None) == s]


def random_term(m: int, w: int, rng: np.random.Generator) -> Term:
    names = rng.permutation(m)[: rng.integers(1, w + 1)]
    return tuple((int(v), int(rng.integers(2))) for v in names)


def random_tree(m: int, depth: int, rng: np.random.Generator, used: tuple[int, ...] = ()) -> Tree:
    free = [v for v in range(m) if v not in used]
    if depth == 0 or not free or rng.random() < 0.1:
        return Tree(label=int(rng.integers(4)))
    v = int(rng.choice(free))
    low, high = (random_tree(m, depth - 1, rng, (*used, v)) for _ in range(2))
    return Tree(variable=v, branches=(low, high))


def random_process(kinds: Kinds, m: int, seed: int) -> Process:
    made: dict[tuple[int, tuple[int, ...]], Module] = {}

    def module(i: int, outcomes: tuple[int, ...]) -> Module:
        key = (i, outcomes)
        if key not in made:
            rng = np.random.default_rng([seed, i, *[o + 1 for o in outcomes]])
            kind, w = kinds[i]
            if kind == "tree":
                made[key] = random_tree(m, w, rng)
            else:
                made[key] = tuple(random_term(m, w, rng) for _ in range(rng.integers(1, 7)))
        return made[key]

    return Process(kinds, module)


KINDS: list[Kinds] = [
    (("list", 1),),
    (("list", 2),),
    (("list", 3),),
    (("tree", 2), ("list", 2)),
    (("tree", 1), ("list", 1), ("list", 1), ("list", 2)),
    (("list", 2), ("tree", 2), ("list", 1)),
]


@pytest.mark.parametrize("kinds", KINDS, ids=str)
def test_codes_are_counted_by_the_series(kinds: Kinds) -> None:
    for t in range(1, 5):
        listed = list(codes(kinds, t))
        assert len(set(listed)) == len(listed) == code(list(kinds), t)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 10**6), st.integers(1, 3), st.integers(0, 3))
def test_decoding_inverts_encoding(kinds: Kinds, seed: int, t: int, more: int) -> None:
    m, s = 4, min(t + more, 4)
    t = min(t, s)
    process = random_process(kinds, m, seed)
    deep = [r for r in restrictions(m, s) if canonical_depth(process, r) >= t]
    images = [encode(process, r, t) for r in deep]
    assert [decode(process, image) for image in images] == deep
    assert all(image.restriction.count(None) == s - t for image in images)
    allowed = set(codes(kinds, t))
    assert all(image.code in allowed for image in images)
    assert len(deep) <= comb(m, s - t) * 2 ** (m - s + t) * len(allowed)


@pytest.mark.slow
def test_every_list_of_three_short_terms_on_three_variables_obeys_the_bound() -> None:
    terms = [
        tuple(zip(names, bits, strict=True))
        for y in (1, 2)
        for names in combinations(range(3), y)
        for bits in product((0, 1), repeat=y)
    ]
    bound = {
        (s, t): comb(3, s - t) * 2 ** (3 - s + t) * code([("list", 2)], t)
        for s in (1, 2, 3)
        for t in range(1, s + 1)
    }
    worst = 0.0
    # flips and permutations of variables fix the first term up to symmetry
    for first in (terms[0], terms[6]):
        for second, third in product(terms, repeat=2):
            process = Process.fixed((("list", 2),), ((first, second, third),))
            depths = {r: canonical_depth(process, r) for r in product((0, 1, None), repeat=3)}
            for (s, t), limit in bound.items():
                deep = sum(d >= t for r, d in depths.items() if r.count(None) == s)
                assert deep <= limit
                worst = max(worst, deep / limit)
    assert 0.5 < worst <= 1


def test_a_long_list_of_literals_nearly_reaches_the_bound() -> None:
    m = 7
    chain = tuple(((v, 1),) for v in range(m))
    process = Process.fixed((("list", 1),), (chain,))
    deep = sum(canonical_depth(process, r) >= 1 for r in restrictions(m, 1))
    limit = 2**m * code([("list", 1)], 1)
    assert (deep, limit) == (127, 128)
    assert deep > 0.99 * limit  # one percent less would be false
