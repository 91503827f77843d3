"""Languages by name, as the command line and the documents name them.

Main definitions: :func:`language`, :func:`names`.
"""

import re

from languages.counting import Majority, Modulus, Ones, Parity
from languages.dyck import Dyck
from languages.language import AbstractLanguage, LanguageError
from languages.prefixes import EqualBlocks, First

_PLAIN: dict[str, type[Parity] | type[First] | type[Ones] | type[EqualBlocks] | type[Majority]] = {
    "anbn": EqualBlocks,
    "first": First,
    "majority": Majority,
    "ones": Ones,
    "parity": Parity,
}


def names() -> tuple[str, ...]:
    """Return the known names; ``mod<m>`` and ``dyck<k>`` stand for families."""
    return (*_PLAIN, "mod<m>", "dyck<k>", "dyckk:<k>")


def language(name: str) -> AbstractLanguage:
    """Return the language called ``name``.

    Raises
    ------
    LanguageError
        If there is none; the message lists the known names.

    Examples
    --------
    >>> language("mod3").contains("0111"), language("dyck2").alphabet
    (True, ('(', ')', '[', ']'))
    """
    wanted = name.strip().lower()
    if wanted in _PLAIN:
        return _PLAIN[wanted]()
    if match := re.fullmatch(r"mod-?(\d+)", wanted):
        return Modulus(int(match[1]))
    if match := re.fullmatch(r"(?:dyck-?|dyckk:)(\d+)", wanted):
        return Dyck(int(match[1]))
    raise LanguageError(f"unknown language {name!r}: use one of {', '.join(names())}")
