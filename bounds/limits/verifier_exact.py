"""Decide single lengths of two layers below the open range of a stored limit for PARITY.

Terms of literals are subcubes, so for two layers the code of `verifier` can be replaced by an exact
programme over the worst tree.  Plain integers and fractions.

Main definitions: `verify_parity`, `parity_load`, `covered_exactly`,
`worst_trees`.
"""

from fractions import Fraction
from math import comb

from bounds.limits.verifier import Data, load, need, verify


def worst_trees(lists: int, m: int, s: int) -> list[int]:
    """Return, by depth already walked, the largest sum of C(d, s) 2^(m-d) over leaves of depth d.

    The trees are ``lists`` literal lists after each other over ``m`` variables.
    """
    value = [comb(d, s) << (m - d) for d in range(m + 1)]
    for _ in range(lists):
        row = value[:]
        for d in range(m - 1, -1, -1):
            row[d] = max(value[d], value[d + 1] + row[d + 1])
        value = row
    return value


def covered_exactly(n: int, padding: int, heads: int, s: int) -> Fraction:
    """Return the largest share of restrictions that two layers can cover (exact programme)."""
    m = n - heads - 1
    value = worst_trees(heads * heads, m, s)
    rest = n + padding - 1 - m  # positions whose own bit is fixed, the reading one left out
    ways = [comb(m, k) * comb(rest, heads - k) * 2**k for k in range(min(heads, m) + 1)]
    return Fraction(sum(map(int.__mul__, ways, value)), 2 * comb(m, s) << (m - s))


def parity_load(cert: Data, part: Data, n: int) -> Fraction:
    """Return the load of any range of PARITY or MOD-m: the exact programme where it is named."""
    final = part["stages"][-1]
    if final["kind"] != "two-exactly":
        return load(cert, part, n)
    free = cert["modulus"] - 1 if cert["task"] == "mod" else 1
    size = (cert["layers"], len(part["stages"]), free, part["to"])
    need(size == (2, 1, 1, n), "only for parity, two layers, one length")
    need(cert["task"] in ("parity", "mod"), f"unknown task {cert['task']!r}")
    need(0 < final["s"] <= n - cert["heads"] - 1, "more stars than variables")
    return covered_exactly(n, cert["padding"], cert["heads"], final["s"])


def verify_parity(cert: Data) -> None:
    """Return if a limit for PARITY or MOD-m is established; raise as `verifier.verify` otherwise.

    Examples
    --------
    >>> one = {"from": 13, "to": 13, "stages": [{"kind": "two-exactly", "s": 4}]}
    >>> rest = {"from": 14, "to": None,
    ...         "stages": [{"kind": "last-two", "s": 4, "choice": "sets"}]}
    >>> verify_parity({"schema": "attention-limits/n0/1", "task": "parity", "layers": 2, "heads": 1,
    ...                "padding": 0, "modulus": 2, "n0": 13, "ranges": [one, rest]})
    """
    verify(cert, parity_load)
