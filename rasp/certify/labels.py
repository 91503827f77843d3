"""Whether what a model says about itself is true: labels, prediction, mask.

Nothing here changes an output, but people and :mod:`rasp.decompile` rely on it.  A label is judged
if it is an output, or an expression of tokens and positions alone; others name s-ops that the
program's text does not hold.

Main definitions: :func:`false_statements`, :func:`false_prediction`.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rasp.certify.variations import Word
from rasp.compiler.schedule import predicted
from rasp.errors import RaspError
from rasp.evaluate.engine import evaluate_batch
from rasp.graph import SOpNode
from rasp.interpret.session import Session
from rasp.sops import SOp
from rasp.sops import tokens as symbols
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Direction, Mark

LOOKED_AT = 60
"""Words on which labels are compared with values."""

KNOWN = {"tokens_str", "tokens_int", "indices", "indicator", "if", "else", "not", "and", "or"} | {
    "True", "False"
}  # fmt: skip
"""Words of the language that mean the same in every program."""


def false_statements(
    nodes: Mapping[str, SOpNode],
    model: CompiledModel,
    words: Sequence[Word],
    *,
    causal: bool | None = None,
) -> tuple[str, ...]:
    """Return what a model says about itself that is not so, a sentence each.

    Parameters
    ----------
    nodes
        Output to program, under the mask if there is one.
    model
        The model.
    words
        Words on which the program does not fail.
    causal
        Whether the program is meant under the causal mask; ``None``: as the model says.

    Notes
    -----
    Deterministic: labels are compared on at most ``LOOKED_AT`` of the words, evenly chosen.
    """
    found = []
    if causal is not None and causal is not model.causal:
        has = "has a causal mask" if model.causal else "has no causal mask"
        meant = "with" if causal else "without"
        found.append(f"the model {has}: the program is meant {meant} one")
    chosen = list(words)[:: max(1, -(-len(words) // LOOKED_AT))]
    return (*found, *(_labels(nodes, model, chosen) if chosen else ()))


def false_prediction(nodes: Mapping[str, SOpNode], model: CompiledModel) -> tuple[str, ...]:
    """Return whether the stated layers and heads are not those that the analysis finds."""
    if model.predicted is None:
        return ()
    expected = predicted(list(nodes.values()))
    if expected == model.predicted:
        return ()
    return (f"the analysis gives layers and heads {expected}, the model states {model.predicted}",)


def _labels(
    nodes: Mapping[str, SOpNode], model: CompiledModel, words: Sequence[Word]
) -> tuple[str, ...]:
    meanings = {r.label or r.name: nodes[r.name] for r in model.readouts if r.name in nodes}
    stages = run_exact(model, words, returns=("residuals",)).residuals
    values: dict[str, Any] = {}
    found = []
    for direction in model.basis:
        label = direction.label
        if label not in values:
            node = meanings.get(label) or _meaning(label)
            values[label] = None if node is None else evaluate_batch(node, words)
        outcome = values[label]
        if label in meanings and direction.value is Mark.NUMERIC:
            continue  # read with a scale and an offset: running the model says if it is right
        if outcome is None or any(isinstance(one, RaspError) for one in outcome):
            continue
        for stage in range(direction.born, direction.dies + 1):
            place = _difference(direction, outcome, stages[stage], int(model.bos))
            if place is not None:
                word = list(words[place])
                meant = "its value" if isinstance(direction.value, Mark) else repr(direction.value)
                found.append(
                    f"coordinate {direction.index} is labelled {label}, {meant}, which it is not "
                    f"at stage {stage} on {word}"
                )
                break
    return tuple(found)


def _difference(
    direction: Direction, outcome: Sequence[Sequence[Any]], stage: Any, first: int
) -> int | None:
    """Return the word in which a coordinate is not what its label says."""
    meant = direction.value
    if isinstance(meant, Mark) and meant is not Mark.NUMERIC:
        return None
    for number, (expected, rows) in enumerate(zip(outcome, stage, strict=True)):
        for value, held in zip(expected, rows[first:, direction.index], strict=True):
            if isinstance(meant, Mark):
                right = isinstance(value, (int, float, Fraction)) and value == held
            else:
                right = held == int(type(value) is type(meant) and value == meant)
            if not right:
                return number
    return None


def _meaning(label: str) -> SOpNode | None:
    """Return the s-op that a label is the text of, if it is of tokens and positions alone."""
    if label == "tokens_asis":
        return symbols.node
    names = set(re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", label)))
    if not label or not names or not names <= KNOWN or "…" in label:
        return None
    session = Session()
    events = list(session.run(f"labelled = {label};"))
    value = session.console.variables.get("labelled")
    if not isinstance(value, SOp) or any(event.error is not None for event in events):
        return None
    return value.node
