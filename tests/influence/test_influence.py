import itertools

import numpy as np
import pytest

from attention.constructions.chiang2022_parity import parity_transformer
from attention.soft import LayerNorm, Mask, SoftModelError
from attention.soft_encodings import SinusoidalEncoding, UnboundedEncoding
from attention.soft_random import aligned_transformer, random_transformer
from influence import InfluenceError, InfluenceWarning, RepeatedWord, influence, influence_curve
from influence.all_strings import all_strings
from influence.curve import measured_logit_bound

WORD = "0110100110010110"


def test_engines_give_one_answer_through_the_front_door() -> None:
    model = random_transformer(np.random.default_rng(0), layers=1, heads=2, width=8)
    runs = {
        name: influence(model, WORD * 4, engine=name)
        for name in ("brute", "types", "hybrid", "auto")
    }
    assert runs["auto"].engine == "types"
    for run in runs.values():
        np.testing.assert_allclose(run.values, runs["brute"].values, rtol=1e-8, atol=1e-12)
        assert run.at_read.sum() == 1


def test_worst_is_the_worst_symbol() -> None:
    model = random_transformer(np.random.default_rng(1), layers=2, heads=1, width=6, symbols="abc")
    worst = influence(model, "abcabca", engine="brute")
    each = [influence(model, "abcabca", to=s, engine="brute").values for s in "abc"]
    np.testing.assert_allclose(worst.values, np.max(each, axis=0), rtol=1e-12)
    types = influence(model, "abcabca", engine="types")
    np.testing.assert_allclose(types.values, worst.values, rtol=1e-9)
    assert types.symbols.tolist() == worst.symbols.tolist()


def test_positions_of_a_word_that_is_not_spelled_out() -> None:
    model = random_transformer(np.random.default_rng(1), layers=2, heads=1, width=6, period=4)
    word = RepeatedWord(tuple("011"), 1000)
    some = influence(model, word, positions=[0, 5, 999], to="1")
    spelled = influence(model, word.spelled(), positions=[0, 5, 999], to="1")
    np.testing.assert_allclose(some.values, spelled.values, rtol=1e-12)
    assert some.at_read.tolist() == [False, False, True]


def test_means_do_not_depend_on_spelling_the_word_out() -> None:
    model = random_transformer(np.random.default_rng(1), layers=2, heads=1, width=6, period=4)
    word = RepeatedWord(tuple("01101"), 997)
    assert influence(model, word).mean() == pytest.approx(
        influence(model, word.spelled()).mean(), rel=1e-12
    )


def test_error_estimates_cover_the_true_errors() -> None:
    rng = np.random.default_rng(4)
    model = random_transformer(rng, layers=3, heads=2, width=8, encoding=SinusoidalEncoding())
    word = "".join(rng.choice(["0", "1"], 160))
    brute = influence(model, word, engine="brute")
    near = influence(model, word, engine="hybrid")
    keep = brute.others()
    miss = np.linalg.norm((near.values - brute.values)[keep]) / np.linalg.norm(brute.values[keep])
    assert miss < 10 * near.error
    assert near.error < 20 / 160


def test_clear_errors() -> None:
    model = random_transformer(np.random.default_rng(0), layers=1, heads=1, width=4)
    with pytest.raises(InfluenceError, match="position 9 is outside the word of length 4"):
        influence(model, "0101", positions=[9])
    with pytest.raises(InfluenceError, match="unknown symbol 'x'"):
        influence(model, "0101", to="x")
    with pytest.raises(SoftModelError, match="unknown symbol '2'"):
        influence(model, "0121")
    with pytest.raises(SoftModelError, match="empty"):
        influence(model, "")
    with pytest.raises(InfluenceError, match="engine 'fast'"):
        influence(model, "01", engine="fast")  # type: ignore[arg-type]
    with pytest.raises(InfluenceError, match=r"readout of shape \(3, 1\)"):
        influence(model, "01", readout=np.ones(3))
    lone = influence(model, "1")
    assert lone.at_read.tolist() == [True]
    with pytest.raises(InfluenceError, match="only position is the reading position"):
        lone.mean()
    with pytest.raises(SoftModelError, match="NaN"):
        LayerNorm(np.array([np.nan]), np.zeros(1), 1e-5)


def test_models_outside_the_lemma_are_announced() -> None:
    rng = np.random.default_rng(0)
    zero = random_transformer(rng, layers=1, heads=1, width=4, norms="post", eps=0.0)
    with pytest.warns(InfluenceWarning, match="eps = 0"):
        influence(zero, "0101")
    growing = random_transformer(
        rng, layers=1, heads=1, width=4, encoding=UnboundedEncoding(np.ones(4))
    )
    with pytest.warns(InfluenceWarning, match="grows with n"):
        influence(growing, "0101")
    with pytest.warns(InfluenceWarning, match="ln n"):
        influence(aligned_transformer(0.25, log_n=True), "0101")


def test_causal_and_windowed_models() -> None:
    for mask in (Mask("causal"), Mask("window", 2)):
        model = random_transformer(np.random.default_rng(0), layers=2, heads=1, width=4, mask=mask)
        run = influence(model, WORD)
        assert run.engine == "brute"
    assert run.values[0] == 0  # two windowed layers of half width 2 cannot see that far
    with pytest.raises(InfluenceError, match="lowrank engine does not take a window mask"):
        influence(model, WORD, engine="lowrank")


def test_a_single_symbol_under_every_mask() -> None:
    for mask in (Mask(), Mask("causal"), Mask("window", 2)):
        model = random_transformer(np.random.default_rng(0), layers=2, heads=1, width=4, mask=mask)
        assert influence(model, "1", engine="hybrid").values == pytest.approx(
            influence(model, "1", engine="brute").values
        )


def test_long_causal_words_are_measured_with_an_error_estimate() -> None:
    model = random_transformer(
        np.random.default_rng(0), layers=2, heads=2, width=8, mask=Mask("causal"), norms="pre"
    )
    word = WORD * 40
    run = influence(model, word)
    assert run.engine == "hybrid"
    some = np.arange(0, 639, 71)
    exact = influence(model, word, positions=some.tolist(), engine="brute")
    miss = np.linalg.norm(run.values[some] - exact.values) / np.linalg.norm(exact.values)
    assert miss < 10 * run.error < 0.3


def test_eps_zero_is_measured_where_nothing_is_magnified() -> None:
    model = random_transformer(
        np.random.default_rng(0), layers=2, heads=2, width=16, norms="post", eps=0.0
    )
    with pytest.warns(InfluenceWarning, match="eps = 0"):
        near = influence(model, WORD * 12, engine="hybrid")
    with pytest.warns(InfluenceWarning, match="eps = 0"):
        exact = influence(model, WORD * 12, engine="types")
    keep = exact.others()
    miss = np.linalg.norm((near.values - exact.values)[keep]) / np.linalg.norm(exact.values[keep])
    assert miss < 10 * near.error < 0.3


def test_slope_is_minus_one_over_forty_octaves() -> None:
    model = random_transformer(np.random.default_rng(1), layers=2, heads=2, width=8, norms="post")
    curve = influence_curve(
        model, lambda n: RepeatedWord(tuple("0010111011000101"), n), [2**p for p in range(8, 51, 3)]
    )
    assert abs(curve.slope + 1) < 1e-3
    assert np.all(curve.constants / curve.constants[-1] < 1.1)


def test_below_the_knee_a_warning_replaces_a_conclusion() -> None:
    model = aligned_transformer(8.0)
    with pytest.warns(InfluenceWarning, match=r"exp\(2A\)"):
        curve = influence_curve(
            model, lambda n: RepeatedWord(("0",), n), [2**p for p in range(4, 17)], to="1"
        )
    assert abs(curve.slope) < 5e-3
    assert measured_logit_bound(model, "0001") == pytest.approx(8.0)


def test_curves_need_increasing_lengths() -> None:
    model = aligned_transformer(1.0)
    with pytest.raises(InfluenceError, match="increasing"):
        influence_curve(model, lambda n: RepeatedWord(("0",), n), [16, 8])


@pytest.mark.parametrize(("scale", "exponent"), [(0.125, -0.75), (0.25, -0.5), (0.75, 0.0)])
def test_log_n_scaling_has_its_threshold_at_one_half(scale: float, exponent: float) -> None:
    model = aligned_transformer(scale, log_n=True)
    values = []
    for power in (30, 40):
        with pytest.warns(InfluenceWarning):
            values.append(influence(model, RepeatedWord(("0",), 2**power), to="1").worst())
    assert np.log2(values[1] / values[0]) / 10 == pytest.approx(exponent, abs=5e-3)


def test_all_strings_are_the_oracle_over_all_strings() -> None:
    model = random_transformer(np.random.default_rng(0), layers=2, heads=1, width=4, symbols="abc")
    found = all_strings(model, 4)
    words = ["".join(w) for w in itertools.product("abc", repeat=4)]
    runs = [influence(model, w, engine="brute", positions=[0, 1, 2]) for w in words]
    assert found.worst == pytest.approx(max(run.values.max() for run in runs), rel=1e-12)
    again = influence(model, found.word, positions=[found.position], to=found.symbol)
    assert again.values[0] == pytest.approx(found.worst, rel=1e-9)
    with pytest.raises(InfluenceError, match="too many"):
        all_strings(model, 20)


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid", "ignore:divide")
def test_an_overflow_is_an_error_not_a_number() -> None:
    model = random_transformer(np.random.default_rng(0), layers=2, heads=1, width=4,
                               logit_bound=2000.0)  # fmt: skip
    word = "01" * 40
    with pytest.raises(InfluenceError, match="overflowed"):
        influence(model, word, engine="lowrank", calibrate=False)
    assert np.all(np.isfinite(influence(model, word, engine="brute").values))


def test_undamped_norms_are_not_left_to_the_first_order_engines() -> None:
    model = parity_transformer(eps=0.0)
    word = "0110" * 6 + "$"
    bits = list(range(24))
    with pytest.warns(InfluenceWarning, match="eps = 0"):
        run = influence(model, word, positions=bits, engine="brute")
    ends = np.sqrt(10) * 2  # the output flips between the two ends of its range
    assert run.values.max() == pytest.approx(ends, rel=1e-6)
    with (
        pytest.warns(InfluenceWarning, match="eps = 0"),
        pytest.raises(InfluenceError, match="expects small changes"),
    ):
        influence(model, word, engine="lowrank")


def test_a_doubtful_estimate_is_a_warning() -> None:
    model = parity_transformer(eps=1e-10)
    with pytest.warns(InfluenceWarning, match="estimated relative error"):
        influence(model, "0110" * 6 + "$", engine="hybrid", to="1")
