"""From weights to text: read layer after layer, coordinate after coordinate.

Heads become ``select`` and ``aggregate`` or ``selector_width``; feed-forward networks become
tables over the few values that their inputs can have, else sums of ``relu``.  The meaning of
coordinates is taken from the basis labels; the stored text of the program is not read.
What a head selects is read off probe words; everything else is computed from the weights.  The
finished program is parsed again and compared with the model on many other words; where they differ,
the model is read again with these words, and a difference that remains is an error.

Main definitions: :func:`decompile`, :class:`Decompiled`.

References
----------
Weiss, Goldberg & Yahav (2021), Section 3 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from rasp.certify.variations import Word
from rasp.certify.words import chosen_words
from rasp.decompile.reading import read_program
from rasp.errors import DecompileError, RaspError, SequenceTypeError
from rasp.evaluate.engine import evaluate_batch
from rasp.interpret.session import Session
from rasp.sequences import sequence_kind
from rasp.sops import SOp, lift
from rasp.weights.exact import run_exact
from rasp.weights.model import CompiledModel
from rasp.weights.readout import Unreadable

TRIES = 40
"""Examples that are tried for running the text."""

ROUNDS = 4
"""Times that a model is read; words on which the text differs are looked at the next time."""

TAUGHT = 40
"""Most words that are looked at for that reason."""


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
    compared: int = 500,
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
    compared
        Random words on which the program is compared with the model, beside those looked at, short
        words, boundary cases and words with one changed place.
    rng
        Of the random words; by default one with a fixed seed.

    Returns
    -------
    Decompiled
        Equal to the model on all words compared, the last ``compared`` of them new ones.

    Raises
    ------
    DecompileError
        If a head does not select by comparisons or rank keys alike for all rows, an output can
        be ``None``, which has no literal, or the program found differs from the model, with the
        word.

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
    looked = list(scope.words)
    tried = dict.fromkeys(looked)
    for _ in range(ROUNDS):
        text, names = read_program(model, looked)
        session, text = _running(text, looked)
        outputs = {}
        for name, identifier in names.items():
            value = session.console.variables[identifier]
            outputs[name] = (identifier, value if isinstance(value, SOp) else lift(value))
        if not scope.exhaustive:
            scope = chosen_words(
                symbols, length, samples=compared, rng=rng, exhaustive=3 * exhaustive
            )
            tried.update(dict.fromkeys(scope.words))
        words = list(tried)
        left, different = _compared(model, words, outputs)
        if not different:
            if left == len(words):
                raise DecompileError(f"the program that was read fails on every word\n{text}")
            others = len(words) - len(scope.words)
            more = f", {others} seen before" if others else ""
            return Decompiled(
                text, outputs, f"{len(words) - left} of {len(words)} words: {scope.text}{more}"
            )
        new = [word for word in different if word not in set(looked)]
        if not new:
            break
        looked += sorted(new, key=len)[:: -(-len(new) // TAUGHT)]
    word, (found, expected) = next(iter(different.items()))
    raise DecompileError(
        f"the program that was read gives {found} on {list(word)}, the model {expected}: more "
        f"probes may help\n{text}"
    )


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
    model: CompiledModel, words: list[Word], outputs: Mapping[str, tuple[str, SOp]]
) -> tuple[int, dict[Word, tuple[str, str]]]:
    """Return how many words are left out, and what program and model give where they differ.

    Words on which the program averages what is no number, or the model's row holds no value, are
    left out: a compiled program may do anything where the program fails.
    """
    run = run_exact(model, words)
    left: set[Word] = set()
    different: dict[Word, tuple[str, str]] = {}
    for name, (_, sop) in outputs.items():
        found = evaluate_batch(sop.node, words)
        for word, expected, values in zip(words, run.output(name), found, strict=True):
            failed = isinstance(values, RaspError) and (
                not isinstance(values, SequenceTypeError) or _mixed(expected)
            )
            if failed or any(isinstance(value, Unreadable) for value in expected):
                left.add(word)
            elif values != expected:
                different[word] = (f"{values} for {name}", str(expected))
    return len(left), different


def _mixed(values: Sequence[Any]) -> bool:
    """Return whether a sequence of these values is one that no program can give."""
    try:
        sequence_kind(values)
    except SequenceTypeError:
        return True
    return False
