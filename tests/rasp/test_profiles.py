"""Restricted attention: masks, survival, and ranks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp import aggregate, indices, select, selector_width, tokens
from rasp.evaluate.engine import evaluate, matrix
from rasp.profiles import Profile, ProfileError, highest_rank, rank, restricted, survives

PROFILES = st.builds(
    Profile, st.sampled_from(["window", "block", "strided"]), st.integers(1, 4)
) | st.sampled_from([Profile("full"), Profile("causal")])


@given(PROFILES, st.integers(1, 9))
def test_masks_are_what_profiles_allow(profile: Profile, n: int) -> None:
    cells = matrix(profile.mask(), "a" * n)
    assert cells == [[profile.allows(i, j) for j in range(n)] for i in range(n)]


@settings(max_examples=30, deadline=None)
@given(PROFILES, st.text("ab", min_size=1, max_size=7))
def test_a_restricted_width_counts_what_is_left(profile: Profile, word: str) -> None:
    # the mean over {0} and the allowed copies exists only if position 0 is allowed
    if not all(profile.allows(i, 0) for i in range(len(word))):
        return
    node = restricted(selector_width(select(tokens, tokens, "==")).node, profile)
    expected = [
        sum(word[j] == word[i] and profile.allows(i, j) for j in range(len(word)))
        for i in range(len(word))
    ]
    assert evaluate(node, word) == expected


def test_a_local_program_survives_and_a_global_one_does_not() -> None:
    previous = aggregate(select(indices, indices - 1, "=="), tokens, "")
    assert survives(previous, Profile("window", 1), "ab", up_to=5).equal
    assert survives(previous, Profile("causal"), "ab", up_to=5).equal
    broken = survives(previous, Profile("block", 2), "ab", up_to=5)
    assert broken.difference is not None
    assert len(broken.difference.input) == 3


def test_sizes_and_kinds_are_checked() -> None:
    with pytest.raises(ProfileError, match="size"):
        Profile("window")
    with pytest.raises(ProfileError, match="unknown profile"):
        Profile("random")


def test_ranks() -> None:
    assert rank([0b1, 0b11, 0b111], 3) == 3
    assert rank([0b111] * 3, 3) == 1
    assert rank([0, 0], 2) == 0
    same = aggregate(select(tokens, tokens, "=="), indices)
    found = highest_rank(same, "ab", up_to=4)
    assert found.rank == 2
    assert found.input == ("a", "b")
