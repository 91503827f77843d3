"""The solver process: reads a formula, writes a verdict, a model or an LRAT proof, and ends.

Run as ``python -m synthesis.child SOLVER FOLDER``; the parent may kill it at any moment.  Files
appear under their final names only when complete, so a killed run leaves nothing half-written.

Main definitions: `main`.
"""

import json
import os
import signal
import sys
from pathlib import Path

from synthesis import external
from synthesis.solving import EXTERNAL

LRAT_SOLVERS = ("cadical195",)
"""Solvers whose proofs name the clauses each lemma follows from."""


def main(solver: str, folder: Path) -> None:
    """Solve ``folder/formula.json`` and write ``answer.json`` (and ``proof.bin`` if refuted)."""
    _die_with_parent()
    task = json.loads((folder / "formula.json").read_text())
    clauses, with_proof = task["clauses"], task["proof"]
    if solver in EXTERNAL:
        external.become(solver, clauses, folder, with_proof)
    if with_proof and solver in LRAT_SOLVERS:
        answer = _with_hints(solver, clauses, task["cases"], folder)
    else:
        answer = _plain(solver, clauses, folder, with_proof)
    part = folder / "answer.part"
    part.write_text(json.dumps(answer))
    part.rename(folder / "answer.json")


def _die_with_parent() -> None:
    """Ask Linux to end this process when its parent is killed; elsewhere nothing happens."""
    if sys.platform != "linux":
        return
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _with_hints(
    solver: str, clauses: list[list[int]], cases: list[int], folder: Path
) -> dict[str, object]:
    # python-sat switches on the hint-less trace only; its low level reaches the same solver's
    # own option "lrat", which has to be set before tracing starts
    import pysolvers  # type: ignore[import-not-found]

    def call(name: str, *arguments: object) -> object:
        return getattr(pysolvers, f"{solver}_{name}")(*arguments)

    handle = call("new")
    call("set", handle, "lrat", 1)
    for option in ("inprocessing", "preprocessing", "lucky", "walk", "rephase") if cases else ():
        call("set", handle, option, 0)  # each of the many cases is too short for them
    # a bare descriptor, never closed here: the solver's own buffer is written out at process exit
    call("tracepr", handle, os.open(folder / "proof.bin", os.O_CREAT | os.O_RDWR))
    for clause in clauses:
        call("add_cl", handle, clause)
    # a refuted case leaves its denial behind; without cases, or after them, nothing is assumed
    satisfiable = any(call("solve", handle, [case], 1) for case in cases)
    satisfiable = satisfiable or bool(call("solve", handle, [], 1))
    model = call("model", handle) if satisfiable else None
    return {"satisfiable": satisfiable, "model": model, "format": "lrat"}


def _plain(
    solver: str, clauses: list[list[int]], folder: Path, with_proof: bool
) -> dict[str, object]:
    from pysat.solvers import Solver

    with Solver(name=solver, bootstrap_with=clauses, with_proof=with_proof) as engine:
        satisfiable = engine.solve()
        model = engine.get_model() if satisfiable else None
        if with_proof and not satisfiable:
            (folder / "proof.bin").write_text("\n".join(engine.get_proof()))
    return {"satisfiable": satisfiable, "model": model, "format": "drup"}


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
