import numpy as np
import pytest
from flint import arb

from attention.soft import Logits, SoftLayer, SoftTransformer
from bounds.ball import enclose
from bounds.soft.attention_weight import A, WeightBoundError, n
from bounds.soft.published import L5B, L5C, L_F, H, k
from bounds.soft.recursion import D, LayerConstants, closed_form, influence_balls
from influence.brute import brute_changes


def _plain(rng: np.random.Generator, logit: float) -> SoftTransformer:
    """One head on unit activations in the plane, f_act(y, b) = b, logits ``logit * y_j.R y_l``."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    layer = SoftLayer(
        wq=turn[None], bq=np.zeros((1, 2)), wk=np.eye(2)[None], bk=np.zeros((1, 2)),
        wv=np.eye(2)[None], bv=np.zeros((1, 2)), wo=np.eye(2)[None], bo=np.zeros(2),
        w1=np.zeros((2, 0)), b1=np.zeros(0), w2=np.zeros((0, 2)), b2=np.zeros(2),
    )  # fmt: skip
    rows = rng.standard_normal((5, 2))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return SoftTransformer(
        alphabet=tuple("abcde"), embedding=rows, layers=(layer,), logits=Logits("plain", logit)
    )


@pytest.mark.parametrize("logit", [0.0, 0.5, 2.0])
def test_no_executed_model_exceeds_the_recursion(logit: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        model = _plain(rng, logit)
        word = rng.integers(0, 5, 12)
        # f_act(y, b) = y + b here: residual layers, so L_0 = L_1 = 1
        constants = LayerConstants(arb(logit), arb(logit), arb(1), arb(1))
        for target in range(5):
            change = np.linalg.norm(model.embedding[target] - model.embedding[word[3]])
            found = brute_changes(model, word, np.array([3]), target, np.eye(2))
            bound = influence_balls([constants], arb(float(change)), 12)[1][1]
            assert np.linalg.norm(found) <= float(bound) * (1 + 1e-12)
            free = closed_form([constants], arb(float(change)))[1] / 12
            assert float(bound) <= float(free) * (1 + 1e-12)


def test_weaker_layers_are_bounded_by_less() -> None:
    weak = LayerConstants(arb("0.1"), arb("0.1"), arb("0.5"), arb("0.5"))
    strong = LayerConstants(arb(1), arb(1), arb(1), arb(1))
    assert closed_form([weak] * 3, arb(1))[1] < closed_form([strong] * 3, arb(1))[1]
    with pytest.raises(WeightBoundError, match="two different positions"):
        influence_balls([weak], arb(1), 1)


def test_recursion_stays_below_its_closed_form_at_every_length() -> None:
    layer = LayerConstants(arb(1), arb(1), arb(1), arb(1))
    limit = closed_form([layer] * 2, arb(1))[1]
    for positions in (2, 10, 10**4, 10**8):
        scaled = influence_balls([layer] * 2, arb(1), positions)[-1][1] * positions
        assert scaled < limit


def test_published_forms_evaluate() -> None:
    values = {A: 0, n: 100, k: 1, H: 2, L_F: 1, D: 1}
    assert float(enclose(L5B, {s: values[s] for s in L5B.free_symbols}, bits=64)) == 36
    assert float(enclose(L5C, values, bits=64)) == pytest.approx(0.72)
