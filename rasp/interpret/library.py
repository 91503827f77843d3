"""The library: written in RASP (``library/rasplib.rasp``) but for two primitives.

Main definitions: :func:`library_environment`, :func:`library_text`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from functools import cache
from importlib.resources import files
from typing import Any

from rasp import sops
from rasp.errors import RejectedError
from rasp.interpret.environment import RESERVED, Environment
from rasp.interpret.values import NativeFunction, describe
from rasp.sops import Selector, SOp

CREATOR = "RASP_support/rasplib"
"""What transcripts call the library."""


def library_text(name: str) -> str:
    """Return the text of a program that comes with this package.

    Raises
    ------
    FileNotFoundError
        If there is no such program.
    """
    return (files("rasp") / "library" / f"{name}.rasp").read_text(encoding="utf-8")


def _selector(value: Any) -> Selector:
    if not isinstance(value, Selector):
        raise RejectedError(f"Expected selector, got: {describe(value)}")
    return value


def _width(selector: Any) -> SOp:
    return sops.selector_width(_selector(selector))


def _best(selector: Any, keys: Any, queries: Any = 0, op: Any = "+") -> Selector:
    if op not in ("+", "-", "*"):
        raise RejectedError(f"best scores with + - or *, got: {describe(op)}")
    return sops.best(_selector(selector), keys, queries, op)


@cache
def library_environment() -> Environment:
    """Return the scope that holds the library, made once; sessions read it, none writes it.

    ``best`` is not reserved: programs written without it may define a function of that name.
    """
    from rasp.interpret.session import Session

    scope = Environment(CREATOR, reserved=RESERVED)
    scope.variables["tokens"] = sops.tokens
    scope.variables["selector_width"] = NativeFunction("selector_width", ("sel",), _width, CREATOR)
    parameters = ("sel", "keys", "queries", "op")
    scope.variables["best"] = NativeFunction("best", parameters, _best, CREATOR, optional=2)
    session = Session(base=scope)
    session.console = scope
    events = list(session.run(library_text("rasplib"), "rasplib.rasp"))
    broken = [event.note for event in events if event.error is not None]
    assert not broken, broken
    del scope.variables["out"]
    return scope


def library_names() -> frozenset[str]:
    """Return the names that no program may set: the library's, but ``tokens`` and ``best``."""
    return frozenset(library_environment().variables) - {"tokens", "best"}
