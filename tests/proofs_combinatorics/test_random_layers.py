"""The repaired Stage 2 on random layers: every repetition progresses, nothing gets lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.hahn2020.combinatorics.layers import Head, Layer
from proofs.hahn2020.combinatorics.pairs import Restriction, extensions
from proofs.hahn2020.combinatorics.repetitions import dependents, run, unsatisfied


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    """Five activations fed by one or two of five inputs, one head each, scores from 0 to 4."""
    c = draw(st.sampled_from([1, 1, 2]))
    n = 5 if c == 1 else 6
    one_top = draw(st.booleans())  # a common favourite makes Stage 2 do something
    feeds = tuple(
        tuple(
            sorted(
                draw(
                    st.sets(
                        st.integers(0, 1) if j < 2 else st.integers(2, n - 1),
                        min_size=int(j < 2),
                        max_size=c,
                    )
                )
            )
        )
        for j in range(n)
    )
    heads = []
    for i in range(n):
        tables = []
        for _ in range(2 ** len(feeds[i])):
            top = 0 if one_top else draw(st.integers(0, 1))
            tables.append(
                tuple(
                    tuple(
                        draw(st.integers(0, 4)) + 4 * (j == top) - 9 * (j == i)
                        for _ in range(2 ** len(f))
                    )
                    for j, f in enumerate(feeds)
                )
            )
        heads.append(Head(i, tuple(tables)))
    return Layer(n, feeds, tuple(heads))


@settings(max_examples=60, deadline=None)
@given(layer=layers(), settle=st.sampled_from(["most", "fewest"]))
def test_every_repetition_satisfies_more_than_kh_pairs(layer: Layer, settle: str) -> None:
    if not layer.c:
        return
    stars: Restriction = (None,) * layer.inputs
    done = list(run(layer, stars, 1, settle=settle))
    assert all(len(r.settled) > layer.width for r in done)
    assert all(r.dependents > 2**layer.c for r in done)
    assert len(done) <= 2**layer.c * len(layer.feeds)
    last = done[-1].rho if done else stars
    left = dependents(layer, unsatisfied(layer, last, 1))
    assert all(len(heads) <= 2**layer.c for heads in left.values())


@settings(max_examples=40, deadline=None)
@given(layer=layers(), data=st.data(), k=st.integers(1, 2))
def test_satisfied_pairs_of_a_layer_stay_satisfied(
    layer: Layer, data: st.DataObject, k: int
) -> None:
    if not layer.c:
        return
    rho = tuple(data.draw(st.sampled_from([None, None, 0, 1])) for _ in range(layer.inputs))
    before = unsatisfied(layer, rho, k)
    later = data.draw(st.sampled_from(list(extensions(rho))))
    assert unsatisfied(layer, later, k).keys() <= before.keys()
