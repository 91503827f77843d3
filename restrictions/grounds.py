"""Where a search for fooling pairs may move: subcubes around a member of the language.

For kDYCK with k >= 2 the directions of a member stay and the bracket types are free.  On request
the first and the last fifth of the word are fixed to brackets that open, resp. close, as in the
proof for the bracket languages; then any few further fixed symbols can be completed to a member.

Main definitions: :func:`ground_of`, :func:`member_of`.

References
----------
Hahn (2020), Corollary 2 [hahn2020].
"""

from collections.abc import Sequence

import numpy as np

from languages.dyck import Dyck
from languages.language import AbstractLanguage, LanguageError
from restrictions.restriction import Restriction


def ground_of(
    language: AbstractLanguage, member: Sequence[str], *, ends: bool = False
) -> Restriction:
    """Return the subcube in which the search may move around ``member``.

    Parameters
    ----------
    language, member
        The language and one of its words.
    ends
        Also hold the first and the last fifth of the word.
    """
    if not isinstance(language, Dyck) or language.k == 1:
        rho = Restriction.free(language.alphabet, len(member))
    else:
        choices = []
        for symbol in member:
            index = language.alphabet.index(symbol)
            other = language.alphabet[(index + 2) % (2 * language.k)]
            choices.append(tuple(sorted((symbol, other), key=language.alphabet.index)))
        rho = Restriction(tuple(choices))
    if not ends:
        return rho
    n, fifth = len(member), len(member) // 5
    return rho.fix({i: member[i] for i in (*range(fifth), *range(n - fifth, n))})


def member_of(
    language: AbstractLanguage, n: int, *, ends: bool = False, rng: np.random.Generator
) -> tuple[str, ...]:
    """Draw a member of length n; with ``ends`` one that starts and ends as in Corollary 2.

    Raises
    ------
    LanguageError
        If there is none, or for ``ends`` with a language that is not of brackets.

    Examples
    --------
    >>> from languages import language
    >>> "".join(member_of(language("dyck1"), 10, ends=True, rng=np.random.default_rng(0)))[::9]
    '()'
    """
    if not ends:
        return tuple(language.sample(n, member=True, rng=rng))
    if not isinstance(language, Dyck) or n % 2:
        raise LanguageError(
            f"the first and last fifth are fixed for bracket languages of even length only, "
            f"not for {language.name} at {n}"
        )
    fifth = n // 5
    middle = np.resize([1, -1], n - 2 * fifth)
    for _ in range(200):
        drawn = rng.permutation(middle)
        if fifth + np.cumsum(drawn).min(initial=0) >= 0:
            middle = drawn
            break
    steps = [1] * fifth + middle.tolist() + [-1] * fifth
    indices, stack = [0] * n, []
    for j, step in enumerate(steps):
        if step > 0:
            stack.append(j)
            continue
        i = stack.pop()
        inner = fifth <= i and j < n - fifth
        kind = int(rng.integers(language.k)) if inner else 0
        indices[i], indices[j] = 2 * kind, 2 * kind + 1
    return tuple(language.alphabet[index] for index in indices)
