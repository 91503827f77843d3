"""A picture as plain data: boxes, lines and texts with coordinates in points, top left first.

Main definitions: :class:`Scene`, :class:`Box`, :class:`Line`, :class:`Label`, :func:`visible`.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, final

INK, FAINT, PAPER = "#1a1a1a", "#8a8a8a", "#ffffff"
BLUE, SKY, GREY, ORANGE = "#0072B2", "#d6e9f5", "#f2f2f2", "#E69F00"
"""Colours that stay apart in grey and under colour vision deficiencies."""


@final
@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = FAINT
    width: float = 0.5


@final
@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; ``y`` is its middle."""

    x: float
    y: float
    text: str
    size: float = 8.0
    anchor: Literal["start", "middle", "end"] = "start"
    fill: str = INK
    bold: bool = False


Mark: TypeAlias = Box | Line | Label


@final
@dataclass
class Scene:
    """Marks in drawing order, and the room they take."""

    marks: list[Mark] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def add(self, mark: Mark) -> None:
        """Draw ``mark`` on top and make room for it."""
        self.marks.append(mark)
        match mark:
            case Box():
                right, below = mark.x + mark.width, mark.y + mark.height
            case Line():
                right, below = max(mark.x1, mark.x2), max(mark.y1, mark.y2)
            case Label():
                share = {"start": 1.0, "middle": 0.5, "end": 0.0}[mark.anchor]
                right = mark.x + share * text_width(mark.text, mark.size)
                below = mark.y + mark.size
        self.width, self.height = max(self.width, right), max(self.height, below)

    def place(self, other: "Scene", x: float, y: float) -> None:
        """Draw all of ``other`` with its top left corner at ``(x, y)``."""
        for mark in other.marks:
            match mark:
                case Box():
                    moved: Mark = Box(
                        mark.x + x, mark.y + y, mark.width, mark.height, mark.fill, mark.stroke
                    )
                case Line():
                    moved = Line(
                        mark.x1 + x, mark.y1 + y, mark.x2 + x, mark.y2 + y, mark.stroke, mark.width
                    )
                case Label():
                    moved = Label(
                        mark.x + x, mark.y + y, mark.text, mark.size, mark.anchor, mark.fill,
                        mark.bold,
                    )  # fmt: skip
            self.add(moved)
        self.width = max(self.width, x + other.width)
        self.height = max(self.height, y + other.height)


def text_width(text: str, size: float) -> float:
    """Return about how wide ``text`` is, in points; wide scripts count double."""
    return sum(1.0 if ord(letter) > 0x2E7F else 0.58 for letter in text) * size


def visible(value: object, longest: int = 12) -> str:
    r"""Return a value as a label: control characters as symbols, long text cut.

    Examples
    --------
    >>> visible("a\nb"), visible(" "), visible("x" * 20)
    ('a␊b', '␣', 'xxxxxxxxxxx…')
    """
    text = "".join(
        chr(0x2400 + ord(letter)) if ord(letter) < 32 else "␡" if ord(letter) == 127 else letter
        for letter in str(value)
    )
    text = "".join(letter if letter.isprintable() else "�" for letter in text)
    if text.strip(" ") == "":
        text = "␣" * len(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"
