"""The machines that reach the lower ends of the gaps compute PARITY."""

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from attention.bitparallel import model_truth_table
from attention.constructions.closing_search import read_system, search, write_system
from attention.constructions.closing_symmetry import Symmetry
from attention.constructions.closing_systems import eight, nine, seven, ten
from attention.constructions.edge_covers import edge_cover, known_point
from attention.constructions.list_systems import LiteralList, close
from attention.constructions.tower_parity import tower_parity
from attention.constructions.tower_wiring import wire
from attention.constructions.two_layer_parity import two_layer_parity
from attention.hard import evaluate, trace
from attention.transformer import ModelError
from bounds.limits.machines_reach import reachable
from proofs.limits import composition


def even(word: tuple[str, ...]) -> bool:
    return word.count("1") % 2 == 0


@pytest.mark.parametrize("machine", [two_layer_parity(1), tower_parity(2)], ids=["blocks", "tower"])
def test_nine_bits_are_decided_on_all_inputs(machine: object) -> None:
    assert machine.n == 9  # type: ignore[attr-defined]
    words = product("01", repeat=9)
    assert all(evaluate(machine, word) == even(word) for word in words)  # type: ignore[arg-type]


def test_nine_bits_agree_with_the_bit_parallel_evaluation() -> None:
    table = model_truth_table(two_layer_parity(1))
    assert table.n == 9


@pytest.mark.parametrize("heads", [2, 3])
def test_more_heads_reach_more_bits(heads: int) -> None:
    machine, rng = two_layer_parity(heads), np.random.default_rng(heads)
    assert machine.n == heads**2 + 7 * heads + 1 == reachable(2, heads)
    for _ in range(30):
        word = tuple("01"[b] for b in rng.integers(2, size=machine.n))
        assert evaluate(machine, word) == even(word)


@pytest.mark.parametrize(
    ("layers", "heads", "words"),
    [(3, 1, 12), (3, 2, 4), pytest.param(4, 1, 6, marks=pytest.mark.slow)],
)
def test_towers_of_exact_groups(layers: int, heads: int, words: int) -> None:
    machine, rng = tower_parity(layers, heads), np.random.default_rng(layers)
    assert machine.n == reachable(layers, heads)
    for _ in range(words):
        word = tuple("01"[b] for b in rng.integers(2, size=machine.n))
        assert evaluate(machine, word) == even(word)


def test_the_stored_systems_close_their_cubes() -> None:
    assert close(7, seven()).closed
    assert close(8, eight()).closed
    assert close(9, nine()).closed
    assert close(10, ten()).closed
    assert [len(f()) for f in (seven, eight, nine, ten)] == [15, 24, 42, 68]


@pytest.mark.parametrize("k", [7, 9])
def test_first_cells_have_the_parity_they_claim(k: int) -> None:
    system = seven() if k == 7 else nine()
    order = close(k, system).order
    for point in product((0, 1), repeat=k):
        inside = {
            (i, row.cell(point))
            for i, row in enumerate(system)
            if row.own is None or point[row.own[0]] == row.own[1]
        }
        parity = next(p for i, c, p in order if (i, c) in inside)
        assert parity == sum(point) % 2


def test_dropping_one_list_of_the_seven_opens_the_cube() -> None:
    opened = [not close(7, seven()[:i] + seven()[i + 1 :]).closed for i in range(15)]
    assert any(opened)


@pytest.mark.parametrize(("k", "outside"), [(4, 0), (5, 6)])
def test_edge_covers_know_every_point_once(k: int, outside: int) -> None:
    rows = edge_cover(k, outside)
    for point in product((0, 1), repeat=k):
        code = sum(b << v for v, b in enumerate(point))
        known = [
            known_point(k, row, row.cell(point), point[row.own[0]] if row.own else None)
            for row in rows
            if row.own is None or point[row.own[0]] == row.own[1]
        ]
        assert [p for p in known if p is not None] == [code]


def test_too_large_covers_are_refused() -> None:
    with pytest.raises(ModelError):
        edge_cover(5, 5)
    with pytest.raises(ModelError):
        tower_parity(5)
    with pytest.raises(ModelError):
        two_layer_parity(0)


def test_search_with_symmetries_finds_what_free_search_does_not() -> None:
    system, left = search(6, 0, steps=2000, rng=np.random.default_rng(1), block=1)
    full = Symmetry(6, 1).spread(system)
    assert close(6, full).left.bit_count() == left
    assert len(system) == 6
    assert len(full) == 12
    with pytest.raises(ModelError):
        search(6, 1, steps=1, rng=np.random.default_rng(1), block=1)
    with pytest.raises(ModelError):
        Symmetry(9, 2)


@pytest.mark.slow
def test_the_lists_of_the_ten_cube_are_found_again() -> None:
    system, left = search(
        10, 100, steps=6000, rng=np.random.default_rng(1), block=2, heat=(4.0, 3.0)
    )
    assert left == 0
    assert close(10, Symmetry(10, 2).spread(system)).closed


def test_search_finds_a_closing_system_and_it_survives_writing() -> None:
    system, left = search(5, 2, steps=3000, rng=np.random.default_rng(3))
    assert left == 0
    assert close(5, system).closed
    assert read_system(5, write_system(system)) == system
    assert isinstance(system[0], LiteralList)


def test_exact_bits_run_lists_when_there_are_many_heads() -> None:
    assert [reachable(2, h) for h in (7, 8, 9)] == [99, 129, 154]
    assert [reachable(3, h) for h in (2, 3)] == [109, 211]
    machine, rng = tower_parity(2, 8), np.random.default_rng(8)
    for _ in range(3):
        word = tuple("01"[b] for b in rng.integers(2, size=machine.n))
        assert evaluate(machine, word) == even(word)
    runners = {i for (_, i, _), task in wire(3, 4).tasks.items() if not task.core.inside(i)}
    assert runners & set(range(81 - 34, 80))


@pytest.mark.parametrize(("layers", "heads", "words"), [(3, 1, 8), (3, 2, 2), (4, 1, 1)])
def test_what_fires_on_a_word_is_among_what_the_check_expects(
    layers: int, heads: int, words: int
) -> None:
    w, machine = wire(layers, heads), tower_parity(layers, heads)
    rng, seen = np.random.default_rng(5), 0
    for _ in range(words):
        word = tuple("01"[b] for b in rng.integers(2, size=machine.n))
        values = trace(machine, word).activations
        for part in composition.parts(iter([w])):
            if part.start is None:
                continue
            end = part.start + prod(w.cores[part.core].sizes[: part.layer])
            group: list[Any] = list(values[part.layer][part.start : end])
            fired = [v for v in group if v[2] == part.layer]
            sets = composition._after_layer(w, part.core, part.layer, part.start)
            assert sets is not None
            (parity,) = {v[3] for v in fired}
            assert frozenset(v[0] for v in fired) in sets[parity]
            seen += 1
    assert seen


def test_the_check_of_the_towers_notices_faults() -> None:
    w = wire(3, 1)
    assert all(composition.right(part) for part in composition.parts(iter([w])))
    for layer, start in ((1, 11), (2, 7)):  # a list of a group of four; one of the closing level
        keys = [key for key, task in w.tasks.items() if key[0] == layer and task.start == start]
        for key in keys[:2]:
            tasks = {k: task for k, task in w.tasks.items() if k != key}
            broken = replace(w, tasks=tasks)
            assert not all(composition.right(part) for part in composition.parts(iter([broken])))
    shifted = replace(w, exact={start + 1: first for start, first in w.exact.items()})
    assert not all(composition.right(part) for part in composition.parts(iter([shifted])))
