"""Layers and heads: the paper's table, sharing, optimal schedules and their certificates."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.analysis.heads import Operation, Problem
from rasp.analysis.optimal import Crowding, encode, narrowest
from rasp.analysis.report import analyse
from rasp.analysis.rup import proves_unsatisfiable
from rasp.graph import Aggregate, Constant, Indices, Select
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

TABLE = {
    "reverse": (1, 1),
    "hist_bos": (1,),
    "hist_nobos": (2,),
    "hist2_bos": (2, 1),
    "sort_bos": (1, 1),
    "sort_by_most_freq": (2, 1, 1),
    "dyck1_ptf": (1, 1),
    "dyck2_ptf": (1, 2, 1, 1),
    "dyck3_ptf": (1, 2, 1, 1),
}
LIBRARY = {
    "length": (1,),
    "selector_width(select(tokens, tokens, ==))": (2,),
    "has_focus(full_s)": (1,),
    'count(tokens, "a")': (1,),
    'contains(tokens, "a")': (1,),
    "average(indices)": (1,),
    'shift(tokens, 1, "-")': (1,),
    "load_from_location(tokens, 0)": (1,),
    "load_from_location(tokens, length - 1)": (1, 1),
    'mark_last_instance(tokens, "a")': (1,),
    'mark_first_instance(tokens, "a")': (1,),
    "tokens[0]": (1,),
    "tokens[-1]": (1, 1),
    '"a" in tokens': (1,),
    'aggregate(select_from_last(tokens, "a"), indices)': (1, 1),
    'aggregate(select_from_first(tokens, "a"), indices)': (1, 1),
    "sort(tokens, tokens)": (2, 1),
    "aggregate(select_next_identical(tokens), indices)": (2, 1),
    "max(indices, 2)": (),
}


def sop(text: str, before: str = "") -> SOp:
    session = Session(read=library_text)
    events = list(session.run(f"{before}\nresult = {text};"))
    assert events[-1].error is None, events[-1].note
    value = session.console.variables["result"]
    assert isinstance(value, SOp)
    return value


@pytest.mark.parametrize("name", TABLE)
def test_the_papers_programs_have_the_papers_sizes(name: str) -> None:
    assert analyse(sop(name, 'load "paper_examples";')).written == TABLE[name]


@pytest.mark.parametrize("text", LIBRARY)
def test_sizes_of_the_library(text: str) -> None:
    assert analyse(sop(text)).written == LIBRARY[text]


def test_writing_a_selector_twice_costs_a_head_until_shared() -> None:
    before = "s = select(tokens, tokens, ==);"
    twice = analyse(sop("selector_width(s) + selector_width(s)", before))
    assert (twice.written, twice.shared) == ((4,), (2,))
    full = analyse(sop("aggregate(select(1, 1, ==), indices) + aggregate(full_s, indices)"))
    assert (full.written, full.shared) == ((2,), (1,))


def test_best_saves_dyck2_a_layer_and_a_head() -> None:
    program = library_text("stdlib")
    assert analyse(sop('dyck_prefixes(["()", "{}"])', program)).written == (1, 1, 1)


PATTERN = Select(Indices(), Constant(0), "==")


def operation(head: int, after: tuple[int, ...]) -> Operation:
    return Operation(Aggregate(PATTERN, Indices()), PATTERN, head, after)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    count = draw(st.integers(1, 7))
    operations = []
    for index in range(count):
        after = draw(st.lists(st.integers(0, index - 1), unique=True, max_size=2)) if index else []
        operations.append(operation(draw(st.integers(0, 4)), tuple(sorted(after))))
    return Problem(tuple(operations))


def brute_force(problem: Problem) -> int:
    best = len(problem.operations)
    spans = [
        range(early, late + 1) for early, late in zip(problem.earliest, problem.latest, strict=True)
    ]
    for layers in product(*spans):
        try:
            best = min(best, max(problem.heads(layers)))
        except ValueError:
            continue
    return best


@settings(max_examples=60, deadline=None)
@given(problems())
def test_the_optimum_is_that_of_trying_everything(problem: Problem) -> None:
    optimum = narrowest(problem)
    assert optimum.verify(problem)
    assert len(optimum.heads) == problem.depth
    assert optimum.width == brute_force(problem)


def hard() -> Problem:
    """A problem whose least width no interval of layers explains by counting."""
    heads = ((4,), (1,), (1, 0), (4, 0, 1), (5,), (0,), (2,), (3, 3))
    return Problem(
        tuple(operation(head, after) for head, *rest in heads for after in [tuple(rest)])
    )


def test_a_refutation_certifies_what_counting_cannot() -> None:
    optimum = narrowest(hard())
    assert optimum.heads == (3, 3, 2)
    assert optimum.crowding is None
    assert optimum.proof
    assert optimum.verify(hard())
    assert brute_force(hard()) == 3


def test_certificates_do_not_survive_tampering() -> None:
    optimum = narrowest(hard())
    assert not replace(optimum, proof=()).verify(hard())
    assert not replace(optimum, chain=optimum.chain[:-1]).verify(hard())
    assert not replace(optimum, chain=optimum.chain[::-1]).verify(hard())
    assert not replace(optimum, heads=(3, 2, 2)).verify(hard())
    assert not replace(optimum, crowding=Crowding(1, 1, 3)).verify(hard())
    early = (1,) * len(optimum.layers)
    with pytest.raises(ValueError, match="not a schedule"):
        replace(optimum, layers=early).verify(hard())


def test_the_refutation_checker_wants_every_step_justified() -> None:
    pigeons = [[1, 2], [3, 4], [5, 6], [-1, -3], [-1, -5], [-3, -5], [-2, -4], [-2, -6], [-4, -6]]
    assert proves_unsatisfiable(pigeons, [[1]])
    assert not proves_unsatisfiable(pigeons, [])
    assert not proves_unsatisfiable(pigeons[:-1], [[1]])
    assert not proves_unsatisfiable([[1, 2]], [[]])


def test_enough_heads_cannot_be_refuted() -> None:
    optimum = narrowest(hard())
    clauses, _ = encode(hard(), optimum.width)
    assert not proves_unsatisfiable(clauses, optimum.proof)
