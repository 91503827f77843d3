"""How many members of a language a subcube contains, exactly.

Main definitions: :func:`members_in`, :class:`CountingError`.
"""

from languages.dyck import Dyck
from languages.language import AbstractLanguage, State
from languages.predicate import ENUMERABLE, PredicateLanguage
from restrictions.restriction import Restriction


class CountingError(ValueError):
    """The count is out of reach of the exact methods here."""


def members_in(language: AbstractLanguage, rho: Restriction) -> int:
    """Return the number of words of the subcube that belong to the language.

    Parameters
    ----------
    language
        Any language; words of kDYCK with k >= 2 need a subcube of one bracket type, or one whose
        every position is decided between opening and closing.
    rho
        The subcube.

    Raises
    ------
    CountingError
        For a subcube of kDYCK that mixes both freedoms, or a large one and a predicate.

    Notes
    -----
    O(n x states x symbols) integer additions.

    Examples
    --------
    >>> from languages import language
    >>> members_in(language("parity"), Restriction.free("01", 10).fix({3: "1"}))
    256
    >>> members_in(language("dyck1"), Restriction.free("()", 6).fix({0: "(", 1: "("}))
    3
    """
    if isinstance(language, Dyck):
        return _brackets(language, rho)
    if isinstance(language, PredicateLanguage):
        if rho.size > ENUMERABLE:
            raise CountingError(
                f"{language.name} is a predicate: {rho.size} words cannot be asked one by one"
            )
        return sum(language.contains([str(s) for s in word]) for word in rho.completions())
    return _walk(language, rho)


def _walk(language: AbstractLanguage, rho: Restriction) -> int:
    counts: dict[State, int] = {language.start(rho.n): 1}
    for allowed in rho.choices:
        following: dict[State, int] = {}
        for state, count in counts.items():
            for symbol in allowed:
                after = language.step(state, str(symbol))
                if after is not None:
                    following[after] = following.get(after, 0) + count
        counts = following
    return sum(count for state, count in counts.items() if language.accepts(state))


def _brackets(language: Dyck, rho: Restriction) -> int:
    indices = [[language.alphabet.index(str(s)) for s in allowed] for allowed in rho.choices]
    if len({index // 2 for allowed in indices for index in allowed}) == 1:
        kind = indices[0][0] // 2
        heights = {0: 1}
        for left, allowed in zip(range(rho.n - 1, -1, -1), indices, strict=True):
            following: dict[int, int] = {}
            for height, count in heights.items():
                for index in allowed:
                    after = height + (1 if index == 2 * kind else -1)
                    if 0 <= after <= left:
                        following[after] = following.get(after, 0) + count
            heights = following
        return heights.get(0, 0)
    if any(len({index % 2 for index in allowed}) > 1 for allowed in indices):
        raise CountingError(
            "this subcube leaves both bracket type and direction free: "
            "the exact count needs one of them decided everywhere"
        )
    total, stack = 1, []
    for allowed in indices:
        kinds = {index // 2 for index in allowed}
        if allowed[0] % 2 == 0:
            stack.append(kinds)
        elif stack:
            total *= len(kinds & stack.pop())
        else:
            return 0
    return 0 if stack else total
