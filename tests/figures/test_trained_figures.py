"""Figures of trained models are drawn from the recorded runs."""

from fractions import Fraction

import pytest

from figures import (
    trained_curves,
    trained_double_hist,
    trained_most_freq,
    trained_reverse,
    trained_sizes,
    trained_sort,
    trained_sort_one_layer,
    trained_table2,
)
from figures.trained_heads import _matching
from figures.trained_runs import recorded_rows
from rasp.trainer.tasks import TASKS


@pytest.mark.parametrize(
    "module", [trained_reverse, trained_sort, trained_double_hist, trained_most_freq]
)
def test_heads_are_shown_beside_every_selector(module: object) -> None:
    found = module.data()  # type: ignore[attr-defined]
    layers, _ = TASKS[module.ID.removeprefix("trained-")].predicted  # type: ignore[attr-defined]
    assert {panel[0] for panel in found.panels} == set(range(1, layers + 1))
    for _, _, selector, with_it, without in found.panels:
        assert {round(sum(row)) for row in selector} <= {0, 1}
        for matrix in (with_it, without):
            assert len(matrix) == len(found.word)
            assert all(sum(row) == pytest.approx(1, abs=0.01) for row in matrix)


def test_heads_of_a_layer_are_matched_to_the_nearest_selectors() -> None:
    one, other = ((1.0, 0.0), (1.0, 0.0)), ((0.0, 1.0), (0.0, 0.0))
    swapped = [[((0.1, 0.9), (0.5, 0.5)), ((0.9, 0.1), (0.9, 0.1))]]
    assert _matching(((0, 0, one), (0, 1, other)), swapped) == [1, 0]


def test_numbers_are_those_of_the_runs() -> None:
    rows = recorded_rows()
    sizes = trained_sizes.data()
    assert set(sizes.needed) == set(TASKS)
    for task, found in sizes.sizes.items():
        assert sizes.needed[task] in found
    mean = sum(rows["reverse", "one layer fewer"].tokens, Fraction(0)) / 3
    line = next(line for line in trained_table2.data().lines if line[0] == "reverse")
    assert line[4].startswith(f"{float(100 * mean):.4f}"[:5])
    steps, seeds = trained_curves.data().curves["sort"]["supervised"]
    assert len(seeds) == 3
    assert all(len(seed) == len(steps) for seed in seeds)
    assert trained_sort_one_layer.data().unevenness < 0.05
