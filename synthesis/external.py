"""Solvers that are programs of their own: DIMACS in, the competition's answer and DRAT out.

`become` turns the solver process into the program, so that killing the one kills the other;
`answer` reads what the program printed.  Every program that takes ``--no-binary FORMULA PROOF``,
prints ``s`` and ``v`` lines, and ends with exit code 10 or 20 will do, as Kissat and CaDiCaL.

Main definitions: `become`, `answer`.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

_SATISFIABLE, _REFUTED = 10, 20


def become(solver: str, clauses: Sequence[Sequence[int]], folder: Path, proof: bool) -> NoReturn:
    """Write the formula and replace this process by the program; its output goes to a file."""
    path = shutil.which(solver)
    if path is None:
        raise FileNotFoundError(f"{solver} is not on PATH")
    formula = folder / "formula.cnf"
    top = max((abs(lit) for clause in clauses for lit in clause), default=0)
    lines = [f"p cnf {top} {len(clauses)}", *(f"{' '.join(map(str, c))} 0" for c in clauses)]
    formula.write_text("\n".join(lines) + "\n")
    words = [path, "--no-binary", str(formula), *([str(folder / "proof.bin")] if proof else [])]
    output = os.open(folder / "output.txt", os.O_CREAT | os.O_WRONLY)
    os.dup2(output, 1)
    os.execv(path, words)


def answer(folder: Path, code: int) -> dict[str, Any] | None:
    """Return verdict, model and proof format, or ``None`` if the program gave no answer.

    Parameters
    ----------
    folder
        Where `become` was told to work.
    code
        The program's exit code: 10 satisfiable, 20 refuted.
    """
    if code not in (_SATISFIABLE, _REFUTED):
        return None
    said = (folder / "output.txt").read_text().splitlines()
    verdicts = {line for line in said if line.startswith("s ")}
    if verdicts != {"s SATISFIABLE" if code == _SATISFIABLE else "s UNSATISFIABLE"}:
        return None
    values = [int(text) for line in said if line.startswith("v ") for text in line.split()[1:]]
    model = [v for v in values if v]
    return {"satisfiable": code == _SATISFIABLE, "model": model, "format": "drup"}
