r"""R2, R3, R4: what encoders of the predicted and of smaller sizes learn.

The claims rest on the runs recorded in ``rasp.trainer``: their counts of right answers on
independent test words.  From the counts the exact interval of Clopper and Pearson is computed
again, with integers: "surely above 99 %" means that under any share up to 99 % so many successes
would have probability at most 1/200.  Each run is one trained model; a claim over all seeds is a
claim about these models, on the named distribution, and not about seeds that were not tried.  Each
interval errs with probability at most 1/100, so a claim over k runs with at most k/100.

Main statements: OUTPUTS, REACHED, SUPERVISED, FIGURES, ATTENTION, SKEWED (R2), REVERSE,
REVERSE_FIGURE (R3), SORT, UNIFORM (R4).

References
----------
Weiss, Goldberg & Yahav (2021), section 5, Tables 1 and 2 [weiss2021]; Clopper and Pearson (1934)
[clopper1934].
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from claims import OWN, WEISS, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from rasp.trainer.published import PUBLISHED
from rasp.trainer.result import Result
from rasp.trainer.statistics import interval, surely_above, surely_below
from rasp.trainer.store import record_digest, recorded
from rasp.trainer.tables import SEEDS, Row, settings
from rasp.trainer.tasks import TASKS

MOST, BROKEN = Fraction(99, 100), Fraction(6, 10)
"""The share that a model of sufficient size reaches; the share that a broken one stays below."""


@final
@dataclass(frozen=True, slots=True)
class Trained:
    """A recorded run."""

    task: str
    variant: str
    seed: int

    def __str__(self) -> str:
        found = self.result
        text = (
            f"{self.task}, {self.variant} ({found.setting.layers},{found.setting.heads}), seed "
            f"{self.seed}: of {found.probes} random tokens {found.probes_right} right"
        )
        if found.attention_probes_right is None:
            return text
        return f"{text}, all heads on their keys at {found.attention_probes_right}"

    @property
    def result(self) -> Result:
        """The run's counts."""
        (setting,) = settings(Row(self.task, self.variant), "laptop", seeds=(self.seed,))
        return recorded()[setting.digest()]

    def surely_above(self) -> bool:
        """Return whether the counts exclude 99 % and less of tokens right."""
        return surely_above(self.result.probes_right, self.result.probes, MOST)

    def possibly(self) -> bool:
        """Return whether the counts leave 99 % of tokens right possible."""
        return not surely_below(self.result.probes_right, self.result.probes, MOST)

    def surely_broken(self) -> bool:
        """Return whether the counts exclude 60 % and more of tokens right."""
        return surely_below(self.result.probes_right, self.result.probes, BROKEN)

    def at_the_figure(self) -> bool:
        """Return whether the exact interval holds the share that the paper reports."""
        figure = PUBLISHED[self.task, self.variant].accuracy
        low, high = interval(self.result.probes_right, self.result.probes)
        return low <= figure <= high

    def _followed(self) -> int:
        right = self.result.attention_probes_right
        assert right is not None
        return right

    def possibly_follows(self) -> bool:
        """Return whether the counts leave 99 % of tokens with all heads on their keys possible."""
        return not surely_below(self._followed(), self.result.probes, MOST)

    def surely_follows(self) -> bool:
        """Return whether the counts exclude 99 % and less of tokens with all heads on their keys."""
        return surely_above(self._followed(), self.result.probes, MOST)


def _runs(variant: str, tasks: Iterable[str] = tuple(TASKS)) -> Callable[[], Iterable[Trained]]:
    return lambda: (Trained(task, variant, seed) for task in tasks for seed in SEEDS)


_SCOPE = (
    f"runs {record_digest()}, three seeds, width 64; words of 1 to 20 (double histogram and most frequent: 1 to 10) of ten "
    "uniform letters, or of brackets"
)

OUTPUTS = Claim(
    id="weiss2021.r2.outputs.as_stated",
    says=r"Trained on outputs alone at the size that its program needs, an encoder gets at least "
    r"$99\,\%$ of the tokens right, on every one of the eight tasks.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R2",),
    statement=ForAll(
        "the counts leave 99 % of tokens right possible",
        f"eight tasks at the predicted size, outputs alone; {_SCOPE}",
        _runs("predicted"),
        Trained.possibly,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.REFUTED,
    difference="Within 2000 steps the double histogram does not get there on outputs alone.",
)

BY_OUTPUTS = ("reverse", "hist-bos", "hist-nobos", "sort", "dyck1")

REACHED = Claim(
    id="weiss2021.r2.outputs.repaired",
    says=r"Trained on outputs alone at the size that its program needs, an encoder gets more than "
    r"$99\,\%$ of the tokens right, on reverse, both histograms, sort and Dyck-1.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    kind=Kind.REPAIRED,
    repairs=OUTPUTS.id,
    difference="Left out are double histogram and most frequent, which 2000 steps did not suffice "
    "for, and Dyck-2, where the counts of one seed do not exclude 99 %.",
    labels=("R2",),
    statement=ForAll(
        "the counts exclude 99 % and less of tokens right, with confidence 99 %",
        f"{', '.join(BY_OUTPUTS)} at the predicted size, outputs alone; {_SCOPE}",
        _runs("predicted", BY_OUTPUTS),
        Trained.surely_above,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)

SUPERVISED = Claim(
    id="weiss2021.r2.supervised",
    says=r"Trained on outputs and attention at the size that its program needs, an encoder gets at "
    r"least $99\,\%$ of the tokens right, on every one of the eight tasks.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R2",),
    statement=ForAll(
        "the counts leave 99 % of tokens right possible",
        f"eight tasks at the predicted size, attention supervised; {_SCOPE}",
        _runs("supervised"),
        Trained.possibly,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)

BY_ATTENTION = ("reverse", "hist-bos", "double-hist", "most-freq", "dyck1", "dyck2")

SURELY = Claim(
    id="weiss2021.r2.supervised.surely",
    says=r"With attention supervision more than $99\,\%$ of the tokens are right on reverse, the "
    r"histogram with a mark, the double histogram, most frequent, Dyck-1 and Dyck-2; for sort and "
    r"the histogram without a mark the counts do not decide.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R2",),
    statement=ForAll(
        "the counts exclude 99 % and less of tokens right, with confidence 99 %",
        f"{', '.join(BY_ATTENTION)} at the predicted size, attention supervised; {_SCOPE}",
        _runs("supervised", BY_ATTENTION),
        Trained.surely_above,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)

FIGURES = Claim(
    id="weiss2021.r2.figures",
    says=r"The paper's $99.9\,\%$ for the double histogram and $99.8\,\%$ for sort, with attention "
    r"supervision, are also the shares of these models.",
    source=OWN.at("trained models"),
    kind=Kind.OWN,
    labels=("R2",),
    statement=ForAll(
        "the exact interval of the run holds the paper's figure",
        f"double histogram and sort at the predicted size, attention supervised; {_SCOPE}",
        _runs("supervised", ("double-hist", "sort")),
        Trained.at_the_figure,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.REFUTED,
    difference="The double histogram agrees. Sort stays at 99.2 % within 2500 steps: the attention "
    "loss asks one head for a sharp comparison of letters and positions, which is learnt slowly; "
    "without that loss sort is nearly perfect.",
)

ATTENTION = Claim(
    id="weiss2021.r2.attention.as_stated",
    says=r"With attention supervision the heads follow the program: at $99\,\%$ of random tokens "
    r"every head puts more than half of its weight on the keys that its selector selects.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R2",),
    statement=ForAll(
        "the counts leave 99 % of tokens with all heads on their keys possible",
        f"eight tasks at the predicted size, attention supervised; {_SCOPE}",
        _runs("supervised"),
        Trained.possibly_follows,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.REFUTED,
    difference="Sort's comparison of letters and positions at once is not learnt that far.",
)

FOLLOWING = ("reverse", "hist-bos", "hist-nobos", "double-hist", "dyck1", "dyck2")

FOLLOWED = Claim(
    id="weiss2021.r2.attention.repaired",
    says=r"With attention supervision the heads follow the program, at more than $99\,\%$ of random "
    r"tokens, on reverse, all three histograms, Dyck-1 and Dyck-2.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    kind=Kind.REPAIRED,
    repairs=ATTENTION.id,
    difference="The two tasks whose selectors sort are left out.",
    labels=("R2",),
    statement=ForAll(
        "the counts exclude 99 % and less of tokens with all heads on their keys",
        f"{', '.join(FOLLOWING)} at the predicted size, attention supervised; {_SCOPE}",
        _runs("supervised", FOLLOWING),
        Trained.surely_follows,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)


def _loses_by_counting(run: Trained) -> bool:
    return not run.possibly() and run.surely_follows()


SKEWED = Claim(
    id="weiss2021.r2.skewed_letters",
    says=r"The accuracy of counting hangs on the letters drawn: on words of few different letters "
    r"the supervised histogram gets less than $99\,\%$ of tokens right although its head is on its "
    r"keys at more than $99\,\%$.",
    source=OWN.at("trained models"),
    kind=Kind.OWN,
    labels=("R2",),
    statement=ForAll(
        "the counts exclude 99 % and more of tokens right, and 99 % and less with the head on its "
        "keys",
        f"histogram with a mark, one layer of one head, attention supervised; runs "
        f"{record_digest()}, three seeds, width 64, 2000 steps; words of 1 to 20 letters, a uniform "
        "number of different ones",
        _runs("skewed letters", ("hist-bos",)),
        _loses_by_counting,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)

REVERSE = Claim(
    id="weiss2021.r3.reverse",
    says=r"With one layer fewer, and even with twice the heads, reverse breaks: fewer than "
    r"$60\,\%$ of the tokens are right.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R3",),
    statement=ForAll(
        "the counts exclude 60 % and more of tokens right, with confidence 99 %",
        f"reverse in one layer of one and of two heads; runs {record_digest()}, three seeds, width "
        "64, 1000 steps; words of 1 to 20 of ten uniform letters",
        lambda: (
            *_runs("one layer fewer", ("reverse",))(),
            *_runs("one layer fewer, twice the heads", ("reverse",))(),
        ),
        Trained.surely_broken,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    assumes=("weiss2021.r2.outputs.repaired",),
)


REVERSE_FIGURE = Claim(
    id="weiss2021.r3.figure",
    says=r"The paper's $41.2\,\%$ for reverse with one layer fewer is also the share on words of "
    r"1 to 20 of ten uniform letters.",
    source=OWN.at("trained models"),
    kind=Kind.OWN,
    labels=("R3",),
    statement=ForAll(
        "the exact interval of the run holds 41.2 %",
        f"reverse in one layer of one head; runs {record_digest()}, three seeds, width 64, 1000 "
        "steps",
        _runs("one layer fewer", ("reverse",)),
        Trained.at_the_figure,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.REFUTED,
    difference="The share falls with length: here about half of the tokens are right, in nearly all "
    "words of two letters and in hardly any whole word of eight or more.",
)

SORT = Claim(
    id="weiss2021.r4.sort",
    says=r"One layer of one head, one layer fewer than the program needs, sorts: more than "
    r"$99\,\%$ of the tokens are right.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R4",),
    statement=ForAll(
        "the counts exclude 99 % and less of tokens right, with confidence 99 %",
        f"sort in one layer of one head; runs {record_digest()}, three seeds, width 64, at most "
        "2500 steps; words of 1 to 20 of ten uniform letters after a mark",
        _runs("one layer fewer", ("sort",)),
        Trained.surely_above,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
)


def _uniform(run: Trained) -> bool:
    ((apart,),) = run.result.unevenness
    return 20 * Fraction(str(apart)) < 1


UNIFORM = Claim(
    id="weiss2021.r4.uniform",
    says=r"The one head that sorts attends almost uniformly: the mean squared distance of its rows "
    r"from the uniform row is below $1/20$ (a row on one of many keys would be near $1$ away).",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R4",),
    statement=ForAll(
        "the measured mean squared distance from the uniform row is below 1/20",
        f"sort in one layer of one head; runs {record_digest()}, three seeds, 5000 test words each",
        _runs("one layer fewer", ("sort",)),
        _uniform,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    proof=r"""Uniform attention over the whole word hands every position the share of each letter,
and with the mark's share, $1/(n+1)$, the counts. The feed-forward part compares the position with
their running sums: a bucket sort, for which one layer is enough. It works for a bounded alphabet only;
the program, which compares letters pairwise, needs a second layer to fetch them.""",
)
