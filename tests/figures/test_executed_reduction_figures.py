import itertools

from attention.hard import evaluate, trace
from figures import reduction_heads, reduction_layers, reduction_selection
from restrictions.restriction import Restriction
from restrictions.selection import select


def test_layers_figure_shows_a_reduction_that_really_happened() -> None:
    d = reduction_layers.data(quick=True)
    assert d.free[0] == 8 > d.free[1] >= d.free[2] > 0
    final = d.panels[2]
    assert sum(1 for e in final.edges if e[0] == 2) >= 1
    # the fixed inputs of a panel only grow, and keep their symbols
    for before, after in itertools.pairwise(d.panels[:3]):
        assert all(b in ("*", a) for b, a in zip(before.fixed, after.fixed, strict=True))
    assert d.panels[3].fixed == d.panels[1].fixed


def test_attained_edges_are_those_of_a_plain_enumeration() -> None:
    from attention.families import oracle

    model = oracle(4, 2, 1, seed=1)
    rho = Restriction.free("01", 4).fix({2: "1"})
    expected = set()
    for word in itertools.product("01", "01", "1", "01"):
        run = trace(model, word)
        assert run.output == evaluate(model, word)
        for layer in (1, 2):
            expected |= {(layer, i, run.attended[layer - 1][0][i]) for i in range(4)}
    assert set(reduction_layers.attained_edges(model, rho)) == expected


def test_heads_figure_restricts_the_reach_of_every_head() -> None:
    d = reduction_heads.data(quick=True)
    assert d.reach[1] < d.reach[0]
    assert 0 < d.panels[1].fixed.count("*") < 10


def test_selection_figure_obeys_both_conditions() -> None:
    d = reduction_selection.data(quick=True)
    masks = [sum(1 << x for x in d.sources[j]) for j in d.order]
    chosen = select(masks, 2)
    assert tuple(d.order[place] for place in chosen) == d.selected
    assert all(d.private)
    last = max(chosen)
    for pair in itertools.combinations(range(last), 2):
        a, b = (masks[place] for place in pair)
        assert not (a & ~b and b & ~a), "an earlier last place would have been possible"
