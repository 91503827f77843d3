"""One layer computes PARITY exactly up to n = H + 1 (verdict read at the last symbol).

References: our own sharpening of Hahn (2020), Corollary 2 [hahn2020], for L = 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import sympy as sp

from attention.constructions.trees import parity_tree
from attention.hard import evaluate
from claims import OWN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt

_n, _H, _fixed = sp.symbols("n H d", integer=True)
_DOMAIN = {_n: Integers(1), _H: Integers(1), _fixed: Integers(0)}
_ADVERSARY = Relation(_fixed, "<=", _H + 1)
_LONG = Relation(_n, ">=", _H + 2)

ADVERSARY = Claim(
    id="restrictions.one_layer_parity.adversary",
    says=r"No one-layer hard-attention transformer with $H$ heads computes PARITY on $n \ge H + 2$"
    r" bits: after fixing $d \le H + 1$ of them its output is constant, and a free bit is left.",
    source=OWN.at("one layer"),
    statement=Inequality(sp.Integer(1), "<=", _n - _fixed, _DOMAIN, (_ADVERSARY, _LONG)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    labels=("E4",),
    assumes=("hahn2020.stage2.capture",),
    twin=Twin(
        "n is at least H + 2",
        Inequality(sp.Integer(1), "<=", _n - _fixed, _DOMAIN, (_ADVERSARY,)),
    ),
    proof=r"""Read the verdict at the last position.  Fix its symbol: its own activation $z$ is then
constant.  Take the heads one after the other.  Among the pairs (position, symbol) that are still
possible let $(j, s)$ have the greatest score for $z$ (ties as the model breaks them), and fix
$x_j = s$ unless it is fixed already.  Then the activation at $j$ is constant and attains the
greatest score, so by capture the head attends to $j$ on every input that is left.  Fixing more
inputs later only removes competitors.

After all $H$ heads at most $d \le H + 1$ inputs are fixed, and everything that the last position
computes from is constant: so is the output.  If $n \ge H + 2$, then $n - d \ge 1$ (the checked
inequality): some input is free, and flipping it changes the parity but not the output.

The bound is sharp: with $n = H + 1$ the last position attends to each other position by its
position alone and adds the bits up (see the claim on the construction).""",
)


@dataclass(frozen=True)
class Word:
    """A word of n = H + 1 bits for the one-layer parity machine with H heads."""

    heads: int
    bits: str


def words() -> Iterator[Word]:
    """Yield all words for H = 1 .. 6."""
    for heads in range(1, 7):
        for bits in product("01", repeat=heads + 1):
            yield Word(heads, "".join(bits))


def adds_up(case: Word) -> bool:
    """Run the machine: it accepts exactly the words with an even number of 1s."""
    return evaluate(parity_tree(1, case.heads), case.bits) is (case.bits.count("1") % 2 == 0)


CONSTRUCTION = Claim(
    id="restrictions.one_layer_parity.construction",
    says=r"One layer with $H$ heads computes PARITY on $n = H + 1$ bits: head $h$ attends to position"
    r" $n - h$ whatever the symbols are, and the activation adds up (run on all words, $H \le 6$).",
    source=OWN.at("one layer"),
    statement=ForAll("the machine decides parity", "all words, H = 1 .. 6", words, adds_up),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("E4",),
)


@dataclass(frozen=True)
class Order:
    """An order of preference over literals 2 j + b of three positions, and the own last symbol."""

    literals: tuple[int, ...]
    own: int


def orders() -> Iterator[Order]:
    """Yield all orders of the six literals, for both symbols of the last position."""
    for own in (0, 1):
        for literals in permutations(range(6)):
            yield Order(literals, own)


def confuses_two_words(case: Order) -> bool:
    """Two words with this last symbol attend to the same literal and differ in parity."""
    seen: dict[int, int] = {}
    for first, second in product((0, 1), repeat=2):
        true = {first, 2 + second, 4 + case.own}
        attended = next(lit for lit in case.literals if lit in true)
        parity = (first + second + case.own) % 2
        if seen.setdefault(attended, parity) != parity:
            return True
    return False


EVERY_ORDER = Claim(
    id="restrictions.one_layer_parity.every_order",
    says=r"With one head, every order of the six literals of $n = 3$ bits makes two words of"
    r" different parity indistinguishable to the last position, whatever its activation function.",
    source=OWN.at("one layer"),
    statement=ForAll(
        "two words are confused",
        "all 2 x 720 preferences, n = 3, H = 1",
        orders,
        confuses_two_words,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("E4",),
)
