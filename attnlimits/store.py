"""Results on disk: one JSON file per claim, written when it is decided, resumed when still valid.

A result is valid as long as its key is: the claim's statement and checker, the versions of the
solvers, and the source text of every package that can influence a verdict.  Files are replaced
atomically, so a kill leaves the old one or the new one; a lock keeps two runs out of one folder.

Main definitions: :class:`Store`, :class:`Result`, :func:`sources_digest`, :func:`read_result`.
"""

import contextlib
import fcntl
import hashlib
import importlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnlimits.pool import KILLED, Decided
from claims import Certificate, CertificateError, Claim, Outcome, Verdict, certify

SCHEMA = "attention-limits/result/1"

DECISIVE = (
    "claims",
    "languages",
    "attention",
    "bounds",
    "restrictions",
    "influence",
    "synthesis",
    "rasp",
    "proofs",
)
"""Packages whose source text can influence a verdict."""


_NOTHING = Outcome(Verdict.UNDECIDED, "nobody")


class StoreError(ValueError):
    """A folder that results cannot be kept in."""


@dataclass(frozen=True, slots=True)
class Result:
    """A claim's certificate with the CPU seconds it took to find."""

    certificate: Certificate
    seconds: float

    @property
    def claim(self) -> str:
        """Id of the claim (or twin)."""
        return self.certificate.claim


@dataclass(frozen=True, slots=True)
class Store:
    """Results of one run folder; make one with :func:`opened` or, to read only, directly."""

    folder: Path
    sources: str

    def path(self, claim_id: str) -> Path:
        """Return the file of one claim's result."""
        return self.folder / "results" / f"{claim_id}.json"

    def save(self, claim: Claim, decided: Decided) -> Result:
        """Write one result, atomically, and return it."""
        result = Result(certify(claim, decided.outcome), decided.seconds)
        body = {
            "schema": SCHEMA,
            "key": self.key(claim),
            "seconds": round(result.seconds, 3),
            "certificate": json.loads(result.certificate.to_json()),
        }
        write_atomically(self.path(claim.id), json.dumps(body, sort_keys=True, indent=1) + "\n")
        return result

    def finished(self, claims: Mapping[str, Claim]) -> tuple[dict[str, Result], list[str]]:
        """Return the results that are still valid, and a sentence for every damaged file.

        Results that were cut short by a budget are left out, so they are tried again.
        """
        valid: dict[str, Result] = {}
        damaged: list[str] = []
        for claim_id, claim in claims.items():
            path = self.path(claim_id)
            if not path.exists():
                continue
            try:
                key, result = read_result(path)
            except CertificateError as error:
                damaged.append(str(error))
                continue
            if key == self.key(claim) and result.certificate.outcome.by != KILLED:
                valid[claim_id] = result
        return valid, damaged

    def key(self, claim: Claim) -> str:
        """Return the digest of all that the claim's outcome depends on."""
        body = certify(claim, _NOTHING).body()  # names statement, checker and versions
        return hashlib.sha256(json.dumps([body, self.sources], sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def opened(folder: Path, sources: str) -> Iterator[Store]:
    """Open ``folder`` for writing, as the only run that does.

    Parameters
    ----------
    folder
        Made if it does not exist.
    sources
        From :func:`sources_digest`.

    Raises
    ------
    StoreError
        If the folder cannot be written or another run is using it.
    """
    make_folder(folder / "results")
    with (folder / ".lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(
                f"another run is using {folder}: wait for it or choose another --out"
            ) from error
        yield Store(folder, sources)


@contextlib.contextmanager
def kept_in(folder: Path | None, packages: Sequence[str]) -> Iterator[Store | None]:
    """Open ``folder`` like :func:`opened`; without one, nothing is kept."""
    if folder is None:
        yield None
        return
    with opened(folder, sources_digest(packages)) as store:
        yield store


def read_result(path: Path) -> tuple[str, Result]:
    """Read a result file; return its key and the result.

    Raises
    ------
    CertificateError
        If it is not a result file, or its certificate was altered.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text())
        if data["schema"] != SCHEMA:
            raise CertificateError(f"{path}: schema {data['schema']!r}, expected {SCHEMA!r}")
        certificate = Certificate.from_json(json.dumps(data["certificate"]))
        if not isinstance(data["seconds"], (int, float)):
            raise CertificateError(f"{path}: seconds {data['seconds']!r} is not a number")
        return str(data["key"]), Result(certificate, float(data["seconds"]))
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"{path}: not a readable result: {error}") from error


def make_folder(folder: Path) -> None:
    """Make ``folder`` with its parents, or say why it cannot be written.

    Raises
    ------
    StoreError
        If it cannot be made or files cannot be made in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StoreError(f"cannot write in {folder}: {error.strerror}; choose another") from error


def write_atomically(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that a reader or a kill sees the old file or the new one.

    Raises
    ------
    StoreError
        If the file cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")  # unique among running processes
    try:
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error


def sources_digest(packages: Sequence[str]) -> str:
    """Return a digest of the sources, programs and data included, that can influence a verdict.

    Parameters
    ----------
    packages
        Packages besides :data:`DECISIVE` in which claims are declared.
    """
    digest = hashlib.sha256()
    for name in sorted({*DECISIVE, *packages}):
        module = importlib.import_module(name)
        for root in sorted(module.__path__):
            for file in sorted(Path(root).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    digest.update(f"{name}/{file.relative_to(root)}\0".encode())
                    digest.update(file.read_bytes())
    return digest.hexdigest()
