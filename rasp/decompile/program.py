"""From weights to text: read layer after layer, coordinate after coordinate.

Heads become ``select`` and ``aggregate`` or ``selector_width``; feed-forward networks become
tables over the few values that their inputs can have, else sums of ``relu``.  The meaning of
coordinates is taken from the basis labels; the stored text of the program is not read.
What a head selects is read off probe words; everything else is computed from the weights.  The
finished program is parsed again and compared with the model on other words.

Main definitions: :func:`decompile`, :class:`Decompiled`.

References
----------
Weiss, Goldberg & Yahav (2021), Section 3 [weiss2021]; Friedman, Wettig & Chen (2023), Section 3
[friedman2023] reads programs from trained transformers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from rasp.certify.words import chosen_words
from rasp.decompile.layers import Reader
from rasp.decompile.terms import DecompileError
from rasp.evaluate.engine import evaluate_batch
from rasp.interpret.session import Session
from rasp.sops import SOp
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel


@final
@dataclass(frozen=True)
class Decompiled:
    """A program read from weights.

    Attributes
    ----------
    text
        In the concrete language.
    outputs
        Readout name to the s-op of the text, and its name there.
    scope
        The words on which the program was compared with the model.
    """

    text: str
    outputs: Mapping[str, tuple[str, SOp]]
    scope: str


def decompile(
    model: CompiledModel,
    *,
    probes: int = 60,
    exhaustive: int = 800,
    rng: np.random.Generator | None = None,
) -> Decompiled:
    """Return a RASP program that computes what the model computes.

    Parameters
    ----------
    model
        A compiled model whose basis names its coordinates.
    probes
        Random words to look at, beside short words and boundary cases.
    exhaustive
        All words are looked at if they are no more than this.
    rng
        Of the random words; by default one with a fixed seed.

    Returns
    -------
    Decompiled
        Compared with the model on the probe words and as many new random ones.

    Raises
    ------
    DecompileError
        If a head does not select by comparisons (``best``), an output can be ``None``, values
        have no literal, or the program found differs from the model, with the word.

    Notes
    -----
    Deterministic for a given ``rng``.  ``tokens`` stands for the symbols as text.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> print(decompile(reverse_model("ab", length=3)).text, end="")
    """
    rng = np.random.default_rng(0) if rng is None else rng
    symbols, length = model.vocabulary.symbols, model.length
    if len({str(symbol) for symbol in symbols}) < len(symbols):
        raise DecompileError("symbols that are written alike cannot be told apart in text")
    scope = chosen_words(symbols, length, samples=probes, rng=rng, exhaustive=exhaustive)
    text, names = Reader(model, scope.words).program()
    session = Session()
    for event in session.run(text):
        if event.error is not None:
            raise DecompileError(f"the text that was read does not run: {event.error}\n{text}")
    outputs = {}
    for name, identifier in names.items():
        value = session.console.variables[identifier]
        assert isinstance(value, SOp)
        outputs[name] = (identifier, value)
    again = chosen_words(symbols, length, samples=probes, rng=rng, exhaustive=exhaustive)
    words = list(dict.fromkeys([*scope.words, *again.words]))
    _require_equal(model, words, outputs, text)
    return Decompiled(text, outputs, scope.text)


def _require_equal(
    model: CompiledModel, words: list[Any], outputs: Mapping[str, tuple[str, SOp]], text: str
) -> None:
    run = run_exact(model, words)
    for name, (_, sop) in outputs.items():
        found = evaluate_batch(sop.node, words)
        for word, expected, values in zip(words, run.output(name), found, strict=True):
            if values != expected:
                raise DecompileError(
                    f"the program that was read gives {values} for {name} on {list(word)}, the "
                    f"model {expected}: more probes may help\n{text}"
                )
