r"""R1, the side of analysis: what the count of layers and heads of a program is.

A transformer needs no more than the program's layers and heads because the schedule is one: every
attention operation comes after all it reads.  These claims say that the schedules are valid, that
the counts are those of the paper, and that neither depth nor width can be improved by
rescheduling.  That weights exist which realise a schedule is a matter of the compiler.

Main statements: TABLE (R1), SCHEDULES (R1), GREEDY_IS_NOT_NARROWEST.

References
----------
Weiss, Goldberg & Yahav (2021), section 3.4 and Table 1 [weiss2021].
"""

from collections.abc import Iterable

from claims import OWN, WEISS, Claim, Exists, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from proofs.weiss2021.programs import SIZES, paper_programs
from rasp.analysis.heads import Operation, Problem, problem_of
from rasp.analysis.optimal import narrowest
from rasp.graph import Aggregate, Indices, Select


def _names() -> Iterable[str]:
    return sorted(SIZES)


def _counted(name: str) -> bool:
    problem = problem_of(paper_programs()[name].node, "written")
    return problem.heads(problem.earliest) == SIZES[name]


def _scheduled(name: str) -> bool:
    problem = problem_of(paper_programs()[name].node, "shared")
    optimum = narrowest(problem)
    return optimum.verify(problem) and len(optimum.heads) == len(SIZES[name])


TABLE = Claim(
    id="weiss2021.r1.table",
    says=r"Counted as the paper counts, its programs have the layers and heads of Table 1, except "
    r"that Dyck-2 and Dyck-3 take four layers, one of them with two heads, without select-best.",
    source=WEISS.at("section 3.4, Table 1"),
    labels=("R1",),
    statement=ForAll(
        "the earliest schedule of the program has the heads per layer that are listed",
        "the nine programs of the paper",
        _names,
        _counted,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
)

SCHEDULES = Claim(
    id="weiss2021.r1.schedules",
    says=r"Every attention operation of the paper's programs can be placed after all that it "
    r"reads, in the least possible number of layers and, among these, with the least possible "
    r"greatest number of heads.",
    source=WEISS.at("section 3.4"),
    labels=("R1",),
    statement=ForAll(
        "the schedule is valid and its two certificates of optimality check",
        "the nine programs of the paper",
        _names,
        _scheduled,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""A chain of operations, each reading the one before, needs as many layers as it has
operations: a layer applies its heads in parallel to what earlier layers left. The longest chain
therefore bounds the depth from below, and placing every operation as early as possible attains it.
For the width, let $S$ be the patterns of operations that every schedule of this depth must place in
layers $i$ to $j$; some of these layers has at least $|S|/(j-i+1)$ heads. Where this does not reach
the width found, a refutation of one head less is checked clause by clause.""",
)


def _small_problems() -> Iterable[Problem]:
    pattern = Select(Indices(), Indices(), "==")
    for loose in range(1, 4):
        chain = [((),), ((0,),), ((1,),)]
        after = [item[0] for item in chain] + [()] * loose
        yield Problem(
            tuple(
                Operation(Aggregate(pattern, Indices()), pattern, index, tuple(waits))
                for index, waits in enumerate(after)
            )
        )


def _improvable(problem: Problem) -> bool:
    optimum = narrowest(problem)
    return optimum.verify(problem) and optimum.width < max(problem.heads(problem.earliest))


GREEDY_IS_NOT_NARROWEST = Claim(
    id="weiss2021.r1.greedy_not_narrowest",
    says=r"The earliest schedule, which the paper uses, is not always the narrowest of least depth.",
    source=OWN.at("RASP analysis"),
    kind=Kind.OWN,
    labels=("R1",),
    statement=Exists(
        "a narrower schedule of the same depth, with certificates",
        "a chain of three operations beside one to three independent ones",
        _small_problems,
        _improvable,
    ),
    check=exhaustive.decide(),
    expect=Verdict.PROVED,
    no_twin="an existence statement: its witness is replayed",
)
