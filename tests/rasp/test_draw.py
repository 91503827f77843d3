"""Pictures: deterministic, well-formed, for any token text, and of the right size."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp import aggregate, indices, length, select, tokens
from rasp.draw.files import DrawingFormatError, safe_name, write_flow, write_scene
from rasp.draw.flow import COLUMN, flow_scene, flow_svg
from rasp.draw.matrix import grid, matrix_scene, runs
from rasp.draw.page import page
from rasp.draw.scene import Box, Label, Scene
from rasp.draw.svg import svg
from rasp.interpret.library import library_text
from rasp.interpret.session import Session

REVERSE = aggregate(select(indices, length - 1 - indices, "=="), tokens, "").named("reverse")
SVG = "{http://www.w3.org/2000/svg}"


def texts(document: str) -> list[str]:
    return [str(element.text) for element in ElementTree.fromstring(document).iter(f"{SVG}text")]


def test_a_flow_names_its_layers_heads_and_result() -> None:
    shown = texts(flow_svg(REVERSE, "abc"))
    assert [text for text in shown if text.startswith("layer")] == ["layer 1", "layer 2"]
    assert shown.count("head 1") == 2
    assert shown[-4:] == ["reverse", "c", "b", "a"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=5) | st.characters(), min_size=1, max_size=4))
def test_any_tokens_give_a_document(values: list[str]) -> None:
    document = flow_svg(REVERSE, values)
    ElementTree.fromstring(document)
    assert document == flow_svg(REVERSE, values)


def test_pages_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    scene = matrix_scene(select(indices, indices, "<="), "a&b/语")
    for ending in ("pdf", "png", "svg"):
        path = tmp_path / f"m.{ending}"
        write_scene(scene, path)
        first = path.read_bytes()
        write_scene(scene, path)
        assert path.read_bytes() == first
    with pytest.raises(DrawingFormatError, match=r"m\.jpg"):
        write_scene(scene, tmp_path / "m.jpg")
    assert page(scene, "png")[:4] == b"\x89PNG"


def test_selected_cells_are_filled_and_only_they() -> None:
    rows = [0b001, 0b110, 0]
    boxes = [mark for mark in grid(rows, "abc", "abc").marks if isinstance(mark, Box)]
    cells = sum(round(box.width / box.height) for box in boxes)
    assert cells == sum(mask.bit_count() for mask in rows) == 3
    assert runs(0, 3) == []


def test_fifty_tokens_and_twenty_layers_stay_readable() -> None:
    program = indices
    for _ in range(20):
        program = aggregate(select(program, program, "=="), program)
    scene = flow_scene(program.named("deep"), "abcde" * 10)
    labels = [mark for mark in scene.marks if isinstance(mark, Label)]
    assert min(label.size for label in labels) >= 4.5
    assert sum(label.text.startswith("layer ") for label in labels) == 20
    assert scene.width < 1400


def test_marks_stay_inside_the_page() -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    scene = flow_scene(session.console.variables["dyck2_ptf"], "(x{})", names=session.names)
    for mark in scene.marks:
        if isinstance(mark, Box):
            assert 0 <= mark.x <= mark.x + mark.width <= scene.width
            assert 0 <= mark.y <= mark.y + mark.height <= scene.height


def test_file_names_are_safe_and_differ(tmp_path: Path) -> None:
    names = {safe_name("y", text) for text in ("a/b", "a_b", "a b", "../x", "a" * 99, "a" * 98)}
    assert len(names) == 6
    assert all("/" not in name and "." not in name for name in names)
    path = write_flow(REVERSE, "a/b", tmp_path / "new")
    assert path.parent == tmp_path / "new"


def test_an_empty_scene_is_a_document() -> None:
    ElementTree.fromstring(svg(Scene()))


def test_notebooks_get_pictures() -> None:
    ElementTree.fromstring(REVERSE._repr_svg_())
    ElementTree.fromstring(select(indices, 2, "==")._repr_svg_())


def test_a_column_is_narrow_and_has_what_the_page_has() -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    for name, example in (("hist2_bos", "§hello"), ("dyck2_ptf", "({x})("), ("reverse", "hello")):
        sop = session.console.variables[name]
        wide = flow_scene(sop, example, names=session.names)
        narrow = flow_scene(sop, example, names=session.names, arrangement=COLUMN)
        assert narrow.width <= 245  # 3.3 inches at 7 points and a bit
        assert min(mark.size for mark in narrow.marks if isinstance(mark, Label)) >= 6.5
        boxes = [sum(isinstance(m, Box) for m in scene.marks) for scene in (wide, narrow)]
        assert boxes[0] == boxes[1]
