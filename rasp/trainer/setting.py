"""Settings: everything that a training run depends on.

Main definitions: :class:`Setting`, :class:`SettingError`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isfinite
from typing import Any, final

from rasp.trainer.masks import Mask
from rasp.trainer.tasks import Task

SCHEMA = "attention-limits/training-setting/1"

MOST_WEIGHTS, MOST_CELLS = 10**9, 2**25
"""Of a model; of attention on the words of a step, per head (1000 symbols in batches of 64)."""


class SettingError(ValueError):
    """A setting that cannot be trained."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One training run.

    Attributes
    ----------
    task
        What to learn.
    layers, heads
        Size; 0 takes what the program needs.
    width, inner
        Dimensions of the residual stream (a multiple of the heads) and of the feed-forward part;
        ``inner = 0`` takes four times the width.
    supervise
        Weight of the attention loss beside the cross-entropy; 0 trains on outputs alone.
    mask
        Which keys a head may look at, see :class:`rasp.trainer.masks.Mask`.
    seed
        Of weights and data.
    steps, batch
        Most optimiser steps, and words per step (even).
    rate, warmup
        Peak step size of AdamW, and steps until it is reached; then a cosine to zero.
    check_every, held_out
        Steps between checks, and words of the held-out sample.
    stop_at
        Stop early once this share of held-out tokens is right; above 1: never.
    test
        Words of the final test, which no decision depends on.
    """

    task: Task
    layers: int = 0
    heads: int = 0
    width: int = 64
    inner: int = 0
    supervise: float = 0.0
    mask: str = "full"
    seed: int = 0
    steps: int = 1500
    batch: int = 64
    rate: float = 1e-3
    warmup: int = 100
    check_every: int = 100
    held_out: int = 1000
    stop_at: float = 2.0
    test: int = 5000

    def __post_init__(self) -> None:
        layers, heads = self.task.predicted
        object.__setattr__(self, "layers", self.layers or layers)
        object.__setattr__(self, "heads", self.heads or heads)
        object.__setattr__(self, "inner", self.inner or 4 * self.width)
        if self.layers < 1 or self.heads < 1:
            raise SettingError(
                f"{self.layers} layers of {self.heads} heads: a model has at least one of each"
            )
        if self.width % self.heads:
            raise SettingError(
                f"width {self.width} is no multiple of {self.heads} heads: choose another width"
            )
        if self.batch < 2 or self.batch % 2:
            raise SettingError(f"batch {self.batch}: words are packed in pairs, use an even number")
        for name in ("steps", "check_every", "held_out", "test", "width", "inner"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} = {getattr(self, name)}: use at least 1")
        for name in ("rate", "supervise", "stop_at"):
            if not isfinite(getattr(self, name)):
                raise SettingError(f"{name} = {getattr(self, name)}: give a finite number")
        self._check_memory()
        if self.rate <= 0:
            raise SettingError(f"rate = {self.rate}: use a positive number")
        for name in ("supervise", "warmup", "seed"):
            if getattr(self, name) < 0:
                raise SettingError(f"{name} = {getattr(self, name)}: use at least 0")
        if self.supervise and (self.layers < layers or self.heads < heads):
            raise SettingError(
                f"attention of {self.task.name} cannot be supervised in {self.layers} layers of "
                f"{self.heads} heads: the program needs {layers} of {heads}; use supervise=0"
            )
        rank = Mask.parse(self.mask).rank
        if rank > self.width // self.heads:
            raise SettingError(
                f"mask {self.mask!r}: a head of width {self.width // self.heads} has no "
                f"{rank} features; choose a smaller rank"
            )

    def _check_memory(self) -> None:
        """Refuse what no machine would hold."""
        weights = self.layers * self.width * (4 * self.width + 2 * self.inner)
        if weights > MOST_WEIGHTS:
            raise SettingError(
                f"width {self.width} in {self.layers} layers makes {weights} weights, more than "
                f"{MOST_WEIGHTS}: choose a smaller width"
            )
        cells = self.batch // 2 * (self.task.longest + 1) ** 2
        if cells > MOST_CELLS:
            raise SettingError(
                f"words of {self.task.longest} symbols make {cells} attention weights a step and "
                f"head, more than {MOST_CELLS}: use shorter words or a smaller batch"
            )

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-compatible data."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Setting":
        """Read what :meth:`data` returned, before or after a round trip through JSON.

        Raises
        ------
        SettingError
            If the schema or a field is unknown.
        """
        fields = dict(data)
        if fields.pop("schema", None) != SCHEMA:
            raise SettingError(f"not a training setting: schema is not {SCHEMA}")
        unknown = set(fields) - {*cls.__dataclass_fields__}
        if unknown:
            raise SettingError(f"unknown fields of a setting: {', '.join(sorted(unknown))}")
        made = dict(fields["task"])
        made["alphabet"] = tuple(made["alphabet"])
        return cls(**{**fields, "task": Task(**made)})

    def digest(self) -> str:
        """Return 16 hexadecimal digits that name the setting."""
        text = json.dumps(self.data(), sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]

    def title(self) -> str:
        """Return a line for people."""
        how = f", attention supervised ({self.supervise:g})" if self.supervise else ""
        mask = f", mask {self.mask}" if self.mask != "full" else ""
        return f"{self.task.name} ({self.layers},{self.heads}){how}{mask}, seed {self.seed}"
