"""Claims about trained models follow from the recorded counts, and from nothing else."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from claims import Claim, ForAll, Verdict, collect
from proofs.weiss2021 import recorded_runs, trained, trained_smaller
from rasp.trainer.result import Result
from rasp.trainer.store import recorded


def test_the_three_labels_are_there() -> None:
    labels = {x for claim in collect("proofs.weiss2021").values() for x in claim.labels}
    assert {"R2", "R3", "R4"} <= labels


def spoilt(change: Mapping[str, int]) -> dict[str, Result]:
    return {
        digest: replace(result, **change)  # type: ignore[arg-type]
        for digest, result in recorded().items()
    }


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        (trained.REACHED, {"probes_right": 990, "probes": 1000}),
        (trained.SUPERVISED, {"probes_right": 970, "probes": 1000}),
        (trained.SURELY, {"probes_right": 990, "probes": 1000}),
        (trained.FOLLOWED, {"attention_probes_right": 990, "probes": 1000}),
        (trained.SKEWED, {"probes_right": 990, "probes": 1000}),
        (trained_smaller.REVERSE, {"probes_right": 600, "probes": 1000}),
        (trained_smaller.SORT, {"probes_right": 990, "probes": 1000}),
        (trained_smaller.UNIFORM, {"unevenness": ((0.05,),)}),
    ],
)
def test_other_counts_refute(
    claim: Claim, change: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(claim.statement, ForAll)
    assert claim.check(claim.statement).verdict is Verdict.SAMPLED
    monkeypatch.setattr(recorded_runs, "recorded", lambda _: spoilt(change))
    outcome = claim.check(claim.statement)
    assert outcome.verdict is Verdict.REFUTED
    assert "seed" in outcome.witness["case"]
