"""Graphs written as text and read again are the same graphs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasp import elementwise, indices, tokens
from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Node,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
)
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import Selector, SOp
from rasp.syntax.render import NoTextError, describe_node, literal_text, program_text

ATOMS = st.sampled_from([0, 1, -2, 0.5, -1e-9, True, "a", 'q"\\n\n', ""])
LEAVES: st.SearchStrategy[SOpNode] = st.sampled_from([Tokens("str"), Indices(), Tokens("asis")])


def graphs() -> st.SearchStrategy[SOpNode]:
    def extend(inner: st.SearchStrategy[SOpNode]) -> st.SearchStrategy[SOpNode]:
        operand = inner | ATOMS.map(Constant)
        compare = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
        select: st.SearchStrategy[SelectorNode] = st.builds(Select, operand, operand, compare)
        selector = select | st.builds(And, select, select) | st.builds(Or, select, select)
        selector = selector | st.builds(Not, select) | st.builds(Best, select, inner, inner)
        binary = st.sampled_from(["+", "-", "*", "/", "%", "^", "==", "<", "and", "or", "!="])
        return (
            st.builds(lambda op, a, b: Elementwise(op, (a, b)), binary, inner, operand)
            | st.builds(
                lambda op, a: Elementwise(op, (a,)),
                st.sampled_from(["not", "neg", "pos", "round", "indicator"]),
                inner,
            )
            | st.builds(lambda a, b, c: Elementwise("if", (a, b, c)), inner, operand, operand)
            | st.builds(lambda a, i: Elementwise("in", (a,), tuple(i)), inner, st.lists(ATOMS))
            | st.builds(Aggregate, selector, operand, ATOMS)
            | st.builds(Width, selector)
        )

    return st.recursive(LEAVES, extend, max_leaves=8)


def read(text: str, name: str) -> Node:
    session = Session()
    session.evaluate = lambda value, example: []  # type: ignore[method-assign]
    events = list(session.run(text))
    assert [event.note for event in events if event.error is not None] == []
    value = session.console.variables[name]
    assert isinstance(value, (SOp, Selector))
    return value.node


@settings(max_examples=150, deadline=None)
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
