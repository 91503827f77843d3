r"""A trained histogram at longer lengths: wrong for good, and why.

The claims are about one trained model whose weights come with ``rasp.trainer``: a histogram with a
mark, one layer of one head, attention supervised, trained on words of 1 to 20 letters, its trained
positions used again and again.  Its weights are dyadic rationals; everything is enclosed in balls.

Main statements: FOREVER, LEAK (R2).

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021]; Hahn (2020), Lemma 5 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import final

from claims import OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from rasp.trainer.balls import Head, head_of
from rasp.trainer.leak import leaking_length, least_ratio
from rasp.trainer.limit import Family, family
from rasp.trainer.store import recorded_weights

PERIODS = 5
"""Words of this many periods of 20 letters, and of more, are counted wrong."""

COUNTS = (1, 2, 3, 4)

LEAKING = 24_000
"""From this length on every word leaks half an occurrence."""


@cache
def _head() -> Head:
    return head_of(*recorded_weights())


@final
@dataclass(frozen=True, slots=True)
class Count:
    """How often the first letter of the alphabet occurs."""

    count: int

    def __str__(self) -> str:
        return f"the first letter occurs {self.count} times"

    @property
    def family(self) -> Family:
        """The words."""
        return family(_head(), 0, self.count)

    def wrong_for_good(self) -> bool:
        """Return whether balls show it for every share of the first period down to 0.

        Class ``c`` of the model is the count ``c``: a mark in front makes 0 possible.
        """
        words = self.family
        return words.beaten_from(self.count, words.share(PERIODS)) is not None

    def right_before(self) -> bool:
        """Return whether balls show it at one period fewer."""
        words = self.family
        return words.certainly(self.count, words.share(PERIODS - 1))

    def leaks(self) -> bool:
        """Return whether every word of the length leaks half an occurrence."""
        return leaking_length(least_ratio(_head()), self.count) <= LEAKING


def _counts() -> Iterator[Count]:
    return map(Count, COUNTS)


_SCOPE = "one trained model, its first letter 1 to 4 times at the beginning, then other letters"

FOREVER = Claim(
    id="weiss2021.longer.forever",
    says=r"A histogram trained on words of 1 to 20 letters counts its first letter right at length "
    r"80 and wrong at every length $20m\ge100$, to infinity, if the letter stands 1 to 4 times at "
    r"the beginning and other letters follow.",
    source=OWN.at("trained models at longer lengths"),
    kind=Kind.OWN,
    labels=("R2",),
    statement=ForAll(
        "another class is certainly above the right one at all lengths from 100 on, and none at 80",
        f"{_SCOPE}; the lengths are covered by balls",
        _counts,
        lambda case: case.wrong_for_good() and case.right_before(),
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""The head of a position reads $\sum_k e^{s_k}v_k/\sum_k e^{s_k}$ over the keys. The word has
$m$ periods, all but the first alike, so with the sums $Z_1,Z_\infty$ of weights of the first period
(and the mark) and of any other, what is read is $u\,o_1+(1-u)\,o_\infty$ with
$u=Z_1/(Z_1+(m-1)Z_\infty)$: as $m$ grows, it runs along a segment to $o_\infty$, which does not know
the count. The segment from $u$ at $m=5$ to $0$ is cut into pieces on each of which ball arithmetic
shows some class above the right one. Logits are bounded, so $Z_\infty>0$ and this end is reached
whatever the weights are; that it comes at length 100 is this model's.""",
)

LEAK = Claim(
    id="weiss2021.longer.leak",
    says=r"In that model the other letters of every word of length at least $24\,000$ weigh at least "
    r"half as much as one key of the letter that is counted, for counts from 1 to 4.",
    source=OWN.at("trained models at longer lengths"),
    kind=Kind.OWN,
    labels=("R2",),
    statement=ForAll(
        "count + 1/(2 r) is at most the length, for the least ratio r of weights over all types",
        "one trained model; ten letters on twenty positions, every query and every pair of keys",
        _counts,
        Count.leaks,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""Each of the $n-c$ keys of other letters weighs at least $r$ times a key of the own letter,
so together at least $(n-c)r\ge1/2$. For logits of absolute value at most $A$ always $r\ge e^{-2A}$
(Hahn 2020, Lemma 5); here the least ratio over all queries and keys is enclosed directly.""",
)
