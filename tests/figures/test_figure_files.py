"""Figures are found by convention, written atomically, and the same bytes each time."""

import fnmatch
import json
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from figures import style
from figures.numbers import NumbersError, plain
from figures.provenance import is_current
from figures.registry import FigureError, FigureModule, figures, find
from figures.render import Rendered, RenderError, render


@dataclass(frozen=True)
class Line:
    x: np.ndarray
    y: np.ndarray

    def to_json(self) -> Any:
        return plain(self)


def line_data(*, quick: bool = False) -> Line:
    x = np.linspace(0, 1, 3 if quick else 9)
    return Line(x, x**2)


def draw_line(fig: Any, data: Line) -> None:
    ax = fig.subplots()
    ax.plot(data.x, data.y, label="a curve")
    ax.legend()
    ax.set(xlabel="x", ylabel="$x^2$")


LINE = FigureModule(
    "test-line", "A line", "A curve.", (3.0, 2.0), line_data, draw_line, lambda d: "n", "bounds"
)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rendered, Rendered]:
    folder = tmp_path_factory.mktemp("rendered")
    return render(LINE, folder / "a", quick=True), render(LINE, folder / "b", quick=True)


def test_two_renders_are_the_same_bytes(twice: tuple[Rendered, Rendered]) -> None:
    first, second = twice
    for kind in ("json", "pdf", "svg", "png", "provenance"):
        assert getattr(first, kind).read_bytes() == getattr(second, kind).read_bytes()
    assert json.loads(first.json.read_text())["numbers"]["y"] == [0.0, 0.25, 1.0]


def test_identifiers_in_the_svg_carry_the_figures_id(twice: tuple[Rendered, Rendered]) -> None:
    svg = twice[0].svg.read_text()
    ids = re.findall(r'\bid="([^"]+)"', svg)
    references = re.findall(r'href="#([^"]+)"', svg) + re.findall(r"url\(#([^)]+)\)", svg)
    assert references
    assert all(name.startswith("test-line-") for name in [*ids, *references])
    assert set(references) <= set(ids)
    ElementTree.fromstring(svg)


def test_files_carry_no_date(twice: tuple[Rendered, Rendered]) -> None:
    files = twice[0]
    for path in (files.pdf, files.svg, files.png, files.json, files.provenance):
        assert not re.search(rb"\b20[2-9]\d-\d\d-\d\d|CreationDate|Matplotlib v", path.read_bytes())


def test_only_the_five_files_are_left(twice: tuple[Rendered, Rendered]) -> None:
    kinds = ["json", "pdf", "png", "provenance.json", "svg"]
    folder = twice[0].png.parent
    assert sorted(p.name for p in folder.iterdir()) == [f"test-line.{kind}" for kind in kinds]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    with pytest.raises(RenderError, match=r"cannot write to .*file"):
        render(LINE, blocker / "sub")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    root = tmp_path / "planted_figures"
    root.mkdir()
    (root / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield root
    for name in [m for m in sys.modules if m.startswith("planted_figures")]:
        del sys.modules[name]


GOOD = """
ID = "{id}"
TITLE = CAPTION = ""
def data(*, quick=False): ...
def draw(fig, data): ...
"""


def test_modules_without_id_are_no_figures_and_the_rest_is_sorted(package: Path) -> None:
    (package / "b.py").write_text(GOOD.format(id="a-one"))
    (package / "a.py").write_text(GOOD.format(id="b-two"))
    (package / "style.py").write_text("COLOUR = 1")
    assert list(figures("planted_figures")) == ["a-one", "b-two"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ID = 'x'", "misses|but not TITLE, CAPTION, data, draw"),
        (GOOD.format(id="Bad Name"), "must be lower case"),
        (GOOD.format(id="taken"), "both have ID 'taken'"),
    ],
)
def test_broken_conventions_are_named(package: Path, text: str, message: str) -> None:
    (package / "first.py").write_text(GOOD.format(id="taken"))
    (package / "second.py").write_text(text)
    with pytest.raises(FigureError, match=message):
        figures("planted_figures")


def test_unknown_figures_are_answered_with_the_closest() -> None:
    with pytest.raises(FigureError, match=r"did you mean .*reduction-chernoff"):
        find("reduction-chernof")


def test_drawing_needs_no_pyplot() -> None:
    for figure in figures().values():
        source = Path(str(sys.modules[figure.module].__file__)).read_text()
        assert "pyplot" not in source


def test_the_documentation_names_every_figure() -> None:
    text = (Path(__file__).parents[2] / "docs" / "figures.md").read_text()
    patterns = re.findall(r"`((?:[a-z0-9]+-)+(?:[a-z0-9]+|\*))`", text)
    missing = [i for i in figures() if not any(fnmatch.fnmatch(i, p) for p in patterns)]
    assert missing == []


def test_numbers_become_json() -> None:
    given = {"big": 2**70, "arr": np.array([[1.5, np.nan]]), "t": (Fraction(1, 3), None, True)}
    expected = {"arr": [[1.5, None]], "big": str(2**70), "t": ["1/3", None, True]}
    assert plain(given) == expected
    assert json.loads(json.dumps(plain(given))) == expected


@pytest.mark.parametrize("bad", [float("inf"), {1, 2}, types.SimpleNamespace()])
def test_numbers_that_json_cannot_hold_are_refused(bad: object) -> None:
    with pytest.raises(NumbersError):
        plain({"x": bad})


def test_line_colours_stay_apart_in_brightness_or_line_style() -> None:
    assert len(set(style.CYCLE)) == len(set(map(str, style.LINES))) == len(set(style.MARKERS))
    with pytest.raises(ValueError, match="too small"):
        style.base(4)


def test_a_figure_is_current_until_anything_differs(tmp_path: Path) -> None:
    def current(quick: bool = True, sources: str = "s") -> bool:
        return is_current(LINE, tmp_path, quick=quick, sources=sources)

    assert not current()
    drawn = render(LINE, tmp_path, quick=True, sources="s")
    assert current()
    assert not current(quick=False)
    assert not current(sources="t")
    assert not is_current(LINE, tmp_path, quick=True, sources="")
    drawn.pdf.write_bytes(drawn.pdf.read_bytes()[:-1])
    assert not current()
    render(LINE, tmp_path, quick=True, sources="s")
    drawn.svg.unlink()
    assert not current()
