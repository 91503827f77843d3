"""Local search: what it finds is right by two evaluators, and it finds no more than exists."""

import numpy as np
import pytest

from attention.hard import evaluate_batch
from synthesis.local import search
from synthesis.local_heads import search_heads
from synthesis.spec import Spec, SpecError


@pytest.mark.parametrize(
    ("spec", "steps", "seed"),
    [
        pytest.param(Spec("parity", 6, 2, 1, 3), 30_000, 0, marks=pytest.mark.slow),
        (Spec("parity", 5, 2, 1, 2, "full"), 20_000, 0),
        (Spec("majority", 8, 2, 1, None), 2_000, 0),
        (Spec("dyck1", 6, 2, 1, None, "full"), 2_000, 0),
        (Spec("dyck2", 4, 2, 1, None), 2_000, 0),
    ],
)
def test_two_layers(spec: Spec, steps: int, seed: int) -> None:
    found = search(spec, steps=steps, rng=np.random.default_rng(seed))
    assert found.machine is not None
    right_by_two_evaluators(found.machine)


@pytest.mark.parametrize(
    "spec", [Spec("parity", 4, 1, 3), Spec("mod3", 5, 1, 3), Spec("dyck2", 4, 1, 2)]
)
def test_one_layer(spec: Spec) -> None:
    found = search_heads(spec, steps=4000, rng=np.random.default_rng(0))
    assert found.machine is not None
    right_by_two_evaluators(found.machine)


def right_by_two_evaluators(machine) -> None:
    words = np.array(list(machine.spec.inputs()), dtype=np.uint8)
    wanted = machine.spec.target.members(words)
    assert (machine.run_all(words) == wanted).all()
    assert (evaluate_batch(machine.as_tables(), words) == wanted).all()


def test_nothing_is_found_where_nothing_is() -> None:
    rng = np.random.default_rng(0)
    for left in (
        search(Spec("parity", 7, 2, 1, None), steps=300, rng=rng),
        search(Spec("mod3", 6, 2, 1, 2), steps=300, rng=rng),
        search_heads(Spec("parity", 4, 1, 2), steps=300, rng=rng),
    ):
        assert left.machine is None
        assert left.left > 0


def test_other_cells_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(SpecError, match="2 layers"):
        search(Spec("parity", 3, 1, 1), steps=1, rng=rng)
    with pytest.raises(SpecError, match="one layer"):
        search_heads(Spec("parity", 3, 2, 1), steps=1, rng=rng)
