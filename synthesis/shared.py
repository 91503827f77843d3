"""Within one run, establish what a certificate shows once, whoever asks and in whichever process.

A claim about a cell re-checks the same files as ``attnlimits verify`` does for itself.  Inside
`sharing` the outcome of a check is kept in a folder of that run under the digest of everything
that was read, so a file altered in between is checked anew.  Outside, nothing is remembered.

Main definitions: `sharing`, `recall`, `keep`.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_FOLDER: ContextVar[Path | None] = ContextVar("folder of shared outcomes", default=None)


@contextmanager
def sharing(folder: Path) -> Iterator[None]:
    """Share outcomes through ``folder``, which only this run may write to."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def recall(*parts: bytes) -> str | None:
    """Return what `keep` was told about files with exactly these contents, else ``None``."""
    place = _place(parts)
    if place is None or not place.exists():
        return None
    return str(json.loads(place.read_text()))


def keep(outcome: str, *parts: bytes) -> None:
    """Remember the outcome for files with these contents; nothing happens outside `sharing`."""
    place = _place(parts)
    if place is not None:
        draft = place.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(outcome))
        draft.replace(place)  # another process sees all of it or nothing


def _place(parts: tuple[bytes, ...]) -> Path | None:
    folder = _FOLDER.get()
    if folder is None:
        return None
    digests = b"".join(hashlib.sha256(part).digest() for part in parts)
    return folder / f"{hashlib.sha256(digests).hexdigest()}.json"
