from hypothesis import given
from hypothesis import strategies as st

from attnlimits.report.layers import placed


@given(st.sets(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40))
def test_edges_point_down_one_layer_at_a_time(pairs: set[tuple[int, int]]) -> None:
    below: dict[str, list[str]] = {f"{i:02}": [] for i in range(15)}
    for a, b in sorted(pairs):
        if a > b:
            below[f"{a:02}"].append(f"{b:02}")
    placement = placed(below)
    layer = {node: i for i, nodes in enumerate(placement.layers) for node in nodes}
    assert sorted(n for n in layer if isinstance(n, str)) == sorted(below)
    assert set(placement.ways) == {(a, b) for a in below for b in below[a]}
    for (upper, lower), way in placement.ways.items():
        assert (way[0], way[-1]) == (upper, lower)
        assert [layer[n] for n in way] == list(range(layer[upper], layer[lower] - 1, -1))


def test_two_parallel_edges_do_not_cross() -> None:
    placement = placed({"a": ["y"], "b": ["x"], "x": [], "y": []})
    lower, upper = placement.layers
    assert [*zip(upper, lower, strict=True)] in (
        [("a", "y"), ("b", "x")],
        [("b", "x"), ("a", "y")],
    )


def test_nothing_is_placed_nowhere() -> None:
    assert placed({}).layers == ()
