"""Finished runs as files: one JSON per run, named by the digest of its setting.

A run is finished when its file is there; files appear whole or not at all, so any number of
processes may fill one folder.

Main definitions: :class:`Store`, :func:`recorded`, :func:`record_digest`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import final

from rasp.trainer.result import Result
from rasp.trainer.setting import Setting


@final
@dataclass(frozen=True, slots=True)
class Store:
    """A folder of results."""

    folder: Path

    def path(self, setting: Setting) -> Path:
        """Return where the result of a setting is or will be."""
        return self.folder / f"{setting.task.name}-{setting.digest()}.json"

    def find(self, setting: Setting) -> Result | None:
        """Return the result of a setting if it is there."""
        path = self.path(setting)
        return Result.load(path) if path.exists() else None

    def save(self, result: Result) -> None:
        """Write a result."""
        result.save(self.path(result.setting))

    def all(self) -> tuple[Result, ...]:
        """Return every result, in the order of the files' names."""
        return tuple(Result.load(path) for path in sorted(self.folder.glob("*.json")))


def _record(name: str) -> str:
    return (files("rasp.trainer") / "recorded" / f"{name}.json").read_text(encoding="utf-8")


@cache
def recorded(name: str = "laptop") -> Mapping[str, Result]:
    """Return results that come with the package, by digest of the setting.

    ``laptop`` holds those of Tables 1 and 2, ``restricted`` those under restricted attention.
    """
    results = map(Result.from_data, json.loads(_record(name)))
    return {result.setting.digest(): result for result in results}


def record_digest(name: str = "laptop") -> str:
    """Return 12 hexadecimal digits that name the results that come with the package."""
    return sha256(_record(name).encode()).hexdigest()[:12]
