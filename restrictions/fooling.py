"""Fooling pairs: two words of different membership that a model answers alike.

The pair is found inside a certified constant subcube, which says much more than the pair: every
member or every non-member of the subcube is answered wrongly.  The pair itself needs none of the
proof; it is confirmed by running the model on both words.  Where possible the two words also have
the same final activation, so that they are answered alike whatever the readout.

Main definitions: :func:`fool`, :class:`FoolingPair`, :class:`NoPairFound`.

References
----------
Hahn (2020), Corollary 2 [hahn2020].
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import final

import numpy as np

from attention.diagrams import LONGEST
from attention.hard import evaluate_batch, final_activations
from attention.transformer import AbstractHardTransformer, ModelError
from languages.dyck import Dyck
from languages.language import AbstractLanguage
from restrictions.certify import Certified, Progress, certify
from restrictions.edges import edge_by_diagrams
from restrictions.grounds import ground_of, member_of
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
    same_activation
        Whether the final activations are equal too, and not only the outputs.
    method
        ``"certified subcube"``, ``"rare case"``, ``"random flips"``, ``"diagrams"`` or ``"sat"``.
    subcube
        The certified subcube that contains both words, if there is one.
    """

    first: Word
    second: Word
    output: Hashable
    same_activation: bool
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
        Whether decision diagrams or two SAT solvers showed that there is none (PARITY only); else
        nothing follows.
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
    ends: bool = False,
) -> FoolingPair | NoPairFound:
    """Find a fooling pair, in a certified constant subcube if possible.

    Parameters
    ----------
    model
        A model whose alphabet contains the language's.
    language
        Any language, also one given as a predicate (:mod:`languages.predicate`); for kDYCK with
        k >= 2 the directions of a random member are fixed and the bracket types are left free.
    seconds
        CPU budget of the search.
    rng
        Draws words.
    progress
        Receives one line per improvement.
    enough
        Stop improving the subcube once at most this many positions are fixed.
    ends
        Bracket languages: hold the first and last fifth of both words as in Corollary 2.

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
    member = member_of(language, model.n, ends=ends, rng=rng)
    ground = ground_of(language, member, ends=ends)
    anywhere = language.name == "parity"  # any free bit will do, whatever is fixed
    rare, hopeless = rare_pair(model, language, ground) if anywhere else (None, False)
    if rare is not None and hopeless:
        return _confirmed(model, language, rare, "rare case", None)
    if hopeless:
        decided = _by_diagrams(model, language)
        if decided is not None:
            return decided
    search = partial(
        certify,
        model,
        ground=ground,
        inside=None if anywhere else member,
        rng=rng,
        progress=progress,
        enough=enough,
    )
    if rare is not None:
        # a pair is at hand: spend the whole budget only if subcubes turn up at all
        trial = search(seconds=min(seconds, seconds / 10 + model.n / 1000))
        if not isinstance(trial, Certified):
            return _confirmed(model, language, rare, "rare case", None)
    found = search(seconds=seconds)
    if isinstance(found, Certified):
        start = None if anywhere else member
        words = _split(model, language, found.restriction, start, rng)
        if words is not None:
            return _confirmed(model, language, words, "certified subcube", found)
    if rare is not None:
        return _confirmed(model, language, rare, "rare case", None)
    flipped = _random_flips(model, language, rng, ground)
    if isinstance(flipped, NoPairFound) and anywhere:
        decided = None if hopeless else _by_diagrams(model, language)
        return _by_sat(model, language, flipped) if decided is None else decided
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
            if sides[0] != sides[1] and _final(model, (word, other))[0]:
                return ((word, other) if sides[0] else (other, word)), hopeless
    return None, hopeless


def _by_diagrams(
    model: AbstractHardTransformer, language: AbstractLanguage
) -> FoolingPair | NoPairFound | None:
    """Decide exactly whether a flip changes nothing (PARITY only); ``None`` if out of reach."""
    if len(model.alphabet) != 2 or model.n > LONGEST:
        return None
    try:
        edge = edge_by_diagrams(model)
    except ModelError:
        return None
    if edge is None:
        reason = "the decision diagrams of the outputs prove that every flip changes the output"
        return NoPairFound(reason, proved=True)
    pair = _across(model, language, edge.word, edge.position)
    return _confirmed(model, language, pair, "diagrams", None)


def _across(
    model: AbstractHardTransformer, language: AbstractLanguage, word: Word, i: int
) -> tuple[Word, Word]:
    """Return the word and the same with position ``i`` flipped, the member first."""
    swapped = model.alphabet[1 - model.alphabet.index(word[i])]
    other = (*word[:i], swapped, *word[i + 1 :])
    return (word, other) if language.contains([str(s) for s in word]) else (other, word)


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
    pair = _across(model, language, found.word, found.position)
    return _confirmed(model, language, pair, "sat", None)


def _split(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    rho: Restriction,
    member: Sequence[str] | None,
    rng: np.random.Generator,
    *,
    tries: int = 24,
) -> tuple[Word, Word] | None:
    """Return a member and a non-member of the subcube, with equal final activations if found."""
    first: tuple[Word, Word] | None = None
    for words in islice(_pairs(language, rho, member, rng), tries):
        first = words if first is None else first
        if _final(model, words)[1]:
            return words
    return first


def _pairs(
    language: AbstractLanguage,
    rho: Restriction,
    member: Sequence[str] | None,
    rng: np.random.Generator,
) -> Iterator[tuple[Word, Word]]:
    """Yield members and non-members of the subcube, one symbol apart."""
    stars = rho.stars
    for attempt in range(64):
        word = tuple(member) if member is not None and attempt == 0 else rho.draw(rng)
        inside = language.contains([str(s) for s in word])
        for i in rng.permutation(stars)[:64].tolist():
            for symbol in rho.choices[i]:
                other = (*word[:i], symbol, *word[i + 1 :])
                if other != word and language.contains([str(s) for s in other]) != inside:
                    yield (word, other) if inside else (other, word)


def _final(model: AbstractHardTransformer, words: tuple[Word, Word]) -> tuple[bool, bool]:
    """Return whether the outputs, resp. the final activations, of two words are equal."""
    lookup = {symbol: index for index, symbol in enumerate(model.alphabet)}
    batch = np.array([[lookup[s] for s in w] for w in words], dtype=np.uint8)
    first, second = final_activations(model, batch)
    return bool(model.readout(first) == model.readout(second)), bool(first == second)


def _confirmed(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    words: tuple[Word, Word],
    method: str,
    subcube: Certified | None,
) -> FoolingPair:
    outputs, activations = _final(model, words)
    assert outputs, "a certified pair does not replay"
    assert [language.contains([str(s) for s in word]) for word in words] == [True, False]
    lookup = {symbol: index for index, symbol in enumerate(model.alphabet)}
    output = evaluate_batch(model, np.array([[lookup[s] for s in words[0]]], dtype=np.uint8))[0]
    return FoolingPair(
        *words,
        bool(output) if isinstance(output, np.bool_) else output,
        activations,
        method,
        subcube,
    )


def _random_flips(
    model: AbstractHardTransformer,
    language: AbstractLanguage,
    rng: np.random.Generator,
    ground: Restriction,
    *,
    tries: int = 300,
) -> FoolingPair | NoPairFound:
    """Compare the model on random members and one-symbol changes of them within the ground."""
    tries = min(tries, max(20, 200_000_000 // (model.n**2 * model.layers * model.heads * 100)))
    ends = isinstance(language, Dyck) and len(ground.choices[0]) == 1
    alike: tuple[Word, Word] | None = None  # equal outputs from different activations
    for _ in range(tries):
        word: Word = member_of(language, model.n, ends=ends, rng=rng)
        i = ground.stars[int(rng.integers(ground.dimension))]
        others = [s for s in language.alphabet if s != word[i]]
        other = (*word[:i], others[int(rng.integers(len(others)))], *word[i + 1 :])
        if language.contains([str(s) for s in other]):
            continue
        output, activation = _final(model, (word, other))
        if output:
            alike = (word, other)
        if activation:
            break
    if alike is not None:
        return _confirmed(model, language, alike, "random flips", None)
    return NoPairFound(
        f"no constant subcube with words of both kinds, and {tries} random changes were told apart"
    )
