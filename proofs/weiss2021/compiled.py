r"""R1, the side of the weights: programs compiled, and where the upper bound is also a lower one.

The compiler turns a schedule into exact weights; these claims say that the weights compute the
program on every word of the compiled length, with the layers that the analysis counts, and that
the separations on which the float runtimes rely hold on every word.

Main statements: COMPILED (R1), SEPARATED, DECIDED (R1).

References
----------
Weiss, Goldberg & Yahav (2021), sections 3.4 and 4, Table 1 [weiss2021].
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from claims import OWN, WEISS, Claim, ForAll, Kind, Twin, Verdict
from languages.registry import language
from proofs.checkers import exhaustive
from proofs.synthesis.two_sided import programs
from proofs.weiss2021.programs import SIZES, paper_programs
from rasp.certify.argument import argue
from rasp.certify.verification import verify
from rasp.compiler.pipeline import compile_program
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel
from rasp.weights.parts import Layer

LENGTH = {"dyck2_ptf": 3, "dyck3_ptf": 2}
"""Longest words where the alphabet is large; 5 otherwise."""

ONE_LAYER = ("parity", "mod3", "majority", "first", "ones")
"""Languages that a program of one layer decides."""


def _alphabet(name: str) -> str:
    brackets = {"dyck1_ptf": "()", "dyck2_ptf": "(){}", "dyck3_ptf": "(){}[]"}
    return brackets.get(name, "ab")


@cache
def compiled(name: str) -> CompiledModel:
    """Return a program of the paper as weights, for short words."""
    return compile_program(
        paper_programs()[name],
        vocabulary=list(_alphabet(name)),
        length=LENGTH.get(name, 5),
        name=name,
    )


def attention_layers(model: CompiledModel) -> int:
    """Return how many layers of a model attend; others only compute position by position."""
    return sum(bool(layer.heads) for layer in model.layers)


def _names() -> Iterable[str]:
    return sorted(SIZES)


def _is_the_program(name: str) -> bool:
    model = compiled(name)
    found = verify(
        paper_programs()[name], model, rng=np.random.default_rng(0), exhaustive=2000, bounded=2
    )
    return found.right and found.exhaustive and attention_layers(model) == len(SIZES[name])


COMPILED = Claim(
    id="weiss2021.r1.compiled",
    says=r"Compiled to weights, every program of the paper has as many attention layers as its "
    r"analysis counts and computes the program on every word: exactly with average-hard attention "
    r"in rationals, and with softmax in float32 within its error bound.",
    source=WEISS.at("section 3.4, Table 1"),
    labels=("R1",),
    statement=ForAll(
        "both runtimes give the program's values on every word, the measured errors are within "
        "their bounds, and the attention layers are those of Table 1",
        "the nine programs of the paper, words over 2 symbols up to length 5 (Dyck-2 over 4 "
        "brackets up to 3, Dyck-3 over 6 up to 2)",
        _names,
        _is_the_program,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""Selectors become score functions with a known difference between what is selected and
what is not, counts $c$ become the weight $1/(1+c)$ of an extra first row, and feed-forward units
read values off at thresholds between neighbouring values. The heads of a layer can differ from the
analysis: an equality and an order of the same key share one, a disjunction may take two, and a layer
without heads is added where a value needs two feed-forward steps.""",
)


def _separated(name: str) -> bool:
    return argue(compiled(name)).separated is True


def _separated_as_if_doubled(name: str) -> bool:
    model = compiled(name)
    layers = tuple(
        Layer(
            tuple(replace(head, separation=2 * head.separation) for head in layer.heads),
            layer.feed_forward,
        )
        for layer in model.layers
    )
    return argue(replace(model, layers=layers)).separated is not False


SEPARATED = Claim(
    id="weiss2021.compiler.separations",
    says=r"In the compiled programs of the paper, on every word of the compiled length, the "
    r"greatest score of a row exceeds every smaller one by at least the separation that the "
    r"head states, so that a logit gap $g$ leaves at most $n\,e^{-g}$ to what is not selected.",
    source=OWN.at("RASP compiler"),
    kind=Kind.OWN,
    labels=("R1",),
    statement=ForAll(
        "the static argument settles that all separations are kept",
        "the nine programs of the paper at the sizes of weiss2021.r1.compiled",
        _names,
        _separated,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    twin=Twin(
        "that the separations are the stated ones, not twice those",
        ForAll(
            "the static argument does not refute twice the separations",
            "the nine programs of the paper",
            _names,
            _separated_as_if_doubled,
        ),
    ),
    proof=r"""For each length, coordinates are exact functions of the symbol, the position and what
earlier heads may deliver. All pairs of queries and keys are compared, restricted only by what is
certainly in the word: BOS, a row at every position and the query's own row. A row attends at the
greatest score, whose difference to the next is one of the differences looked at.""",
)


def _enough(name: str) -> bool:
    """Whether one compiled layer with one head decides the language, and no layer does not."""
    _, sop = programs()[name]
    target = language(name)
    model = compile_program(sop, vocabulary=list(target.alphabet), length=5, name=name)
    words = [word for n in range(1, 6) for word in product(target.alphabet, repeat=n)]
    verdicts = [values[-1] for values in run_exact(model, words).output()]
    right = all(v is target.contains(w) for v, w in zip(verdicts, words, strict=True))
    sizes = [len(layer.heads) for layer in model.layers]
    return right and sizes == [1] and not _decided_without_attention(name)


def _decided_without_attention(name: str) -> bool:
    """Whether some function of the length and the last symbol decides the language."""
    target = language(name)
    for n in range(1, 4):
        for last in target.alphabet:
            answers = {
                target.contains((*word, last)) for word in product(target.alphabet, repeat=n - 1)
            }
            if len(answers) > 1:
                return False
    return True


DECIDED = Claim(
    id="weiss2021.r1.decided",
    says=r"For PARITY, MOD3, MAJORITY, FIRST and $1^*$ the two sides meet: the program's one layer "
    r"with one head, compiled, decides the language, and no layer of attention does not.",
    source=OWN.at("RASP compiler, two sides"),
    kind=Kind.OWN,
    labels=("R1",),
    statement=ForAll(
        "the compiled weights have one layer with one head and answer membership at the last "
        "position; no function of the last symbol and position does",
        "five languages, all words of length 1 to 5",
        lambda: ONE_LAYER,
        _enough,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    proof=r"""Without attention the last activation is a function of the last symbol and its
position; two words of one length with the same last symbol, one in the language and one not, refute
that. The upper side holds for heads that average. Heads that attend to one position need more: see
the refuted sizes in `attnlimits synth table`.""",
)
