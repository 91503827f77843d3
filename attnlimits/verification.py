"""Re-check stored certificates without search, each by the code that knows its kind.

A certificate is a JSON file whose ``"schema"`` says what it certifies.  The verifier of a kind is
a function of the file's path that returns one sentence on what it established and raises a
``ValueError`` (a class ending in ``Error``) when the file is damaged, altered or wrong.

Main definitions: :data:`KINDS`, :func:`verify_files`, :func:`stored_files`,
:func:`stale_claims`.
"""

import contextlib
import importlib
import json
import tempfile
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import attnlimits
from attnlimits.pool import Failure, run
from attnlimits.store import SCHEMA as RESULT_SCHEMA
from attnlimits.store import read_result
from attnlimits.twins import with_twins
from claims import Certificate, CertificateError, Claim, verify
from claims.certificate import SCHEMA as CLAIM_SCHEMA
from synthesis.shared import sharing

KINDS: tuple[tuple[str, str], ...] = (
    ("attention-limits/n0/1", "bounds.limits.decide:verify_stored"),
    ("attention-limits/n0-table/1", "bounds.limits.decide:verify_stored"),
    ("attention-limits/synthesis/1", "synthesis.recheck:verify_sentence"),
    ("attnlimits.constant-subcube", "restrictions.certificate:verify_file"),
)
"""Rows of (schema, import path ``module:function`` of its verifier), besides those of claims."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One certificate file: what its verifier established, or what is wrong with it."""

    path: Path
    valid: bool
    sentence: str
    claim: str = ""


def certificates_folder() -> Path:
    """Return ``certificates/`` of the working directory, else the one beside our sources.

    Raises
    ------
    CertificateError
        If there is neither.
    """
    places = (Path("certificates"), Path(attnlimits.__file__).parents[1] / "certificates")
    for place in places:
        if place.is_dir():
            return place
    raise CertificateError("no folder certificates/ here: name the files, or run in a clone")


def stored_files(folder: Path) -> list[Path]:
    """Return every certificate file below ``folder``, sorted."""
    return sorted(p for p in folder.rglob("*.json") if not p.name.startswith("."))


def stale_claims(claims: Mapping[str, Claim], folder: Path) -> dict[str, Claim]:
    """Return the claims whose certificate, or whose twin's, is missing in ``folder`` or outdated.

    A certificate is outdated when it is damaged or of another statement or checker.
    """
    return {
        i: c
        for i, c in claims.items()
        if not all(_belongs(folder / f"{j}.json", d) for j, d in with_twins({i: c}).items())
    }


def verify_files(
    paths: Sequence[Path], *, packages: Sequence[str], seconds: float, workers: int
) -> Generator[Checked, None, None]:
    """Verify certificate files and yield each when it is done.

    Parameters
    ----------
    paths
        JSON files.
    packages
        Importable packages that declare the claims.
    seconds
        Wall-clock limit of one file; a verifier that exceeds it is killed.
    workers
        Number of processes, at least 1.
    """
    with tempfile.TemporaryDirectory(prefix="attnlimits-verify-") as shared:
        # claims re-check files that are verified for themselves: those last, to find it done
        tasks = sorted(
            ((p, Path(shared)) for p in paths), key=lambda t: t[0].parent.name == "claims"
        )
        with contextlib.closing(
            run(verify_file, tasks, packages=packages, seconds=seconds, workers=workers)
        ) as done:
            for (path, _), ended in done:
                if isinstance(ended, Failure):
                    yield Checked(path, False, f"its verifier {ended.reason}")
                else:
                    yield ended


def verify_file(claims: Mapping[str, Claim], path: Path, shared: Path) -> Checked:
    """Verify one file with the verifier of its kind; damage is a finding, not an exception.

    Parameters
    ----------
    claims
        All claims and twins, by id.
    path
        A JSON file.
    shared
        A folder of this run: what a proof file shows is established once for everyone who asks.
    """
    with sharing(shared):
        return _verify(claims, path)


def _verify(claims: Mapping[str, Claim], path: Path) -> Checked:
    try:
        schema = _schema(path)
        if schema in (CLAIM_SCHEMA, RESULT_SCHEMA):
            return _verify_claim(claims, path, schema)
        for known, place in KINDS:
            if schema == known:
                module, _, name = place.partition(":")
                return Checked(path, True, getattr(importlib.import_module(module), name)(path))
    except OSError as error:
        return Checked(path, False, f"cannot be read: {error.strerror}")
    except ValueError as error:
        if not type(error).__name__.endswith("Error") or type(error) is ValueError:
            raise
        return Checked(path, False, " ".join(str(error).split()))
    kinds = ", ".join(sorted({CLAIM_SCHEMA, RESULT_SCHEMA, *(k for k, _ in KINDS)}))
    return Checked(path, False, f"unknown schema {schema!r}: known are {kinds}")


def _belongs(path: Path, claim: Claim) -> bool:
    try:
        certificate = Certificate.from_json(path.read_text(encoding="utf-8"))
    except (OSError, CertificateError):
        return False
    present = (claim.id, claim.statement.text(), repr(claim.check))
    return present == (certificate.claim, certificate.statement, certificate.checker)


def _schema(path: Path) -> str:
    data = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(data, list) and data:  # several certificates of one kind
        data = data[0]
    if not isinstance(data, dict) or not isinstance(data.get("schema"), str):
        raise CertificateError('not a certificate: it has no "schema"')
    return str(data["schema"])


def _verify_claim(claims: Mapping[str, Claim], path: Path, schema: str) -> Checked:
    if schema == RESULT_SCHEMA:
        certificate = read_result(path)[1].certificate
    else:
        certificate = Certificate.from_json(path.read_text(encoding="utf-8"))
    claim = claims.get(certificate.claim)
    if claim is None:
        raise CertificateError(f"there is no claim {certificate.claim!r}")
    found = verify(certificate, claim)
    if found.verdict is not claim.expect:
        sentence = f"{claim.id}: {found.verdict}, expected {claim.expect}"
        return Checked(path, False, sentence, claim.id)
    return Checked(path, True, f"{claim.id}: {found.verdict}", claim.id)
