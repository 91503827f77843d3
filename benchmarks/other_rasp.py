"""Other implementations of RASP, run beside ours: the authors' interpreter and raspy.

Neither is needed; what cannot be used says why.  An answer is timed only if it is ours.

Main definitions: :class:`Reference`, :func:`raspy_programs`, :class:`Unavailable`.
"""

import importlib
import operator
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 300
"""Seconds of wall time that one program of the authors' interpreter may take."""


class Unavailable(Exception):
    """Another implementation cannot be used here, and why."""


@dataclass(frozen=True)
class Reference:
    """The authors' interpreter: a folder with the package ``RASP_support`` and its programs."""

    folder: Path
    python: str = sys.executable

    def __post_init__(self) -> None:
        if not (self.folder / "RASP_support").is_dir():
            raise Unavailable(
                f"{self.folder} has no folder RASP_support: --reference takes a checkout of the "
                "authors' implementation"
            )

    def run(self, statements: str) -> tuple[float, str]:
        """Return the CPU seconds and the output of a session, start included."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(
                [self.python, "-m", "RASP_support"],
                cwd=self.folder,
                input=statements + "\nexit\n",
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"no answer within {PATIENCE} s") from None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no message"]
            raise Unavailable(f"the authors' interpreter ended with an error: {lines[-1]}")
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return took, done.stdout

    def seconds(self, name: str, word: str, answer: str, start: float) -> float:
        """Return the CPU seconds of one of the paper's programs, without those of the start.

        Raises
        ------
        Unavailable
            If it fails, takes too long, or prints something else than ``answer``.
        """
        took, printed = self.run(f'load "paper_examples";\n{name}("{word}");')
        if answer.strip() not in printed:
            raise Unavailable("another answer than ours")
        return max(took - start, 1e-9)

    def start(self) -> float:
        """Return the CPU seconds of starting and loading the paper's programs."""
        return self.run('load "paper_examples";')[0]


def raspy_programs() -> dict[str, Callable[[str], list[Any]]]:
    """Return programs written for raspy, by the name of ours.

    Raises
    ------
    Unavailable
        If raspy, or what it draws with, cannot be imported.
    """
    try:
        raspy = importlib.import_module("raspy.rasp")
        return {name: _runner(raspy, name) for name in _written_for(raspy)}
    except (ImportError, AttributeError) as error:
        raise Unavailable(f"raspy cannot be used: {error}") from None


def _written_for(raspy: Any) -> dict[str, Any]:
    select, aggregate = raspy.select, raspy.aggregate
    indices, tokens = raspy.indices, raspy.tokens
    # its aggregate adds up, so that a width is the sum of ones
    size = aggregate(select(1, 1, operator.eq), 1)
    before = select(indices, indices, operator.lt) & select(tokens, tokens, operator.eq)
    rank = aggregate(select(tokens, tokens, operator.lt) | before, 1)
    return {
        "hist_nobos": aggregate(select(tokens, tokens, operator.eq), 1),
        "reverse": aggregate(select(size - 1 - indices, indices, operator.eq), tokens),
        "sorted": aggregate(select(rank, indices, operator.eq), tokens),
    }


def _runner(raspy: Any, name: str) -> Callable[[str], list[Any]]:
    def run(word: str) -> list[Any]:
        # written anew: its objects keep what they computed for a word
        return list(_written_for(raspy)[name](list(word)).toseq())

    return run
