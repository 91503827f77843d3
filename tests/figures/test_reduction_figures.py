"""The figures of the depth reduction show numbers that the bounds confirm."""

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.reduction.binomial import below_tail, e8_exponent, first_failure, tail, tails
from bounds.reduction.local_lemma import E10, E11
from bounds.values import BoundError
from figures import (
    reduction_chernoff,
    reduction_formulas,
    reduction_growth,
    reduction_least,
    reduction_region,
)
from figures.registry import figures
from figures.render import render

MODULES: list[Any] = [
    reduction_chernoff,
    reduction_formulas,
    reduction_growth,
    reduction_least,
    reduction_region,
]


@pytest.fixture(scope="module")
def drawn() -> dict[str, Any]:
    return {module.ID: module.data(quick=True) for module in MODULES}


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.ID)
def test_figure_is_found_and_its_numbers_are_json(module: Any, drawn: dict[str, Any]) -> None:
    assert figures()[module.ID].module == module.__name__
    text = json.dumps(drawn[module.ID].to_json())
    assert "NaN" not in text
    assert module.note(drawn[module.ID])


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.ID)
def test_figure_draws_without_a_warning(module: Any, drawn: dict[str, Any], tmp_path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    fig = Figure(layout="constrained", figsize=getattr(module, "SIZE", (3, 2.4)))
    module.draw(fig, drawn[module.ID])
    FigureCanvasAgg(fig).draw()
    assert all(ax.get_xlabel() and (ax.get_ylabel() or i) for i, ax in enumerate(fig.axes))


def test_region_boundaries_are_where_the_conditions_start(drawn: dict[str, Any]) -> None:
    d = drawn["reduction-region"]
    n = min(d.over_q.e11)
    for i in (8, 15):
        x = Fraction(i + 1, 25) * (1 - d.target) / (1 + d.delta)
        p = reduction_region._from_q(x)
        assert float(x) == d.over_q.x[i]
        point = {"c": 1, "H": d.heads, "C": 1, "eta": p.eta, "q": p.q}
        k10, k11 = int(d.over_q.e10[i]), int(d.over_q.e11[n][i])
        assert E10.holds(k=k10, **point)
        assert not E10.holds(k=k10 - 1, **point)
        assert E11.holds(k=k11, n=n, delta=p.delta, **point)
        assert not E11.holds(k=k11 - 1, n=n, delta=p.delta, **point)


def test_more_heads_and_more_share_cost_more(drawn: dict[str, Any]) -> None:
    d = drawn["reduction-least"]
    for curve in d.curves:
        assert np.all(np.diff(curve.k.astype(float)) > 0)
    published = [c.k for c in d.curves if c.weights == "published"]
    best = [c.k for c in d.curves if c.weights == "best"]
    assert all(np.all(a < b) for a, b in itertools.pairwise(published))
    assert all(np.all(b < p) for p, b in zip(published, best, strict=True))


def test_every_layer_adds_a_level_to_the_tower(drawn: dict[str, Any]) -> None:
    for series in drawn["reduction-growth"].series:
        assert series.height[0] == 0
        assert np.all(np.diff(series.height[1:]) > 0.95)


def test_the_reviews_e9_rises_where_the_papers_falls(drawn: dict[str, Any]) -> None:
    d = drawn["reduction-formulas"]
    assert np.all(np.diff(d.e9_review) > 0)
    assert np.all(np.diff(d.e9_paper) < 0)
    assert np.all(d.e9_repaired <= d.e9_paper)
    assert np.all(d.e9_review > d.allowed)
    assert np.all((d.e9_paper <= d.allowed) == (d.k >= d.least))
    assert np.all(d.f_review < d.f_paper)


def test_e8_fails_exactly_from_the_marked_point_on(drawn: dict[str, Any]) -> None:
    d = drawn["reduction-chernoff"]
    start = Fraction(d.fails_from).limit_denominator(10**6)
    assert below_tail(d.m, d.q, start + Fraction(1, 10_000))
    assert not any(below_tail(d.m, d.q, start * i / 8) for i in range(1, 8))


def test_tail_agrees_with_direct_summation() -> None:
    m, q = 9, Fraction(2, 7)
    for j in range(m + 2):
        direct = sum(math.comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(j, m + 1))
        assert tails(m, q)[j] == direct
    assert tail(m, q, Fraction(1)) == tails(m, q)[6]  # more than 36/7
    assert tail(4, Fraction(1, 4), Fraction(1)) == tails(4, Fraction(1, 4))[3]  # strictly more
    assert e8_exponent(9, q, Fraction(1, 2)) == Fraction(3, 14)
    assert first_failure(8, Fraction(1, 4)) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tails(0, Fraction(1, 2)), "at least one"),
        (lambda: tails(3, Fraction(1)), "outside"),
        (lambda: tail(3, Fraction(1, 2), Fraction(0)), "not positive"),
    ],
)
def test_malformed_binomials_are_refused(call: Any, message: str) -> None:
    with pytest.raises(BoundError, match=message):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.ID)
def test_full_figure_is_the_same_bytes_twice(module: Any, tmp_path: Path) -> None:
    first, second = (render(figures()[module.ID], tmp_path / name) for name in ("a", "b"))
    for kind in ("json", "pdf", "svg", "png", "provenance"):
        assert getattr(first, kind).read_bytes() == getattr(second, kind).read_bytes()
