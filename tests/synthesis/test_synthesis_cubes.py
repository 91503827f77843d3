"""Cubes: cuts cover, proofs join, and processes that are really killed lose nothing finished."""

import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

from synthesis import conquer
from synthesis.assembly import Refuted, denial, join
from synthesis.certificate import lemmas_of, save
from synthesis.checker.lrat import ProofError, check
from synthesis.conquer import Effort
from synthesis.decision import Found, Impossible, Unknown, decide
from synthesis.encodings import encode
from synthesis.formula import Cnf
from synthesis.ledger import Ledger, LedgerError
from synthesis.proof import Lemma, as_text
from synthesis.recheck import verify_file
from synthesis.solving import SolverError, solve
from synthesis.spec import Spec
from synthesis.splitting import cut, with_units

CELL = Spec("parity", 5, 1, 3)
RUN = """
import sys
from pathlib import Path
from synthesis.conquer import Effort
from synthesis.decision import decide
from synthesis.spec import Spec
decide(Spec("parity", 5, 1, 3), seconds=300, effort=Effort(Path(sys.argv[1]), 2, 0.7))
"""


def test_cuts_cover_and_their_proofs_join_to_one_that_the_checker_accepts() -> None:
    spec = Spec("parity", 4, 1, 2)
    labels = {word: answer for word, answer in spec.labels().items() if word[-1] == 0}
    cnf = encode(spec, "order", labels).canonical()
    leaves = [()]
    for _ in range(3):
        leaves = [half for cube in leaves for half in (cut(cnf, cube) or (cube,))]
    assert len(leaves) == 8
    refuted = []
    for cube in leaves:
        task = with_units(cnf, cube)
        refuted.append(denial(cnf, cube, lemmas_of(task, solve(task, seconds=60, proof=True))))
        alone = as_text(refuted[-1].lemmas).splitlines()
        with pytest.raises(ProofError, match="ends before"):  # it denies the cube only
            check(cnf.clauses, alone)
    proof = join(cnf, leaves, refuted, lambda _: cnf)
    assert check(cnf.clauses, as_text(proof).splitlines()) == len(proof)
    with pytest.raises(ProofError, match="was not refuted"):
        join(cnf, leaves, refuted[:3], lambda _: cnf)


def test_cores_of_other_branches_close_cubes_too() -> None:
    names = (("a",), ("b",))
    cnf = Cnf(names, ((1, 2), (1, -2), (-1, 2), (-1, -2)))
    b, not_b = ((True, ("b",)),), ((False, ("b",)),)
    leaves = [((s, ("a",)), (t, ("b",))) for s, t in product((True, False), repeat=2)]
    refuted = [Refuted(b, (Lemma(5, (-2,), (2, 4)),)), Refuted(not_b, (Lemma(5, (2,), (1, 3)),))]
    proof = join(cnf, leaves, refuted, lambda _: cnf)
    assert check(cnf.clauses, as_text(proof).splitlines()) == len(proof)


def test_words_chosen_later_keep_what_was_refuted_for_fewer(tmp_path: Path) -> None:
    effort = Effort(tmp_path / "work", slice_seconds=20)
    outcome = decide(Spec("dyck2", 4, 1, 1), seconds=100, mode="guided", effort=effort)
    assert isinstance(outcome, Impossible)
    assert outcome.certificate is not None
    assert outcome.certificate.words is not None
    assert verify_file(save(outcome.certificate, tmp_path)).verdict == "impossible"


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


def wait_for(condition: object, seconds: float = 120) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killed_solvers_and_a_killed_search_lose_nothing_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    here = Path(__file__).parents[2]
    search = subprocess.Popen([sys.executable, "-c", RUN, str(work)], cwd=here)
    try:
        wait_for(lambda: children(search.pid))
        os.kill(children(search.pid)[0], signal.SIGKILL)  # one solver: its cube is given out again
        wait_for(lambda: any(work.rglob("cube-*.xz")))
        solvers = children(search.pid)
        assert search.poll() is None
    finally:
        search.kill()
        search.wait()
    wait_for(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in solvers), 20)
    kept = {path: path.read_bytes() for path in work.rglob("cube-*.xz")}
    (folder,) = {path.parent for path in kept}
    cores = {one.core for one in Ledger(folder, _question(folder)).refuted()}

    attacked = []
    honest = conquer.Campaign._attack
    monkeypatch.setattr(
        conquer.Campaign, "_attack", lambda self, cube: attacked.append(cube) or honest(self, cube)
    )
    outcome = decide(CELL, seconds=300, effort=Effort(work, 1, 20))
    assert isinstance(outcome, Impossible)
    assert outcome.certificate is not None
    # where solvers are fast, what was kept may already refute everything: nothing is attacked then
    assert not any(set(core) <= set(cube) for core in cores for cube in attacked)
    assert all(path.read_bytes() == content for path, content in kept.items())
    assert verify_file(save(outcome.certificate, tmp_path)).verdict == "impossible"


def _question(folder: Path) -> str:
    import json

    return str(json.loads((folder / "plan.json").read_text())["question"])


def test_a_ledger_of_another_question_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    decide(Spec("parity", 3, 1, 1), seconds=60, effort=Effort(tmp_path))
    (folder,) = {path.parent for path in tmp_path.rglob("*.json*")}
    with pytest.raises(LedgerError, match="another question"):
        Ledger(folder, "other").refuted()
    (path,) = folder.glob("cube-*.xz")
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(LedgerError, match="damaged"):
        decide(Spec("parity", 3, 1, 1), seconds=60, effort=Effort(tmp_path))


def test_found_machines_are_kept_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = Spec("parity", 4, 2, 1)
    assert isinstance(decide(spec, seconds=60, effort=Effort(tmp_path)), Found)
    monkeypatch.setattr(conquer, "solve", lambda *a, **k: pytest.fail("nothing is left to solve"))
    assert isinstance(decide(spec, seconds=60, effort=Effort(tmp_path)), Found)


def test_a_budget_that_ends_leaves_the_work_to_go_on_from(tmp_path: Path) -> None:
    spec = Spec("parity", 6, 2, 1)
    assert isinstance(decide(spec, seconds=0.9, effort=Effort(tmp_path, 1, 0.5)), Unknown)
    assert Ledger(tmp_path, _question(tmp_path)).plan()[0]
    with pytest.raises(SolverError, match="at least one"):
        Effort(tmp_path, workers=0)
