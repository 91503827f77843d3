"""Tables of trained models: exact intervals, rows, what is printed."""

import json
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlimits.boundary import run
from attnlimits.commands.rasp import app
from rasp.trainer.result import Check, Result
from rasp.trainer.setting import Setting
from rasp.trainer.statistics import (
    CONFIDENCE,
    GRID,
    CountError,
    interval,
    surely_above,
    surely_below,
)
from rasp.trainer.store import Store, recorded
from rasp.trainer.summary import percent, spread, summaries, table_text
from rasp.trainer.tables import SEEDS, VARIANTS, Row, TableError, rows, settings
from rasp.trainer.tasks import TASKS, task


def at_least(right: int, total: int, share: Fraction) -> Fraction:
    return sum(
        (comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(right, total + 1)),
        Fraction(0),
    )


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_are_those_of_the_binomial_tails(counts: tuple[int, int]) -> None:
    right, total = counts
    low, high = interval(right, total)
    tail, step = Fraction(1, 200), Fraction(1, 10_000)
    assert low == 0 or at_least(right, total, low) <= tail
    assert high == 1 or 1 - at_least(right + 1, total, high) <= tail
    # and no wider than the grid makes them
    assert right == 0 or at_least(right, total, low + 2 * step) > tail
    assert right == total or 1 - at_least(right + 1, total, high - 2 * step) > tail


@given(st.integers(0, 30), st.integers(1, 99))
def test_both_sides_mirror_each_other(right: int, hundredth: int) -> None:
    share = Fraction(hundredth, 100)
    assert surely_above(right, 30, share) == surely_below(30 - right, 30, 1 - share)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(CountError):
        interval(3, 2)


def test_large_counts_take_no_time() -> None:
    low, high = interval(4990, 5000)
    assert float(low) == pytest.approx(0.9957, abs=2e-4)
    assert float(high) == pytest.approx(0.9993, abs=2e-4)


def test_rows_of_the_tables() -> None:
    found = rows("laptop")
    assert {row.task for row in found} == set(TASKS)
    assert len(found) == 32
    assert Row("hist-bos", "one layer fewer").size() is None
    assert Row("double-hist", "one layer fewer, twice the heads").size() == (1, 4)
    assert {row.task for row in rows("quick")} == {"reverse", "dyck1"}
    with pytest.raises(TableError):
        Row("sort", "two layers more").size()


@pytest.mark.parametrize("scale", ["quick", "laptop", "paper"])
def test_every_run_of_a_table_is_another_setting(scale: str) -> None:
    made = [s for row in rows(scale) for s in settings(row, scale)]  # type: ignore[arg-type]
    assert len({setting.digest() for setting in made}) == len(made)
    assert all((s.supervise > 0) == (s.supervise == 10.0) for s in made)


def result(setting: Setting, right: int) -> Result:
    return Result(
        setting=setting,
        steps=100,
        tokens_right=right,
        tokens=1000,
        sequences_right=right // 10,
        sequences=100,
        probes_right=right // 20,
        probes=50,
        by_length=((1, right // 10, 100),),
        attention_error=0.25,
        attention_probes_right=None,
        unevenness=((0.5,),),
        curve=(Check(100, 0.5, right, 1000, 0.25, 1.0),),
        cpu_seconds=1.0,
        parameters=10,
        distribution=setting.task.describe(),
        versions={"python": "3"},
    )


def test_a_summary_states_mean_and_spread_over_all_seeds(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = Row("reverse", "one layer fewer")
    for setting, right in zip(settings(row, "laptop"), (400, 500, 600), strict=True):
        assert store.find(setting) is None
        store.save(result(setting, right))
        found = store.find(setting)
        assert found is not None
        assert found.tokens_right == right
    results = {found.setting.digest(): found for found in store.all()}
    (summary,) = summaries(results, "laptop", seeds=SEEDS)
    assert spread(summary.tokens) == "50.00 (40.00..60.00)"
    text = table_text([summary], 2)
    assert "50.00 (40.00..60.00)" in text
    assert "41.2" in text
    assert "reverse" not in table_text([summary], 1)
    low = min(pair[0] for pair in summary.token_intervals)
    assert low == interval(20, 50)[0]


def test_a_hundred_percent_is_not_rounded_to() -> None:
    assert percent(Fraction(99_999, 100_000)) == "99.99"
    assert percent(1.0) == "100"


def test_recorded_runs_are_the_ones_of_the_tables() -> None:
    known = {s.digest() for row in rows("laptop") for s in settings(row, "laptop")}
    assert recorded()
    assert set(recorded()) <= known
    for found in recorded().values():
        assert found.sequences == found.setting.test
        assert found.tokens == sum(n * words for n, _, words in found.by_length)
        assert found.sequences_right == sum(right for _, right, _ in found.by_length)
        assert found.distribution == found.setting.task.describe()
        assert {"python", "torch", "numpy"} <= set(found.versions)


def test_the_commands_show_recorded_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["table2", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {row["variant"] for row in shown} <= set(VARIANTS) - {"supervised"}
    assert run(app, ["table1"]) == 0
    assert "99 % interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table1", "--quick", "--laptop"], "give one of them"),
        (["table2", "--seeds", "0"], "at least 1"),
        (["table2", "--first-seed", "90"], "seed 90"),
        (["train", "nothing"], "no task"),
        (["train", "reverse", "--bos", "#"], "says itself"),
        (["train", "reverse", "--heads", "5"], "no multiple"),
        (["train", "reverse", "--longest", "0"], "1 <= shortest"),
        (["train", "reverse", "--longest", "100000"], "use shorter words"),
        (["train", "reverse", "--width", "1000000"], "choose a smaller width"),
        (["train", "reverse", "--rate", "nan"], "finite"),
        (["train", "reverse", "--example", "ab?"], "'?' is not in"),
        (["train", "reverse", "--out", "/proc/nowhere/x.json"], "/proc/nowhere"),
        (["train", "dyck1", "--alphabet", "ab"], "dyck1 reads ()"),
        (["table1", "--quick", "--out", "/proc/nowhere"], "/proc/nowhere"),
    ],
)
def test_misuse_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_program_of_ones_own_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    file = tmp_path / "own.rasp"
    file.write_text("first = aggregate(select(indices, 0, ==), tokens_str);\n")
    out = tmp_path / "result.json"
    code = run(
        app,
        f"train {file} first --alphabet abc --longest 4 --width 16 --steps 60 --test 200 "
        f"--supervise-attention 1 --example bca --checkpoint {tmp_path}/s.pt --out {out}".split(),
    )
    assert code == 0
    captured = capsys.readouterr()
    assert "first (1,1)" in captured.out
    assert "step 60" in captured.err
    found = Result.load(out)
    assert found.setting.task == replace(
        found.setting.task, name="first", alphabet=("a", "b", "c"), longest=4
    )
    assert found.example is not None
    assert found.example.expected == ("b", "b", "b")
    assert found.example.patterns[0][2][2] == (1.0, 0.0, 0.0)


def test_a_task_says_what_the_setting_is_for() -> None:
    assert Setting(task=task("sort")).title() == "sort (2,1), seed 0"


@pytest.mark.parametrize("total", [10, 300, 1000])
def test_the_lower_end_where_all_are_right_is_a_root(total: int) -> None:
    low, high = interval(total, total)
    tail = (1 - CONFIDENCE) / 2  # the end is the share s with s^total = tail
    assert high == 1
    assert low**total <= tail < (low + Fraction(1, GRID)) ** total
    assert surely_above(total, total, low)
    assert not surely_above(total, total, low + Fraction(1, GRID))
