"""Tables 1 and 2: which models are trained, on what, for how long.

Table 1 trains at the size that the program needs, with and without attention supervision.
Table 2 takes away a head, a layer, or a layer but with twice the heads.

Main definitions: :class:`Row`, :func:`rows`, :func:`settings`, :data:`VARIANTS`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5, Tables 1 and 2 [weiss2021].
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, final

from rasp.trainer.setting import Setting
from rasp.trainer.tasks import LETTERS, TASKS, Task, task

Scale: TypeAlias = Literal["quick", "laptop", "paper"]

VARIANTS = (
    "supervised",
    "skewed letters",
    "predicted",
    "one head fewer",
    "one layer fewer",
    "one layer fewer, twice the heads",
)
"""Rows of a task: Table 1 has the supervised and the predicted one, Table 2 the smaller ones.

Counting is also trained, with supervision, on words of few different letters, where counts are
large: Table 1 shows how much hangs on the distribution.
"""

SEEDS = (0, 1, 2)

EXAMPLES: Mapping[str, str] = {
    "reverse": "abcdefgh",
    "hist-bos": "abacabad",
    "hist-nobos": "abacabad",
    "double-hist": "abacabdd",
    "sort": "fbdahcge",
    "most-freq": "abacabdd",
    "dyck1": "(()())()",
    "dyck2": "({}(){)}",
}
"""Words whose attention is kept."""


class TableError(ValueError):
    """An unknown variant."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A task at a size."""

    task: str
    variant: str

    def size(self) -> tuple[int, int] | None:
        """Return layers and heads, or ``None`` if there is no smaller model of the kind."""
        layers, heads = TASKS[self.task].predicted
        match self.variant:
            case "skewed letters" if self.task != "hist-bos":
                return None
            case "supervised" | "skewed letters" | "predicted":
                return layers, heads
            case "one head fewer":
                return (layers, heads - 1) if heads > 1 else None
            case "one layer fewer":
                return (layers - 1, heads) if layers > 1 else None
            case "one layer fewer, twice the heads":
                return (layers - 1, 2 * heads) if layers > 1 else None
        raise TableError(f"no variant is called {self.variant!r}: use one of {', '.join(VARIANTS)}")


def rows(scale: Scale) -> tuple[Row, ...]:
    """Return the rows of both tables, by task; ``quick`` has reverse and Dyck-1 only."""
    names = ("reverse", "dyck1") if scale == "quick" else tuple(TASKS)
    variants = ("supervised", "one layer fewer") if scale == "quick" else VARIANTS
    every = (Row(name, variant) for name in names for variant in variants)
    return tuple(row for row in every if row.size() is not None)


_STEPS: Mapping[str, int] = {
    "reverse": 1000,
    "hist-bos": 2000,
    "hist-nobos": 2000,
    "double-hist": 2000,
    "sort": 2500,
    "most-freq": 2000,
    "dyck1": 500,
    "dyck2": 1000,
}
"""Most steps of a laptop run; the longest lengths are those of :data:`rasp.trainer.tasks.TASKS`,
but 10 for the two tasks that are counted twice."""

_LONGEST: Mapping[str, int] = {"double-hist": 10, "most-freq": 10}

WEIGHT = 10.0
"""Of the attention loss."""


def _sized(name: str, scale: Scale) -> tuple[Task, dict[str, Any]]:
    if scale == "paper":
        letters = tuple(LETTERS) if len(TASKS[name].alphabet) == 10 else TASKS[name].alphabet
        return task(name, longest=100, alphabet=letters), {
            "width": 256,
            "batch": 50,
            "steps": 100_000,
            "rate": 3e-4,
            "check_every": 1000,
        }
    if scale == "quick":
        return task(name, longest=10), {"steps": 500, "rate": 3e-3, "test": 2000, "stop_at": 0.999}
    return task(name, longest=_LONGEST.get(name, 20)), {
        "steps": _STEPS[name],
        "rate": 3e-3,
        "stop_at": 0.9995,
    }


def settings(row: Row, scale: Scale, *, seeds: tuple[int, ...] = SEEDS) -> Iterator[Setting]:
    """Yield the runs of a row, one per seed; none if there is no smaller model of the kind.

    Examples
    --------
    >>> [setting.title() for setting in settings(Row("reverse", "one layer fewer"), "laptop")][:1]
    ['reverse (1,1), seed 0']
    """
    size = row.size()
    if size is None:
        return
    made, fields = _sized(row.task, scale)
    weight = WEIGHT if row.variant in ("supervised", "skewed letters") else 0.0
    if row.variant == "skewed letters":
        made = replace(made, distribution="skewed")
    for seed in seeds:
        yield Setting(
            task=made, layers=size[0], heads=size[1], supervise=weight, seed=seed, **fields
        )
