"""Formatting keeps meaning and comments, and formatting twice changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasp_texts import expressions

from rasp.errors import RaspError
from rasp.interpret.library import library_text
from rasp.syntax.format import expression_text, format_source
from rasp.syntax.lexer import Source, comments
from rasp.syntax.statements import parse_expression, parse_units


def trees(text: str) -> list[object]:
    return [statement for unit in parse_units(Source(text)) for statement in unit.statements]


@settings(max_examples=150, deadline=None)
@given(expressions())
def test_expressions_keep_their_meaning(text: str) -> None:
    tree = parse_expression(text)
    assert parse_expression(expression_text(tree)) == tree


@pytest.mark.parametrize("name", ["rasplib", "paper_examples", "stdlib"])
def test_the_library_keeps_its_meaning_and_comments(name: str) -> None:
    text = library_text(name)
    once = format_source(text)
    assert trees(once) == trees(text)
    assert sorted(c for _, c in comments(once)) == sorted(c for _, c in comments(text))
    assert format_source(once) == once


MESSY = """
# first
a=1;b =  2 ;   # after b


def f( x,y ){ # opening
  # inside
  z=x+y;

  return z , x; # returned
  # at the end
}
for i in [1,2] { a=a+i; }
set example "abc"
c = [1, # one
  2];
s-op examples off
# last
"""

NEAT = """# first
a = 1;
b = 2;  # after b

# opening
# inside
def f(x, y) {
    z = x + y;

    return z, x;
    # returned
    # at the end
}
for i in [1, 2] {
    a = a + i;
}
set example "abc"
# one
c = [1, 2];
s-op examples off
# last
"""


def test_one_style() -> None:
    assert format_source(MESSY) == NEAT
    assert format_source(NEAT) == NEAT
    assert format_source("") == ""


def test_broken_programs_are_left_alone() -> None:
    with pytest.raises(RaspError):
        format_source("a = ;")


@given(st.text('a1;=+ #\n(){}[]",', max_size=30))
def test_whatever_parses_formats_stably(text: str) -> None:
    try:
        once = format_source(text)
    except RaspError:
        return
    assert trees(once) == trees(text)
    assert format_source(once) == once
