"""Results of training runs: counts, curve, attention, and what they were made with.

Main definitions: :class:`Result`, :class:`Check`, :class:`Example`.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, final

from rasp.trainer.setting import Setting

SCHEMA = "attention-limits/training-result/1"


class ResultError(ValueError):
    """A file that holds no result."""


@final
@dataclass(frozen=True, slots=True)
class Check:
    """One point of the learning curve, measured on held-out words.

    Attributes
    ----------
    step
        Optimiser steps so far.
    loss
        Mean cross-entropy of training tokens since the last check, in nats.
    right, tokens
        Held-out tokens that are right, of how many.
    attention
        Mean squared error of attention rows on held-out words, ``None`` if not measured.
    cpu
        Seconds of processor time so far.
    """

    step: int
    loss: float
    right: int
    tokens: int
    attention: float | None
    cpu: float


@final
@dataclass(frozen=True, slots=True)
class Example:
    """Attention on one word: what the model does beside what the program selects.

    Attributes
    ----------
    word
        The symbols, with the mark.
    expected, given
        Outputs of the program and of the model, as text.
    attention
        Weights of every head, by layer, head, query, key.
    patterns
        Normalised selectors by layer and head, as ``(layer, head, rows)``, counted from 0; a row
        that selects nothing is all zeros.
    """

    word: tuple[str, ...]
    expected: tuple[str, ...]
    given: tuple[str, ...]
    attention: tuple[tuple[tuple[tuple[float, ...], ...], ...], ...]
    patterns: tuple[tuple[int, int, tuple[tuple[float, ...], ...]], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a run.

    Attributes
    ----------
    setting
        The run.
    steps
        Optimiser steps made.
    tokens_right, tokens
        Test tokens that are right, of all.
    sequences_right, sequences
        Test words without a mistake, of all; the words are independent draws.
    probes_right, probes
        Independent random tokens that are right, of how many: tokens of one word are not
        independent, so each test word is kept with a chance proportional to its length, and one
        position of it is drawn.  Exact intervals for the accuracy on tokens rest on these.
    by_length
        Length, words without a mistake, words.
    attention_error
        Squared distance between a row of attention and of the program's normalised selector,
        mean over rows that select something and over heads; the model's heads of a layer are
        matched as well as they can be.  ``None`` if the model is smaller than the program.
    attention_probes_right
        Probes at which every head puts more than half of its weight on the keys that its selector
        selects (heads whose row selects nothing do not count), of ``probes``.  ``None`` unless
        attention was supervised: only then is it known which head is to do what.
    unevenness
        Squared distance between a row of attention and the uniform row over the open keys, mean
        over rows, by layer and head.
    curve
        Checks on held-out words.
    cpu_seconds
        Processor time of training and checks, without the final test.
    parameters
        Number of weights.
    distribution
        The inputs in words.
    versions
        Of what computed it.
    example
        Attention on one word, if it was asked for.
    """

    setting: Setting
    steps: int
    tokens_right: int
    tokens: int
    sequences_right: int
    sequences: int
    probes_right: int
    probes: int
    by_length: tuple[tuple[int, int, int], ...]
    attention_error: float | None
    attention_probes_right: int | None
    unevenness: tuple[tuple[float, ...], ...]
    curve: tuple[Check, ...]
    cpu_seconds: float
    parameters: int
    distribution: str
    versions: Mapping[str, str]
    example: Example | None = None

    @property
    def token_accuracy(self) -> Fraction:
        """Share of test tokens that are right."""
        return Fraction(self.tokens_right, self.tokens)

    @property
    def sequence_accuracy(self) -> Fraction:
        """Share of test words without a mistake."""
        return Fraction(self.sequences_right, self.sequences)

    def reached(self, share: float) -> Check | None:
        """Return the first check with at least that share of held-out tokens right, if any."""
        return next((c for c in self.curve if c.right >= share * c.tokens), None)

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-compatible data."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        fields["setting"] = self.setting.data()
        fields["curve"] = [asdict(check) for check in self.curve]
        fields["versions"] = dict(self.versions)
        fields["example"] = None if self.example is None else asdict(self.example)
        return {"schema": SCHEMA, **fields}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Result":
        """Read what :meth:`data` returned, before or after a round trip through JSON.

        Raises
        ------
        ResultError
            If the schema is another.
        """
        fields = dict(data)
        if fields.pop("schema", None) != SCHEMA:
            raise ResultError(f"not a training result: schema is not {SCHEMA}")
        fields["setting"] = Setting.from_data(fields["setting"])
        fields["curve"] = tuple(Check(**check) for check in fields["curve"])
        fields["unevenness"] = _tuples(fields["unevenness"])
        fields["by_length"] = tuple(tuple(row) for row in fields["by_length"])
        if fields["example"] is not None:
            made = {name: _tuples(value) for name, value in fields["example"].items()}
            fields["example"] = Example(**made)
        return cls(**fields)

    def save(self, path: Path) -> None:
        """Write JSON; the file appears whole or not at all."""
        text = json.dumps(self.data(), sort_keys=True, allow_nan=False) + "\n"
        write_whole(path, text.encode())

    @classmethod
    def load(cls, path: Path) -> "Result":
        """Read a file that :meth:`save` wrote."""
        return cls.from_data(json.loads(path.read_text(encoding="utf-8")))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever opens it, even after a crash, sees all of it or the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
