"""Stored refutations as plain DIMACS and LRAT."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from attnlimits.boundary import run
from attnlimits.cli import build
from synthesis.checker.lrat import check
from synthesis.checker.verify import CertificateError
from synthesis.plain import plain_files
from synthesis.stored import folder

CELL = "parity-n4-L1-H2-S2-causal"


def test_another_reader_finds_the_clauses_the_proof_speaks_about(tmp_path: Path, capsys) -> None:
    stored = folder() / f"{CELL}-impossible.json"
    assert run(build(), ["synth", "export", str(stored), "--out", str(tmp_path)]) == 0
    assert str(tmp_path / f"{CELL}.cnf") in capsys.readouterr().out
    formula = CNF(from_file=str(tmp_path / f"{CELL}.cnf"))
    proof = (tmp_path / f"{CELL}.lrat").read_text().splitlines()
    told = json.loads(stored.read_text())["formula"]
    assert (formula.nv, len(formula.clauses)) == (told["variables"], told["clauses"])
    assert check(formula.clauses, proof) == told["lemmas"]
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        assert not solver.solve()
    # the digest as docs/synthesis-certificates.md describes it
    names = [comment.split(" ", 2)[2] for comment in formula.comments if comment.startswith("c ")]
    text = "\n".join(names) + "\n".join(" ".join(map(str, row)) for row in formula.clauses)
    assert hashlib.sha256(text.encode()).hexdigest() == told["sha256"]


def test_only_intact_refutations_are_exported(tmp_path: Path) -> None:
    for suffix in (".json", ".lrat.xz"):
        shutil.copy(folder() / f"{CELL}-impossible{suffix}", tmp_path)
    path = tmp_path / f"{CELL}-impossible.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"spec": data["spec"] | {"heads": 1}}))
    with pytest.raises(CertificateError, match="not the recorded ones"):
        plain_files(path)
    path.write_text("{}")
    with pytest.raises(CertificateError, match="not a readable certificate"):
        plain_files(path)
    with pytest.raises(CertificateError, match="no clauses to export"):
        plain_files(folder() / "parity-n3-L1-H2-S2-causal-found.json")
