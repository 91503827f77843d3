"""How many values an activation takes, and on how many inputs a satisfied head depends (S2b).

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import final

import sympy as sp

from bounds.reduction.neighbours import K_DEPENDENCE
from bounds.reduction.stage2 import CAPTURED, VALUES
from bounds.reduction.symbols import c, domains, k
from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.checkers.substitution import power_of_two


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A function of three bits, given by its value for each assignment."""

    values: tuple[int, ...]

    @property
    def c(self) -> int:
        """On how many of its inputs the function depends."""
        rows = range(len(self.values))
        return sum(
            any(self.values[row] != self.values[row ^ bit] for row in rows) for bit in (1, 2, 4)
        )

    def __str__(self) -> str:
        return f"values {'/'.join(map(str, self.values))}, depends on {self.c} of 3 inputs"


def tables() -> Iterator[Table]:
    """Yield all functions of three bits with four possible values."""
    for values in product(range(4), repeat=8):
        yield Table(values)


def few_values(table: Table) -> bool:
    """Tell whether the function takes at most 2^c values, c counting what it depends on."""
    return len(set(table.values)) <= 1 << table.c


_w = sp.Symbol("w", positive=True)
_POWER = power_of_two(c, _w)
_before, _after = sp.symbols("v v_after", integer=True)
_COUNTS = {**domains(c), _before: Integers(1), _after: Integers(1)}
_DOUBLED = Relation(_after, "<=", 2 * _before)

VALUE_COUNT = Claim(
    id="hahn2020.stage2.values",
    says=r"An activation that depends on at most $c$ free inputs takes at most $2^c$ values.",
    source=HAHN.at("5.1, Stage 2"),
    statement=Inequality(
        _after,
        "<=",
        VALUES.expression.subs(c, c + 1),
        _COUNTS,
        (_DOUBLED, Relation(_before, "<=", VALUES.expression)),
    ),
    check=smt.decide(_POWER),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    labels=("C1",),
    twin=Twin(
        "the values for c inputs are at most 2^c",
        Inequality(_after, "<=", VALUES.expression.subs(c, c + 1), _COUNTS, (_DOUBLED,)),
    ),
    proof=r"""By induction on $c$.  With no free input there is one value, with one at most two.
Let the activation depend on $c + 1$ free inputs.  Fixing one of them to 0 or to 1 leaves two
functions of $c$ inputs, and every value of the activation is a value of one of them: at most
twice as many, $2 \cdot 2^c = 2^{c+1}$ (the checked step).""",
)

VALUES_ENUMERATED = Claim(
    id="hahn2020.stage2.values.enumerated",
    says=r"A function that depends on $c$ bits takes at most $2^c$ values (every function of three"
    r" bits with four possible values).",
    source=HAHN.at("5.1, Stage 2"),
    statement=ForAll(
        "at most 2^c values",
        "functions of 3 bits with 4 possible values",
        tables,
        few_values,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("C1",),
    proof=r"Every table is counted; the general argument is the claim `hahn2020.stage2.values`.",
)

_v, _own, _each, _total = sp.symbols("v own each total", integer=True, nonnegative=True)
_SIZES = {**domains(c * k), _v: Integers(1), _own: Integers(0), _each: Integers(0)}
_SIZES[_total] = Integers(0)
_FEW_VALUES = Relation(_v, "<=", VALUES.expression)
_SMALL = Relation(_each, "<=", c * k)
_ALL = Relation(_total, "<=", _v * _each)

DEPENDENCE = Claim(
    id="hahn2020.stage2.k_dependence",
    says=r"A head $k$-depends on at most $2^c \cdot c \cdot k$ inputs.",
    source=HAHN.at("5.1, Stage 2, k-dependence"),
    statement=Inequality(
        _total, "<=", K_DEPENDENCE.expression, _SIZES, (_ALL, _FEW_VALUES, _SMALL)
    ),
    check=smt.decide(_POWER),
    expect=Verdict.PROVED,
    labels=("S2d",),
    assumes=("hahn2020.stage2.values", "hahn2020.stage2.selected_inputs.repaired"),
    twin=Twin(
        "at most ck inputs feed each prefix",
        Inequality(_total, "<=", K_DEPENDENCE.expression, _SIZES, (_ALL, _FEW_VALUES)),
    ),
    proof=r"""For each of the at most $2^c$ values $z$, at most $ck$ free inputs feed the ranking
up to the last selected activation.  (The paper derives this from the equality that fails; the
number is right.)""",
)

_WITH_OWN = Relation(_total, "<=", _own + _v * _each)
_OWN_SMALL = Relation(_own, "<=", c)

SATISFIED_HEAD = Claim(
    id="hahn2020.stage2.satisfied.inputs",
    says=r"A satisfied head depends on at most $c(2^c k + 1)$ inputs.",
    source=HAHN.at("5.1, Stage 2, satisfied heads"),
    statement=Inequality(
        _total, "<=", CAPTURED.expression, _SIZES, (_WITH_OWN, _OWN_SMALL, _FEW_VALUES, _SMALL)
    ),
    check=smt.decide(_POWER),
    expect=Verdict.PROVED,
    labels=("S2b",),
    assumes=("hahn2020.stage2.values", "hahn2020.stage2.capture"),
    twin=Twin(
        "the head's own activation is fed by at most c inputs",
        Inequality(_total, "<=", CAPTURED.expression, _SIZES, (_WITH_OWN, _FEW_VALUES, _SMALL)),
    ),
    proof=r"""The at most $c$ inputs of $y_i^{(0)}$ determine its value $z$, one of at most $2^c$.
Given $z$, the satisfied pair $((h,i),z)$ has a witness whose prefix of the ranking at most $ck$
free inputs feed, and by capture the head is a function of those; or at most $ck$ free inputs feed
all activations anyway.  Together
$c + 2^c \cdot ck = c(2^c k + 1)$.""",
)
