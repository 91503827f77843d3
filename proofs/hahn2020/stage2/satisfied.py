"""Whether satisfied pairs stay satisfied: the silent step behind the repetitions (S2e).

The literal definition speaks of the selected activations.  Selections are not unique and are made
anew while inputs get fixed, so a pair may lose what satisfied it.  The repaired definition asks
for a witness: a constant score whose prefix at most ck free inputs feed.  It is never lost.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020]; the repaired notion is our own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import sympy as sp

from claims import HAHN, Claim, ForAll, Inequality, Kind, Reals, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.combinatorics.families import (
    SCOPE,
    Restricted,
    next_restrictions,
    pairs,
    restricted_pairs,
)
from proofs.hahn2020.combinatorics.orders import Family, selections
from proofs.hahn2020.combinatorics.pairs import Pair, Restriction, extensions, restrictions, show
from proofs.hahn2020.combinatorics.satisfaction import feeding, literally, witness_inputs


@final
@dataclass(frozen=True, slots=True)
class Reselected:
    """A pair before and after more inputs are fixed, with a selection for either moment."""

    pair: Pair
    k: int
    before: Restriction
    after: Restriction
    old: Family
    new: Family

    def __str__(self) -> str:
        ranks = [",".join(str(r + 1) for r in family) for family in (self.old, self.new)]
        return (
            f"{self.pair}, k={self.k}, {show(self.before)} with selection ({ranks[0]}),"
            f" then {show(self.after)} with selection ({ranks[1]})"
        )


def reselections() -> Iterator[Reselected]:
    """Yield small pairs with two restrictions, the second extending the first, and selections."""
    stars: Restriction = (None, None)
    for n in (1, 2, 3):
        for pair in pairs(n, inputs=2, c=1, levels=3):
            for k in (1, 2):
                allowed = selections(feeding(pair, stars), k)
                for before in restrictions(2):
                    for after in extensions(before):
                        for old in allowed:
                            for new in allowed:
                                yield Reselected(pair, k, before, after, old, new)


def literally_monotone(case: Reselected) -> bool:
    """Tell whether a literally satisfied pair is still satisfied after the new selection."""
    stars: Restriction = (None,) * len(case.before)
    return not literally(case.pair, stars, case.before, case.old) or literally(
        case.pair, stars, case.after, case.new
    )


def witness_stays(case: Restricted) -> bool:
    """Tell whether fixing one more input never adds inputs to the prefix of the witness."""
    now = witness_inputs(case.pair, case.rho)
    if now is None:
        return True
    later = [witness_inputs(case.pair, rho) for rho in next_restrictions(case.rho)]
    return all(fed_by is not None and fed_by <= now for fed_by in later)


AS_STATED = Claim(
    id="hahn2020.stage2.satisfied.monotone.as_stated",
    says=r"Once satisfied, a pair $((h,i),z)$ stays satisfied while more inputs are fixed and the"
    r" selections are made anew (used silently to count the repetitions).",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll(
        "a literally satisfied pair is satisfied after every later selection",
        "pairs of n <= 3 activations, each fed by <= 1 of 2 inputs, scores 0..2, k <= 2,"
        " all restrictions, extensions and allowed selections",
        reselections,
        literally_monotone,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("S2e",),
    difference="A selection with least last rank is not unique, and the next one may leave out the"
    " activation that satisfied the pair.",
    proof=r"""Three activations fed by $\{a\}, \{a\}, \{b\}$ in this order, $k = 2$.  The
selections $(1,3)$ and $(2,3)$ both end at rank 3, the least possible.  Fixing $a$ so that the
first activation gets its greatest score satisfies the pair for the selection $(1,3)$.  If the
second activation has its greatest score at the other value of $a$, the pair is not satisfied for
$(2,3)$.""",
)

ENUMERATED = Claim(
    id="hahn2020.stage2.satisfied.monotone.enumerated",
    says=r"Fixing one more input never destroys a witness and never adds to the free inputs that"
    r" feed its prefix (every small case).",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll("the witness stays", SCOPE, restricted_pairs, witness_stays),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2e",),
    proof=r"One more input is fixed in every possible way; longer extensions follow by "
    r"repetition. The general argument is the repaired claim beside it.",
)

_before, _after, _w, _w_after = sp.symbols("m_j m_j_after m_w m_w_after", real=True)
_DOMAIN = {s: Reals() for s in (_before, _after, _w, _w_after)}
_FALLS = Relation(_after, "<=", _before)
_KEEPS = Relation(_w_after, "==", _w)
_LATER = Relation(_before, "<", _w)

REPAIRED = Claim(
    id="hahn2020.stage2.satisfied.monotone.repaired",
    says=r"Call $((h,i),z)$ satisfied if some activation has a constant score and at most $ck$ free"
    r" inputs feed the ranking up to it, or if at most $ck$ free inputs feed all activations.  Then"
    r" a satisfied pair stays satisfied under every further restriction.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=Inequality(_after, "<", _w_after, _DOMAIN, (_FALLS, _KEEPS, _LATER)),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("S2e",),
    repairs="hahn2020.stage2.satisfied.monotone.as_stated",
    difference="Satisfied means: captured by a witness, not: fixed at a selected activation.",
    twin=Twin(
        "the score of the witness is constant",
        Inequality(_after, "<", _w_after, _DOMAIN, (_FALLS, _LATER)),
    ),
    proof=r"""Fix more inputs.  The greatest attainable score (7) of every activation can only
fall, because fewer inputs are compatible; that of the witness $w$ stays, because its score is
constant.  So an activation $j$ that came after $w$ still comes after $w$: if $m_j < m_w$ before,
then $m_j' \le m_j < m_w = m_w'$ now (the checked inequality); if $m_j = m_w$ and $j$ has the
higher position, then either $m_j' < m_w'$, or the tie is broken in the same way.  The ranking up
to $w$ therefore only loses members, and each member only loses free inputs: at most $ck$ free
inputs still feed it.  If at most $ck$ free inputs feed all activations, that stays so as well.  If
$z$ becomes impossible, the pair asks for nothing any more.""",
)
