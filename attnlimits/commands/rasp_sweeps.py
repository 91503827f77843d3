"""``attnlimits rasp restricted|lengths``: sweeps beside the two tables (extra ``train``)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import cyclopts

from attnlimits.boundary import EXPECTED, Format, emit
from attnlimits.commands.rasp_where import Where

if TYPE_CHECKING:
    from rasp.trainer.lengths import Point
    from rasp.trainer.result import Result
    from rasp.trainer.setting import Setting

Flag = Annotated[bool, cyclopts.Parameter(negative=())]
_HERE = Where()


def restricted(
    *,
    train: Flag = False,
    where: Where = _HERE,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show recorded runs under restricted attention beside what programs foretell, or train them.

    Parameters
    ----------
    train
        Train the 36 runs anew: about six minutes of processor time.
    format
        Text or JSON.
    """
    from rasp.trainer.restricted import MASKS, PROGRAMS, settings
    from rasp.trainer.store import recorded

    wanted = [(p, m, s) for p in PROGRAMS for m in MASKS for s in settings(p, m)]
    results = where.train(s for _, _, s in wanted) if train else dict(recorded("restricted"))
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
    where: Where = _HERE,
    words: int = 100,
    seed: int = 0,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show how a trained and a compiled histogram do at longer lengths, or train and measure.

    Parameters
    ----------
    train
        Train both models anew, about a minute of processor time, and measure them.
    words
        Random words per length and count.
    seed
        Of these words.
    format
        Text or JSON.
    """
    from rasp.trainer.lengths import recorded_points

    found = _measured(where, words, seed) if train else dict(recorded_points())
    emit(found, lambda: _points(found), format)
    return EXPECTED


def _measured(where: Where, words: int, seed: int) -> "dict[str, tuple[Point, ...]]":
    import tempfile

    import numpy as np

    from rasp.trainer.lengths import LENGTHS, VARIANTS, measure
    from rasp.trainer.sweep import checkpoint_of
    from rasp.trainer.tables import Row, settings
    from rasp.trainer.train import trained

    runs = {
        variant: next(settings(Row("hist-bos", variant), "laptop", seeds=(0,)))
        for variant in VARIANTS
    }
    found: dict[str, tuple[Point, ...]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = where.out or Path(temporary)
        where.train(runs.values(), models=folder)
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
