import pytest

from attnlimits.selection import select
from attnlimits.twins import is_twin, with_twins
from claims import Claim, ClaimError, Verdict, collect

CLAIMS = collect("sample_claims")


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("sample.square", 1),
        ("Q2", 2),
        ("q1", 1),
        ("sample.cube", 2),
        ("*.repaired", 1),
        ("sample", 3),
        ("sample.*", 3),
    ],
)
def test_ids_labels_folders_and_globs(pattern: str, count: int) -> None:
    assert len(select(CLAIMS, [pattern])) == count


def test_no_pattern_means_all() -> None:
    assert select(CLAIMS, []) == CLAIMS


@pytest.mark.parametrize("pattern", ["sample.sqare", "Q11", "cube"])
def test_an_unknown_name_gets_a_proposal(pattern: str) -> None:
    with pytest.raises(ClaimError, match="did you mean"):
        select(CLAIMS, [pattern])


def test_a_hopeless_name_is_told_where_to_look() -> None:
    with pytest.raises(ClaimError, match="--list"):
        select(CLAIMS, ["zzzzzzzz"])


def test_a_twin_is_a_claim_that_must_be_refuted() -> None:
    both = with_twins(CLAIMS)
    twins: list[Claim] = [c for i, c in both.items() if is_twin(i)]
    assert [t.id for t in twins] == ["sample.square.twin"]
    assert twins[0].expect is Verdict.REFUTED
    with pytest.raises(ClaimError, match="kept for twins"):
        with_twins(both)
