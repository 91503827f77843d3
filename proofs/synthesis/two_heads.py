r"""Two causal layers with H heads: PARITY of H^2 + 4H + 1 bits, more than (H + 1)^2.

Main statements: CAUSAL_PARITY, CAUSAL_POWER.
"""

import numpy as np

from attention.bitparallel import model_truth_table
from attention.constructions.causal_parity import causal_parity
from claims import OWN, Claim, ForAll, Kind, Verdict
from languages.registry import language
from languages.sensitivity import truth_table
from proofs.checkers import exhaustive


def decides_parity(heads: int) -> bool:
    """Return whether the machine's answer is the parity, on every word of its length."""
    machine = causal_parity(heads)
    same = machine.n == heads * heads + 4 * heads + 1 and machine.mask == "causal"
    answers, wanted = model_truth_table(machine), truth_table(language("parity"), machine.n)
    return same and np.array_equal(answers.words, wanted.words)


def within_the_square(heads: int) -> bool:
    """Return whether the machine reaches no further than (H + 1)^2."""
    return not (decides_parity(heads) and heads * heads + 4 * heads + 1 > (heads + 1) ** 2)


CAUSAL_PARITY = Claim(
    id="synthesis.two_heads.parity",
    says=r"Causal hard attention with two layers and $H$ heads decides PARITY of $H^2+4H+1$ bits: "
    r"6, 13, 22, ...",
    source=OWN.at("synthesis, two layers"),
    statement=ForAll(
        "the machine's answer is the parity",
        "all words of 6 and 13 bits, H = 1, 2",
        lambda: (1, 2),
        decides_parity,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    proof=r"""For every $H$: the last position reads $H$ bits in layer 1. The other $H(H+3)$ bits form
$H$ blocks of $H-1$ bits that all members of the block read with their other heads, and of four list
variables. Eight lists, one for each variable and bit, and one list run by the bit that the last
position reads, close the 4-cube and look back only. So the member whose cell comes first in the
closing order knows the parity of its block, and layer 2 attends to it with one head a block.""",
)

CAUSAL_POWER = Claim(
    id="synthesis.two_heads.power",
    says=r"Two causal layers with two heads decide PARITY of no more than $(H+1)^2=9$ bits.",
    source=OWN.at("synthesis, two layers"),
    statement=ForAll("the machine reaches no further", "H = 2", lambda: (2,), within_the_square),
    check=exhaustive.decide(),
    expect=Verdict.REFUTED,
    kind=Kind.OWN,
    difference="Two heads decide 13 bits where the tree of blocks decides 9.",
)
