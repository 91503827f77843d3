"""From weights to text: read layer after layer, coordinate after coordinate.

Heads become ``select`` and ``aggregate`` or ``selector_width``; feed-forward networks become
tables over the few values that their inputs can have, else sums of ``relu``.  The meaning of
coordinates is taken from the basis labels; the stored text of the program is not read.
What a head selects is read off probe words; everything else is computed from the weights.  The
finished program is parsed again and compared with the model on other words.

Main definitions: :func:`decompile`, :class:`Decompiled`.

References
----------
Weiss, Goldberg & Yahav (2021), Section 3 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from rasp.certify.words import chosen_words
from rasp.decompile.reading import read_program
from rasp.errors import DecompileError, RaspError, SequenceTypeError
from rasp.evaluate.engine import evaluate_batch
from rasp.interpret.session import Session
from rasp.sops import SOp, lift
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Unreadable

TRIES = 40
"""Examples that are tried for running the text."""


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
        On how many words, and which, the program was compared with the model.
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
    set example "aaa"
    selects_length = select(1, 1, ==);
    width_length = selector_width(selects_length);
    opposite = (width_length - indices - 1);
    selects_reverse = select(indices, opposite, ==);
    reverse = aggregate(selects_reverse, tokens, "");
    """
    rng = np.random.default_rng(0) if rng is None else rng
    symbols, length = model.vocabulary.symbols, model.length
    if len({str(symbol) for symbol in symbols}) < len(symbols):
        raise DecompileError("symbols that are written alike cannot be told apart in text")
    scope = chosen_words(symbols, length, samples=probes, rng=rng, exhaustive=exhaustive)
    text, names = read_program(model, scope.words)
    session, text = _running(text, scope.words)
    outputs = {}
    for name, identifier in names.items():
        value = session.console.variables[identifier]
        outputs[name] = (identifier, value if isinstance(value, SOp) else lift(value))
    again = chosen_words(symbols, length, samples=probes, rng=rng, exhaustive=exhaustive)
    words = list(dict.fromkeys([*scope.words, *again.words]))
    compared = _compared(model, words, outputs, text)
    return Decompiled(text, outputs, f"{compared} of {len(words)} words: {scope.text}")


def _running(text: str, words: Sequence[Any]) -> tuple[Session, str]:
    """Return a session that ran the text, which begins by setting an example that suits it.

    The interpreter evaluates each statement on its running example; a program that is partial,
    or a vocabulary that is not letters, needs another one than "hello".
    """
    first = None
    for word in sorted(words, key=len, reverse=True)[:: -(-len(words) // TRIES)]:
        start = ""
        if all(isinstance(s, str) and len(s) == 1 and s not in '"\n\r' for s in word):
            start = f'set example "{"".join(word)}"\n'
        session = Session()
        session.settings = replace(session.settings, sop_example=list(word))
        errors = [event.error for event in session.run(start + text) if event.error is not None]
        if not errors:
            return session, start + text
        first = first or errors[0]
    raise DecompileError(f"the text that was read runs on no example: {first}\n{text}")


def _compared(
    model: CompiledModel, words: list[Any], outputs: Mapping[str, tuple[str, SOp]], text: str
) -> int:
    """Return on how many words program and model agree; they may differ on none.

    Words on which the program averages what is no number, or the model's row holds no value, are
    left out: a compiled program may do anything where the program fails.
    """
    run, left = run_exact(model, words), set()
    for name, (_, sop) in outputs.items():
        found = evaluate_batch(sop.node, words)
        for place, (word, expected, values) in enumerate(
            zip(words, run.output(name), found, strict=True)
        ):
            failed = isinstance(values, RaspError) and not isinstance(values, SequenceTypeError)
            if failed or any(isinstance(value, Unreadable) for value in expected):
                left.add(place)
            elif values != expected:
                raise DecompileError(
                    f"the program that was read gives {values} for {name} on {list(word)}, the "
                    f"model {expected}: more probes may help\n{text}"
                )
    if len(left) == len(words):
        raise DecompileError(f"the program that was read fails on every word\n{text}")
    return len(words) - len(left)
