"""Whether the selected activations alone feed their prefix (S2c), and how many inputs do.

A head k-depends on the free inputs that feed the ranking up to the last selected activation.  The
paper identifies them with the inputs of the selected activations alone.  That fails from c = 3
on, for every selection; the number ck that it was used for is right.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator

import sympy as sp

from claims import HAHN, Claim, ForAll, Inequality, Integers, Kind, Relation, Twin, Verdict
from proofs.checkers import exhaustive, smt
from proofs.hahn2020.combinatorics.orders import Selecting, orders, selections, union
from proofs.hahn2020.stage2.selection import SCOPE, small_orders

SCOPE_TWO = "orders of n <= 5 activations over <= 5 inputs, c <= 2, k = 2, 3, up to renaming inputs"


def orders_up_to_two() -> Iterator[Selecting]:
    """Yield all orders with c <= 2 in their scope."""
    for n in range(1, 6):
        for c in (1, 2):
            for k in (2, 3):
                yield from (Selecting(order, c, k) for order in orders(n, 5, c))


def some_selection_covers(case: Selecting) -> bool:
    """Tell whether some allowed selection is fed by all inputs of its prefix."""
    allowed = selections(case.order, case.k)
    return not allowed or any(
        union(case.order.masks[r] for r in family) == case.order.union(family[-1] + 1)
        for family in allowed
    )


def prefix_is_small(case: Selecting) -> bool:
    """Tell whether at most ck inputs feed the prefix up to the last selected activation."""
    allowed = selections(case.order, case.k)
    length = allowed[0][-1] + 1 if allowed else len(case.order)
    return case.order.union(length).bit_count() <= case.c * case.k


AS_STATED = Claim(
    id="hahn2020.stage2.selected_inputs.as_stated",
    says=r"Because $i_k$ is least, a head $k$-depends on $x_l$ if and only if $x_l$ feeds into one"
    r" of the selected activations (for some selection with least $i_k$).",
    source=HAHN.at("5.1, Stage 2, k-dependence"),
    statement=ForAll(
        "some selection with least i_k is fed by all inputs of its prefix",
        SCOPE,
        small_orders,
        some_selection_covers,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    labels=("S2c",),
    difference="An activation that is passed over may have an input that no selected one has.",
    proof=r"""Order $\{a\}, \{a,b,c\}, \{b\}$ with $c = 3$, $k = 2$.  The first two share $a$, so
they are no selection; the last two share $b$; only the first and the third are irredundant, and
$i_k = 3$ is least.  The input $c$ feeds the second activation, hence the prefix, and neither of
the selected ones.""",
)

UP_TO_TWO = Claim(
    id="hahn2020.stage2.selected_inputs.c_at_most_two",
    says=r"For $c \le 2$ some selection with least $i_k$ is fed by all inputs of its prefix"
    r" (every small case), so the equivalence can only fail from $c = 3$ on there.",
    source=HAHN.at("5.1, Stage 2, k-dependence"),
    statement=ForAll(
        "some selection with least i_k is fed by all inputs of its prefix",
        SCOPE_TWO,
        orders_up_to_two,
        some_selection_covers,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2c",),
    proof=r"Checked on every order of the family. No general argument is given for $c = 2$; "
    r"nothing rests on it.",
)

ENUMERATED = Claim(
    id="hahn2020.stage2.selected_inputs.enumerated",
    says=r"At most $ck$ free inputs feed the ranking up to the last selected activation (every"
    r" small case).",
    source=HAHN.at("5.1, Stage 2, k-dependence"),
    statement=ForAll("|U_{i_k}| <= ck", SCOPE, small_orders, prefix_is_small),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    labels=("S2c", "S2d"),
    proof=r"Checked on every order of the family; the general argument is the repaired claim "
    r"beside it.",
)

_c, _k, _before, _u = sp.symbols("c k u_before u")
_DOMAIN = {_c: Integers(0), _k: Integers(1), _before: Integers(0), _u: Integers(0)}
_ONE_MORE = Relation(_u, "<=", _before + _c)

REPAIRED = Claim(
    id="hahn2020.stage2.selected_inputs.repaired",
    says=r"At most $ck$ free inputs feed the ranking up to the last selected activation.",
    source=HAHN.at("5.1, Stage 2, k-dependence"),
    statement=Inequality(
        _u, "<=", _c * _k, _DOMAIN, (_ONE_MORE, Relation(_before, "<=", _c * (_k - 1)))
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.REPAIRED,
    labels=("S2c",),
    assumes=("hahn2020.stage2.selection.repaired",),
    repairs="hahn2020.stage2.selected_inputs.as_stated",
    difference=r"The sets may differ; what the proof uses is their size, and $ck$ bounds it.",
    twin=Twin(
        "the prefix before the last selected activation has no selection",
        Inequality(_u, "<=", _c * _k, _DOMAIN, (_ONE_MORE,)),
    ),
    proof=r"""Write $U_r$ for the free inputs that feed the first $r$ activations of the ranking.
Because $i_k$ is least, the first $i_k - 1$ activations have no irredundant family of $k$ members,
so $|U_{i_k - 1}| \le c(k-1)$ by the repaired selection claim.  One more activation adds at most
$c$ inputs: $|U_{i_k}| \le c(k-1) + c = ck$.""",
)
