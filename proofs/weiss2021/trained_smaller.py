r"""R3, R4: what encoders of one layer learn where the program needs two.

Main statements: REVERSE, REVERSE_FIGURE (R3), SORT, UNIFORM (R4).

References
----------
Weiss, Goldberg & Yahav (2021), section 5, Tables 1 and 2 [weiss2021].
"""

from collections.abc import Callable, Iterable

from claims import OWN, WEISS, ForAll, Kind, Verdict
from proofs.weiss2021.recorded_runs import COUNTED, Run
from rasp.trainer.store import record_digest
from rasp.trainer.tables import SEEDS


def _runs(task: str, *variants: str) -> Callable[[], Iterable[Run]]:
    return lambda: (Run(task, variant, seed) for variant in variants for seed in SEEDS)


REVERSE = COUNTED(
    id="weiss2021.r3.reverse",
    says=r"With one layer fewer, and even with twice the heads, reverse breaks: fewer than "
    r"$60\,\%$ of the tokens are right.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R3",),
    statement=ForAll(
        "the counts exclude 60 % and more of tokens right, with confidence 99 %",
        f"reverse in one layer of one and of two heads; runs {record_digest()}, three seeds, width "
        "64, 1000 steps; words of 1 to 20 of ten uniform letters",
        _runs("reverse", "one layer fewer", "one layer fewer, twice the heads"),
        Run.surely_broken,
    ),
    assumes=("weiss2021.r2.outputs.repaired",),
)


REVERSE_FIGURE = COUNTED(
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
        _runs("reverse", "one layer fewer"),
        Run.at_the_figure,
    ),
    expect=Verdict.REFUTED,
    difference="The share falls with length: here about half of the tokens are right, in nearly all "
    "words of two letters and in hardly any whole word of eight or more.",
)

SORT = COUNTED(
    id="weiss2021.r4.sort",
    says=r"One layer of one head, one layer fewer than the program needs, sorts: more than "
    r"$99\,\%$ of the tokens are right.",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R4",),
    statement=ForAll(
        "the counts exclude 99 % and less of tokens right, with confidence 99 %",
        f"sort in one layer of one head; runs {record_digest()}, three seeds, width 64, at most "
        "2500 steps; words of 1 to 20 of ten uniform letters after a mark",
        _runs("sort", "one layer fewer"),
        Run.surely_above,
    ),
)


UNIFORM = COUNTED(
    id="weiss2021.r4.uniform",
    says=r"The one head that sorts attends almost uniformly: the mean squared distance of its rows "
    r"from the uniform row is below $1/20$ (a row on one of many keys would be near $1$ away).",
    source=WEISS.at("section 5, Tables 1 and 2"),
    labels=("R4",),
    statement=ForAll(
        "the measured mean squared distance from the uniform row is below 1/20",
        f"sort in one layer of one head; runs {record_digest()}, three seeds, 5000 test words each",
        _runs("sort", "one layer fewer"),
        Run.uniform,
    ),
    proof=r"""Uniform attention over the whole word hands every position the share of each letter,
and with the mark's share, $1/(n+1)$, the counts. The feed-forward part compares the position with
their running sums: a bucket sort, for which one layer is enough. It works for a bounded alphabet only;
the program, which compares letters pairwise, needs a second layer to fetch them.""",
)
