"""``attnlimits rasp table1|table2``: the paper's tables, recorded or trained (extra ``train``)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit
from attnlimits.commands.rasp_where import Where

if TYPE_CHECKING:
    from rasp.trainer.tables import Scale

Flag = Annotated[bool, cyclopts.Parameter(negative=())]


@cyclopts.Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Runs:
    """Which runs a table is made of; recorded ones if no scale is given.

    Parameters
    ----------
    quick
        Train reverse at length 10 and Dyck-1 only: about half a minute.
    laptop
        Train all tasks at small sizes.
    paper
        Train at the paper's sizes; give a device with --device.
    seeds
        Runs per row.
    first_seed
        Seed of the first; the others follow it.
    """

    quick: Flag = False
    laptop: Flag = False
    paper: Flag = False
    seeds: int = 3
    first_seed: int = 0

    def scale(self) -> "Scale | None":
        """Return what is to be trained."""
        chosen: list[Scale] = []
        chosen += ["quick"] if self.quick else []
        chosen += ["laptop"] if self.laptop else []
        chosen += ["paper"] if self.paper else []
        if len(chosen) > 1:
            raise UsageError(f"--{chosen[0]} and --{chosen[1]}: give one of them")
        return chosen[0] if chosen else None


_RECORDED, _HERE = Runs(), Where()


def table1(
    *,
    runs: Runs = _RECORDED,
    where: Where = _HERE,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show Table 1 as recorded, or train it: models of the size that programs need."""
    return _table(1, runs, where, format)


def table2(
    *,
    runs: Runs = _RECORDED,
    where: Where = _HERE,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show Table 2 as recorded, or train it: models of smaller sizes."""
    return _table(2, runs, where, format)


def _table(number: int, runs: Runs, where: Where, format: Format) -> int:  # noqa: A002
    from rasp.trainer.store import recorded
    from rasp.trainer.summary import TABLE1, TABLE2, summaries, table_text
    from rasp.trainer.tables import rows, settings

    scale = runs.scale()
    if runs.seeds < 1:
        raise UsageError(f"--seeds {runs.seeds}: give at least 1")
    seeds = tuple(range(runs.first_seed, runs.first_seed + runs.seeds))
    variants = TABLE1 if number == 1 else TABLE2
    if scale is None:
        found = summaries(recorded(), "laptop", seeds=seeds)
        if not found:
            raise UsageError(f"no run of seed {seeds[0]} or later is recorded: train, --laptop")
    else:
        shown = [row for row in rows(scale) if row.variant in variants]
        results = where.train(s for row in shown for s in settings(row, scale, seeds=seeds))
        found = summaries(results, scale, seeds=seeds)
    found = tuple(summary for summary in found if summary.row.variant in variants)
    emit([summary.data() for summary in found], lambda: table_text(found, number), format)
    return EXPECTED
