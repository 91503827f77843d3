"""The library against plain Python."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rasp.interpret.session import Session
from rasp.sops import Selector, SOp

SESSION = Session()
WORDS = st.text("abc", min_size=1, max_size=8)


def value(text: str, word: str) -> list[object]:
    events = list(SESSION.run(f'({text})("{word}");'))
    assert len(events) == 1
    assert events[0].error is None, events[0].note
    return list(events[0].value.values)


@settings(max_examples=15, deadline=None)
@given(WORDS)
def test_functions_of_the_library(word: str) -> None:
    n = len(word)
    assert value("length", word) == [n] * n
    assert value('count(tokens, "a")', word) == [word.count("a")] * n
    assert value('contains(tokens, "a")', word) == ["a" in word] * n
    assert value("sort(tokens, tokens)", word) == sorted(word)
    assert value("sort(indices, tokens)", word) == sorted(range(n), key=word.__getitem__)
    assert value("max(indices, 2)", word) == [max(i, 2) for i in range(n)]
    assert value("min(indices, 2)", word) == [min(i, 2) for i in range(n)]
    assert value('shift(tokens, 1, "-")', word) == ["-", *word[:-1]]
    assert value('shift(tokens, -1, "-")', word) == [*word[1:], "-"]
    last, first = word.rfind("a"), word.find("a")
    assert value('mark_last_instance(tokens, "a")', word) == [i == last for i in range(n)]
    assert value('mark_first_instance(tokens, "a")', word) == [i == first for i in range(n)]
    assert value('aggregate(select_from_last(tokens, "a"), indices, -1)', word) == [last] * n
    assert value('aggregate(select_from_first(tokens, "a"), indices, -1)', word) == [first] * n
    following = [word.find(c, i + 1) for i, c in enumerate(word)]
    assert value("aggregate(select_next_identical(tokens), indices, -1)", word) == following
    assert value("load_from_location(indices, 0)", word) == [0] * n
    assert value("average(indices)", word) == [(n - 1) / 2] * n
    focus = "has_focus(select(tokens, tokens, ==) and select(indices, indices, <))"
    assert value(focus, word) == [c in word[:i] for i, c in enumerate(word)]
    assert value("tokens[-1]", word) == [word[-1]] * n
    assert value('"a" in tokens', word) == ["a" in word] * n


def test_library_names_cannot_be_set_but_tokens_and_best_can() -> None:
    session = Session()
    (event,) = session.run("length = 3;")
    assert event.text == "\t\t!!ignoring input:\n\t Error: Cannot set reserved name: length\n"
    assert [e.error for e in session.run("tokens = tokens_str;\nbest = 3;")] == [None, None]


def test_library_values_are_sops_selectors_or_functions() -> None:
    assert isinstance(SESSION.base.get("length"), SOp)
    assert isinstance(SESSION.base.get("full_s"), Selector)
