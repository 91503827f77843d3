r"""R6 by training: encoders under restricted attention, against what the programs foretell.

The claims rest on recorded runs (:mod:`proofs.weiss2021.recorded_runs`): reverse, which no local mask leaves
intact, and repeating the left neighbour, which windows and strides do.  From the counts of right
answers on independent random tokens the exact interval of Clopper and Pearson is computed again.
A claim over all seeds is one about these models, on words of 1 to 12 of ten uniform letters, after
at most 1000 steps; it says nothing about longer training.

Main statements: PREDICTED (R6), RANK_TWO, RANK_FOUR (R6), CEILING (R6).

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021]; Clopper and Pearson (1934) [clopper1934].
"""

from collections.abc import Iterator

from claims import OWN, WEISS, ForAll, Kind
from proofs.weiss2021.recorded_runs import COUNTED, Run
from rasp.trainer.restricted import MASKS, PROGRAMS, SEEDS


def _runs(*masks: str, programs: tuple[str, ...] = PROGRAMS) -> Iterator[Run]:
    return (
        Run(program, mask, seed, "restricted")
        for program in programs
        for mask in masks
        for seed in SEEDS
    )


_POSITIONS = tuple(mask for mask in MASKS if not mask.startswith("lowrank"))
_SCOPE = (
    "three seeds, width 64, at most 1000 steps, words of 1 to 12 of ten uniform letters; "
    "reverse in (2,1), previous in (1,1)"
)

PREDICTED = COUNTED(
    id="weiss2021.r6.trained.positions",
    says=r"The program foretells the training: under windows of 2 and 3, a stride of 3, and no "
    r"restriction, an encoder gets more than $99\,\%$ of the tokens right exactly if the program "
    r"survives the restriction.",
    source=WEISS.at("section 6"),
    labels=("R6",),
    statement=ForAll(
        "the counts exclude 99 % and less if the program survives, else 99 % and more",
        f"reverse and previous under {', '.join(_POSITIONS)}; {_SCOPE}",
        lambda: _runs(*_POSITIONS),
        Run.as_foretold,
    ),
)

RANK_TWO = COUNTED(
    id="weiss2021.r6.trained.rank_two",
    says=r"Attention of rank 2, below the rank of the programs' selectors, keeps an encoder below "
    r"$99\,\%$ of the tokens.",
    source=WEISS.at("section 6"),
    labels=("R6",),
    statement=ForAll(
        "the counts exclude 99 % and more",
        f"reverse and previous under attention of rank 2; {_SCOPE}",
        lambda: _runs("lowrank:2"),
        Run.as_foretold,
    ),
)

RANK_FOUR = COUNTED(
    id="weiss2021.r6.trained.rank_four",
    says=r"With attention of rank 4, still below the rank of the selectors, no encoder surely gets "
    r"more than $99\,\%$ of the tokens.",
    source=WEISS.at("section 6"),
    labels=("R6",),
    statement=ForAll(
        "the counts do not exclude 99 % and less; two of the six leave 99 % possible",
        f"reverse and previous under attention of rank 4; {_SCOPE}",
        lambda: _runs("lowrank:4"),
        Run.not_surely_above,
    ),
)

CEILING = COUNTED(
    id="weiss2021.r6.trained.ceiling",
    says=r"Under windows of 2 and 3 reverse does not exceed the share of tokens that two layers "
    r"can reach, every other one guessed.",
    source=OWN.at("trained models"),
    kind=Kind.OWN,
    labels=("R6",),
    statement=ForAll(
        "the counts do not exclude that the chance of a right token is at most the ceiling",
        f"reverse under windows of 2 and 3; {_SCOPE}",
        lambda: _runs("window:2", "window:3", programs=("reverse",)),
        Run.within,
    ),
    assumes=("weiss2021.r6.window",),
)
