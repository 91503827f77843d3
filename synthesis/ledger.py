"""What a search by cubes has finished, on disk: written at once and whole, read back on resuming.

A folder holds ``plan.json`` (the question, the cubes that the cuts end in, the words chosen so
far), one ``cube-K.json.xz`` for every refuted cube, and ``found.json`` if a machine was found.
Every file is written beside its place and moved there, so a process killed at any moment leaves
the last complete state.  Nothing in the folder is believed: what is assembled from it is checked.

Main definitions: `Ledger`, `LedgerError`.
"""

import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from synthesis.assembly import Refuted
from synthesis.formula import Name
from synthesis.proof import Lemma
from synthesis.spec import Word
from synthesis.splitting import Cube

_SCHEMA = "attention-limits/synthesis-work/1"


class LedgerError(ValueError):
    """A folder of another question, or one that cannot be read; the message says which."""


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """A folder of finished work.

    Parameters
    ----------
    folder
        Created when something is first written.
    question
        Digest of what is being decided; a folder of another question is refused.
    """

    folder: Path
    question: str

    def plan(self) -> tuple[list[Cube], list[Word] | None]:
        """Return the cubes that the cuts end in and the chosen words.

        Returns
        -------
        tuple
            ``([()], None)`` if nothing is stored: one cube without literals, no words chosen yet.

        Raises
        ------
        LedgerError
            If the folder is of another question or damaged.
        """
        data = self._read(self.folder / "plan.json")
        if data is None:
            return [()], None
        words = data["words"]
        return (
            [_cube(row) for row in data["leaves"]],
            None if words is None else [tuple(w) for w in words],
        )

    def keep_plan(self, leaves: list[Cube], words: list[Word] | None) -> None:
        """Store the cubes and the chosen words."""
        self._write("plan.json", {"leaves": leaves, "words": words})

    def refuted(self) -> list[Refuted]:
        """Return the refuted cubes in the order in which they were finished."""
        paths = sorted(self.folder.glob("cube-*.json.xz"))
        rows = [self._read(path) for path in paths]
        return [
            Refuted(
                _cube(row["core"]),
                tuple(
                    Lemma(n, tuple(literals), tuple(hints)) for n, literals, hints in row["lemmas"]
                ),
                row["words"],
            )
            for row in rows
            if row is not None
        ]

    def keep_refuted(self, number: int, one: Refuted) -> None:
        """Store the refuted cube number ``number``."""
        lemmas = [(step.name, step.literals, step.hints) for step in one.lemmas]
        data = {"core": one.core, "lemmas": lemmas, "words": one.words}
        self._write(f"cube-{number:05d}.json.xz", data)

    def found(self) -> Any:
        """Return the stored machine as plain data, or ``None``."""
        data = self._read(self.folder / "found.json")
        return None if data is None else data["machine"]

    def keep_found(self, machine: Any) -> None:
        """Store a machine, given as plain data."""
        self._write("found.json", {"machine": machine})

    def discard(self) -> None:
        """Delete the ledger's files, and the folder if nothing else is in it."""
        if self.folder.is_dir():
            for path in [*self.folder.glob("*.json"), *self.folder.glob("cube-*.json.xz")]:
                path.unlink()
            for path in self.folder.glob("*.part"):
                path.unlink()
            if not any(self.folder.iterdir()):
                self.folder.rmdir()

    def _read(self, path: Path) -> Any:
        if not path.exists():
            return None
        try:
            raw = path.read_bytes()
            data = json.loads(lzma.decompress(raw) if path.suffix == ".xz" else raw)
            if data["schema"] != _SCHEMA or data["question"] != self.question:
                raise LedgerError(f"{path} is of another question: use another folder")
        except (ValueError, KeyError, TypeError, lzma.LZMAError) as damage:
            if isinstance(damage, LedgerError):
                raise
            raise LedgerError(f"{path} is damaged ({damage}): delete it to go on") from damage
        return data

    def _write(self, name: str, content: dict[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        raw = json.dumps({"schema": _SCHEMA, "question": self.question, **content}).encode()
        part = self.folder / f"{name}.part"
        part.write_bytes(lzma.compress(raw, preset=1) if name.endswith(".xz") else raw)
        part.replace(self.folder / name)


def _cube(rows: Any) -> Cube:
    return tuple((bool(sign), _name(name)) for sign, name in rows)


def _name(data: Any) -> Name:
    return tuple(_name(x) if isinstance(x, list) else x for x in data)
