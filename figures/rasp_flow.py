"""What the flow drawings of RASP programs share: the program, an example, its drawn scene.

Main definitions: :class:`Flow`, :func:`flow`, :func:`draw_flow`, :func:`flow_note`.

References
----------
Weiss, Goldberg & Yahav (2021), Figures 1 and 3 [weiss2021].
"""

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from figures.numbers import plain
from rasp.analysis.report import analyse
from rasp.draw.flow import COLUMN, flow_scene
from rasp.draw.page import paint
from rasp.draw.scene import Label, Scene
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sequences import show_sequence
from rasp.syntax.render import program_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@final
@dataclass(frozen=True, slots=True)
class Flow:
    """A program, its sizes, and its values and patterns on an example.

    ``program`` is the program's text, ``heads`` its heads per layer as written and ``narrowest``
    in the best schedule; ``output`` is the result on ``example`` as the language shows it.
    """

    name: str
    program: str
    example: str
    heads: tuple[int, ...]
    narrowest: tuple[int, ...]
    output: str
    scene: Scene

    def to_json(self) -> Any:
        """Return the numbers as JSON-compatible data; the scene is its drawing, not numbers."""
        return plain(
            {
                "name": self.name,
                "program": self.program,
                "example": self.example,
                "heads": list(self.heads),
                "narrowest": list(self.narrowest),
                "output": self.output,
            }
        )


def flow(name: str, example: str, *, code: str = "", text: bool = False) -> Flow:
    """Return the flow of a program of the library on an example; deterministic.

    Parameters
    ----------
    name
        A program of the paper, or what ``code`` defines.
    example
        The input, one character per token.
    code
        Statements that define it from ``stdlib``; the paper's programs are loaded without.
    text
        Write the program above its flow.
    """
    session = Session(read=library_text)
    list(session.run('load "stdlib";' if code else 'load "paper_examples";'))
    list(session.run(code))
    sop = session.console.variables[name]
    source = program_text(sop.node, name, names=session.names)
    report = analyse(sop, names=session.names)
    drawn = flow_scene(sop, example, names=session.names, arrangement=COLUMN)
    scene = drawn
    if text:
        scene = Scene()
        for number, line in enumerate(_wrapped(source)):
            scene.add(Label(0, 6 + 10 * number, line, 6.5))
        scene.place(drawn, 0, scene.height + 8)
    output = show_sequence(sop(example))
    return Flow(name, source, example, report.written, report.optimum.heads, output, scene)


def _wrapped(source: str) -> list[str]:
    """Return the program's lines, none too long for a column."""
    return [
        part
        for line in source.splitlines()
        for part in textwrap.wrap(line, 64, subsequent_indent="    ")
    ]


def draw_flow(fig: "Figure", data: Flow) -> None:
    """Draw the scene over the whole figure."""
    paint(fig, data.scene)


def flow_note(data: Flow) -> str:
    """Return the sentence with the sizes."""
    return (
        f"{data.name} takes {len(data.heads)} layers with {list(data.heads)} heads; on "
        f"{data.example!r} it gives {data.output}."
    )
