"""What happens to errors and signals at the top: messages, exit codes.

Apart from :mod:`attnlimits.boundary` so that the RASP prompt, which needs no argument parser, need
not load one.

Main definitions
----------------
guard : carries out a piece of work inside that edge.
one_line : a message without its line breaks.
note : a remark on stderr.
EXPECTED, DIFFERS, MISUSE, INTERRUPTED, TERMINATED : the exit codes.
"""

import json
import os
import signal
import sys
from collections.abc import Callable

EXPECTED, DIFFERS, MISUSE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143

OUR_PACKAGES = (
    "attnlimits",
    "claims",
    "languages",
    "attention",
    "bounds",
    "restrictions",
    "influence",
    "synthesis",
    "rasp",
    "proofs",
    "figures",
)
"""Top-level packages of this distribution, whose errors are messages to the caller."""


class UsageError(ValueError):
    """A call of the command line that cannot be carried out as given."""


class Terminated(KeyboardInterrupt):
    """The process was asked to end (SIGTERM): ends as Ctrl-C does, with its own exit code."""


def heed_termination() -> None:
    """Let SIGTERM end this process as Ctrl-C does; processes forked from it end at once."""
    owner = os.getpid()

    def stop(number: int, _frame: object) -> None:
        if os.getpid() == owner:
            raise Terminated
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    signal.signal(signal.SIGTERM, stop)


def guard(work: Callable[[], object]) -> int:
    """Carry out ``work`` and return its exit code.

    Returns
    -------
    int
        0, 1 or whatever the work returned; 2 for a caller's mistake; 130 after Ctrl-C; 143 after
        SIGTERM (once :func:`heed_termination` was called).

    Notes
    -----
    A caller's mistake is a ``ValueError`` of one of our packages whose class name ends in
    ``Error``, a file that cannot be opened or written, or one that is not text or not JSON.

    Examples
    --------
    >>> guard(lambda: 1), guard(lambda: None)
    (1, 0)
    """
    try:
        result = work()
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        note("interrupted; results written so far are whole")
        return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
    except BrokenPipeError:  # the reader of our output (head, less) has gone: nothing to report
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXPECTED
    except OSError as error:
        if error.filename is None:
            raise
        note(f"error: {error.filename}: {error.strerror}")
        return MISUSE
    except ValueError as error:
        if not _is_callers_mistake(error):
            raise
        note("error: " + one_line(str(error)))
        return MISUSE
    return result if isinstance(result, int) else EXPECTED


def one_line(message: str) -> str:
    r"""Return a message on one line; indented lines are the items of a list.

    Examples
    --------
    >>> one_line("cannot do it:\n  a: no\n  b: too\n  large")
    'cannot do it: a: no; b: too; large'
    """
    return " ".join(message.replace(":\n  ", ": ").replace("\n  ", "; ").split())


def note(message: str) -> None:
    """Write one line to stderr."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def _is_callers_mistake(error: ValueError) -> bool:
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return True
    kind = type(error)
    return kind.__name__.endswith("Error") and kind.__module__.split(".")[0] in OUR_PACKAGES
