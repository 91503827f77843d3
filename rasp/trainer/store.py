"""Finished runs as files: one JSON per run, named by the digest of its setting.

A run is finished when its file is there; files appear whole or not at all, so any number of
processes may fill one folder.

Main definitions: :class:`Store`, :func:`recorded`, :func:`recorded_weights`, :func:`record_digest`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import final

import numpy as np
import numpy.typing as npt

from rasp.trainer.result import Result
from rasp.trainer.setting import Setting
from rasp.trainer.tables import Row, settings


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


def recorded_weights() -> tuple[Setting, Mapping[str, npt.NDArray[np.float32]]]:
    """Return the setting and the weights of the one trained model that comes with the package.

    A histogram with a mark, one layer of one head, attention supervised, seed 0.
    """
    (setting,) = settings(Row("hist-bos", "supervised"), "laptop", seeds=(0,))
    content = (files("rasp.trainer") / "recorded" / "histogram.npz").read_bytes()
    with np.load(BytesIO(content)) as arrays:
        return setting, dict(arrays)


def record_digest(name: str = "laptop") -> str:
    """Return 12 hexadecimal digits that name the results that come with the package."""
    return sha256(_record(name).encode()).hexdigest()[:12]
