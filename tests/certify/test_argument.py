"""The static argument includes all that happens, and faults break it."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from rasp import SOp, aggregate, best, indices, length, select, selector_width, tokens, tokens_int
from rasp.certify.argument import argue
from rasp.certify.deliveries import means
from rasp.compiler.pipeline import compile_program
from rasp.weights.exact import run_exact
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import Layer

UPTO = select(indices, indices, "<=")
HIST = selector_width(select(tokens, tokens, "=="))
PROGRAMS: dict[str, SOp] = {
    "hist": HIST,
    "reverse": aggregate(select(indices, length - 1 - indices, "=="), tokens),
    "prefix": aggregate(UPTO, tokens_int),
    "before": aggregate(select(indices, indices - 1, "=="), tokens, "-"),
    "double": selector_width(select(HIST, HIST, "==")),
    "leader": aggregate(best(UPTO, tokens_int), tokens),
    "rank": selector_width(select(tokens, tokens, "<")),
}


def compiled(name: str, n: int, *, causal: bool = False) -> CompiledModel:
    return compile_program(PROGRAMS[name].named(name), vocabulary="012", length=n, causal=causal)


CASES = [(name, causal) for name in sorted(PROGRAMS) for causal in (False, True)]
CASES.remove(("reverse", True))  # no row sees the end of the word


@pytest.mark.parametrize(("name", "causal"), CASES)
def test_it_settles_programs_and_bounds_what_happens(name: str, causal: bool) -> None:
    model = compiled(name, 4, causal=causal)
    argument = argue(model)
    assert argument.separated, argument.text()
    words = [w for n in range(1, 5) for w in product("012", repeat=n)]
    for head, seen in run_exact(model, words, returns=("gaps",)).gaps.items():
        found, stated = argument.separations[head]
        assert found is not None
        assert stated <= found <= seen
    if name not in ("double",):
        assert argument.proved, argument.text()


def test_a_separation_that_is_too_large_is_refuted() -> None:
    model = compiled("hist", 4)
    head = model.layers[0].heads[0]
    wide = replace(head, separation=head.separation * 3)
    broken = replace(model, layers=(Layer((wide,), model.layers[0].feed_forward),))
    argument = argue(broken)
    assert argument.separated is False
    assert not argument.proved
    assert "stated 3" in argument.text()


def test_a_moved_threshold_leaves_the_output_open() -> None:
    model = compiled("hist", 4)
    fed = model.layers[0].feed_forward
    assert fed is not None
    entries = {(r, c): v for r, c, v in fed.b1.entries()}
    at = next(iter(entries))
    entries[at] += Fraction(1, 7)
    moved = replace(fed, b1=Matrix.placed(fed.b1.shape, entries))
    broken = replace(model, layers=(Layer(model.layers[0].heads, moved),))
    argument = argue(broken)
    assert argument.separated
    assert argument.readable == {"hist": None}
    assert "cannot be read" in argument.text()


def test_a_row_of_bos_that_looks_at_the_word_is_noticed() -> None:
    model = compiled("hist", 3)
    head = model.layers[0].heads[0]
    flat = replace(head, query=Matrix.zeros(*head.query.shape))
    broken = replace(model, layers=(Layer((flat,), model.layers[0].feed_forward),))
    argument = argue(broken)
    assert not argument.proved
    assert "row of BOS" in argument.text()


def test_a_permutation_is_beyond_it_and_it_says_so() -> None:
    rank = selector_width(select(tokens, tokens, "<")) + selector_width(
        select(tokens, tokens, "==") & select(indices, indices, "<")
    )
    ordered = aggregate(select(rank, indices, "=="), tokens).named("sorted")
    argument = argue(compile_program(ordered, vocabulary="ab", length=4))
    assert argument.separated
    assert argument.readable == {"sorted": None}
    assert any("no word may reach" in reason for reason in argument.open)


def test_means_include_all_selections() -> None:
    vectors = [(Fraction(0),), (Fraction(1),)]
    offered = [(0, 0), (0, 1), (1, 0), (1, 1)]
    found = means(offered, {0}, vectors, None)
    assert found is not None
    assert {x for (x,) in found} == {Fraction(0), Fraction(1, 2), Fraction(1)}
    assert means([(0, 0), (1, 1)], {0, 1}, vectors, None) == [(Fraction(1, 2),)]
    plane = [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)), (Fraction(1), Fraction(1))]
    assert means([(0, 0), (1, 1), (1, 2)], {0, 1}, plane, None) is None


def test_what_is_argued_and_what_is_only_tried_is_said() -> None:
    program = selector_width(select(tokens, tokens, "==")).named("hist")
    text = argue(compile_program(program, vocabulary="ab", length=3)).text()
    assert text.startswith("argued for every word, without running any: how far heads separate")
    assert "the program's value is only tried" in text
