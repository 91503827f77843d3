"""Graphs written as text and read again are the same graphs."""

import pytest
from hypothesis import given, settings
from rasp_graphs import graphs

from rasp import elementwise, indices, tokens
from rasp.graph import Node, SOpNode
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import Selector, SOp
from rasp.syntax.render import NoTextError, describe_node, literal_text, program_text


def read(text: str, name: str) -> Node:
    session = Session()
    session.evaluate = lambda value, example: []  # type: ignore[method-assign]
    events = list(session.run(text))
    assert [event.note for event in events if event.error is not None] == []
    value = session.console.variables[name]
    assert isinstance(value, (SOp, Selector))
    return value.node


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_text_gives_back_the_graph(node: SOpNode) -> None:
    assert read(program_text(node, "result"), "result") == node


@pytest.mark.parametrize("name", ["sort_by_most_freq", "dyck3_ptf", "hist2_bos"])
def test_the_papers_programs_survive_being_written(name: str) -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    node = session.console.variables[name].node
    text = program_text(node, name, names=session.names)
    assert read(text, name) == node
    assert read(program_text(node), "result") == node


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(NoTextError, match="Python function"):
        program_text(elementwise(len, tokens).node)
    with pytest.raises(NoTextError, match="nan"):
        literal_text(float("nan"))


def test_descriptions_use_names_and_stay_short() -> None:
    node = (indices + 1).node
    assert describe_node(node) == "indices + 1"
    assert describe_node((indices + 1 + indices).node, {node.digest: "next"}) == "next + indices"
    deep = indices
    for _ in range(100):
        deep = deep + indices * 2
    assert len(describe_node(deep.node)) <= 60
