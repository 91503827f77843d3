r"""B1 and B2: the review's reading of Theorem 1 and of the bracket argument.

The review fixes only the first and last fifth of a bracket word and concludes that the output
depends on boundedly many of the symbols in between.  A transformer with one head that looks for a
')' in the middle depends on all of them: the restriction that Theorem 1 provides is missing.

Main statements: B1, B2_STEP, B2.

References
----------
Korean review of Hahn (2020), Section 3.0; Hahn (2020), Theorem 1, Corollary 2 [hahn2020].
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from attention.function import FunctionTransformer
from attention.hard import evaluate
from claims import REVIEW_HAHN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.hahn2020.section5.corollary2 import BRACKETS
from proofs.hahn2020.section5.theorem1 import THEOREM_1

_AT = REVIEW_HAHN.at("3.0")

B1 = Claim(
    id="seeds.hahn.b01",
    says=r"Some restriction leaves at least $Cn$ inputs free while the output depends on at most "
    r"$c$ inputs, so PARITY fails for large $n$ (the review's $C_n$ means $Cn$).",
    source=_AT,
    labels=("B1",),
    statement=THEOREM_1.statement,
    check=THEOREM_1.check,
    expect=Verdict.PROVED,
    assumes=(THEOREM_1.id, "hahn2020.corollary2.parity"),
    twin=THEOREM_1.twin,
    proof=r"""This is Theorem 1 and the PARITY half of Corollary 2, read as "there is a restriction".
Read as "for every restriction" it would be false: see the step of B2.""",
)


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A bracket word of length ``n`` whose first and last fifth are fixed."""

    n: int

    def __str__(self) -> str:
        return f"n = {self.n}: {self.influential()} of {len(self.middle)} middle symbols matter"

    @property
    def middle(self) -> range:
        """Positions that the review leaves free."""
        return range(self.n // 5, self.n - self.n // 5)

    def model(self) -> FunctionTransformer:
        """Return the one-layer, one-head transformer that says whether the middle has a ')'."""
        middle = self.middle

        def score(layer: int, head: int, i: int, j: int, query: str, key: str) -> int:
            return int(j in middle and key == ")")

        return FunctionTransformer(
            n=self.n,
            layers=1,
            heads=1,
            alphabet=("(", ")"),
            embedding=lambda i, symbol: symbol if i in middle else f"{symbol} outside",
            scoring=score,
            activation=lambda layer, i, own, attended: attended[0],
            output=lambda value: value == ")",
        )

    def influential(self) -> int:
        """Count the middle symbols whose exchange changes the output for some completion."""
        model, p = self.model(), self.n // 5
        word = list("(" * p + "(" * (self.n - 2 * p) + ")" * p)
        count = 0
        for place in self.middle:
            other = word.copy()
            other[place] = ")"
            count += evaluate(model, "".join(word)) != evaluate(model, "".join(other))
        return count


def lengths() -> Iterator[Bracketed]:
    """Yield growing lengths."""
    return (Bracketed(n) for n in itertools.chain(range(10, 41, 5)))


def no_more_than_at_length_ten(case: Bracketed) -> bool:
    """Ask whether the number of influential symbols stays where it was at n = 10."""
    return case.influential() <= Bracketed(10).influential()


B2_STEP = Claim(
    id="seeds.hahn.b02.step.as_stated",
    says=r"With the first $0.2n$ symbols fixed to '(' and the last $0.2n$ to ')', the output "
    r"depends on at most $c$ of the $0.6n$ symbols in between, $c$ free of $n$.",
    source=_AT,
    labels=("B2",),
    statement=ForAll(
        "the output depends on no more middle symbols than at n = 10",
        "n = 10, 15, ..., 40; one head that looks for a ')' in the middle",
        lengths,
        no_more_than_at_length_ten,
    ),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference=r"The restriction that Theorem 1 provides is left out. Fixing only the two ends "
    r"leaves hard-attention transformers whose output depends on all $0.6n$ symbols.",
)

B2 = Claim(
    id="seeds.hahn.b02.repaired",
    says=r"2DYCK fails: some further restriction of the $0.6n$ free symbols makes the output "
    r"depend on boundedly many of them, and both kinds of completions remain.",
    source=_AT,
    labels=("B2",),
    kind=Kind.REPAIRED,
    repairs=B2_STEP.id,
    difference="Lemma 4 is applied, starting from the free symbols of the middle.",
    statement=BRACKETS.statement,
    check=BRACKETS.check,
    expect=Verdict.PROVED,
    assumes=(BRACKETS.id,),
    twin=BRACKETS.twin,
    proof=BRACKETS.proof,
)
