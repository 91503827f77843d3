"""Membership, said once more in one line each: what the certificates' words have to mean.

The checker does not import the languages package, so a slip there cannot hide in a certificate.

Main definitions: `belongs`, `letters`.
"""

import re


def letters(language: str) -> int:
    """Return the number of input symbols of a language.

    Raises
    ------
    ValueError
        If the checker does not know the language.
    """
    if dyck := re.fullmatch(r"dyck([1-4])", language):
        return 2 * int(dyck[1])
    if language in ("parity", "majority", "first", "ones") or re.fullmatch(r"mod\d+", language):
        return 2
    raise ValueError(f"the certificate checker does not know the language {language!r}")


def belongs(language: str, word: tuple[int, ...]) -> bool:
    """Return whether a word of symbol indices belongs to the language.

    Bracket ``2 t`` opens and ``2 t + 1`` closes type ``t``.  PARITY is an even number of 1s.

    Examples
    --------
    >>> belongs("dyck2", (0, 2, 3, 1)), belongs("dyck2", (0, 2, 1, 3)), belongs("mod3", (1, 1))
    (True, False, False)
    """
    if language.startswith("dyck"):
        text = ",".join(["", *map(str, word), ""]).replace(",", ",,")
        before = ""
        while before != text:  # erase innermost pairs until none is left
            before, text = text, re.sub(r",0,,1,|,2,,3,|,4,,5,|,6,,7,", "", text)
        return text.strip(",") == ""
    ones = word.count(1)
    if language == "parity":
        return ones % 2 == 0
    if language == "majority":
        return 2 * ones > len(word)
    if language == "first":
        return word[0] == 1
    if language == "ones":
        return ones == len(word)
    return ones % int(language[3:]) == 0
