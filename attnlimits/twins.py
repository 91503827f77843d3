"""A claim's negative twin, as a claim of its own.

A twin drops one hypothesis and must come out REFUTED; a proof that survives it proved nothing.
Seen as a claim, it is decided, stored and verified like any other.

Main definitions: :func:`twin_id`, :func:`with_twins`, :func:`is_twin`.
"""

from collections.abc import Mapping

from claims import Claim, ClaimError, Kind, Verdict

_SUFFIX = ".twin"


def twin_id(claim_id: str) -> str:
    """Return the id of the twin of the claim called ``claim_id``."""
    return claim_id + _SUFFIX


def is_twin(claim_id: str) -> bool:
    """Tell whether ``claim_id`` names a twin."""
    return claim_id.endswith(_SUFFIX)


def with_twins(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """Return the claims and their twins by id, each twin right after its claim.

    Parameters
    ----------
    claims
        Claims by id, as :func:`claims.collect` returns them.

    Raises
    ------
    ClaimError
        If a claim's own id looks like that of a twin.

    Examples
    --------
    >>> with_twins({})
    {}
    """
    both: dict[str, Claim] = {}
    for claim in claims.values():
        if is_twin(claim.id):
            raise ClaimError(f"claim id {claim.id!r}: the ending {_SUFFIX!r} is kept for twins")
        both[claim.id] = claim
        if claim.twin is not None:
            both[twin_id(claim.id)] = _twin(claim)
    return both


def _twin(claim: Claim) -> Claim:
    twin = claim.twin
    assert twin is not None
    return Claim(
        id=twin_id(claim.id),
        says=f"Dropped from {claim.id}: {twin.drops}.",
        source=claim.source,
        statement=twin.statement,
        check=twin.check if twin.check is not None else claim.check,
        expect=Verdict.REFUTED,
        kind=Kind.OWN,
        difference=f"without it the statement fails: {twin.drops}",
    )
