"""``attnlimits rasp restricted|lengths``: sweeps beside the two tables (extra ``train``)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import cyclopts

from attnlimits.boundary import EXPECTED, Format, emit, note

if TYPE_CHECKING:
    from rasp.trainer.lengths import Point
    from rasp.trainer.result import Result
    from rasp.trainer.setting import Setting
    from rasp.trainer.sweep import Workers

Flag = Annotated[bool, cyclopts.Parameter(negative=())]


def _workers(processes: int, cluster: str) -> "Workers":
    from rasp.trainer.sweep import cluster as on_cluster
    from rasp.trainer.sweep import local

    return on_cluster(cluster) if cluster else local(processes)


def restricted(
    *,
    train: Flag = False,
    out: Path | None = None,
    processes: int = 2,
    cluster: str = "",
    format: Format = "text",  # noqa: A002
) -> int:
    """Show recorded runs under restricted attention beside what programs foretell, or train them.

    Parameters
    ----------
    train
        Train the 36 runs anew: about six minutes of processor time.
    out
        Folder of finished runs, one file each; those already there are not repeated.
    processes
        Runs at a time on this machine.
    cluster
        A dask scheduler that distributes the runs, as in tcp://10.0.0.1:8786 (extra cluster).
    format
        Text or JSON.
    """
    from rasp.trainer.restricted import MASKS, PROGRAMS, settings
    from rasp.trainer.store import Store, recorded
    from rasp.trainer.sweep import sweep

    wanted = [(p, m, s) for p in PROGRAMS for m in MASKS for s in settings(p, m)]
    if train:
        store = None if out is None else Store(out)
        results: dict[str, Result] = {}
        runs = [setting for _, _, setting in wanted]
        for result in sweep(runs, _workers(processes, cluster), store=store):
            results[result.setting.digest()] = result
            note(f"{result.setting.title()} ({len(results)} of {len(runs)})")
    else:
        results = dict(recorded("restricted"))
    rows = [_row(p, m, s, results[s.digest()]) for p, m, s in wanted]
    emit(rows, lambda: _table(rows), format)
    return EXPECTED


def _row(program: str, mask: str, setting: "Setting", result: "Result") -> dict[str, object]:
    from rasp.trainer.restricted import ceiling, foretold
    from rasp.trainer.statistics import interval

    low, high = interval(result.probes_right, result.probes)
    return {
        "program": program, "mask": mask, "seed": setting.seed,
        "survives": foretold(program, mask),
        "tokens": round(float(result.token_accuracy), 5), "interval": [float(low), float(high)],
        "whole_words": round(float(result.sequence_accuracy), 5),
        "ceiling": float(ceiling(setting)) if program == "reverse" else 1.0,
        "steps": result.steps, "cpu_seconds": result.cpu_seconds,
    }  # fmt: skip


def _table(rows: Sequence[dict[str, object]]) -> str:
    lines = ["program   mask       survives  seed  tokens %   99 % interval    ceiling %"]
    for row in rows:
        low, high = (100 * float(end) for end in row["interval"])  # type: ignore[attr-defined]
        survives = "yes" if row["survives"] else "no"
        lines.append(
            f"{row['program']:<9} {row['mask']:<10} {survives:<9} {row['seed']:>4}"
            f"{100 * float(str(row['tokens'])):>10.2f}   [{low:5.2f}, {high:6.2f}]"
            f"{100 * float(str(row['ceiling'])):>10.1f}"
        )
    return "\n".join(lines) + "\n"


def lengths(
    *,
    train: Flag = False,
    out: Path | None = None,
    processes: int = 2,
    words: int = 100,
    seed: int = 0,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show how a trained and a compiled histogram do at longer lengths, or train and measure.

    Parameters
    ----------
    train
        Train both models anew, about a minute of processor time, and measure them.
    out
        Folder for their checkpoints, from which a second call goes on.
    processes
        Models trained at a time.
    words
        Random words per length and count.
    seed
        Of these words.
    format
        Text or JSON.
    """
    from rasp.trainer.lengths import recorded_points

    found = _measured(out, processes, words, seed) if train else dict(recorded_points())
    emit(found, lambda: _points(found), format)
    return EXPECTED


def _measured(
    out: Path | None, processes: int, words: int, seed: int
) -> "dict[str, tuple[Point, ...]]":
    import tempfile

    import numpy as np

    from rasp.trainer.lengths import LENGTHS, VARIANTS, measure
    from rasp.trainer.sweep import checkpoint_of, sweep
    from rasp.trainer.tables import Row, settings
    from rasp.trainer.train import trained

    runs = {
        variant: next(settings(Row("hist-bos", variant), "laptop", seeds=(0,)))
        for variant in VARIANTS
    }
    found: dict[str, tuple[Point, ...]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if out is None else out
        for result in sweep(runs.values(), _workers(processes, ""), checkpoints=folder):
            note(f"{result.setting.title()}: {result.cpu_seconds:.0f} CPU s")
        for variant, setting in runs.items():
            model = trained(checkpoint_of(folder, setting))
            rng = np.random.default_rng(seed)
            found[variant] = tuple(measure(model, LENGTHS, words=words, rng=rng))
    return found


def _points(found: "dict[str, tuple[Point, ...]]") -> str:
    lines = []
    for variant, points in found.items():
        lines += [
            f"{variant}: whole words right, in percent",
            "length  count  trained  as argmax  compiled  leak < 1/2  mean leak",
        ]
        for p in points:
            shares = [100 * k / p.words for k in (p.trained, p.hard, p.compiled, p.foretold)]
            lines.append(
                f"{p.length:>6}{p.count:>7}{shares[0]:>9.0f}{shares[1]:>11.0f}{shares[2]:>10.0f}"
                f"{shares[3]:>12.0f}{p.leak:>11.3f}"
            )
    return "\n".join(lines) + "\n"
