"""Two other ways to read "satisfied" and "recompute the selections", and why neither works.

If only free inputs count as feeding, the activation that satisfied a pair has none left and can
never be selected again.  If ranking and selections are frozen at the start of Stage 2 instead,
satisfied pairs stay satisfied, but a selected activation may lose its best value for good: then
the event of Stage 3 that it never takes it has probability 1, not E9.

References: Hahn (2020), Section 5.1, Stages 2 and 3 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from claims import HAHN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.combinatorics.families import next_restrictions, pairs
from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.orders import Family, selections
from proofs.hahn2020.combinatorics.pairs import Pair, Restriction, free, restrictions, show
from proofs.hahn2020.combinatorics.repetitions import run
from proofs.hahn2020.combinatorics.satisfaction import literally
from proofs.hahn2020.combinatorics.small_layers import SCOPE_ONE, Stage2Case, layers_one_input


@final
@dataclass(frozen=True, slots=True)
class Fixed:
    """A pair, a selection made at ``before``, and a restriction that fixes one input more."""

    pair: Pair
    k: int
    before: Restriction
    family: Family
    after: Restriction

    def __str__(self) -> str:
        ranks = ",".join(str(r + 1) for r in self.family)
        return (
            f"{self.pair}, k={self.k}, {show(self.before)} with selection ({ranks}),"
            f" then {show(self.after)}"
        )


def fixings() -> Iterator[Fixed]:
    """Yield small pairs with a selection and the restrictions that fix one input more."""
    for n in (1, 2, 3):
        for pair in pairs(n, inputs=2, c=1, levels=3):
            for k in (1, 2):
                for before in restrictions(2):
                    for family in selections(pair.order(before), k):
                        for after in next_restrictions(before):
                            yield Fixed(pair, k, before, family, after)


def free_inputs_monotone(case: Fixed) -> bool:
    """Tell whether a pair satisfied by the fixing is satisfied for some new selection, if any."""
    allowed = selections(case.pair.order(case.after), case.k)
    if not allowed or not literally(case.pair, case.before, case.after, case.family):
        return True
    return any(literally(case.pair, case.after, case.after, family) for family in allowed)


def frozen_attainable(case: Stage2Case) -> bool:
    """Tell whether after Stage 2 every selected activation with a frozen selection is usable.

    For each pair that no selected activation satisfies, each activation selected at the start
    must still be able to take the value that attains (7).
    """
    layer = case.layer
    stars: Restriction = (None,) * layer.inputs
    for repetition in run(layer, stars, case.k):
        if not _usable(layer, stars, repetition.rho, case.k):
            return False
    return True


def _usable(layer: Layer, stars: Restriction, rho: Restriction, k: int) -> bool:
    for head in range(len(layer.heads)):
        possible = {z: narrowed for z, _, narrowed in layer.given(rho, head)}
        for z, pair, base in layer.given(stars, head):
            family = selections(pair.order(base), k)[0]
            if z not in possible or literally(pair, base, possible[z], family):
                continue
            ranking = pair.ranking(base)
            for j in (ranking[r] for r in family):
                if pair.best(possible[z], j) < pair.best(base, j) and free(pair.feeds[j], base):
                    return False
    return True


FREE_INPUTS = Claim(
    id="hahn2020.stage2.satisfied.monotone.free_inputs",
    says=r"A pair that fixing an input satisfies is satisfied after the next selection too, when"
    r" only free inputs count as feeding an activation.",
    source=HAHN.at("5.1, Stage 2, repetitions"),
    statement=ForAll(
        "a pair that has just been satisfied is satisfied for some new selection",
        "pairs of n <= 3 activations, each fed by <= 1 of 2 inputs, scores 0..2, k <= 2,"
        " all restrictions and allowed selections",
        fixings,
        free_inputs_monotone,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    labels=("S2e",),
    difference="The activation that satisfied the pair has no free input left, so it has no private"
    " input and is not selected again.",
    proof=r"""Two activations fed by $a$ and $b$, $k = 1$: the first is selected, and fixing $a$ to
its best value satisfies the pair.  Now no free input feeds it, so the second is selected.""",
)

FROZEN = Claim(
    id="hahn2020.stage2.satisfied.monotone.frozen",
    says=r"If ranking and selections are frozen before Stage 2, then after any repetition every"
    r" activation selected for an unsatisfied pair can still take the value that attains (7), as"
    r" the bound E9 requires.",
    source=HAHN.at("5.1, Stages 2 and 3, eq. (9)"),
    statement=ForAll(
        "selected activations of unsatisfied pairs can still attain (7)",
        SCOPE_ONE,
        layers_one_input,
        frozen_attainable,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    labels=("S2e",),
    difference="Two heads may want different values of one activation; satisfying the one makes"
    " the other's selected activation useless, and its event has probability 1.",
    proof=r"Heads 1, 2 and 3 want $y_1 = 1$, head 4 wants $y_1 = 0$, and $k = 1$. Fixing $y_1$ "
    r"to 1 satisfies the former; the only activation that head 4 selected can never be 0 "
    r"again.",
)
