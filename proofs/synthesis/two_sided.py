r"""What decides each language at every length: RASP programs, and trees of hard attention.

Synthesis gives sizes at small lengths (`proofs.synthesis.table` puts the sides together).  Here are
the other two: programs, whose heads average, and machines that read a word block by block.

Main definitions: `programs`, `Program`, `program_of`; statements: PROGRAMS, TREES.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from attention.constructions.trees import parity_tree, reading_tree
from attention.hard import evaluate_batch
from claims import OWN, Claim, ForAll, Kind, Verdict
from languages.registry import language
from proofs.checkers import exhaustive
from rasp import SOp, aggregate, full_s, indicator, indices, length, select, tokens_str
from rasp.analysis.report import analyse
from rasp.interpret.library import library_text
from rasp.interpret.session import Session

LANGUAGES = ("parity", "mod3", "majority", "dyck1", "dyck2", "first", "ones")
"""The languages of the table, in its order."""

_LENGTHS = {"dyck2": (2, 4), "dyck1": (2, 4, 6, 8)}
_BRACKETS = str.maketrans("[]", "{}")  # the paper's programs write the second kind so


@dataclass(frozen=True, slots=True)
class Program:
    """A RASP program for a language at every length, with the layers and heads it takes."""

    name: str
    layers: int
    heads: int


@cache
def programs() -> dict[str, tuple[str, SOp]]:
    """Return the RASP program of every language of the table, with its name in the library."""
    session = Session(read=library_text)
    list(session.run('load "paper_examples"; load "stdlib";'))
    list(session.run('even = not parity(tokens_str == "1");'))
    list(session.run('more = majority(tokens_str, "1", "0") > 0;'))
    list(session.run('brackets = dyck_prefixes(["()", "{}"]) == "T";'))
    list(session.run('one_kind = dyck1_ptf == "T";'))
    known = session.console.variables
    ones = length * aggregate(full_s, indicator(tokens_str == "1"))
    start = aggregate(select(indices, 0, "=="), tokens_str, "")
    zeros = aggregate(full_s, indicator(tokens_str == "0"))
    return {
        "parity": ("parity", known["even"]),
        "mod3": ("ones mod 3", (ones % 3) == 0),
        "majority": ("majority", known["more"]),
        "dyck1": ("dyck1_ptf", known["one_kind"]),
        "dyck2": ("dyck_prefixes", known["brackets"]),
        "first": ("token at 0", start == "1"),
        "ones": ("no zero", zeros == 0),
    }


@cache
def program_of(name: str) -> Program:
    """Return the program of a language with the layers and heads that its analysis counts.

    Examples
    --------
    >>> program_of("dyck1")
    Program(name='dyck1_ptf', layers=2, heads=1)
    """
    title, sop = programs()[name]
    found = analyse(sop)
    return Program(title, found.layers, found.width)


def _cases() -> Iterator[tuple[str, int]]:
    for name in LANGUAGES:
        yield from product((name,), _LENGTHS.get(name, range(1, 8)))


def program_is_right(case: tuple[str, int]) -> bool:
    """Return whether the program's last value is membership, on every word of the length."""
    name, n = case
    target, (_, sop) = language(name), programs()[name]
    for word in product(target.alphabet, repeat=n):
        if bool(sop("".join(word).translate(_BRACKETS))[-1]) is not target.contains(word):
            return False
    return True


def tree_is_right(case: tuple[str, int, int, int]) -> bool:
    """Return whether a tree of this shape decides the language at this length."""
    name, layers, heads, n = case
    target = language(name)
    words = np.array(list(product(range(len(target.alphabet)), repeat=n)), dtype=np.uint8)
    trees = [reading_tree(target, layers, heads, n)]
    if name == "parity" and n == (heads + 1) ** layers:
        trees.append(parity_tree(layers, heads))
    return all((evaluate_batch(t, words) == target.members(words)).all() for t in trees)


def _trees() -> Iterator[tuple[str, int, int, int]]:
    for name in LANGUAGES:
        for layers, heads, n in ((1, 1, 2), (1, 2, 3), (2, 1, 4), (3, 1, 7), (2, 2, 7)):
            if name != "dyck2" or n < 5:
                yield name, layers, heads, n


PROGRAMS = Claim(
    id="synthesis.two_sided.programs",
    says=r"RASP programs of one layer decide PARITY, MOD3, MAJORITY, FIRST and $1^*$, of two layers "
    r"1DYCK, of three layers 2DYCK; each layer has one head.",
    source=OWN.at("synthesis, two sides"),
    statement=ForAll(
        "the program's value at the last position is membership",
        "every word of length 1..7 (1DYCK: 2, 4, 6, 8; 2DYCK: 2, 4)",
        _cases,
        program_is_right,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof="The programs are the same for every length: a mean over all positions times the length "
    "counts, and counting is exact. Hard attention does not average, so these sizes show what "
    "averaging buys.",
)

TREES = Claim(
    id="synthesis.two_sided.trees",
    says=r"With unbounded hidden symbols, $L$ layers and $H$ heads decide every language at every "
    r"$n\le(H+1)^L$.",
    source=OWN.at("synthesis, two sides"),
    statement=ForAll(
        "the reading tree is right on all words",
        "seven languages (PARITY also with two symbols); (L, H, n) = (1,1,2), (1,2,3), (2,1,4), (3,1,7), (2,2,7)",
        _trees,
        tree_is_right,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""After layer $k$ position $i$ knows the symbols at $i-(H+1)^k+1,\dots,i$: it joins what it
knew with what the positions $i-h(H+1)^{k-1}$ knew, $h=1,\dots,H$. After $L$ layers the last position
knows the word. PARITY needs two symbols, MOD-$m$ needs $m$: the sum of the block.""",
)
