"""The inverse task: the input on which a given transformer fails a language, or a proof of none.

Three ways, cheapest first.  *Flips*: random members, non-members and their neighbours; finds
common failures at any length.  *Brute force*: every word, one bit each, for small lengths.
*SAT*: the forward pass beside the language's machine; finds a single wrong word among 2^64 and
proves that there is none.

Main definitions: `find_failure`, `Failure`, `NeverFails`, `NoFailureFound`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from attention.hard import evaluate
from attention.table import TableTransformer
from attention.transformer import AbstractHardTransformer
from languages.language import AbstractLanguage, LanguageError
from synthesis import bitwise
from synthesis.checker.lrat import check
from synthesis.forward import StateLimitError, encode
from synthesis.proof import as_text, read_lrat, trim
from synthesis.solving import solve

Way = Literal["flips", "brute", "sat"]
WAYS: tuple[Way, ...] = ("flips", "brute", "sat")


class ModelMismatchError(ValueError):
    """The transformer and the language do not fit each other; the message says how."""


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """A word on which the transformer is wrong, evaluated again by definition."""

    word: tuple[str, ...]
    says: bool
    way: Way


@final
@dataclass(frozen=True, slots=True)
class NeverFails:
    """The transformer is right on every word of its length; ``detail`` says how it is known."""

    way: Way
    detail: str


@final
@dataclass(frozen=True, slots=True)
class NoFailureFound:
    """Neither a failure nor a proof within the budget."""

    tried: int
    detail: str


def find_failure(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    *,
    rng: np.random.Generator,
    seconds: float = 60.0,
    words: int = 30,
    ways: Sequence[Way] = WAYS,
    certify: bool = True,
    tick: Callable[[float], None] | None = None,
) -> Failure | NeverFails | NoFailureFound:
    """Find a word that the transformer gets wrong, or prove that there is none at its length.

    Parameters
    ----------
    model
        Any hard-attention transformer with boolean outputs; brute force and SAT need tables.
    language
        The language it should decide, over the same alphabet.
    rng
        For the random words.
    seconds
        Budget of the solver, > 0.
    words
        Random words of the first way, each with its single-symbol changes at up to 16 positions.
    ways
        Which ways to try, in this order.
    certify
        Whether "never fails" by SAT must come with a proof that our checker accepted.
    tick
        Called about once a second while the solver runs.

    Raises
    ------
    ModelMismatchError
        If alphabets differ or an output is not boolean.

    Examples
    --------
    >>> from languages.registry import language
    >>> first = TableTransformer(n=2, alphabet=("0", "1"), embedding=[[0, 1], [2, 3]],
    ...     scores=[[np.tile([1, 1, 0, 0], (4, 1)).reshape(1, 4, 1, 4)]],
    ...     acts=[np.tile([0, 1, 0, 0], (4, 1)).reshape(1, 4, 4)], outputs=(False, True))
    >>> rng = np.random.default_rng(0)
    >>> type(find_failure(first, language("first"), rng=rng)).__name__
    'NeverFails'
    >>> type(find_failure(first, language("parity"), rng=rng)).__name__
    'Failure'
    """
    if tuple(model.alphabet) != tuple(language.alphabet):
        raise ModelMismatchError(f"alphabets differ: {model.alphabet} and {language.alphabet}")
    tried, detail = 0, "only random words were tried"
    for way in ways:
        if way == "flips":
            failure, tried = _flips(model, language, words, rng)
            if failure is not None:
                return failure
        elif not isinstance(model, TableTransformer):
            detail = f"a {type(model).__name__} has no tables: tabulate it for brute force or SAT"
        elif way == "brute":
            if len(model.alphabet) ** model.n > bitwise.MAX_WORDS:
                continue
            wrong = bitwise.wrong_words(model, language)
            if wrong:
                return _replayed(model, language, wrong[0], way)
            return NeverFails(way, f"all {len(model.alphabet) ** model.n} words")
        else:
            outcome = _sat(model, language, seconds, certify, tick)
            if isinstance(outcome, NoFailureFound):
                detail = outcome.detail
            else:
                return outcome
    return NoFailureFound(tried, detail)


def _flips(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    words: int,
    rng: np.random.Generator,
) -> tuple[Failure | None, int]:
    tried = 0
    for k in range(words):
        try:
            start = list(language.sample(model.n, member=k % 2 == 0, rng=rng))
        except LanguageError:  # no such word at this length
            continue
        places = rng.permutation(model.n)[: 16 if k else 1]
        candidates = [start]
        for i in places:
            others = [a for a in language.alphabet if a != start[i]]
            candidates.append([*start[:i], str(rng.choice(others)), *start[i + 1 :]])
        for word in candidates:
            tried += 1
            says = _answer(model, word)
            if says != language.contains(word):
                return Failure(tuple(word), says, "flips"), tried
    return None, tried


def _sat(
    model: TableTransformer,
    language: AbstractLanguage,
    seconds: float,
    certify: bool,
    tick: Callable[[float], None] | None,
) -> Failure | NeverFails | NoFailureFound:
    try:
        cnf = encode(model, language).canonical()
    except StateLimitError as limit:
        return NoFailureFound(0, str(limit))
    answer = solve(cnf, seconds=seconds, proof=certify, tick=tick)
    if answer.satisfiable is None:
        return NoFailureFound(0, f"the solver did not finish in {seconds} s")
    if answer.satisfiable:
        true = {cnf.names[v - 1] for v in answer.model if 0 < v <= len(cnf.names)}
        symbols = range(len(model.alphabet))
        word = tuple(next(a for a in symbols if ("symbol", i, a) in true) for i in range(model.n))
        return _replayed(model, language, word, "sat")
    if not certify:
        return NeverFails("sat", f"{answer.solver}, {len(cnf.clauses)} clauses, no proof asked")
    size = len(cnf.clauses)
    proof = trim(read_lrat(answer.proof, size), size)
    lemmas = check(cnf.clauses, as_text(proof).splitlines())
    return NeverFails("sat", f"{size} clauses refuted, proof of {lemmas} lemmas checked")


def _replayed(
    model: TableTransformer, language: AbstractLanguage, word: tuple[int, ...], way: Way
) -> Failure:
    """Trust neither enumeration nor solver: evaluate the word by definition."""
    text = tuple(str(model.alphabet[a]) for a in word)
    says = _answer(model, text)
    assert says != language.contains(text), f"{way} reported {text}, which is right"
    return Failure(text, says, way)


def _answer(model: AbstractHardTransformer, word: Sequence[str]) -> bool:
    says = evaluate(model, word)
    if not isinstance(says, (bool, np.bool_)):
        raise ModelMismatchError(f"output {says!r} is not a yes or no")
    return bool(says)
