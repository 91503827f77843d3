"""The direct engine in float mode against RASP by the book, on random graphs and programs."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasp_graphs import graphs, selectors
from rasp_naive import naive

from rasp.errors import RaspError
from rasp.evaluate.direct import DirectEvaluation
from rasp.graph import Aggregate, Indices, SelectorNode, SOpNode, Width
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

WORDS = st.text("ab()", min_size=1, max_size=6) | st.lists(
    st.sampled_from([0, 1, -2, 0.5, True]), min_size=1, max_size=5
)


def outcome(function: Any) -> object:
    try:
        return [(type(value), repr(value)) for value in function()]
    except (RaspError, ArithmeticError, TypeError, ValueError):
        return "fails"


@settings(max_examples=120, deadline=None)
@given(graphs(), WORDS)
def test_random_graphs(node: SOpNode, word: Any) -> None:
    ours = outcome(lambda: DirectEvaluation(word, exact=False).sequence(node))
    assert ours == outcome(lambda: naive(node, word))


@settings(max_examples=60, deadline=None)
@given(selectors(), st.text("ab", min_size=1, max_size=7))
def test_random_selectors(selector: SelectorNode, word: str) -> None:
    rows = naive(selector, word)
    masks = DirectEvaluation(word).rows(selector)
    assert rows == [[bool(mask >> j & 1) for j in range(len(word))] for mask in masks]
    for node in (Width(selector), Aggregate(selector, Indices(), -1)):
        ours = outcome(lambda node=node: DirectEvaluation(word, exact=False).sequence(node))
        assert ours == outcome(lambda node=node: naive(node, word))


@pytest.mark.parametrize("word", ["^(){}ab", "({)}", "a", "((()))ab"])
def test_the_papers_programs(word: str) -> None:
    session = Session(read=library_text, exact=False)
    list(session.run('load "paper_examples"; load "stdlib"; d = dyck_prefixes(["()", "{}"]);'))
    for name, value in session.console.variables.items():
        if isinstance(value, SOp):
            ours = outcome(lambda v=value: v(word, exact=False))
            assert ours == outcome(lambda v=value: naive(v.node, word)), name
