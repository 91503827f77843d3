"""A claim: a statement with its source, its check, what it rests on, and what we expect.

One claim is one declaration.  Claims are found by walking packages (:func:`collect`), never by a
list, so a file that declares one is enough to add it.

Main definitions: :class:`Claim`, :class:`Kind`, :class:`Twin`, :func:`collect`,
:func:`standing`.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from claims.checker import AbstractChecker
from claims.outcome import Outcome
from claims.source import Source
from claims.statements import Statement
from claims.verdict import Verdict, weakest


class ClaimError(ValueError):
    """A claim that is badly declared, or an unknown id."""


class Kind(StrEnum):
    """Where a claim's wording comes from."""

    AS_STATED = "as stated"  # what the source says, word for word in symbols
    REPAIRED = "repaired"  # our correction of a statement that fails or has a gap
    TEXTBOOK = "textbook"  # a theorem that we assume and check as far as possible
    OWN = "own"  # our own result


@dataclass(frozen=True, slots=True)
class Twin:
    """The negative twin of a proved claim: one hypothesis dropped, and it must be REFUTED.

    ``drops`` names the hypothesis in words; ``check`` is the claim's own checker if ``None``.
    """

    drops: str
    statement: Statement
    check: AbstractChecker | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim.

    Attributes
    ----------
    id
        Dotted, unique, lower case; the folder names of ``proofs/`` come first.
    says
        One English sentence with inline LaTeX between dollar signs.
    source
        Where it stands.
    statement, check, expect
        What is decided, by which checker, and the verdict that we expect.  A test fails when
        the outcome differs from ``expect`` in either direction.
    kind
        See :class:`Kind`.
    labels
        Short names of the source's statement (``"S2g"``, ``"B9"``); several claims may share one.
    assumes
        Ids of the claims that this one rests on.
    repairs
        For a repaired claim: the id of the claim that it corrects.
    difference
        For a refuted or repaired claim: one sentence on what is wrong in the source.
    twin
        Every claim that is PROVED has one, or says in ``no_twin`` why it cannot have one.
    proof
        Readable proof text (Markdown paragraphs with inline LaTeX), shown on the page.
    """

    id: str
    says: str
    source: Source
    statement: Statement
    check: AbstractChecker
    expect: Verdict
    kind: Kind = Kind.AS_STATED
    labels: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    repairs: str | None = None
    difference: str = ""
    twin: Twin | None = None
    no_twin: str = ""
    proof: str = ""

    def __post_init__(self) -> None:
        if not self.id or self.id != self.id.lower() or " " in self.id:
            raise ClaimError(f"claim id {self.id!r}: use lower case without spaces")
        if self.expect is Verdict.PROVED and self.twin is None and not self.no_twin:
            raise ClaimError(f"{self.id}: expected PROVED, so it needs a negative twin")
        if self.expect is Verdict.REFUTED and not self.difference:
            raise ClaimError(f"{self.id}: expected REFUTED, so `difference` must say what is wrong")
        if (self.kind is Kind.REPAIRED) != (self.repairs is not None):
            raise ClaimError(f"{self.id}: `repairs` goes with kind REPAIRED, and only with it")


def collect(*packages: str) -> dict[str, Claim]:
    """Return every claim declared at module level in ``packages``, by id, sorted.

    Parameters
    ----------
    packages
        Importable package names, e.g. ``"proofs"``.

    Raises
    ------
    ClaimError
        If two claims share an id, an assumption is unknown, or assumptions form a cycle.

    Examples
    --------
    >>> collect("claims")
    {}
    """
    found: dict[str, Claim] = {}
    for package in packages:
        root = importlib.import_module(package)
        names = [root.__name__] + [
            m.name for m in pkgutil.walk_packages(root.__path__, root.__name__ + ".")
        ]
        for name in names:
            for value in vars(importlib.import_module(name)).values():
                if isinstance(value, Claim) and found.setdefault(value.id, value) is not value:
                    raise ClaimError(f"two claims are called {value.id!r}")
    claims = dict(sorted(found.items()))
    _check_references(claims)
    return claims


def ancestors(claims: Mapping[str, Claim], claim_id: str) -> list[str]:
    """Return the ids that ``claim_id`` rests on, itself last, each after its own assumptions.

    Raises
    ------
    ClaimError
        If an id is unknown or assumptions form a cycle.
    """
    order: list[str] = []
    _visit(claims, claim_id, (), order)
    return order


def standing(
    claims: Mapping[str, Claim], outcomes: Mapping[str, Outcome], claim_id: str
) -> Verdict:
    """Return the weakest verdict over a claim and everything that it rests on.

    A claim without an outcome counts as UNDECIDED.
    """
    return weakest(
        outcomes[i].verdict if i in outcomes else Verdict.UNDECIDED
        for i in ancestors(claims, claim_id)
    )


def _check_references(claims: Mapping[str, Claim]) -> None:
    for claim in claims.values():
        ancestors(claims, claim.id)
        if claim.repairs is not None and claim.repairs not in claims:
            raise ClaimError(f"{claim.id} repairs {claim.repairs!r}, which does not exist")


def _visit(
    claims: Mapping[str, Claim], claim_id: str, path: Iterable[str], order: list[str]
) -> None:
    path = (*path, claim_id)
    if claim_id not in claims:
        raise ClaimError(f"unknown claim {' -> '.join(path)}")
    if claim_id in path[:-1]:
        raise ClaimError(f"assumptions form a cycle: {' -> '.join(path)}")
    if claim_id in order:
        return
    for assumed in claims[claim_id].assumes:
        _visit(claims, assumed, path, order)
    order.append(claim_id)
