"""Compiled models as hard and soft machines, and what the other engines say about them."""

from itertools import product

import numpy as np
import pytest

from attention.hard import evaluate
from attention.json import from_json, to_json
from attention.soft_forward import evaluate as evaluate_soft
from attention.tabulate import tabulate
from influence.measure import influence
from languages.registry import language
from rasp import SOp, aggregate, best, full_s, indicator, indices, select, selector_width, tokens
from rasp.certify.machines import ConversionError, hard_machine, soft_machine
from rasp.compiler.pipeline import compile_program
from rasp.weights.model import CompiledModel
from restrictions.fooling import FoolingPair, fool
from restrictions.reduction import reduce_layers
from synthesis.failing import Failure, NeverFails, find_failure

FIRST = (aggregate(select(indices, 0, "=="), tokens) == "1").named("first")
WORST = aggregate(best(full_s, indicator(tokens == "0")), tokens)
ONES = (WORST == "1").named("ones")


def compiled(sop: SOp, n: int) -> CompiledModel:
    return compile_program(sop, vocabulary="01", length=n, bos=False)


@pytest.mark.parametrize(("sop", "name"), [(FIRST, "first"), (ONES, "ones")])
def test_a_program_becomes_a_machine_that_never_fails(sop: SOp, name: str) -> None:
    machine = hard_machine(compiled(sop, 5))
    target = language(name)
    for word in product("01", repeat=5):
        assert evaluate(machine, word) is target.contains(word)
    again = tabulate(from_json(to_json(machine)))
    outcome = find_failure(again, target, rng=np.random.default_rng(0), seconds=5)
    assert isinstance(outcome, NeverFails)


def test_a_machine_fails_another_language_and_is_fooled() -> None:
    machine = hard_machine(compiled(ONES, 6), 6)
    found = find_failure(machine, language("first"), rng=np.random.default_rng(0), seconds=5)
    assert isinstance(found, Failure)
    pair = fool(machine, language("parity"), seconds=2, rng=np.random.default_rng(0))
    assert isinstance(pair, FoolingPair)
    assert evaluate(machine, pair.first) == evaluate(machine, pair.second) == pair.output


def test_its_depth_can_be_reduced() -> None:
    machine = hard_machine(compiled(FIRST, 6))
    reduced = reduce_layers(machine, k=2, method="greedy", rng=np.random.default_rng(0))
    assert reduced is not None


def test_categories_are_accepted_by_value() -> None:
    start = aggregate(select(indices, 0, "=="), tokens).named("start")
    machine = hard_machine(compiled(start, 3), accept="0")
    assert evaluate(machine, "011") is True
    assert evaluate(machine, "111") is False
    with pytest.raises(ConversionError, match="never 'x': it has '0', '1'"):
        hard_machine(compiled(start, 3), accept="x")


def test_averages_and_bos_have_no_hard_machine() -> None:
    share = (aggregate(full_s, indicator(tokens == "1")) > 0.4).named("many")
    with pytest.raises(ConversionError, match="averages different values"):
        hard_machine(compiled(share, 4))
    with pytest.raises(ConversionError, match="without BOS"):
        hard_machine(compile_program(FIRST, vocabulary="01", length=4))
    with pytest.raises(ConversionError, match="1 to 4 symbols, not 9"):
        hard_machine(compiled(FIRST, 4), 9)


def test_soft_machines_compute_what_the_program_does() -> None:
    hist = selector_width(select(tokens, tokens, "==")).named("hist")
    machine = soft_machine(compile_program(hist, vocabulary="01", length=6))
    for word in ("0110", "1", "000101"):
        (found,) = evaluate_soft(machine, "^" + word)
        assert found == pytest.approx(word.count(word[-1]), abs=1e-9)


def test_influence_of_a_counting_program() -> None:
    share = aggregate(full_s, indicator(tokens == "1")).named("share")
    machine = soft_machine(compile_program(share, vocabulary="01", length=8))
    run = influence(machine, "^0000000", positions=range(1, 8), to="1", engine="brute")
    assert np.asarray(run.values) == pytest.approx(np.full(7, 1 / 7), abs=1e-9)
