"""Machines with causal heads beyond the tree, and what their claims would notice."""

import numpy as np
import pytest

from attention.constructions import causal_parity as module
from attention.constructions.causal_parity import causal_parity, four
from attention.constructions.list_systems import LiteralList
from attention.hard import evaluate, evaluate_batch
from attention.transformer import ModelError
from proofs.synthesis.two_heads import decides_parity


def test_lists_look_back_only_and_so_do_the_machines() -> None:
    for row in four():
        assert row.own is None or all(variable < row.own[0] for variable, _ in row.literals)
    machine = causal_parity(2)
    assert (machine.n, machine.layers, machine.heads, machine.mask) == (13, 2, 2, "causal")


@pytest.mark.parametrize("heads", [2, 3, 4])
def test_random_words_by_definition(heads: int) -> None:
    machine, rng = causal_parity(heads), np.random.default_rng(heads)
    words = rng.integers(0, 2, (20, machine.n), dtype=np.uint8)
    assert (evaluate_batch(machine, words) == (words.sum(axis=1) % 2 == 0)).all()
    assert evaluate(machine, "0" * machine.n)


def test_a_system_that_does_not_close_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="at least 1"):
        causal_parity(0)
    assert decides_parity(2)
    broken = (*four()[:-1], LiteralList(((0, 0), (1, 0), (2, 0), (3, 0))))
    monkeypatch.setattr(module, "four", lambda: broken)
    assert not decides_parity(2)
