"""The command line ``attnlimits``: one verb a command, each loaded only when it is used.

Results go to stdout, progress to stderr.  Exit code 0: as expected; 1: an outcome differs from
what was expected; 2: the call itself is wrong (see :mod:`attnlimits.boundary`).
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlimits.edge import guard, heed_termination

if TYPE_CHECKING:
    import cyclopts

COMMANDS: tuple[tuple[str, str, str], ...] = (
    (
        "reproduce",
        "attnlimits.commands.reproduce:app",
        "Decide every claim, draw every figure, write the HTML page.",
    ),
    ("check", "attnlimits.commands.check:app", "Decide claims and their negative twins."),
    ("verify", "attnlimits.commands.verify:app", "Re-check stored certificates without search."),
    ("show", "attnlimits.commands.show:app", "Show a claim and the tree of what it rests on."),
    ("bound", "attnlimits.commands.bound:app", "Evaluate a bound at a point or over a grid."),
    ("synth", "attnlimits.commands.synth:app", "Find or refute small transformers, find failures."),
    (
        "influence",
        "attnlimits.commands.influence:app",
        "Measure and certify the influence of one symbol under soft attention.",
    ),
    ("reduce", "attnlimits.commands.reduce:app", "Reduce a model's depth by fixing inputs."),
    ("fool", "attnlimits.commands.fool:app", "Find two words that a model wrongly answers alike."),
    ("figures", "attnlimits.commands.figures:app", "Draw figures and write their numbers."),
    ("report", "attnlimits.commands.report:app", "Write the HTML page of an earlier run."),
    ("rasp", "attnlimits.commands.rasp:app", "Run, analyse, draw and check RASP programs."),
    ("doctor", "attnlimits.commands.doctor:app", "Look for what could go wrong here."),
)
"""Rows of (verb, import path of its ``cyclopts.App`` or function, one-line help), in help order."""


def build() -> "cyclopts.App":
    """Return the application with every verb registered lazily."""
    from importlib.metadata import version

    import cyclopts

    app = cyclopts.App(
        name="attnlimits",
        help="Decide, certify and explore what self-attention can and cannot compute.",
        version=lambda: version("attention-limits"),
        version_flags=["--version"],
    )
    for verb, path, summary in COMMANDS:
        app.command(path, name=verb, help=summary)
    return app


def starts_prompt(arguments: Sequence[str]) -> bool:
    """Return whether the RASP prompt is asked for, without any option.

    It is started without building the command line, whose argument parser costs more time than
    the interpreter.

    Examples
    --------
    >>> starts_prompt(["rasp"]), starts_prompt(["rasp", "repl", "--strict"])
    (True, False)
    """
    return list(arguments) in (["rasp"], ["rasp", "repl"])


def main() -> None:
    """Run the command line on ``sys.argv``."""
    heed_termination()
    if starts_prompt(sys.argv[1:]):
        from attnlimits.commands.rasp_terminal import new_session, repl

        sys.exit(guard(lambda: repl(new_session())))
    from attnlimits.boundary import run

    sys.exit(run(build()))
