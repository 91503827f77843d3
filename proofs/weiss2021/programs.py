"""The programs the claims are about, loaded from the library that comes with the language."""

from functools import cache

from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

SIZES: dict[str, tuple[int, ...]] = {
    "reverse": (1, 1),
    "hist_bos": (1,),
    "hist_nobos": (2,),
    "hist2_bos": (2, 1),
    "sort_bos": (1, 1),
    "sort_by_most_freq": (2, 1, 1),
    "dyck1_ptf": (1, 1),
    "dyck2_ptf": (1, 2, 1, 1),
    "dyck3_ptf": (1, 2, 1, 1),
}
"""Heads per layer of the paper's programs, as its implementation counts them."""

BRACKETS = ("()", "{}", "[]", "<>", "ab", "cd")
"""Pairs of opening and closing brackets, the first k of which make Dyck-k."""


@cache
def paper_programs() -> dict[str, SOp]:
    """Return the paper's programs by name."""
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    return {name: session.console.variables[name] for name in SIZES}


@cache
def dyck_program(kinds: int) -> SOp:
    """Return the program for brackets of that many kinds, three layers of one head."""
    session = Session(read=library_text)
    pairs = ", ".join(f'"{pair}"' for pair in BRACKETS[:kinds])
    list(session.run(f'load "stdlib"; program = dyck_prefixes([{pairs}]);'))
    program = session.console.variables["program"]
    assert isinstance(program, SOp)
    return program


def dyck_prefixes(word: str, kinds: int) -> list[str]:
    """Return the specification: T balanced, P can be balanced, F cannot, for every prefix.

    Examples
    --------
    >>> dyck_prefixes("({)", 2)
    ['P', 'P', 'F']
    """
    opens = {pair[1]: pair[0] for pair in BRACKETS[:kinds]}
    stack: list[str] = []
    broken = False
    out = []
    for letter in word:
        if letter in opens.values():
            stack.append(letter)
        elif letter in opens:
            broken = broken or not stack or stack.pop() != opens[letter]
        out.append("F" if broken else "P" if stack else "T")
    return out
