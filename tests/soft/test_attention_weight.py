from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.soft import attention_weight as w


def test_forms_in_u_are_the_forms_in_a() -> None:
    at = {w.u: sp.exp(2 * w.A)}
    assert sp.simplify(w.WEIGHT_SHARP_U.subs(at) - w.WEIGHT_SHARP) == 0
    assert sp.simplify(w.WEIGHT_PAPER_U.subs(at) - w.WEIGHT_PAPER) == 0
    assert sp.simplify(w.WEIGHT_OVER_N_U.subs(at) - w.WEIGHT_OVER_N) == 0


@settings(max_examples=30, deadline=None)
@given(u=st.fractions(1, 50), n=st.integers(2, 300))
def test_sharp_is_below_over_n_is_below_the_papers(u: Fraction, n: int) -> None:
    sharp = w.sharp_in_u(u, n)
    assert sharp <= u / n <= u / (n - 1)


@settings(max_examples=30, deadline=None)
@given(
    logits=st.lists(st.floats(-2, 2), min_size=1, max_size=20),
)
def test_no_softmax_weight_exceeds_the_ball(logits: list[float]) -> None:
    e = np.exp(np.array(logits))
    top = float((e / e.sum()).max())
    assert top <= float(w.weight_ball(arb(2), len(logits)).upper()) * (1 + 1e-12)


def test_sharp_is_attained() -> None:
    logits = np.array([1.5] + [-1.5] * 9)
    e = np.exp(logits)
    assert e[0] / e.sum() == pytest.approx(float(w.weight_ball(arb(3) / 2, 10)), rel=1e-14)


def test_outside_the_domain_is_an_error() -> None:
    with pytest.raises(w.WeightBoundError, match="at least 0"):
        w.sharp_in_u(Fraction(1, 2), 3)
    with pytest.raises(w.WeightBoundError, match="at least one"):
        w.sharp_in_u(Fraction(2), 0)
    with pytest.raises(w.WeightBoundError, match="finite"):
        w.weight_ball(arb("nan"), 3)
