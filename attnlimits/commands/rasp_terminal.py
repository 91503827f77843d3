"""The RASP prompt: lines in, events out, with history and completion on a terminal."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from rasp.interpret.events import Event
from rasp.interpret.library import library_text
from rasp.interpret.reader import Reader
from rasp.interpret.session import Session
from rasp.sops import SOp

HELP = """\
  expression;                 show a value        name = expression;     define one
  def f(a) { return a+1; }    a function          for x in [1,2] { … }   a loop
  f("abc");                   apply an s-op       draw(f, "abc");        draw its layers
  load "file";                run file.rasp       set example "abc"      change the example
  examples off                hide examples       full seq display on    align with the input
  exit                        leave
  :names      all names               :analyse NAME   layers and heads
  :cancel     forget unfinished lines :help           this text
"""


def read_file(file: str) -> str:
    """Return the text of ``file`` (``.rasp`` may be left out), or of a packaged program."""
    path = Path(file if file.endswith(".rasp") else f"{file}.rasp")
    if path.exists():
        return path.read_text(encoding="utf-8")
    if path.name == str(path):
        with contextlib.suppress(FileNotFoundError):
            return library_text(path.stem)
    if Path(file).is_dir():
        raise FileNotFoundError(errno.ENOENT, "a folder, not a RASP program", file)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def new_session(
    compat: str = "exact", *, strict: bool = False, example: list[str] | None = None
) -> Session:
    """Return a session that reads files and writes drawings under ``comp_flows``.

    With an ``example`` that the caller chose for a model, definitions stand although they fail on
    it: another word may suit them.
    """

    def draw(sop: SOp, example: Any) -> None:
        from rasp.draw.files import write_flow

        path = write_flow(sop, list(example), Path("comp_flows"), names=session.names)
        sys.stderr.write(f"drawn to {path}\n")

    session = Session(
        exact=compat == "exact", strict=strict, read=read_file, draw=draw, tries=example is None
    )
    if example is not None:
        session.settings = replace(
            session.settings,
            sop_example=example,
            selector_example=example,
            sop_examples=False,
            selector_examples=False,
        )
    return session


def show(event: Event, *, notes: TextIO | None = None) -> None:
    """Write an event's transcript to stdout and its place and hint to stderr."""
    sys.stdout.write(event.text)
    if event.note:
        sys.stdout.flush()
        (notes or sys.stderr).write(event.note)


def repl(session: Session, *, lines: TextIO | None = None) -> int:
    """Run a prompt until ``exit`` or the end of the input; return 0.

    Parameters
    ----------
    session
        The interpreter.
    lines
        Where lines come from; standard input, with line editing, if ``None``.
    """
    read = _typed(session) if lines is None and sys.stdin.isatty() else _piped(lines or sys.stdin)
    reader = Reader("<repl>", strict=session.strict)
    sys.stdout.write(f"RASP 0.1\nrunning example is: {session.settings.sop_example}\n")
    while not session.finished:
        try:
            line = read(".. " + "  " * reader.depth if reader.pending else ">> ")
        except EOFError:
            for event in _events(session, reader.finish()):
                show(event)
            sys.stdout.write("\n")
            break
        except KeyboardInterrupt:
            reader.cancel()
            sys.stdout.write("\n")
            continue
        if line.strip().startswith(":"):
            sys.stdout.write(_meta(line.strip(), session, reader))
            continue
        try:
            for event in _events(session, reader.feed(line)):
                show(event)
        except KeyboardInterrupt:
            sys.stdout.write("\ninterrupted\n")
    return 0


def _events(session: Session, units: Any) -> Iterator[Event]:
    for unit, source in units:
        yield from session.run_unit(unit, source)


def _piped(lines: TextIO) -> Callable[[str], str]:
    def read(prompt: str) -> str:
        sys.stdout.write(prompt)
        line = lines.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    return read


def _typed(session: Session) -> Callable[[str], str]:
    try:
        import readline
    except ImportError:  # not every platform has line editing
        return input
    history = Path.home() / ".rasp_history"
    if history.exists():
        readline.read_history_file(history)

    def complete(text: str, state: int) -> str | None:
        words = [*session.console.names(), "aggregate(", "select(", "indicator(", "round("]
        found = [word for word in words if word.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n,;()[]{}+-*/%^=<>!:")
    readline.parse_and_bind("tab: complete")

    def read(prompt: str) -> str:
        line = input(prompt)
        readline.set_history_length(1000)
        readline.write_history_file(history)
        return line

    return read


def _meta(line: str, session: Session, reader: Reader) -> str:
    word, _, rest = line[1:].partition(" ")
    if word == "cancel":
        reader.cancel()
        return ""
    if word == "names":
        return " ".join(session.console.names()) + "\n"
    if word == "analyse":
        value = session.console.variables.get(rest.strip().rstrip(";"))
        if not isinstance(value, SOp):
            return f"{rest or 'nothing'} is not an s-op defined here\n"
        from rasp.analysis.report import analyse

        return analyse(value, names=session.names).text()
    known = "" if word == "help" else f"unknown command :{word}\n"
    return known + HELP
