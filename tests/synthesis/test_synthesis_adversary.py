"""One-layer results without a solver, and agreement with the SAT route."""

import pytest

from synthesis.adversary import adversary_wins
from synthesis.decision import Impossible, decide
from synthesis.reach import is_neutral, neutral_prefix, reach, stored_verdict
from synthesis.spec import Spec, SpecError


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_the_adversary_stops_parity_and_mod3_where_sat_does(heads: int) -> None:
    for name, most in (("parity", heads + 1), ("mod3", heads + 2)):
        assert not adversary_wins(Spec(name, most, 1, heads))
        assert adversary_wins(Spec(name, most + 1, 1, heads))
        assert adversary_wins(Spec(name, most + 2, 1, heads))


def test_whatever_the_adversary_refutes_sat_refutes_too() -> None:
    for name in ("parity", "mod3", "majority", "dyck1", "ones", "first"):
        for n in (3, 4):
            for heads in (1, 2):
                spec = Spec(name, n, 1, heads)
                if adversary_wins(spec):
                    assert isinstance(decide(spec, seconds=60, certify=False), Impossible)


def test_the_adversary_is_only_sufficient() -> None:
    # 2DYCK at length 4 is out of reach for one head, but two symbols at a time do not show it
    spec = Spec("dyck2", 4, 1, 1)
    assert not adversary_wins(spec)
    assert isinstance(decide(spec, seconds=60, certify=False), Impossible)
    with pytest.raises(SpecError):
        adversary_wins(Spec("parity", 4, 2, 1))


def test_neutral_prefixes() -> None:
    causal = [neutral_prefix(Spec(name, 4, 2, 1)) for name in
              ("parity", "mod3", "majority", "ones", "dyck1", "dyck2", "first")]  # fmt: skip
    assert causal == [(0,), (0,), (0, 1), (1,), (0, 1), (0, 1), None]
    assert neutral_prefix(Spec("parity", 4, 2, 1, 2, "full")) is None
    assert neutral_prefix(Spec("parity", 4, 1, 1, 2, "full")) == (0,)
    assert not is_neutral(Spec("parity", 4, 1, 1), (1,))


def test_climbing_resumes_from_stored_certificates(tmp_path) -> None:
    spec = Spec("parity", 1, 1, 1)
    first = reach(spec, range(1, 9), seconds=30, folder=tmp_path)
    assert (first.found, first.impossible, first.summary) == ((1, 2), (3,), "= 2")
    told: list[str] = []
    again = reach(spec, range(1, 9), seconds=30, folder=tmp_path, tick=told.append)
    assert again == first
    assert told == []  # nothing was searched again
    assert stored_verdict(Spec("parity", 3, 1, 1), tmp_path) == "impossible"
    assert reach(Spec("majority", 1, 1, 1), range(1, 9), seconds=30).summary == "= 3"
    assert reach(Spec("first", 1, 1, 1), range(1, 3), seconds=30).summary == ">= 2"
