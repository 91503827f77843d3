"""The statements of a program being written: names for expressions, each once.

Main definitions: :class:`Statements`.
"""

import re
from collections.abc import Iterable
from typing import final

from rasp.interpret.environment import RESERVED
from rasp.interpret.library import library_names

RELU = "def relu(x) { return x if x > 0 else 0; }\n"


@final
class Statements:
    """Assignments in order; an expression that occurs again gets its name back.

    Examples
    --------
    >>> program = Statements(["y"])
    >>> program.named("(indices + 1)", "next"), program.named("(indices + 1)", "again")
    ('next', 'next')
    >>> program.output("y", "next")
    'y'
    >>> print(program.text(["y"]), end="")
    y = (indices + 1);
    """

    def __init__(self, outputs: Iterable[str]) -> None:
        self._lines: list[tuple[str, str]] = []
        self._named: dict[str, str] = {}
        self._outputs: set[str] = set()
        self._taken = {*RESERVED, *library_names(), "relu", "tokens", *outputs}

    def named(self, text: str, hint: str) -> str:
        """Return a name for an expression, which becomes a statement of its own once."""
        if re.fullmatch(r"\w+", text):
            return text
        if text not in self._named:
            name = self._free(hint)
            self._lines.append((name, text))
            self._named[text] = name
        return self._named[text]

    def output(self, wanted: str, text: str) -> str:
        """Define an output; return its name, the wanted one if the language allows it."""
        allowed = {*RESERVED, *library_names(), "relu", "tokens", *self._outputs}
        good = re.fullmatch(r"[A-Za-z_]\w*", wanted, re.ASCII) and wanted not in allowed
        name = wanted if good else self._free(wanted)
        self._outputs.add(name)
        if text in dict(self._lines) and text not in self._outputs:
            self._rename(text, name)
        else:
            self._lines.append((name, text))
        return name

    def text(self, outputs: Iterable[str]) -> str:
        """Return the program, without statements that no output depends on."""
        needed, kept = set(outputs), []
        for name, text in reversed(self._lines):
            if name in needed:
                kept.append(f"{name} = {text};\n")
                needed |= set(re.findall(r"\w+", text))
        body = "".join(reversed(kept))
        return (RELU if "relu(" in body else "") + body

    def _rename(self, old: str, new: str) -> None:
        word = re.compile(rf'"[^"]*"|\b{old}\b')

        def renamed(text: str) -> str:
            return word.sub(lambda m: new if m.group() == old else m.group(), text)

        self._lines = [(renamed(name), renamed(text)) for name, text in self._lines]

    def _free(self, hint: str) -> str:
        stem = re.sub(r"[^A-Za-z0-9_]+", "_", hint).strip("_")[:24].strip("_") or "x"
        stem = f"x_{stem}" if stem[0].isdigit() or stem in self._taken else stem
        name, number = stem, 2
        while name in self._taken:
            name, number = f"{stem}_{number}", number + 1
        self._taken.add(name)
        return name
