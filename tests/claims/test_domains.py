"""Domains are exact and never empty."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims import DomainError, Integers, Reals


@given(lo=st.fractions(), hi=st.fractions(), value=st.fractions())
def test_membership_is_the_two_comparisons(lo: Fraction, hi: Fraction, value: Fraction) -> None:
    if lo > hi:
        with pytest.raises(DomainError, match="vacuous"):
            Reals(lo, hi)
    else:
        assert (value in Reals(lo, hi)) == (lo <= value <= hi)


@pytest.mark.parametrize("bad", [lambda: Reals(0, 0, open_lo=True), lambda: Integers(2, 1)])
def test_empty_domains_cannot_be_built(bad: object) -> None:
    with pytest.raises(DomainError, match="empty"):
        bad()  # type: ignore[operator]


def test_floats_are_no_endpoints_and_no_members() -> None:
    with pytest.raises(DomainError, match="exact"):
        Reals(0.5)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="int"):
        Integers(1.0)  # type: ignore[arg-type]
    assert 0.5 not in Reals(0, 1)
    assert Fraction(3, 1) in Integers(1)
    assert Fraction(1, 2) not in Integers(0)
