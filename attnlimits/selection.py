"""Find claims by what a person types: an id, a label of the source, a folder, or a glob.

Main definitions: :func:`known_claims`, :func:`select`.
"""

import difflib
import fnmatch
import importlib.util
from collections.abc import Iterable, Mapping

from claims import Claim, ClaimError, collect


def known_claims(packages: Iterable[str]) -> dict[str, Claim]:
    """Return every claim that ``packages`` declare, by id.

    Raises
    ------
    ClaimError
        If there is no such package, or its claims contradict each other (same id, unknown
        assumption, cycle).
    """
    packages = tuple(packages)
    for name in packages:
        if not all(part.isidentifier() for part in name.split(".")):
            raise ClaimError(f"{name!r} is not the name of a package")
        if importlib.util.find_spec(name.split(".")[0]) is None:
            raise ClaimError(f"there is no package {name!r}: is it on the Python path?")
    return collect(*packages)


def select(claims: Mapping[str, Claim], patterns: Iterable[str]) -> dict[str, Claim]:
    """Return the claims that any pattern names, by id; all of them if there is no pattern.

    Parameters
    ----------
    claims
        Claims by id.
    patterns
        Each is an id (``hahn2020.stage2.stars.as_stated``), a label (``S2g``, ``B9``), a leading
        part of ids (``hahn2020.stage2``) or a glob over ids (``*.repaired``).

    Raises
    ------
    ClaimError
        If a pattern names no claim; the message proposes similar names.
    """
    patterns = tuple(patterns)
    if not patterns:
        return dict(claims)
    wanted: set[str] = set()
    for pattern in patterns:
        wanted |= set(_named(claims, pattern))
    return {i: c for i, c in claims.items() if i in wanted}


def _named(claims: Mapping[str, Claim], pattern: str) -> list[str]:
    if pattern in claims:
        return [pattern]
    lowered = pattern.lower()
    by_label = [i for i, c in claims.items() if lowered in (known.lower() for known in c.labels)]
    if by_label:
        return by_label
    inside = [i for i in claims if i.startswith(lowered.rstrip(".") + ".")]
    found = inside or fnmatch.filter(claims, lowered)
    if not found:
        raise ClaimError(f"no claim is called {pattern!r}{_proposal(claims, pattern)}")
    return found


def _proposal(claims: Mapping[str, Claim], pattern: str) -> str:
    lowered = pattern.lower()
    names = {label.lower(): label for c in claims.values() for label in c.labels}
    names |= {i: i for i in claims}
    close = difflib.get_close_matches(lowered, names, n=3, cutoff=0.5)
    close += [n for n in names if lowered and lowered in n and n not in close][: 3 - len(close)]
    if not close:
        return "; `attnlimits check --list` lists them"
    return "; did you mean " + ", ".join(names[c] for c in close) + "?"
