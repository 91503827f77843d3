"""Sums that the bounds call exact are exact in floats, in whatever order they are made."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.compiler.pipeline import compile_program
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.bounds import error_bounds
from rasp.weights.matrix import Matrix
from rasp.weights.rounding import FINEST, PRECISIONS, Bounded, BoundedProduct, float_grid
from rasp.weights.run import run

FLOAT32 = PRECISIONS["float32"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_product_called_exact_is_exact_in_every_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terms = int(rng.integers(1, 6))
    x = np.float32(rng.integers(-(2**23), 2**23, terms) * 2.0 ** rng.integers(-24, -1, terms))
    weights = [
        Fraction(int(rng.choice([-3, -1, 0, 1, 5]))) * Fraction(2) ** int(rng.integers(-6, 14))
        for _ in x
    ]
    held = np.float64(x)[None, :]
    error = rng.choice([0.0, 1e-9], terms)[None, :]  # the exact value is near, the float is known
    grid = np.where(held == 0, FINEST, float_grid(np.abs(held), FLOAT32))
    product = BoundedProduct(Matrix.of([[w] for w in weights]), FLOAT32)
    local, out = product.local(Bounded(held, error, grid))
    if not local.size or local[0, 0]:
        return
    exact = sum((Fraction(float(a)) * w for a, w in zip(x, weights, strict=True)), Fraction(0))
    for _ in range(4):
        total = np.float32(0)
        for place in rng.permutation(terms):
            total = np.float32(total + np.float32(x[place] * np.float32(weights[place])))
        assert Fraction(float(total)) == exact
    if out[0, 0] < FINEST:
        assert (exact * Fraction(out[0, 0])).denominator == 1


def test_twenty_five_bits_are_not_called_exact() -> None:
    held = np.array([[2.0**24 - 1, 2.0]])
    bounded = Bounded(held, np.zeros((1, 2)), np.ones((1, 2)))
    assert BoundedProduct(Matrix.of([[1], [1]]), FLOAT32).local(bounded)[0][0, 0] > 0
    assert BoundedProduct(Matrix.of([[1], [-1]]), FLOAT32).local(bounded)[0][0, 0] == 0


@pytest.mark.parametrize(
    ("name", "symbols", "length", "words"),
    [
        ("dyck2_ptf", "(){}", 8, ["({}){}()", "(((())))"]),
        ("sort_by_most_freq", "§abc", 12, ["§abacabacaba", "§cccbbbbaacc"]),
        pytest.param("hist2_bos", "§abcdefg", 50, ["§" + "abcabbc" * 7], marks=pytest.mark.slow),
        pytest.param("dyck3_ptf", "(){}[]", 50, ["({[]})" * 8 + "()"], marks=pytest.mark.slow),
    ],
)
def test_chained_programs_are_proved_in_float32(
    name: str, symbols: str, length: int, words: list[str]
) -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    model = compile_program(
        session.console.variables[name], vocabulary=symbols, length=length, name=name
    )
    assert error_bounds(model, words).outputs[name] < 0.01
    assert run(model, words, runtime="float32").output() == run(model, words).output()
