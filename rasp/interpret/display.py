"""The text that shows values, matrices and examples, to the character as transcripts have it.

Main definitions: :class:`Settings`, :class:`Display`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from rasp.interpret.values import Evaluated, Function, NativeFunction
from rasp.sequences import sequence_kind, show_sequence
from rasp.sops import Selector, SOp


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """What a session shows; replaced, never changed."""

    sop_example: Any = "hello"
    selector_example: Any = "hello"
    sop_examples: bool = True
    selector_examples: bool = True
    full: bool = False
    """Show sequences under their input instead of as one list."""


@final
@dataclass(frozen=True, slots=True)
class Display:
    """Render values under some settings.

    Parameters
    ----------
    settings
        What to show.
    evaluate
        Gives the sequence or the rows of an s-op or selector on an input.
    """

    settings: Settings
    evaluate: Callable[[SOp | Selector, Any], list[Any]]

    def named(self, name: str | None, value: Any, tabs: int = 0, before: str = "") -> str:
        """Return the lines that show ``value`` under ``name``; nested values are indented."""
        prefix = "\t" * tabs
        if name is None and isinstance(value, (SOp, Selector)):
            name = value.name
        match value:
            case SOp():
                text = f"{prefix} {before}    s-op: {name}\n"
                if self.settings.sop_examples:
                    text += self._sop_example(str(name), value, prefix)
                return text
            case Selector():
                text = f"{prefix} {before}    selector: {name}\n"
                if self.settings.selector_examples:
                    example = self.settings.selector_example
                    text += f"{prefix} \t Example:\n"
                    text += show_matrix(example, self.evaluate(value, example), prefix)
                return text
            case Function() | NativeFunction():
                return f"{prefix} {before}    {value}\n"
            case list() | dict():
                return self._collection(name, value, tabs, before)
            case Evaluated():
                return f"{prefix}    value: {_label(name)} {self.applied(value).strip()}\n"
        return f"{prefix}    value: {_label(name)} {quoted(value)}\n"

    def _collection(self, name: str | None, value: Any, tabs: int, before: str) -> str:
        prefix = "\t" * tabs
        word, opening, closing = ("list", "[", "]") if isinstance(value, list) else ("dict", *"{}")
        head = f"   {word}: {_label(name)}"
        entries = list(value.values()) if isinstance(value, dict) else value
        nested = any(isinstance(entry, (list, dict, SOp, Selector)) for entry in entries)
        text = f"{prefix} {before} {head}"
        if not nested:
            return text + f"{python_form(value)}\n"
        text += f"{prefix} {opening}\n"
        if isinstance(value, dict):
            for key, entry in value.items():
                text += self.named(None, entry, tabs + 3, f"{quoted(key)} : ")
        else:
            for entry in value:
                text += self.named(None, entry, tabs + 2)
        return text + f"{prefix} {' ' * len(head)} {closing}\n"

    def _sop_example(self, name: str, value: SOp, prefix: str) -> str:
        example = self.settings.sop_example
        sequence = self.evaluate(value, example)
        call = f"{name}({quoted(example)}) ="
        if not self.settings.full:
            return f"{prefix} \t Example: {call} {show_sequence(sequence)}\n"
        head = f"{prefix} \t Example:"
        return head + aligned(self.settings.selector_example, sequence, call, prefix)

    def applied(self, value: Evaluated) -> str:
        """Return the lines that show an s-op or selector applied to an input."""
        if value.matrix:
            return "\t = \n" + show_matrix(value.input, value.values, "")
        if self.settings.full:
            return "\t = " + aligned(value.input, value.values, "", "")
        return f"\t =  {show_sequence(value.values)}\n"

    def examples(self, which: str) -> str:
        """Return the lines of ``show example``."""
        text = ""
        if which in ("both", "s-op"):
            text += f"\ts-op example: {quoted(self.settings.sop_example)}\n"
        if which in ("both", "selector"):
            text += f"\tselector example: {quoted(self.settings.selector_example)}\n"
        return text


def _label(name: str | None) -> str:
    return f"{name} = " if name is not None else ""


def quoted(value: Any) -> str:
    """Return an atom or example as transcripts quote it.

    Examples
    --------
    >>> quoted("a"), quoted([1, "a"])
    ('"a"', "[1, 'a']")
    """
    return f'"{value}"' if isinstance(value, str) else python_form(value)


def python_form(value: Any) -> str:
    """Return ``value`` in Python's form, s-ops and functions by name, fractions as floats."""
    if isinstance(value, list):
        return "[" + ", ".join(map(python_form, value)) + "]"
    if isinstance(value, dict):
        pairs = (f"{python_form(key)}: {python_form(entry)}" for key, entry in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (SOp, Selector)):
        return value.name
    if isinstance(value, (Function, NativeFunction)):
        return str(value)
    if isinstance(value, Evaluated):
        return "matrix" if value.matrix else show_sequence(value.values)
    return repr(float(value) if isinstance(value, Fraction) else value)


def show_matrix(example: Any, rows: list[int], prefix: str) -> str:
    """Return a selector's matrix, one line per query, ``1`` where a key is selected."""
    labels = [str(token) for token in example]
    text = f"{prefix} \t\t\t     {' '.join(labels)}\n"
    for label, mask in zip(labels, rows, strict=False):
        cells = " ".join("1" if mask >> key & 1 else " " for key in range(len(labels)))
        text += f"{prefix} \t\t\t {label} | {cells}\n"
    return text


def aligned(example: Any, sequence: list[Any], call: str, prefix: str) -> str:
    """Return input and output under one another, or the short form for constant sequences."""
    if len(set(sequence)) == 1:
        return f" {call} {show_sequence(sequence)} [skipped full display: identical values]\n"
    kind = sequence_kind(sequence)
    above, below = _marks(list(example)), _marks(sequence)
    width = max(len(text) for text in above + below)

    def line(texts: list[str]) -> str:
        return " ".join(text.rjust(width) for text in texts)

    return (
        "\n"
        f"{prefix} \t\tinput:   {line(above)} \t (strings)\n"
        f"{prefix} \t\toutput:  {line(below)} \t ({kind})\n"
    )


def _marks(values: list[Any]) -> list[str]:
    """Return texts; of Booleans only the rarer value is written, so that it stands out."""
    if values and isinstance(values[0], bool):
        true = "T" if values.count(True) <= values.count(False) else ""
        false = "F" if values.count(False) <= values.count(True) else ""
        return [true if value else false for value in values]
    return [str(float(value)) if isinstance(value, Fraction) else str(value) for value in values]
