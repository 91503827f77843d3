import json
from pathlib import Path

import numpy as np
import pytest

from attention.constructions.chiang2022_parity import parity_cross_entropy
from attnlimits.boundary import run
from attnlimits.cli import build
from attnlimits.commands import influence as command
from attnlimits.influence_runs import InfluenceRunError, Journal, lengths


def attnlimits(*arguments: str) -> int:
    return run(build(), ["influence", *arguments])


def _json(capsys: pytest.CaptureFixture[str]) -> dict:  # type: ignore[type-arg]
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_a_curve_has_slope_minus_one(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--n", "2^8..2^40:*16", "--layers", "1", "--width", "8", "--format", "json")
    assert attnlimits(*arguments) == 0
    value = _json(capsys)
    assert value["slope"] == pytest.approx(-1, abs=1e-3)
    assert value["warnings"] == []
    assert {row["engine"] for row in value["rows"]} == {"types"}


def test_below_the_knee_the_user_is_warned(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("--model", "aligned", "--logit-bound", "8", "--pattern", "0", "--to", "1",
                      "--n", "16,64") == 0  # fmt: skip
    assert "the slope says nothing yet" in capsys.readouterr().err


def test_a_long_length_is_announced_with_its_cost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "LONG", 0.0)
    causal = ("--mask", "causal", "--layers", "1", "--heads", "1", "--width", "4", "--n", "16,32")
    assert attnlimits(*causal) == 0
    assert "n = 32 may take 0 minutes" in capsys.readouterr().err
    assert attnlimits(*causal[2:]) == 0  # few types: no pairs of positions
    assert "may take" not in capsys.readouterr().err


def test_certified_columns_hold_the_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("--n", "2^12", "--width", "4", "--heads", "1", "--certify", "--statistic",
                      "worst", "--format", "json") == 0  # fmt: skip
    (row,) = _json(capsys)["rows"]
    assert float(row["worst_enclosure"].strip("[").split()[0]) == pytest.approx(row["influence"])
    assert row["influence"] <= row["worst_certified_bound"]


def test_a_profile_lists_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("--word", "0110", "--engine", "brute", "--format", "json") == 0
    rows = _json(capsys)["rows"]
    assert [row["position"] for row in rows] == [0, 1, 2, 3]
    assert [row["read"] for row in rows] == [False, False, False, True]
    assert [row["to"] for row in rows] == ["1", "0", "0", "1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--word", "0120"), "unknown symbol '2'"),
        (("--word", "01", "--positions", "7"), "position 7 is outside"),
        (("--word", "01", "--positions", "x"), "write all, or numbers"),
        (("--positions", "1"), "--positions goes with --word"),
        (("--n", "1"), "only position is the reading position"),
        (("--n", "0"), "lengths are integers from 1 on"),
        (("--model", "nowhere.pt"), "use random, aligned, the path"),
        (("--heads", "3", "--width", "16"), "H dividing d"),
        (("--mask", "window"), "use full, causal or window:WIDTH"),
        (("construction", "parity", "--eps", "-1"), "eps = -1"),
        (("construction", "parity", "--eps", "x"), "write numbers"),
        (("process", "dyck", "--p", "1"), "strictly between 0 and 1"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attnlimits(*arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_eps_zero_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("--norms", "post", "--eps", "0", "--n", "64,128") == 0
    assert "eps = 0" in capsys.readouterr().err


def test_constructions(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("construction", "parity", "--n", "100", "--eps", "none", "--format",
                      "json") == 0  # fmt: skip
    assert _json(capsys)["rows"] == [{"eps": None, "bits": [parity_cross_entropy(100)]}]


def test_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert attnlimits("process", "dyck", "--p", "1/4", "--n", "3", "--format", "json") == 0
    value = _json(capsys)
    assert value["rows"][0]["P0"] == pytest.approx(3 / 7)
    assert value["stream_P0"] == "1/12"
    assert attnlimits("process", "parity", "--p", "1/2", "--format", "json") == 0
    value = _json(capsys)
    assert value["optimal_bits"] < value["given_last_symbol_bits"] < value["unigram_bits"]


def test_a_journal_is_resumed_and_guarded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    base = ("--layers", "1", "--width", "4", "--heads", "1", "--journal", str(path))
    assert attnlimits(*base, "--n", "64,128") == 0
    lines = path.read_text().splitlines()
    assert len(lines) == 3
    # what is in the journal is not measured again: a marked value survives
    marked = json.loads(lines[1]) | {"engine": "remembered"}
    path.write_text("\n".join([lines[0], json.dumps(marked), lines[2][:20]]) + "\n")
    assert attnlimits(*base, "--n", "64,128,256", "--format", "json") == 0
    capsys.readouterr()
    assert attnlimits(*base, "--n", "64,128,256", "--format", "json") == 0
    engines = [row["engine"] for row in _json(capsys)["rows"]]
    assert engines == ["remembered", "types", "types"]
    assert attnlimits(*base, "--n", "64", "--seed", "5") == 2
    assert "other settings" in capsys.readouterr().err


def test_a_saved_model_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
    state = {f"encoder.{k}": v for k, v in encoder.state_dict().items()}
    state["embedding.weight"] = torch.randn(2, 8)
    torch.save(state, tmp_path / "m.pt")
    arguments = ("--model", str(tmp_path / "m.pt"), "--heads", "2", "--norms", "post", "--word")
    assert attnlimits(*arguments, "0101", "--format", "json") == 0
    assert len(_json(capsys)["rows"]) == 4


def test_lengths_and_journals_without_a_file() -> None:
    assert lengths("2^3..2^6") == [8, 16, 32, 64]
    with pytest.raises(InfluenceRunError, match="integers"):
        lengths("1/2")
    journal = Journal(None, {})
    journal.add({"n": 4})
    assert journal.rows == {4: {"n": 4}}
    assert np.isfinite(parity_cross_entropy(4))
