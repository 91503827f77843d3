"""The two example scripts about bounds run and print what they promise."""

import csv
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from bounds.reduction.least import least_k

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}
    )
    return done.stdout


def test_least_k_for_a_target() -> None:
    out = run("least_k.py", "1/2")
    assert "least k = 4555" in out
    assert "published weights, searched parameters: k = 17" in out


def test_sweep_in_two_processes_keeps_the_order_of_the_grid() -> None:
    rows = list(csv.DictReader(run("sweep_bound.py").splitlines()))
    assert len(rows) == 50
    assert [r["c"] for r in rows] == sorted((r["c"] for r in rows), key=int)
    for r in rows[::17]:
        point = {"c": int(r["c"]), "H": int(r["H"]), "C": 1}
        least = least_k(**point, eta=Fraction(r["eta"]), q=Fraction(r["q"]))
        assert least.value == int(r["k"])
