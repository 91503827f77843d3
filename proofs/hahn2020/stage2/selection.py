"""Whether the selection of Stage 2 exists (S2a), and what holds where it does not.

The paper lets n > ck guarantee k activations with private inputs.  Counting activations is not
enough, they may all be fed by the same input; counting the inputs that feed them is.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator

import sympy as sp

from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.combinatorics.orders import Selecting, orders, selections

SCOPE = (
    "orders of n <= 5 activations (n <= 4 for c = 3) over <= 4 inputs, c <= 3, k <= 3,"
    " up to renaming inputs"
)


def small_orders() -> Iterator[Selecting]:
    """Yield all orders in the scope, short ones first."""
    for n in range(1, 6):
        for c in (1, 2, 3) if n < 5 else (1, 2):
            for k in (1, 2, 3):
                yield from (Selecting(order, c, k) for order in orders(n, 4, c))


def exists_when_long(case: Selecting) -> bool:
    """More than ck activations have an irredundant family of k."""
    return len(case.order) <= case.c * case.k or bool(selections(case.order, case.k))


def exists_when_nowhere_constant(case: Selecting) -> bool:
    """Tell the same for activations that all depend on some input."""
    return not all(case.order.masks) or exists_when_long(case)


def exists_or_few_inputs(case: Selecting) -> bool:
    """Tell whether k activations can be selected or at most c(k-1) inputs feed them all."""
    few = case.order.union().bit_count() <= case.c * (case.k - 1)
    return few or bool(selections(case.order, case.k))


AS_STATED = Claim(
    id="hahn2020.stage2.selection.as_stated",
    says=r"Unless $n \le ck$, $k$ of the $n$ ordered activations can be selected so that each has"
    r" an input that feeds into no other selected one.",
    source=HAHN.at("5.1, Stage 2, selection of i_1 < ... < i_k"),
    statement=ForAll("n <= ck or a selection exists", SCOPE, small_orders, exists_when_long),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("S2a",),
    difference="The number of activations does not bound the number of inputs that feed them:"
    " all may be constant.",
    proof="Two constant activations, $c = k = 1$: $n = 2 > 1 = ck$, yet neither has any input.",
)

NOWHERE_CONSTANT = Claim(
    id="hahn2020.stage2.selection.nowhere_constant",
    says=r"The same, when every activation depends on at least one free input.",
    source=HAHN.at("5.1, Stage 2, selection of i_1 < ... < i_k"),
    statement=ForAll(
        "n <= ck or a selection exists, no activation being constant",
        SCOPE,
        small_orders,
        exists_when_nowhere_constant,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    labels=("S2a",),
    difference="All activations may depend on one and the same input.",
    proof="Three activations fed by the input $a$ alone, $c = 1$, $k = 2$: $n = 3 > 2 = ck$, but"
    " in any two of them $a$ is shared.",
)

ENUMERATED = Claim(
    id="hahn2020.stage2.selection.enumerated",
    says=r"If no $k$ activations with private inputs exist, at most $c(k-1)$ free inputs feed all"
    r" activations together (every small case).",
    source=HAHN.at("5.1, Stage 2, selection of i_1 < ... < i_k"),
    statement=ForAll(
        "a selection exists or |U| <= c(k-1)", SCOPE, small_orders, exists_or_few_inputs
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2a",),
    proof=r"Checked on every order of the family; the general argument is the repaired claim "
    r"beside it.",
)

_c, _k, _m, _u = sp.symbols("c k m u")
_DOMAIN = {_c: Integers(0), _k: Integers(1), _m: Integers(0), _u: Integers(0)}
_COVERED = Relation(_u, "<=", _c * _m)

REPAIRED = Claim(
    id="hahn2020.stage2.selection.repaired",
    says=r"If no $k$ activations with private inputs exist, the activations are fed by at most"
    r" $c(k-1)$ free inputs together, so the head already depends on at most that many beyond"
    r" those of its own position and nothing needs to be selected.",
    source=HAHN.at("5.1, Stage 2, selection of i_1 < ... < i_k"),
    statement=Inequality(_u, "<=", _c * (_k - 1), _DOMAIN, (_COVERED, Relation(_m, "<=", _k - 1))),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("S2a",),
    repairs="hahn2020.stage2.selection.as_stated",
    difference=r"The condition $n \le ck$ becomes a condition on the inputs that feed something.",
    twin=Twin(
        "the cover has fewer than k members",
        Inequality(_u, "<=", _c * (_k - 1), _DOMAIN, (_COVERED, Relation(_m, "<=", _k))),
    ),
    proof=r"""Let $U$ be the set of free inputs that feed some activation.  Among the families of
activations that together are fed by all of $U$, take one, $M$, that loses this when any member
is removed.  Then each member of $M$ has a private input: the one that is lost when it is removed
feeds into it and into no other member.  So $M$ is irredundant.

Any part of an irredundant family is irredundant, because private inputs stay private.  If no
irredundant family of $k$ members exists, $M$ therefore has $m \le k-1$ members.  Each is fed by
at most $c$ inputs, so $|U| \le cm \le c(k-1)$.  (The checked inequality is this last step; the
enumerated claim checks the conclusion on every small order.)""",
)
