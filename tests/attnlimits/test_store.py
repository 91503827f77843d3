import json
from dataclasses import replace
from pathlib import Path

import pytest

from attnlimits.pool import KILLED, Decided
from attnlimits.store import Store, StoreError, opened, sources_digest
from claims import Claim, Outcome, Verdict, collect

CLAIMS = collect("sample_claims")
SQUARE = CLAIMS["sample.square"]


def saved(folder: Path, claim: Claim = SQUARE) -> Path:
    with opened(folder, "sources") as store:
        store.save(claim, Decided(claim.id, claim.check(claim.statement), 1.0))
        return store.path(claim.id)


def test_a_result_is_resumed(tmp_path: Path) -> None:
    saved(tmp_path)
    valid, damaged = Store(tmp_path, "sources").finished(CLAIMS)
    assert list(valid) == ["sample.square"]
    assert valid["sample.square"].certificate.outcome.verdict is Verdict.EXHAUSTED
    assert damaged == []
    assert [p.name for p in (tmp_path / "results").iterdir()] == ["sample.square.json"]


def test_changed_sources_statements_or_checkers_are_decided_anew(tmp_path: Path) -> None:
    saved(tmp_path)
    assert Store(tmp_path, "other sources").finished(CLAIMS) == ({}, [])
    other = replace(SQUARE, statement=CLAIMS["sample.cube.as_stated"].statement)
    assert Store(tmp_path, "sources").finished({other.id: other}) == ({}, [])


def test_what_a_budget_cut_short_is_tried_again(tmp_path: Path) -> None:
    with opened(tmp_path, "s") as store:
        cut = Outcome(Verdict.UNDECIDED, KILLED, detail="killed")
        store.save(SQUARE, Decided(SQUARE.id, cut, 1.0))
        assert store.finished(CLAIMS) == ({}, [])


@pytest.mark.parametrize("damage", ["cut", "verdict", "schema", "seconds", "empty"])
def test_a_damaged_result_is_noticed(tmp_path: Path, damage: str) -> None:
    path = saved(tmp_path)
    data = json.loads(path.read_text())
    if damage == "verdict":
        data["certificate"]["outcome"]["verdict"] = "PROVED"
    if damage == "schema":
        data["schema"] = "something else"
    if damage == "seconds":
        data["seconds"] = None
    text = json.dumps(data)
    path.write_text(text[:100] if damage == "cut" else "" if damage == "empty" else text)
    valid, damaged = Store(tmp_path, "sources").finished(CLAIMS)
    assert valid == {}
    assert len(damaged) == 1
    assert path.name in damaged[0]


def test_two_runs_in_one_folder_are_told_apart(tmp_path: Path) -> None:
    second = opened(tmp_path, "s")
    with opened(tmp_path, "s"), pytest.raises(StoreError, match="another run is using"), second:
        pass
    with opened(tmp_path, "s"):
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match=r"cannot write in .*file"), opened(blocked, "s"):
        pass


def test_the_digest_sees_every_source_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "one_more_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    before = sources_digest(["one_more_package"])
    (package / "part.py").write_text("X = 1\n")
    assert sources_digest(["one_more_package"]) != before
