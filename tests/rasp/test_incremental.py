"""Growing inputs: every prefix as if it had been evaluated afresh."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasp_graphs import graphs, selectors

from rasp import aggregate, indices, length, select, tokens, where
from rasp.errors import LimitError, RaspError
from rasp.evaluate.direct import DirectEvaluation
from rasp.evaluate.incremental import IncrementalEvaluation, decode
from rasp.graph import Aggregate, Indices, SelectorNode, SOpNode, Width
from rasp.interpret.library import library_text
from rasp.interpret.session import Session


def check(node: SOpNode, word: str, exact: bool) -> None:
    growing = IncrementalEvaluation(node, exact=exact)
    for n in range(1, len(word) + 1):
        try:
            expected = DirectEvaluation(word[:n], exact=exact).sequence(node)
        except RaspError:
            with pytest.raises(RaspError):
                growing.append(word[n - 1])
            return
        growing.append(word[n - 1])
        assert [(type(v), repr(v)) for v in growing.values] == [
            (type(v), repr(v)) for v in expected
        ]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.text("ab()", min_size=1, max_size=6), st.booleans())
def test_every_prefix_is_as_if_evaluated_afresh(node: SOpNode, word: str, exact: bool) -> None:
    check(node, word, exact)


@settings(max_examples=60, deadline=None)
@given(selectors(), st.text("ab", min_size=1, max_size=8))
def test_selectors_grow(selector: SelectorNode, word: str) -> None:
    check(Width(selector), word, True)
    check(Aggregate(selector, Aggregate(selector, Indices(), -1), -1), word, True)


def test_nothing_old_is_computed_again_under_a_causal_selector() -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    growing = IncrementalEvaluation(session.console.variables["dyck1_ptf"].node)
    for letter in "(()())" * 5:
        growing.append(letter)
        assert growing.recomputed == 0
    everything = IncrementalEvaluation(session.console.variables["reverse"].node)
    everything.append("a")
    everything.append("b")
    assert everything.recomputed > 0


def test_decoding_copies_until_it_stops() -> None:
    copied = aggregate(select(indices, indices - 2, "=="), tokens, "")
    program = where(length < 9, copied, ".")
    assert decode(program, "abc", stop=".") == list("abcabc")
    assert decode(copied, "abc", stop=lambda seen: len(seen) == 7) == list("abca")
    with pytest.raises(LimitError, match="within 5 tokens"):
        decode(copied, "abc", stop=".", limit=5)
    with pytest.raises(RaspError, match="prompt"):
        decode(copied, "")
