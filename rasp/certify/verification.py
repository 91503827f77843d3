"""Compare a compiled model with its program: both runtimes, measured errors and their bounds.

The program is evaluated by :mod:`rasp.evaluate`, which knows nothing of the compiler.  Words on
which the program itself fails (a division by zero, say) are left out and counted.

Main definitions: :func:`verify`, :class:`Verification`, :class:`Wrong`.

References
----------
Weiss, Goldberg & Yahav (2021), section 3 [weiss2021].
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.certify.causal import causal_program
from rasp.certify.float_errors import FloatErrors, float_errors
from rasp.certify.labels import false_prediction, false_statements
from rasp.certify.variations import Word
from rasp.certify.words import chosen_words
from rasp.errors import RaspError
from rasp.evaluate.engine import evaluate_batch
from rasp.graph import SOpNode
from rasp.sops import SOp
from rasp.weights.exact import run_exact
from rasp.weights.floating import FloatModel
from rasp.weights.model import CompiledModel
from rasp.weights.padded import TOLERANCE

FLOAT_SLACK = 1e-4
"""How far a mean may be off in float runs, relative to 1 + its size, before it counts as wrong."""


@final
@dataclass(frozen=True, slots=True)
class Wrong:
    """A word on which a runtime gives something else than the program."""

    word: Word
    runtime: str
    output: str
    expected: tuple[Any, ...]
    found: tuple[Any, ...]

    def text(self) -> str:
        """Return the difference in three lines."""
        return (
            f"{self.runtime}: wrong {self.output} on {list(self.word)}\n"
            f"  program {list(self.expected)}\n  model   {list(self.found)}\n"
        )


@final
@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared and how it came out.

    Attributes
    ----------
    scope
        The words tried, in words.
    exhaustive
        Whether they are all words the model reads.
    tried, skipped
        Words compared, and words on which the program itself fails.
    loose
        Words on which the exact values agree, but an integer comes out as a fraction or the other
        way round: a mean can be whole, and a coordinate does not say where its number came from.
    wrong
        The first difference per runtime, shrunk; empty if there is none.
    errors
        Float errors beside their bounds.
    gaps
        Head to the least score difference seen and the separation it claims; both positive.
    false
        What the model says about itself that is not so: labels, prediction, mask.
    """

    scope: str
    exhaustive: bool
    tried: int
    skipped: int
    loose: int
    wrong: tuple[Wrong, ...]
    errors: tuple[FloatErrors, ...]
    gaps: Mapping[str, tuple[Fraction, Fraction]]
    false: tuple[str, ...] = ()

    @property
    def narrow(self) -> tuple[str, ...]:
        """Heads that were seen to separate scores by less than they claim."""
        return tuple(name for name, (seen, claimed) in self.gaps.items() if seen < claimed)

    @property
    def right(self) -> bool:
        """Whether everything agreed, kept its bound and its separation, and is what it says."""
        return (
            not self.wrong
            and not self.narrow
            and not self.false
            and all(e.holds for e in self.errors)
        )

    def text(self) -> str:
        """Return the outcome in a few lines."""
        how = "all inputs" if self.exhaustive else "the inputs tried"
        lines = [f"{'right' if self.right else 'WRONG'} on {how}: {self.scope}\n"]
        if self.skipped:
            lines.append(f"  {self.skipped} words left out, on which the program itself fails\n")
        if self.loose:
            lines.append(
                f"  {self.loose} words on which whole numbers differ in kind (1 and 1.0)\n"
            )
        lines += [wrong.text() for wrong in self.wrong]
        lines += [f"  {statement}\n" for statement in self.false]
        for name in self.narrow:
            seen, claimed = self.gaps[name]
            lines.append(f"  head {name}: scores differ by {seen}, less than {claimed}\n")
        for error in self.errors:
            unproved = "" if error.bound < TOLERANCE else " (too large to prove that it is read)"
            lines.append(
                f"  {error.runtime} {error.output}: off by {error.measured:.2g}, "
                f"bound {error.bound:.2g}{unproved}, on {error.words} words\n"
            )
        return "".join(lines)


def verify(
    program: SOp | SOpNode | Mapping[str, SOp],
    model: CompiledModel,
    *,
    words: Sequence[Word] | None = None,
    samples: int = 100,
    rng: np.random.Generator,
    exhaustive: int = 3000,
    runtimes: Sequence[str] = ("float32",),
    bounded: int = 12,
    causal: bool | None = None,
    prediction: bool = False,
) -> Verification:
    """Compare ``model`` with ``program`` in exact arithmetic and in floats.

    Parameters
    ----------
    program
        What the model was compiled from; several outputs by name.
    model
        The model.
    words
        Words to try; by default those of :func:`rasp.certify.words.chosen_words`.
    samples, rng, exhaustive
        As there.
    runtimes
        Float runtimes to run as well as the exact one.
    bounded
        Number of words, of the longer half, on which float errors are measured and bounded; 0
        leaves that out.
    causal
        Whether the program is meant under the causal mask; by default as the model says.
    prediction
        Whether the layers and heads that the model states as predicted are those of this program.

    Returns
    -------
    Verification
        Never raises for a wrong model: the difference is in it.

    Notes
    -----
    Deterministic given ``rng``.
    """
    plain = _nodes(program, model)
    masked = model.causal if causal is None else causal
    nodes = {n: causal_program(node) for n, node in plain.items()} if masked else plain
    if words is None:
        chosen = chosen_words(
            model.vocabulary.symbols, model.length, samples=samples, rng=rng, exhaustive=exhaustive
        )
        every, text, complete = chosen.words, chosen.text, chosen.exhaustive
    else:
        every, text, complete = tuple(words), f"{len(words)} given words", False
    expected, kept = _expected(nodes, every)
    wrong: list[Wrong] = []
    gaps: dict[str, tuple[Fraction, Fraction]] = {}
    loose = 0
    if kept:
        run = run_exact(model, kept, returns=("outputs", "gaps"))
        claimed = {head.name: head.separation for _, head in model.heads()}
        gaps = {name: (gap, claimed[name]) for name, gap in sorted(run.gaps.items())}
        wrong += _compared(nodes, model, kept, expected, run.outputs, "exact")
        loose = sum(
            any(
                list(map(type, expected[name][word])) != list(map(type, run.outputs[name][word]))
                for name in nodes
            )
            for word in range(len(kept))
        )
    errors: list[FloatErrors] = []
    for runtime in runtimes if kept else ():
        outputs = FloatModel(model, runtime).run(kept).outputs
        wrong += _compared(nodes, model, kept, expected, outputs, runtime)
        errors += float_errors(model, kept, runtime, bounded) if bounded else []
    skipped = len(every) - len(kept)
    false = false_statements(nodes, model, kept, causal=causal)
    if prediction:
        false += false_prediction(plain, model)
    return Verification(
        text, complete, len(kept), skipped, loose, tuple(wrong), tuple(errors), gaps, false
    )


def _nodes(program: SOp | SOpNode | Mapping[str, SOp], model: CompiledModel) -> dict[str, SOpNode]:
    if isinstance(program, SOp):
        return {model.readouts[0].name: program.node}
    if isinstance(program, SOpNode):
        return {model.readouts[0].name: program}
    return {name: sop.node for name, sop in program.items()}


def _expected(
    nodes: Mapping[str, SOpNode], words: Sequence[Word]
) -> tuple[dict[str, list[list[Any]]], list[Word]]:
    outcomes = {name: evaluate_batch(node, words) for name, node in nodes.items()}
    fine = [
        index
        for index in range(len(words))
        if not any(isinstance(found[index], RaspError) for found in outcomes.values())
    ]
    kept: dict[str, list[list[Any]]] = {
        name: [found[index] for index in fine]  # type: ignore[misc]
        for name, found in outcomes.items()
    }
    return kept, [words[index] for index in fine]


def _compared(
    nodes: Mapping[str, SOpNode],
    model: CompiledModel,
    words: Sequence[Word],
    expected: Mapping[str, list[list[Any]]],
    outputs: Mapping[str, Sequence[list[Any]]],
    runtime: str,
) -> list[Wrong]:
    slack = 0.0 if runtime == "exact" else FLOAT_SLACK
    for name in nodes:
        bad = [
            index
            for index, (want, got) in enumerate(zip(expected[name], outputs[name], strict=True))
            if not same(want, got, slack)
        ]
        if bad:
            shortest = min(bad, key=lambda index: len(words[index]))
            word = _shrunk(words[shortest], nodes[name], name, model, runtime, slack)
            return [word]
    return []


def _outcome(
    word: Word, node: SOpNode, name: str, model: CompiledModel, runtime: str
) -> tuple[Any, Any]:
    (want,) = evaluate_batch(node, [word])
    run = run_exact(model, [word]) if runtime == "exact" else FloatModel(model, runtime).run([word])
    return want, run.outputs[name][0]


def _shrunk(
    word: Word, node: SOpNode, name: str, model: CompiledModel, runtime: str, slack: float
) -> Wrong:
    """Drop tokens as long as the difference stays."""
    want, got = _outcome(word, node, name, model, runtime)
    at = 0
    while at < len(word) <= 64 and len(word) > 1:
        fewer = word[:at] + word[at + 1 :]
        found = _outcome(fewer, node, name, model, runtime)
        if isinstance(found[0], RaspError) or same(found[0], found[1], slack):
            at += 1
        else:
            word, (want, got) = fewer, found
    return Wrong(word, runtime, name, tuple(want), tuple(got))


def same(expected: Sequence[Any], found: Sequence[Any], slack: float = 0.0) -> bool:
    """Return whether a model's output is the program's: same kinds, same values.

    ``slack`` is how far numbers that are no integers may differ, relative to 1 + their size; IEEE
    floats of the program are compared up to rounding in any case.

    Examples
    --------
    >>> same([Fraction(1, 2), 1], [Fraction(1, 2), Fraction(1)]), same([True], [1])
    (True, False)
    """
    return len(expected) == len(found) and all(
        _same_atom(want, got, slack) for want, got in zip(expected, found, strict=True)
    )


def _same_atom(want: Any, got: Any, slack: float) -> bool:
    if isinstance(want, (str, bool)) or want is None:
        return type(got) is type(want) and got == want
    if isinstance(got, bool) or not isinstance(got, (int, float, Fraction)):
        return False
    if got == want:
        return True
    if isinstance(want, float):
        return math.isclose(want, float(got), rel_tol=max(slack, 1e-9), abs_tol=max(slack, 1e-9))
    return slack > 0 and abs(float(got) - float(want)) <= slack * (1 + abs(float(want)))
