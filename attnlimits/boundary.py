"""The edge between a person at a terminal and the packages below: messages, formats, exit codes.

A caller's mistake becomes one line on stderr and exit code 2; Ctrl-C becomes a clean message and
exit code 130; anything else is a bug and keeps its traceback.  Results go to stdout through
:func:`emit`, everything else to stderr.

Main definitions
----------------
run : runs an application inside that edge.
Format, emit : ``--format text|json``, the same for every verb.
note, progress : remarks and a progress bar on stderr.
EXPECTED, DIFFERS, MISUSE, INTERRUPTED, TERMINATED : the exit codes.
"""

import contextlib
import dataclasses
import enum
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Annotated, Any, Literal, TypeAlias

import cyclopts

from attnlimits.edge import DIFFERS as DIFFERS
from attnlimits.edge import EXPECTED as EXPECTED
from attnlimits.edge import INTERRUPTED as INTERRUPTED
from attnlimits.edge import MISUSE as MISUSE
from attnlimits.edge import OUR_PACKAGES as OUR_PACKAGES
from attnlimits.edge import TERMINATED as TERMINATED
from attnlimits.edge import Terminated as Terminated
from attnlimits.edge import UsageError as UsageError
from attnlimits.edge import guard as guard
from attnlimits.edge import heed_termination as heed_termination
from attnlimits.edge import note as note

Format: TypeAlias = Annotated[
    Literal["text", "json"],
    cyclopts.Parameter(name="--format", help="What to print: text for people, json for programs."),
]
"""Annotation of a verb's keyword-only parameter ``format: Format = "text"``."""


def run(app: cyclopts.App, arguments: Sequence[str] | None = None) -> int:
    """Run ``app`` and return its exit code.

    Parameters
    ----------
    app
        A cyclopts application.  Its functions return an exit code, or ``None`` for 0.
    arguments
        Command line without the program's name; ``sys.argv`` if ``None``.

    Returns
    -------
    int
        As :func:`attnlimits.edge.guard` says.
    """
    app.suppress_keyboard_interrupt = False
    return guard(lambda: app(arguments, result_action="return_value"))


def emit(value: Any, text: str | Callable[[], str], format: Format) -> None:  # noqa: A002
    """Print a result on stdout, as JSON with sorted keys or as text.

    Parameters
    ----------
    value
        JSON-compatible data; fractions, enumerations, paths, dataclasses, sets of sortable
        members and NumPy values are converted.  NaN and infinities are refused.
    text
        What a person reads, or a function that makes it.
    format
        ``"text"`` or ``"json"``.
    """
    if format == "json":
        shown = json.dumps(value, sort_keys=True, indent=1, default=plain, allow_nan=False)
    else:
        shown = text if isinstance(text, str) else text()
    sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")


def plain(value: Any) -> Any:
    """Return ``value`` as JSON-compatible data (for ``json.dumps(default=...)``).

    Raises
    ------
    TypeError
        If it is of a kind that has no agreed form.

    Examples
    --------
    >>> json.dumps({"k": Fraction(1, 3)}, default=plain)
    '{"k": "1/3"}'
    """
    if isinstance(value, (Fraction, PurePath)):
        return str(value)
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if type(value).__module__.split(".")[0] == "numpy":  # arrays and scalars; avoids the import
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} has no form in JSON")


@contextlib.contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[str], None]]:
    """Show a progress bar on stderr, if stderr is a terminal.

    Parameters
    ----------
    what
        What is being done, a few words.
    total
        Number of steps, or ``None`` if unknown.

    Yields
    ------
    Callable
        Call it once per finished step with a word about that step.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[step]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total, step="")

        def advance(step: str) -> None:
            bars.update(task, advance=1, step=step)

        yield advance
