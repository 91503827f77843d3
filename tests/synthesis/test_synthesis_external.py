"""A program on PATH as the solver: a small stand-in that speaks DIMACS and DRAT."""

import json
import sys
import time
from pathlib import Path

import pytest

from synthesis.certificate import save
from synthesis.checker.lrat import ProofError
from synthesis.decision import Found, Impossible, decide
from synthesis.encodings import encode
from synthesis.recheck import verify_file
from synthesis.solving import SolverDiedError, SolverError, solve
from synthesis.spec import Spec

HONEST = """
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver(name="glucose4", bootstrap_with=CNF(from_file=formula).clauses, with_proof=True) as s:
    if s.solve():
        print("s SATISFIABLE")
        model = s.get_model()
        for k in range(0, len(model), 10):
            print("v", *model[k:k + 10])
        print("v 0")
        sys.exit(10)
    if proof:
        open(proof[0], "w").write("\\n".join(s.get_proof()) + "\\n")
    print("s UNSATISFIABLE")
    sys.exit(20)
"""
LIAR = 'open(proof[0], "w").write("1 0\\n0\\n"); print("s UNSATISFIABLE"); sys.exit(20)'
SLOW = "import time; time.sleep(60)"
BROKEN = "sys.exit(1)"
MUTE = "sys.exit(20)"


@pytest.fixture
def kissat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def install(body: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        start = f"#!{sys.executable}\nimport sys\n"
        start += 'assert sys.argv[1] == "--no-binary"\nformula, *proof = sys.argv[2:]\n'
        (folder / "kissat").write_text(start + body)
        (folder / "kissat").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        return folder

    return install


def test_its_machines_and_its_refutations_are_checked_like_all_others(kissat, tmp_path) -> None:
    kissat(HONEST)
    found = decide(Spec("parity", 3, 1, 2), seconds=60, solvers=("kissat",))
    assert isinstance(found, Found)
    assert verify_file(save(found.witness, tmp_path)).verdict == "found"
    done = decide(Spec("parity", 4, 1, 2), seconds=60, solvers=("kissat",))
    assert isinstance(done, Impossible)
    assert done.certificate is not None
    path = save(done.certificate, tmp_path)
    assert json.loads(path.read_text())["solver"] == "kissat"
    assert verify_file(path).verdict == "impossible"
    bare = decide(Spec("parity", 3, 1, 1), seconds=60, solvers=("kissat",), certify=False)
    assert isinstance(bare, Impossible)
    assert bare.certificate is None


def test_a_wrong_refutation_is_not_believed(kissat) -> None:
    kissat(LIAR)
    with pytest.raises(ProofError):
        decide(Spec("parity", 3, 1, 2), seconds=60, solvers=("kissat",))


def test_the_program_is_killed_when_its_time_is_up(kissat) -> None:
    folder = kissat(SLOW)
    cnf = encode(Spec("parity", 3, 1, 2), "order").canonical()
    assert solve(cnf, seconds=1, solvers=("kissat",)).satisfiable is None
    end = time.monotonic() + 10
    while any(str(folder) in _command(pid) for pid in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < end
        time.sleep(0.05)


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_text()
    except OSError:  # it ended meanwhile
        return ""


@pytest.mark.parametrize("body", [BROKEN, MUTE])
def test_a_program_without_an_answer_is_an_error(kissat, body: str) -> None:
    kissat(body)
    cnf = encode(Spec("parity", 3, 1, 2), "order").canonical()
    with pytest.raises(SolverDiedError, match="exit code"):
        solve(cnf, seconds=60, solvers=("kissat",))


def test_a_program_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    cnf = encode(Spec("parity", 3, 1, 2), "order").canonical()
    with pytest.raises(SolverError, match="kissat is not on PATH"):
        solve(cnf, seconds=60, solvers=("kissat",))
