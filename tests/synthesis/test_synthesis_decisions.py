"""Decisions end to end: machines re-run, certificates re-checked, tampering noticed."""

import json
import lzma
from pathlib import Path

import pytest

from synthesis import recheck
from synthesis.certificate import Adversary, Peeling, save
from synthesis.checker.lrat import ProofError, check
from synthesis.checker.verify import CertificateError
from synthesis.decision import Found, Impossible, Unknown, decide
from synthesis.formula import Cnf
from synthesis.proof import Lemma, as_text, read_lrat, trim
from synthesis.recheck import verify_file
from synthesis.rup import hints_for
from synthesis.shared import sharing
from synthesis.solving import SolverError, solve
from synthesis.spec import Spec


def refuted(spec: Spec, folder: Path, **options: object) -> Path:
    outcome = decide(spec, seconds=120, **options)
    assert isinstance(outcome, Impossible)
    assert outcome.certificate is not None
    return save(outcome.certificate, folder)


@pytest.mark.parametrize(
    ("spec", "verdict"),
    [
        (Spec("parity", 3, 1, 2), "found"),
        (Spec("parity", 4, 1, 2), "impossible"),
        (Spec("dyck1", 4, 1, 1), "impossible"),
        (Spec("parity", 5, 2, 1), "found"),
        (Spec("parity", 2, 1, 1, 3, "uniform"), "found"),
        (Spec("parity", 3, 1, 1, 3, "uniform"), "impossible"),
        (Spec("first", 6, 1, 1), "found"),
    ],
)
def test_cells_are_decided_and_stored_and_checked_again(
    spec: Spec, verdict: str, tmp_path: Path
) -> None:
    outcome = decide(spec, seconds=120)
    assert isinstance(outcome, Found | Impossible)
    stored = outcome.witness if isinstance(outcome, Found) else outcome.certificate
    assert stored is not None
    report = verify_file(save(stored, tmp_path))
    assert (report.verdict, report.spec) == (verdict, spec)


@pytest.mark.slow
def test_counterexamples_and_all_words_agree(tmp_path: Path) -> None:
    spec = Spec("dyck2", 4, 1, 1)
    for mode in ("all", "guided"):
        assert verify_file(refuted(spec, tmp_path, mode=mode)).verdict == "impossible"
    assert isinstance(decide(Spec("dyck2", 4, 1, 2), seconds=120, mode="guided"), Found)


def test_solvers_without_hints_get_them_from_our_trimmer(tmp_path: Path) -> None:
    for solver in ("cadical153", "glucose4"):
        path = refuted(Spec("parity", 4, 1, 2), tmp_path, solvers=(solver,))
        assert json.loads(path.read_text())["solver"] == solver
        assert verify_file(path).verdict == "impossible"


def test_a_tampered_certificate_is_noticed(tmp_path: Path) -> None:
    path = refuted(Spec("parity", 4, 1, 2), tmp_path)
    original = path.read_text()
    proof = path.parent / json.loads(original)["proof"]["file"]
    packed = proof.read_bytes()

    data = json.loads(original)
    data["spec"]["n"] = 3  # another question
    path.write_text(json.dumps(data))
    with pytest.raises(CertificateError, match="not bound"):
        verify_file(path)

    data["spec_sha256"] = Spec(**data["spec"]).digest()  # ... even if the cell's digest is fixed
    data["words"] = None
    path.write_text(json.dumps(data))
    with pytest.raises(CertificateError, match="not the ones that were refuted"):
        verify_file(path)

    for size in ("variables", "clauses", "lemmas", "hints"):
        data = json.loads(original)
        data["formula"][size] += 1
        path.write_text(json.dumps(data))
        with pytest.raises(CertificateError, match="sizes"):
            verify_file(path)

    path.write_text(original)
    lines = lzma.decompress(packed).decode().splitlines()
    proof.write_bytes(lzma.compress("\n".join(lines[1:]).encode()))
    with pytest.raises(CertificateError, match="not the one this certificate was made for"):
        verify_file(path)

    proof.write_bytes(packed[:-20])
    with pytest.raises(CertificateError, match="not a readable certificate"):
        verify_file(path)
    proof.unlink()
    with pytest.raises(CertificateError, match="not a readable certificate"):
        verify_file(path)


def test_a_tampered_machine_is_noticed(tmp_path: Path) -> None:
    outcome = decide(Spec("parity", 3, 1, 2), seconds=60)
    assert isinstance(outcome, Found)
    path = save(outcome.witness, tmp_path)
    data = json.loads(path.read_text())
    data["machine"]["rows"] = [[*row, value ^ 1] for *row, value in data["machine"]["rows"]]
    path.write_text(json.dumps(data))
    with pytest.raises(CertificateError, match="wrong on"):
        verify_file(path)


def test_a_machine_with_a_head_or_symbol_outside_the_cell_is_refused(tmp_path: Path) -> None:
    outcome = decide(Spec("parity", 3, 1, 2), seconds=60)
    assert isinstance(outcome, Found)
    path = save(outcome.witness, tmp_path)
    data = json.loads(path.read_text())
    for place in (1, 3):  # head, own value
        rows = [row[:] for row in data["machine"]["ranks"]]
        rows[0][place] = 9
        path.write_text(json.dumps({**data, "machine": {**data["machine"], "ranks": rows}}))
        with pytest.raises(CertificateError, match="not a readable certificate"):
            verify_file(path)


def test_a_machine_with_too_many_symbols_is_refused(tmp_path: Path) -> None:
    outcome = decide(Spec("parity", 5, 2, 1, 3), seconds=60)
    assert isinstance(outcome, Found)
    path = save(outcome.witness, tmp_path)
    data = json.loads(path.read_text())
    data["spec"]["alphabet"] = 2
    data["spec_sha256"] = Spec(**data["spec"]).digest()
    path.write_text(json.dumps(data))
    with pytest.raises(CertificateError):
        verify_file(path)


@pytest.mark.slow
def test_peeling_certificates_cover_their_cell_only(tmp_path: Path) -> None:
    right = save(Peeling(Spec("parity", 7, 2, 1, None), 4_423_680), tmp_path)
    assert "4423680 cases get stuck" in verify_file(right).detail
    for wrong in (Peeling(Spec("parity", 6, 2, 1, None), 13_824),
                  Peeling(Spec("mod3", 7, 2, 1, 2), 4_423_680),
                  Peeling(Spec("parity", 7, 2, 1, None), 12)):  # fmt: skip
        with pytest.raises(CertificateError):
            verify_file(save(wrong, tmp_path))


def test_adversary_certificates_are_played_again(tmp_path: Path) -> None:
    assert verify_file(save(Adversary(Spec("dyck1", 8, 1, 3)), tmp_path)).verdict == "impossible"
    with pytest.raises(CertificateError, match="does not win"):
        verify_file(save(Adversary(Spec("dyck1", 6, 1, 3)), tmp_path))


def test_the_lrat_checker_rejects_wrong_proofs() -> None:
    clauses = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    good = ["5 1 0 1 2 0", "6 0 5 3 4 0"]
    assert check(clauses, good) == 2
    for bad in (
        good[1:],                          # a missing lemma
        good[:1],                          # never empty
        ["5 1 0 1 3 0", good[1]],          # a hint that is not unit
        ["5 1 0 1 0", good[1]],            # no conflict
        ["4 1 0 1 2 0", good[1]],          # an identifier reused
        ["5 1 0 1 2", good[1]],            # cut off
        ["5 x 0 1 2 0", good[1]],          # not a number
    ):  # fmt: skip
        with pytest.raises(ProofError):
            check(clauses, bad)


def test_the_trimmer_keeps_only_what_is_needed() -> None:
    clauses = ((1, 2), (1, -2), (-1, 2), (-1, -2), (3, 4))
    steps = hints_for(Cnf((), clauses), b"3 1 2 0\n1 0\n2 0\n0\n")
    kept = trim(steps, len(clauses))
    assert check(clauses, as_text(kept).splitlines()) == len(kept) == 3
    assert all(3 not in step.literals for step in kept)
    with pytest.raises(ProofError):
        hints_for(Cnf((), ((1, 2),)), b"1 0\n0\n")
    with pytest.raises(ProofError):
        trim([Lemma(9, (1,), (1,))], 3)
    with pytest.raises(ProofError):
        read_lrat(b"a\x0c\x03\x00", 2)


def test_a_short_budget_gives_unknown_and_kills_the_solver() -> None:
    outcome = decide(Spec("parity", 7, 2, 1, 2, "full"), seconds=1.5)
    assert isinstance(outcome, Unknown)
    assert outcome.seconds < 30


def test_bad_calls_are_refused() -> None:
    cnf = Cnf((), ((1,),))
    with pytest.raises(SolverError, match="unknown solvers"):
        solve(cnf, seconds=1, solvers=("minisat99",))
    with pytest.raises(SolverError, match="no time"):
        solve(cnf, seconds=0)


@pytest.mark.slow
def test_the_headline_cells(tmp_path: Path) -> None:
    for spec in (Spec("parity", 6, 2, 1), Spec("parity", 7, 2, 1, None)):
        assert verify_file(refuted(spec, tmp_path)).verdict == "impossible"


def test_within_one_run_a_file_is_checked_once_and_an_altered_one_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = refuted(Spec("parity", 3, 1, 1), tmp_path)
    checks: list[object] = []
    honest = recheck.verify_refutation
    monkeypatch.setattr(recheck, "verify_refutation", lambda *a: checks.append(a) or honest(*a))
    run = tmp_path / "run"
    run.mkdir()
    for _ in range(2):
        with sharing(run):
            assert verify_file(path).verdict == "impossible"
    assert len(checks) == 1
    assert verify_file(path).verdict == "impossible"  # outside nothing is remembered
    assert len(checks) == 2
    data = json.loads(path.read_text())
    data["words"] = ["000"]
    path.write_text(json.dumps(data))
    with sharing(run), pytest.raises(CertificateError, match="not the ones that were refuted"):
        verify_file(path)
