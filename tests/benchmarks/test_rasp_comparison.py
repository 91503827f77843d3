"""Comparing with other implementations: small fakes that obey their protocols."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

INTERPRETER = """
import sys
answers = {'reverse("abc");': "\\t =  [c, b, a] (strings)", 'hist_nobos("abc");': "\\t =  [9]*3"}
for line in sys.stdin:
    line = line.strip()
    print(">> ", end="")
    if line == "exit":
        break
    if line.startswith("dyck"):
        raise SystemExit("no such program")
    sum(range(300_000))
    print(answers.get(line, ""))
"""
RASPY = """
def aggregate(selector, value):
    return SOp(lambda w: [
        sum(column[j] if isinstance(column[j], int) else 0 for j in range(len(w)) if row[j])
        if sum(row) != 1 else next(column[j] for j in range(len(w)) if row[j])
        for row in [selector(w)] for column in [lift(value).f(w)] for row in row])
class SOp:
    def __init__(self, f):
        self.f, self.cache = f, {}
    def __call__(self, word):
        self.value = self.f(word)
        return self
    def toseq(self):
        return self.value
    def __sub__(self, other):
        return SOp(lambda w: [a - b for a, b in zip(self.f(w), lift(other).f(w))])
class Sel:
    def __init__(self, f):
        self.f = f
    def __call__(self, w):
        return self.f(w)
    def __and__(self, o):
        return Sel(lambda w: [[a and b for a, b in zip(*r)] for r in zip(self(w), o(w))])
    def __or__(self, o):
        return Sel(lambda w: [[a or b for a, b in zip(*r)] for r in zip(self(w), o(w))])
def lift(x):
    return x if isinstance(x, SOp) else SOp(lambda w: [x] * len(w))
def select(k, q, p):
    return Sel(lambda w: [[p(a, b) for a in lift(k).f(w)] for b in lift(q).f(w)])
tokens = SOp(list)
indices = SOp(lambda w: list(range(len(w))))
"""


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("other_rasp")
    for name in ("raspy", "raspy.rasp"):
        sys.modules.pop(name, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "RASP_support").mkdir()
    (tmp_path / "RASP_support" / "__main__.py").write_text(INTERPRETER)
    return tmp_path


def test_the_authors_interpreter_is_timed_on_our_answer(other: ModuleType, folder: Path) -> None:
    reference = other.Reference(folder)
    assert reference.start() > 0
    assert reference.seconds("reverse", "abc", "\t =  [c, b, a] (strings)\n", 0.0) > 0
    with pytest.raises(other.Unavailable, match="another answer"):
        reference.seconds("hist_nobos", "abc", "\t =  [1]*3 (ints)\n", 0.0)
    with pytest.raises(other.Unavailable, match="no such program"):
        reference.seconds("dyck1_ptf", "abc", "", 0.0)


def test_a_folder_without_it_is_named(other: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(other.Unavailable, match="has no folder RASP_support"):
        other.Reference(tmp_path)


def test_raspy_is_used_where_it_is_installed(
    other: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(other.Unavailable, match="raspy cannot be used"):
        other.raspy_programs()
    (tmp_path / "raspy").mkdir()
    (tmp_path / "raspy" / "rasp.py").write_text(RASPY)
    monkeypatch.syspath_prepend(str(tmp_path))
    programs = other.raspy_programs()
    assert programs["hist_nobos"]("aab") == [2, 2, 1]
    assert programs["reverse"]("abc") == ["c", "b", "a"]
    assert programs["sorted"]("bac") == ["a", "b", "c"]


def test_the_script_compares_and_says_what_it_cannot(
    other: ModuleType, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speed = importlib.import_module("rasp_speed")
    known = speed.programs()
    speed.beside_reference(folder, known, 3)
    printed = capsys.readouterr().out
    assert "start and load" in printed
    assert "reverse: not compared: another answer than ours" in printed
    speed.beside_reference(folder / "nowhere", known, 3)
    speed.beside_raspy(known, 3)
    assert capsys.readouterr().out.count("not compared") == 2
