"""SAT solving in killable processes, one or several racing, within a budget of seconds.

Main definitions: `solve`, `Answer`, `SolverError`, `SOLVERS`.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from synthesis import external
from synthesis.formula import Cnf

SOLVERS = ("cadical195", "cadical300", "cadical153", "kissat404", "glucose4")
"""Solvers of python-sat that a race may use; the first is the default."""

EXTERNAL = ("kissat", "cadical")
"""Executables that a race may use when they are on PATH (see `synthesis.external`)."""

PROOFLESS = ("kissat404",)
"""Solvers that python-sat gives no proof of."""

CASE = "start"
"""Variables of this kind are assumed one after another before the whole formula is solved.

What is learned from one case helps in the others; the proof is one and needs no assumption.
"""


class SolverError(ValueError):
    """The call to a solver makes no sense; the message names the value and the fix."""


class SolverDiedError(SolverError):
    """A solver's process ended without an answer: killed, out of memory, or broken."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver said.

    Parameters
    ----------
    satisfiable
        ``None`` if the budget ran out.
    model
        Signed variables, when satisfiable.
    proof
        The raw proof and its format (``lrat`` binary or ``drup`` text), when refuted with proof.
    solver, seconds
        Who answered, after how many wall-clock seconds.
    """

    satisfiable: bool | None
    model: tuple[int, ...] = ()
    proof: bytes = b""
    format: str = ""
    solver: str = ""
    seconds: float = 0.0


def solve(
    cnf: Cnf,
    *,
    seconds: float,
    proof: bool = False,
    solvers: Sequence[str] = SOLVERS[:1],
    tick: Callable[[float], None] | None = None,
) -> Answer:
    """Return the first answer of the racing ``solvers``, or an undecided one after ``seconds``.

    Parameters
    ----------
    cnf
        The formula.
    seconds
        Wall-clock budget, > 0; all solver processes are killed when it ends.
    proof
        Whether a refutation must come with its proof.
    solvers
        Names from `SOLVERS` and `EXTERNAL`, one process each.
    tick
        Called about once a second with the seconds used, for progress displays.

    Raises
    ------
    SolverError
        For an unknown solver, one that is not installed, or an empty budget.
    SolverDiedError
        If a solver's process ends without an answer.
    """
    unknown = [name for name in solvers if name not in SOLVERS + EXTERNAL]
    if unknown or not solvers:
        raise SolverError(f"unknown solvers {unknown}; choose from {', '.join(SOLVERS + EXTERNAL)}")
    missing = [name for name in solvers if name in EXTERNAL and shutil.which(name) is None]
    if missing:
        raise SolverError(f"{', '.join(missing)} is not on PATH: install it or use another solver")
    silent = [name for name in solvers if proof and name in PROOFLESS]
    if silent:
        raise SolverError(f"{', '.join(silent)} gives no proof: ask for a verdict without one")
    if seconds <= 0:
        raise SolverError(f"seconds={seconds} leaves the solver no time")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="synthesis-") as scratch:
        running: dict[str, tuple[subprocess.Popen[bytes], Path]] = {}
        cases = [v for v, name in enumerate(cnf.names, start=1) if name[0] == CASE]
        task = json.dumps({"clauses": cnf.clauses, "proof": proof, "cases": cases})
        try:
            for name in solvers:
                folder = Path(scratch, name)
                folder.mkdir()
                (folder / "formula.json").write_text(task)
                command = [sys.executable, "-m", "synthesis.child", name, str(folder)]
                where = Path(__file__).resolve().parent.parent
                running[name] = (subprocess.Popen(command, cwd=where), folder)
            return _first(running, start, seconds, tick)
        finally:
            for process, _ in running.values():
                process.kill()
                process.wait()


def _first(
    running: dict[str, tuple[subprocess.Popen[bytes], Path]],
    start: float,
    seconds: float,
    tick: Callable[[float], None] | None,
) -> Answer:
    pause, told = 0.01, 0.0
    while (used := time.monotonic() - start) < seconds:
        for name, (process, folder) in running.items():
            if process.poll() is None:
                continue
            if name in EXTERNAL:
                answer = external.answer(folder, process.returncode)
            elif process.returncode == 0:
                answer = json.loads((folder / "answer.json").read_text())
            else:
                answer = None
            if answer is None:
                raise SolverDiedError(f"solver {name} ended with exit code {process.returncode}")
            refuted = not answer["satisfiable"] and (folder / "proof.bin").exists()
            return Answer(
                satisfiable=answer["satisfiable"],
                model=tuple(answer["model"] or ()),
                proof=(folder / "proof.bin").read_bytes() if refuted else b"",
                format=answer["format"] if refuted else "",
                solver=name,
                seconds=used,
            )
        if tick is not None and used - told >= 1:
            told = used
            tick(used)
        time.sleep(pause)
        pause = min(0.2, pause * 1.5)
    return Answer(satisfiable=None, seconds=seconds)
