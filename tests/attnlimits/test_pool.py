import time

import pytest

from attnlimits.pool import KILLED, PoolError, decide
from claims import Budget, Outcome, Verdict


def outcomes(*ids: str, packages: tuple[str, ...], seconds: float = 20) -> dict[str, Outcome]:
    budget = Budget(seconds=seconds)
    return {d.claim: d.outcome for d in decide(ids, packages=packages, budget=budget, workers=2)}


def test_claims_and_twins_are_decided() -> None:
    ids = ("sample.square", "sample.square.twin", "sample.cube.as_stated")
    found = outcomes(*ids, packages=("sample_claims",))
    assert [found[i].verdict for i in ids] == [
        Verdict.EXHAUSTED,
        Verdict.REFUTED,
        Verdict.REFUTED,
    ]
    assert found["sample.square.twin"].witness == {"case": "-3"}


def test_a_checker_that_hangs_dies_or_raises_leaves_the_others_intact() -> None:
    ids = ("bad.hang", "bad.die", "bad.raise", "bad.vacuous")
    start = time.monotonic()
    found = outcomes(*ids, packages=("bad_claims",), seconds=2)
    assert time.monotonic() - start < 30
    assert found["bad.vacuous"].verdict is Verdict.EXHAUSTED
    for i in ids[:3]:
        assert (found[i].verdict, found[i].by) == (Verdict.UNDECIDED, KILLED)
    assert "killed after 2 s" in found["bad.hang"].detail
    assert "died with exit code -9" in found["bad.die"].detail
    assert "raised RuntimeError: this checker has a bug" in found["bad.raise"].detail


def test_stopping_early_kills_the_workers() -> None:
    running = decide(
        ["bad.vacuous", "bad.hang"],
        packages=("bad_claims",),
        budget=Budget(seconds=500),
        workers=2,
    )
    assert next(running).claim == "bad.vacuous"
    start = time.monotonic()
    running.close()
    assert time.monotonic() - start < 20


def test_no_workers_is_an_error() -> None:
    with pytest.raises(PoolError, match="workers=0"):
        list(decide(["a"], packages=(), budget=Budget(), workers=0))
