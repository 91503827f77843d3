"""Put the report together: one HTML file without anything to load.

Main definitions: :func:`page`, :class:`Drawing`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from attnlimits.decisions import Decisions
from attnlimits.report import contents
from attnlimits.report.formulas import blocks, inline
from attnlimits.report.graph import MARKS, graph_svg
from claims import Verdict

_MEANINGS = {
    Verdict.PROVED: "holds on the whole domain",
    Verdict.EXHAUSTED: "holds in every case of a finite scope that is named",
    Verdict.SAMPLED: "held in the cases that were drawn",
    Verdict.UNDECIDED: "not decided",
    Verdict.REFUTED: "fails; a counterexample was replayed exactly",
}

_ENLARGED, _LEAST = 11, 6  # rem per inch of a figure that was drawn for print


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for the page: name, title, caption and note (Markdown with LaTeX), SVG text."""

    id: str
    title: str
    caption: str
    note: str
    svg: str


def page(decisions: Decisions, drawings: Sequence[Drawing]) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    decisions
        Claims with their results; every claim must have one.
    drawings
        Figures in the order in which they appear.

    Returns
    -------
    str
        A complete document; the same input gives the same text.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["anchor"] = _breakable
    here = files("attnlimits.report")
    template = environment.from_string(here.joinpath("page.html.j2").read_text(encoding="utf-8"))
    entries = contents.entries(decisions)
    roots = contents.roots(decisions)
    twins = [entry for entry in entries.values() if entry.twin_verdict]
    return template.render(
        style=Markup(here.joinpath("style.css").read_text(encoding="utf-8")),
        entries=entries,
        sections=contents.sections(decisions),
        kinds=contents.counted(decisions),
        labels=contents.by_label(decisions),
        paper_errata=contents.errata(decisions, seeds=False),
        seed_errata=contents.errata(decisions, seeds=True),
        textbook=contents.textbook(decisions),
        roots=roots,
        graph=Markup(graph_svg(decisions, roots)) if roots else "",
        verdicts=[(v.value, MARKS[v], _MEANINGS[v]) for v in Verdict],
        differences=decisions.differences(),
        twins=len(twins),
        twins_refuted=sum(entry.twin_verdict == Verdict.REFUTED for entry in twins),
        drawings=[
            {
                "id": d.id,
                "title": Markup(inline(d.title)),
                "caption": Markup(blocks(d.caption)),
                "note": Markup(inline(d.note)),
                "svg": Markup(embedded(d.svg)),
            }
            for d in drawings
        ],
        versions=contents.versions(decisions),
    )


def embedded(svg: str) -> str:
    """Return an SVG document as an element of a page, as wide as there is room for.

    Its ids must be unique in the page; :func:`figures.render.render` sees to that.
    """
    element = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    head, rest = element.split(">", 1)
    width = re.search(r'\swidth="([0-9.]+)pt"', head)
    inches = float(width[1]) / 72 if width else 6.3
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    style = f"max-width: {inches * _ENLARGED:.0f}rem; min-width: {inches * _LEAST:.0f}rem"
    return f'{head} style="{style}">{rest}'


def _breakable(claim_id: str) -> Markup:
    """Return an id in which a line may break after each dot or underscore."""
    return Markup(re.sub(r"([._])", r"\1<wbr>", str(Markup.escape(claim_id))))
