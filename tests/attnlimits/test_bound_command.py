import json
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlimits.boundary import run
from attnlimits.cli import build
from attnlimits.grid import GridError, points, read_grid
from bounds.bound import Bound
from bounds.catalogue import lookup


def attnlimits(*arguments: str) -> int:
    return run(build(), list(arguments))


POINT = ("C=3/4", "c=2", "H=1", "eta=0.1", "k=40")


def test_a_bound_is_evaluated_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound", "stage2.f", *POINT, "--format", "json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert Fraction(row["value"]) == Fraction(2**4 * 4 * 1600 * 10 * 4, 3)
    assert row["at"]["eta"] == "1/10"


def test_an_irrational_value_is_enclosed(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound", "stage3.e9", "C=1", "c=2", "q=0.1", "eta=1/10", "k=7") == 0
    assert "+/-" in capsys.readouterr().out


def test_a_condition_holds_or_fails(capsys: pytest.CaptureFixture[str]) -> None:
    values = ("C=1", "H=1", "c=1", "eta=0.4", "q=0.4", "k=5,10^5")
    assert attnlimits("bound", "stage3.e12", *values) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].endswith("fails")
    assert out[2].endswith("holds")


def test_the_list_and_a_description(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound") == 0
    assert "stage2.f " in capsys.readouterr().out
    assert attnlimits("bound", "stage2.f") == 0
    assert "eta: (0, 1/2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "changes", "complaint"),
    [
        ("stage2.f", {"eta": "1/2"}, "outside (0, 1/2)"),
        ("stage2.f", {"eta": "0.7"}, "outside (0, 1/2)"),
        ("stage2.f", {"k": "0"}, "outside integers >= 1"),
        ("stage2.f", {"k": "1.5"}, "outside integers >= 1"),
        ("stage2.f", {"k": "nan"}, "not a number"),
        ("stage2.f", {"k": "inf"}, "not a number"),
        ("stage2.f", {"k": ""}, "write name=value"),
        ("stage2.f", {"k": "9..3"}, "empty"),
        ("stage2.f", {"k": "1..9:0"}, "step must be positive"),
        ("stage2.f", {"k": "0..9:*2"}, "start above 0"),
        ("stage2.f", {"k": "1..10^9"}, "take at most"),
        ("stage2.f", {"k": "10^400000"}, "digits"),
        ("stage2.f", {"z": "1"}, "unknown z"),
        ("stage2.f", {"C": "-1"}, "outside (0, 1]"),
        ("stage9.f", {}, "did you mean"),
    ],
)
def test_malformed_parameters_are_code_2(
    name: str, changes: dict[str, str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    values = dict(text.split("=") for text in POINT) | changes
    assert attnlimits("bound", name, *(f"{s}={v}" for s, v in values.items())) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err


def test_the_share_reached_must_be_below_the_share_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = ("C=1/2", "Cprime=3/4", "eta=1/10", "q=1/10", "delta=1")
    assert attnlimits("bound", "final.reaches", *values) == 2
    assert "Cprime" in capsys.readouterr().err
    assert attnlimits("bound", "stage3.e8", "C=1", "n=9", "eta=0.1", "q=0", "delta=1") == 2
    assert "q = 0 is outside" in capsys.readouterr().err


def test_huge_integers_are_shown_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    values = ("C=1", "c=1", "H=1", "eta=1/4", "k=10^9000")
    assert attnlimits("bound", "stage2.f", *values, "--format", "json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["at"]["k"] == "an integer of 29898 bits"
    assert row["decimal"].endswith("e+18001")


@given(st.integers(1, 50), st.integers(0, 50), st.fractions(Fraction(1, 9), 9))
def test_a_range_holds_exactly_its_members(lo: int, length: int, step: Fraction) -> None:
    hi = lo + length
    found = read_grid([f"k={lo}..{hi}:{step}"])["k"]
    assert found[0] == lo
    assert hi - step < found[-1] <= hi
    assert all(b - a == step for a, b in pairwise(found))


def test_grids() -> None:
    grid = read_grid(["n=2^3..2^6:*2", "q=1/2,0.25"])
    assert grid == {"n": [8, 16, 32, 64], "q": [Fraction(1, 2), Fraction(1, 4)]}
    assert len(list(points(grid))) == 8
    with pytest.raises(GridError, match="twice"):
        read_grid(["a=1", "a=2"])
    with pytest.raises(GridError, match="points"):
        read_grid(["a=1..1000", "b=1..1000"])


def test_the_command_and_the_package_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound", "stage2.f", *POINT, "--format", "json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    bound = lookup("stage2.f")
    assert isinstance(bound, Bound)
    place = {"C": Fraction(3, 4), "c": 2, "H": 1, "eta": Fraction(1, 10), "k": 40}
    assert Fraction(row["value"]) == bound.at(**place)


STEP = ("c=1", "H=1", "C=1", "eta=1/4", "q=1/4")


def test_the_least_k_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound", "stage3.e12", *STEP, "--least", "k", "--format", "json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["least"] == "909"
    assert not row["slack"].startswith("[-")
    assert row["slack_below"].startswith("[-")
    assert attnlimits("bound", "stage3.e12", *STEP, "k=908,909") == 0
    before, at = capsys.readouterr().out.splitlines()[1:]
    assert before.endswith("fails")
    assert at.endswith("holds")


def test_the_least_n_and_the_parameters_of_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("bound", "stage3.e11", *STEP, "delta=1", "k=909", "--least", "n") == 0
    assert capsys.readouterr().out.endswith("least 17\n")
    target = ("c=1", "H=1,2", "C=1", "Cprime=1/2", "--least", "k", "--format", "json")
    assert attnlimits("bound", "final.reaches", *target) == 0
    for row in json.loads(capsys.readouterr().out)["rows"]:
        eta, q, delta = (Fraction(row[s]) for s in ("eta", "q", "delta"))
        assert (1 - 2 * eta) * (1 - (1 + delta) * q) == Fraction(1, 2)
    fewer = ("stage3.e12", *STEP, "--least", "k", "--best-weights")
    assert attnlimits("bound", *fewer) == 0
    assert int(capsys.readouterr().out.split()[-1]) < 909


@pytest.mark.parametrize(
    "arguments",
    [
        ("stage2.f", *POINT, "--least", "k"),
        ("stage3.e12", *STEP, "k=3", "--least", "k"),
        ("stage3.e12", "c=1", "--least", "k"),
        ("stage3.e11", *STEP, "delta=1", "k=2", "--least", "n"),
        ("final.reaches", "c=1", "H=1", "C=1/2", "Cprime=1/2", "--least", "k"),
        ("stage3.e12", *STEP, "k=3", "--best-weights"),
    ],
)
def test_questions_without_an_answer_are_code_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert attnlimits("bound", *arguments) == 2
    assert capsys.readouterr().err.startswith("error: ")
