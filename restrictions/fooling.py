"""Fooling pairs: two words of different membership that a model answers alike.

The pair is found inside a certified constant subcube, which says much more than the pair: every
member or every non-member of the subcube is answered wrongly.  The pair itself needs none of the
proof; it is confirmed by running the model on both words.

Main definitions: :func:`fool`, :class:`FoolingPair`, :class:`NoPairFound`.

References
----------
Hahn (2020), Corollary 2 [hahn2020].
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from attention.hard import evaluate_batch
from attention.transformer import AbstractHardTransformer, ModelError
from languages.dyck import Dyck
from languages.language import AbstractLanguage
from restrictions.certify import Certified, Progress, certify
from restrictions.propagate import Caps, Propagator
from restrictions.restriction import Restriction
from restrictions.rows import BlowUp
from restrictions.sat import insensitive_edge

Word = tuple[Hashable, ...]


@final
@dataclass(frozen=True)
class FoolingPair:
    """Two words of different membership with the same output.

    Attributes
    ----------
    first, second
        The words; ``first`` is the member.
    output
        What the model answers on both.
    method
        ``"certified subcube"``, ``"rare case"``, ``"random flips"`` or ``"sat"``.
    subcube
        The certified subcube that contains both words, if there is one.
    """

    first: Word
    second: Word
    output: Hashable
    method: str
    subcube: Certified | None


@final
@dataclass(frozen=True)
class NoPairFound:
    """No pair was found.

    Attributes
    ----------
    reason
        What was tried.
    proved
        Whether two SAT solvers showed that there is none (PARITY only); else nothing follows.
    """

    reason: str
    proved: bool = False


def fool(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    *,
    seconds: float = 10.0,
    rng: np.random.Generator,
    progress: Progress | None = None,
    enough: int = 0,
) -> FoolingPair | NoPairFound:
    """Find a fooling pair, in a certified constant subcube if possible.

    Parameters
    ----------
    model
        A model whose alphabet contains the language's.
    language
        Any language; for kDYCK with k >= 2 the directions of a random member are fixed and the
        bracket types are left free.
    seconds
        CPU budget of the search.
    rng
        Draws words.
    progress
        Receives one line per improvement.
    enough
        Stop improving the subcube once at most this many positions are fixed.

    Raises
    ------
    ModelError
        If the model cannot read the language's words.
    LanguageError
        If the language has no members of the model's length.
    """
    missing = [s for s in language.alphabet if s not in model.alphabet]
    if missing:
        raise ModelError(
            f"the model does not read {missing!r}, which {language.name} needs: "
            f"its alphabet is {model.alphabet!r}"
        )
    member = language.sample(model.n, member=True, rng=rng)
    ground = ground_of(language, member)
    anywhere = language.name == "parity"  # any free bit will do, whatever is fixed
    rare, hopeless = rare_pair(model, language, ground) if anywhere else (None, False)
    if rare is not None and hopeless:
        return _confirmed(model, language, rare, "rare case", None)
    found = certify(
        model,
        ground=ground,
        inside=None if anywhere else member,
        seconds=seconds,
        rng=rng,
        progress=progress,
        enough=enough,
    )
    if isinstance(found, Certified):
        words = _split(language, found.restriction, None if anywhere else member, rng)
        if words is not None:
            return _confirmed(model, language, words, "certified subcube", found)
    if rare is not None:
        return _confirmed(model, language, rare, "rare case", None)
    flipped = _random_flips(model, language, rng)
    if isinstance(flipped, NoPairFound) and anywhere:
        return _by_sat(model, language, flipped)
    return flipped


def rare_pair(
    model: AbstractHardTransformer, language: AbstractLanguage, ground: Restriction
) -> tuple[tuple[Word, Word] | None, bool]:
    """Look for a word that only a rare case of the unrestricted propagation singles out.

    An item whose cube names most positions is a case that random words never meet; the word it
    names is tried, and its one-symbol changes.

    Returns
    -------
    tuple
        The pair (member first) if there is one; whether all other items need no literal at all,
        in which case no large constant subcube is to be expected.
    """
    propagator = Propagator(model, ground.choices)
    try:
        items = propagator.final(propagator.setting(0, 0), Caps(300, 30 * model.n)).items
    except BlowUp:
        return None, False
    rare = [item for item in items if 2 * (item[1] | item[2]).bit_count() >= model.n]
    rare.sort(key=lambda item: -(item[1] | item[2]).bit_count())
    hopeless = all(item[1] | item[2] == 0 for item in items if item not in rare)
    for _, pos, _ in rare[:4]:
        word = tuple(choices[pos >> j & 1] for j, choices in enumerate(ground.choices))
        for i in range(0, model.n, max(1, model.n // 4)):
            swapped = ground.choices[i][1 - (pos >> i & 1)]
            other = (*word[:i], swapped, *word[i + 1 :])
            sides = [language.contains([str(s) for s in w]) for w in (word, other)]
            if sides[0] != sides[1] and _same_output(model, word, other):
                return ((word, other) if sides[0] else (other, word)), hopeless
    return None, hopeless


def _same_output(model: AbstractHardTransformer, word: Word, other: Word) -> bool:
    lookup = {symbol: index for index, symbol in enumerate(model.alphabet)}
    batch = np.array([[lookup[s] for s in w] for w in (word, other)], dtype=np.uint8)
    first, second = evaluate_batch(model, batch).tolist()
    return bool(first == second)


def _by_sat(
    model: AbstractHardTransformer, language: AbstractLanguage, tried: NoPairFound
) -> FoolingPair | NoPairFound:
    """Decide by SAT whether there is a word and a flip that changes nothing (PARITY only)."""
    if len(model.alphabet) != 2 or model.n > 128:
        return tried
    found = insensitive_edge(model, limit=400_000, conflicts=100_000)
    if found.answer == "no":
        return NoPairFound("two SAT solvers prove that every flip changes the output", proved=True)
    if found.answer == "undecided" or found.word is None or found.position is None:
        return tried
    word, i = found.word, found.position
    swapped = model.alphabet[1 - model.alphabet.index(word[i])]
    other = (*word[:i], swapped, *word[i + 1 :])
    pair = (word, other) if language.contains([str(s) for s in word]) else (other, word)
    return _confirmed(model, language, pair, "sat", None)


def ground_of(language: AbstractLanguage, member: Sequence[str]) -> Restriction:
    """Return the subcube in which the search may move around ``member``."""
    if not isinstance(language, Dyck) or language.k == 1:
        return Restriction.free(language.alphabet, len(member))
    choices = []
    for symbol in member:
        index = language.alphabet.index(symbol)
        other = language.alphabet[(index + 2) % (2 * language.k)]
        choices.append(tuple(sorted((symbol, other), key=language.alphabet.index)))
    return Restriction(tuple(choices))


def _split(
    language: AbstractLanguage,
    rho: Restriction,
    member: Sequence[str] | None,
    rng: np.random.Generator,
) -> tuple[Word, Word] | None:
    """Return a member and a non-member of the subcube, if some are found."""
    for attempt in range(64):
        word = tuple(member) if member is not None and attempt == 0 else rho.draw(rng)
        inside = language.contains([str(s) for s in word])
        for i in rho.stars[:: max(1, len(rho.stars) // 64)]:
            for symbol in rho.choices[i]:
                other = (*word[:i], symbol, *word[i + 1 :])
                if other != word and language.contains([str(s) for s in other]) != inside:
                    return (word, other) if inside else (other, word)
    return None


def _confirmed(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    words: tuple[Word, Word],
    method: str,
    subcube: Certified | None,
) -> FoolingPair:
    assert _same_output(model, *words), "a certified pair does not replay"
    assert [language.contains([str(s) for s in word]) for word in words] == [True, False]
    lookup = {symbol: index for index, symbol in enumerate(model.alphabet)}
    output = evaluate_batch(model, np.array([[lookup[s] for s in words[0]]], dtype=np.uint8))[0]
    return FoolingPair(
        *words, bool(output) if isinstance(output, np.bool_) else output, method, subcube
    )


def _random_flips(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    rng: np.random.Generator,
    *,
    tries: int = 300,
) -> FoolingPair | NoPairFound:
    """Compare the model on random members and one-symbol changes of them."""
    tries = min(tries, max(20, 200_000_000 // (model.n**2 * model.layers * model.heads * 100)))
    for _ in range(tries):
        word: Word = language.sample(model.n, member=True, rng=rng)
        i = int(rng.integers(model.n))
        others = [s for s in language.alphabet if s != word[i]]
        other = (*word[:i], others[int(rng.integers(len(others)))], *word[i + 1 :])
        if language.contains([str(s) for s in other]):
            continue
        if _same_output(model, word, other):
            return _confirmed(model, language, (word, other), "random flips", None)
    return NoPairFound(
        f"no constant subcube with words of both kinds, and {tries} random changes were told apart"
    )
