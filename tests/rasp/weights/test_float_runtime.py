"""The float runtime against the exact one: equal outputs, and never beyond the stated bound."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from compiled_random import all_words, random_model
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.errors import MalformedModelError, WordError
from rasp.weights.bounds import error_bounds
from rasp.weights.exact import run_exact
from rasp.weights.examples import copy_model, reverse_model
from rasp.weights.floating import FloatModel, default_gap
from rasp.weights.readout import Readout, Unreadable
from rasp.weights.run import run


def distance(computed: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Return the absolute differences, from exact arithmetic."""
    return np.array(
        [
            [abs(float(Fraction(float(x)) - y)) for x, y in zip(row, true, strict=True)]
            for row, true in zip(computed, exact, strict=True)
        ]
    )


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(["float32", "float64"]),
    st.sampled_from([None, 2.0, 20.0]),
    st.sampled_from([(1,), (1, 2), (1, 2, 3)]),
)
def test_no_coordinate_is_off_by_more_than_the_bound(
    seed: int, dtype: str, gap: float | None, bottoms: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng, bottoms=bottoms, separation=Fraction(1, int(rng.integers(1, 20))))
    words = [
        tuple(rng.choice(model.vocabulary.symbols, size=n).tolist()) for n in rng.integers(1, 6, 4)
    ]
    exact = run_exact(model, words, returns=("residuals",)).residuals[-1]
    found = FloatModel(model, dtype, gap=gap).run(words, returns=("residuals",)).residuals[-1]
    bounds = error_bounds(model, words, dtype, gap=gap).residuals
    for computed, true, bound in zip(found, exact, bounds, strict=True):
        assert (distance(computed, true) <= bound).all()


@pytest.mark.parametrize(("dtype", "length"), [("float32", 1000), ("float64", 300)])
def test_reverse_is_certainly_right(dtype: str, length: int) -> None:
    rng = np.random.default_rng(1)
    model = reverse_model("abc", length=length)
    words = [rng.choice(list("abc"), size=n).tolist() for n in (2, length)]
    assert FloatModel(model, dtype).run(words).output() == [word[::-1] for word in words]
    bounds = error_bounds(model, words, dtype)
    assert bounds.safe
    assert bounds.outputs["reverse"] < 1e-6


def test_a_bound_that_cannot_be_given_is_not_given() -> None:
    model = reverse_model("abc", length=1000)
    seek = replace(model.layers[1].heads[0], separation=Fraction(1000))  # a lie: it is 1
    warm = replace(model, layers=(model.layers[0], replace(model.layers[1], heads=(seek,))))
    word = list("abc" * 333)
    assert not error_bounds(warm, [word], "float32").safe
    found = FloatModel(warm).run([word]).output()[0]
    assert any(isinstance(value, Unreadable) for value in found)


def test_the_leak_is_at_most_n_times_exp_of_minus_the_gap() -> None:
    model = reverse_model("ab", length=40)
    word = ["a"] * 20 + ["b"] * 20
    exact = run_exact(model, [word], returns=("attention",)).attention["seek"][0]
    for gap in (3.0, 10.0, 30.0):
        found = FloatModel(model, "float64", gap=gap).run([word], returns=("attention",))
        leak = np.where(exact, 0, found.attention["seek"][0])[1:].sum(axis=1).max()
        assert math.exp(-gap) < leak < 41 * math.exp(-gap)
    for dtype in ("float32", "float64"):
        sharp = FloatModel(model, dtype).run([word], returns=("attention",)).attention["seek"][0]
        assert (sharp[1:] == exact[1:]).all()  # one selected row: weight 1, the others 0


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_a_batch_gives_what_its_words_give_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng)
    floats = FloatModel(model, "float64")
    words = all_words(model.vocabulary.symbols, 3)[:30]
    wanted = ("residuals", "attention")
    together = floats.run(words, returns=wanted)
    for place in rng.integers(0, len(words), 3):
        alone = floats.run([words[place]], returns=wanted)
        for one, many in zip(alone.residuals, together.residuals, strict=True):
            np.testing.assert_allclose(one[0], many[place], rtol=1e-9, atol=1e-9)
        for name, weights in alone.attention.items():
            np.testing.assert_allclose(weights[0], together.attention[name][place], atol=1e-9)


def test_all_runtimes_agree_on_a_model_that_computes_something() -> None:
    model = reverse_model("abc", length=6)
    words = all_words("abc", 6)
    exact = run(model, words)
    for runtime in ("float32", "float64"):
        assert run(model, words, runtime=runtime).output() == exact.output()
    assert exact.output() == [list(reversed(word)) for word in words]


def test_numbers_are_read_with_their_type() -> None:
    model = reverse_model("ab", length=9)
    opposite, share = 7, 6
    outputs = (
        Readout(name="position", kind="numeric", directions=(opposite,), cast="int", offset=1),
        Readout(name="share", kind="numeric", directions=(share,), cast="float", scale=3),
        Readout(name="rows", kind="numeric", directions=(share,), cast="Fraction"),
    )
    several = replace(model, readouts=outputs)
    assert run(several, ["abb"]).outputs == {
        "position": [[3, 2, 1]],
        "share": [[0.75] * 3],
        "rows": [[Fraction(1, 4)] * 3],
    }
    found = run(several, ["abb"], runtime="float32").outputs
    assert found["position"] == [[3, 2, 1]]
    assert [type(x) for x in (found["position"][0][0], found["rows"][0][0])] == [int, float]


def test_bad_requests_to_the_float_runtime_are_refused() -> None:
    model = copy_model("ab", length=3)
    with pytest.raises(MalformedModelError, match="dtype 'float16'"):
        FloatModel(model, "float16")
    with pytest.raises(MalformedModelError, match="gap nan"):
        FloatModel(model, gap=math.nan)
    with pytest.raises(MalformedModelError, match="runtime 'gpu'"):
        run(model, ["a"], runtime="gpu")
    with pytest.raises(MalformedModelError, match="cannot return 'gaps'"):
        run(model, ["a"], runtime="float32", returns=("gaps",))
    with pytest.raises(WordError, match="at most 3"):
        run(model, ["abab"], runtime="float64")
    assert default_gap("float64", 1) == 746
