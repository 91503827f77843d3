r"""B3 and B4: the review's Stage 1, with the two inequality signs exchanged.

The paper counts inputs that feed into *more than* c/(eta C) activations and finds at most
eta C n; the review counts those that feed into *at least* c/(eta C) and claims fewer than eta C n.
At equality that is false by one; the number of free inputs is right all the same.

Main statements: B3_AS_STATED, B3_REPAIRED, B3_STARS, B4.

References
----------
Korean review of Hahn (2020), Stage 1.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from bounds.reduction.seed import B4_RATIO
from bounds.reduction.stage1 import FEED_THRESHOLD
from claims import REVIEW_HAHN, Claim, ForAll, Inequality, Kind, Twin, Verdict
from proofs.checkers import exact, exhaustive
from proofs.hahn2020.stage1.stars import OFFENDERS_FEW, STARS_LEFT

_AT = REVIEW_HAHN.at("Stage 1")


@dataclass(frozen=True, slots=True)
class OneInputEach:
    """Layer-0 activations of a 1-transformer: activation j depends on input ``feeds[j]``."""

    feeds: tuple[int, ...]
    eta: Fraction

    def __str__(self) -> str:
        return f"activations fed by inputs {self.feeds}, eta = {self.eta}"

    @property
    def n(self) -> int:
        """Number of positions."""
        return len(self.feeds)

    def offenders(self) -> int:
        """Count inputs that feed into at least c/(eta C) activations (c = C = 1)."""
        return sum(count >= 1 / self.eta for count in Counter(self.feeds).values())


def one_input_each() -> Iterator[OneInputEach]:
    """Yield every assignment of inputs to up to four activations, for three values of eta."""
    for n in range(1, 5):
        for feeds in itertools.product(range(n), repeat=n):
            for eta in (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)):
                yield OneInputEach(feeds, eta)


def fewer_than_stated(case: OneInputEach) -> bool:
    """Compare with the review's strict bound."""
    return case.offenders() < case.eta * case.n


def at_most_stated(case: OneInputEach) -> bool:
    """Compare with the bound that does hold."""
    return case.offenders() <= case.eta * case.n


_SCOPE = "c = C = 1, n <= 4, every assignment of inputs to activations, eta = 1/4, 1/3, 2/5"

B3_AS_STATED = Claim(
    id="seeds.hahn.b03.as_stated",
    says=r"Fewer than $\eta Cn$ inputs feed into at least $c/(\eta C)$ activations, since they "
    r"would make more than $nc$ pairs.",
    source=_AT,
    labels=("B3",),
    statement=ForAll("offenders < eta C n", _SCOPE, one_input_each, fewer_than_stated),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    difference=r"With 'at least' there are at least $nc$ pairs, not more than $nc$, and no "
    r"contradiction arises at equality: with $n=4$, $c=C=1$, $\eta=\frac14$ one input may feed into "
    r"all four activations, and $1<\eta Cn=1$ is false. 'Fewer' must be 'at most' (or 'at least' "
    r"must be 'more than', as in the paper).",
)

B3_REPAIRED = Claim(
    id="seeds.hahn.b03.repaired",
    says=r"At most $\eta Cn$ inputs feed into at least $c/(\eta C)$ activations.",
    source=_AT,
    labels=("B3",),
    kind=Kind.REPAIRED,
    repairs=B3_AS_STATED.id,
    difference="'At most' instead of 'fewer than'.",
    statement=OFFENDERS_FEW.statement,
    check=OFFENDERS_FEW.check,
    expect=Verdict.PROVED,
    twin=OFFENDERS_FEW.twin,
    proof=r"""If $b$ inputs feed into at least $c/(\eta C)$ activations each, they make at least
$b\,c/(\eta C)$ of the at most $nc$ pairs, so $b\le\eta Cn$.""",
)

B3_STARS = Claim(
    id="seeds.hahn.b03.stars",
    says=r"$\rho^{(1)}$ keeps at least $(1-\eta)Cn$ stars.",
    source=_AT,
    labels=("B3",),
    statement=STARS_LEFT.statement,
    check=STARS_LEFT.check,
    expect=Verdict.PROVED,
    assumes=(B3_REPAIRED.id,),
    twin=STARS_LEFT.twin,
    proof=STARS_LEFT.proof,
)

_RATIO = B4_RATIO.symbols

B4 = Claim(
    id="seeds.hahn.b04",
    says=r"$nc/(\eta Cn)=c/(\eta C)$.",
    source=REVIEW_HAHN.at("Stage 1, note"),
    labels=("B4",),
    statement=Inequality(B4_RATIO.expression, "==", FEED_THRESHOLD.expression, _RATIO),
    check=exact.decide(),
    expect=Verdict.PROVED,
    twin=Twin(
        "the factor $c$",
        Inequality(B4_RATIO.expression, "==", FEED_THRESHOLD.expression**2, _RATIO),
    ),
    proof=r"""$n$ cancels. (The review's reading, "activations per offending input", is the average
number of pairs per offender; the bound on the number of offenders is B3.)""",
)
