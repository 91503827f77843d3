"""The stored tables: complete, verified, below the reference tables, above the machines."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.limits import alteration, closed_form, greedy, no_x0, switching, textbook
from bounds.limits.certify import limit
from bounds.limits.decide import decide, verify_stored
from bounds.limits.machines_reach import reachable
from bounds.limits.plan import LimitError, Question
from bounds.limits.sensitivity import sensitivity
from bounds.limits.sweep import read_table, stored, sweep, table_json

# lengths that an independent derivation of the same lemmas gave, ordered tuples in the union
PARITY = {
    1: (3, 4, 5, 6, 7, 8, 9, 10),
    2: (13, 51, 103, 169, 246, 336, 437, 550),
    3: (298, 1654, 4112, 7813, 12884, 19459, 27788, 37498),
    4: (22106, 199460, 630864, 1424019, 2685505, 4527190, 7072206, 10445436),
}
DYCK = {
    1: (4, 8, 12, 16, 20, 24, 28, 32),
    2: (124, 508, 1000, 1604, 2308, 3112, 4016, 5008),
    3: (4424, 19160, 44192, 80592, 129328, 191436, 268932, 358820),
    4: (534660, 3145492, 8664784, 18159684, 32527556, 53224828, 80958020, 116112724),
}
REACH = {
    1: (2, 3, 4, 5, 6, 7, 8, 9),
    2: (9, 19, 31, 45, 61, 79, 99, 121),
    3: (41, 57, 124, 225, 366, 553, 792, 1089),
    4: (161, 171, 496, 1125, 2196, 3871, 6336, 9801),
}


@pytest.mark.parametrize(("name", "reference"), [("parity", PARITY), ("dyck", DYCK)])
def test_no_entry_is_worse_than_the_reference(
    name: str, reference: dict[int, tuple[int, ...]]
) -> None:
    found = {(c["layers"], c["heads"]): c["n0"] for c in stored(name)}
    for layers, row in reference.items():
        for heads, n0 in enumerate(row, start=1):
            assert found[(layers, heads)] <= n0, (layers, heads)


@pytest.mark.parametrize(
    "name", ["parity", "dyck", pytest.param("parity-tuples", marks=pytest.mark.slow)]
)
def test_every_stored_limit_is_verified_and_one_length_less_is_not(name: str) -> None:
    for cert in stored(name):
        assert decide(cert).ok, (cert, decide(cert).reasons)
        step = 2 if cert["task"] == "dyck" else 1
        first = {**cert["ranges"][0], "from": cert["n0"] - step}
        less = {**cert, "n0": cert["n0"] - step, "ranges": [first, *cert["ranges"][1:]]}
        assert not decide(less).ok


def _wide() -> dict[tuple[int, int], Any]:
    return {(c["layers"], c["heads"]): c for c in stored("parity-wide")}


def test_the_wide_table_is_complete_and_continues_the_other() -> None:
    wide = _wide()
    assert sorted(wide) == [(k, h) for k in range(1, 7) for h in range(1, 17)]
    for cert in stored("parity"):
        assert wide[(cert["layers"], cert["heads"])]["n0"] == cert["n0"]
    for (layers, heads), cert in wide.items():
        assert layers == 1 or cert["n0"] > wide[(layers - 1, heads)]["n0"]
        assert heads == 1 or cert["n0"] > wide[(layers, heads - 1)]["n0"]
    for size in ((5, 1), (6, 1), (6, 3), (2, 12)):
        assert decide(wide[size]).ok


@pytest.mark.slow
def test_limits_across_the_wide_table_hold() -> None:
    assert all(decide(cert).ok for (_, heads), cert in _wide().items() if heads in (2, 5, 9))


def test_machines_stay_below_the_limits() -> None:
    for cert in stored("parity"):
        assert reachable(cert["layers"], cert["heads"]) < cert["n0"]
        assert reachable(cert["layers"], cert["heads"]) >= REACH[cert["layers"]][cert["heads"] - 1]


def test_sets_are_never_worse_than_tuples() -> None:
    tuples = {(c["layers"], c["heads"]): c["n0"] for c in stored("parity-tuples")}
    assert all(c["n0"] <= tuples[(c["layers"], c["heads"])] for c in stored("parity"))


@pytest.mark.parametrize(("layers", "heads", "n0"), [(2, 1, 13), (2, 2, 49), (3, 1, 265)])
def test_searching_again_finds_the_stored_length(layers: int, heads: int, n0: int) -> None:
    assert limit(Question("parity", layers, heads))["n0"] == n0


@pytest.mark.slow
def test_four_layers_searched_from_scratch_are_no_worse_than_stored() -> None:
    known = {(c["layers"], c["heads"]): c["n0"] for c in stored("parity")}
    for heads in range(1, 9):
        assert limit(Question("parity", 4, heads))["n0"] <= known[(4, heads)]


def test_dyck_search_agrees_with_the_table() -> None:
    assert limit(Question("dyck", 2, 1))["n0"] == 72


def test_mod_three_generalises_parity() -> None:
    for heads in (1, 2, 3):
        assert limit(Question("mod", 1, heads, modulus=3))["n0"] == heads + 3
    parity = limit(Question("parity", 2, 2))["ranges"][-1]["from"]
    assert limit(Question("mod", 2, 2, modulus=2))["n0"] == parity
    assert limit(Question("mod", 2, 2, modulus=3))["n0"] > parity


def test_tables_survive_writing_and_resume(tmp_path: Any) -> None:
    questions = [Question("parity", 1, h) for h in (1, 2, 3)]
    certs = list(sweep(questions))
    path = tmp_path / "table.json"
    path.write_text(table_json(certs), encoding="utf-8")
    known = read_table(path)
    assert [c["n0"] for c in sweep([*questions, Question("parity", 1, 4)], known=known)] == [
        3,
        4,
        5,
        6,
    ]
    assert "3 limits" in verify_stored(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(LimitError):
        read_table(path)


def test_older_methods_are_weaker() -> None:
    assert [closed_form.smallest(k, 1) for k in (2, 3)] == [45, 29818]
    assert switching.smallest(2, 1) == 39
    assert switching.smallest(2, 2) == 125
    assert greedy.smallest(1, 3) == 5
    assert (greedy.smallest(2, 1), greedy.smallest(2, 8)) == (78, 4759)
    assert greedy.log10_smallest(3, 1) < 9.3
    assert alteration.smallest(2, 1) == 69
    assert no_x0.smallest(1) <= 1550
    assert no_x0.smallest(8) <= 14477
    assert no_x0.log10_smallest(2, 8) < 382.5
    assert textbook.smallest(2, 1) <= 34816
    for layers, heads in ((2, 1), (2, 3), (3, 1)):
        best = PARITY[layers][heads - 1]
        assert closed_form.smallest(layers, heads) > best
        assert switching.smallest(layers, heads) > best


@pytest.mark.parametrize(
    "wrong", [{"heads": 0}, {"layers": 0}, {"padding": -1}, {"modulus": 1}, {"task": "ones"}]
)
def test_questions_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(LimitError):
        Question(**{"task": "parity", "layers": 2, "heads": 1, **wrong})


def test_the_textbook_condition_holds_from_its_length_on() -> None:
    last = Fraction(101, 100)
    n = textbook.smallest(2, 1)
    choices = [(Fraction(a, 8), last) for a in (9, 10, 11, 12, 14, 16, 20, 24, 32)]
    kept = [b for b in choices if all(textbook.holds(2, 1, m, b) for m in range(n, n + 900))]
    assert any(not textbook.holds(2, 1, n - 1, b) for b in kept)
    with pytest.raises(LimitError):
        textbook.walk(2, 1, 0, choices[0])
    with pytest.raises(LimitError):
        textbook.walk(2, 1, 10, (Fraction(1), Fraction(2)))


def test_alteration_keeps_what_it_says_on_executed_restrictions() -> None:
    rng = np.random.default_rng(8)
    n, k, p = 300, 4, Fraction(3, 10)
    left = []
    for _ in range(20):
        order = rng.integers(n, size=(n, 2, 40))
        want = rng.integers(2, size=(n, 2, 40))
        x = np.where(rng.random(n) < float(p), 2, rng.integers(2, size=n))
        for i in range(n):
            for bit in (0, 1):
                seen: list[int] = []
                for v, b in zip(order[i, bit].tolist(), want[i, bit].tolist(), strict=True):
                    if x[v] == b or v in seen:
                        break
                    if x[v] == 2:
                        seen.append(v)
                    if len(seen) > k:
                        x[v] = b
                        break
        left.append(int((x == 2).sum()))
    assert np.mean(left) >= float(alteration.share(1, p, k)) * n - 3 * np.std(left) / 20**0.5
    with pytest.raises(LimitError):
        alteration.share(1, Fraction(1), 2)


@pytest.mark.slow
def test_three_layers_by_the_textbook() -> None:
    assert textbook.smallest(3, 1) <= 175_000_000


def test_one_step_of_any_number_does_not_improve_a_small_limit() -> None:
    moves = sensitivity(limit(Question("parity", 3, 1)))
    numbers = {(m.parameter, m.after) for m in moves}
    assert ("s", "7") in numbers
    assert ("padding", "1") in numbers
    assert all(m.change is None or m.change >= 0 for m in moves)
    assert any(m.change == 8 for m in moves if m.parameter == "w")
