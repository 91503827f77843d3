"""``attnlimits rasp restricted|lengths``: sweeps beside the two tables (extra ``train``)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit, note
from attnlimits.commands.rasp_where import Where

if TYPE_CHECKING:
    from rasp.trainer.longer import Found
    from rasp.trainer.result import Result
    from rasp.trainer.setting import Setting

Flag = Annotated[bool, cyclopts.Parameter(negative=())]
_HERE = Where()


def restricted(
    *,
    train: Flag = False,
    quick: Flag = False,
    where: Where = _HERE,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show recorded runs under restricted attention beside what programs foretell, or train them.

    Parameters
    ----------
    train
        Train the 36 runs anew: about six minutes of processor time.
    quick
        Train four of them, one seed with a window of 2 and without: about half a minute.
    format
        Text or JSON.
    """
    from rasp.trainer.restricted import MASKS, PROGRAMS, SEEDS, settings
    from rasp.trainer.store import recorded

    masks, seeds = (MASKS[:2], SEEDS[:1]) if quick else (MASKS, SEEDS)
    wanted = [(p, m, s) for p in PROGRAMS for m in masks for s in settings(p, m, seeds=seeds)]
    anew = train or quick
    results = where.train(s for _, _, s in wanted) if anew else dict(recorded("restricted"))
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
    quick: Flag = False,
    where: Where = _HERE,
    seed: int = 0,
    format: Format = "text",  # noqa: A002
) -> int:
    """Show how trained and compiled models do at longer lengths, or train and measure.

    Parameters
    ----------
    train
        Train the 24 models anew, about nine minutes of processor time, and examine them in as many.
    quick
        Train and examine two: about half a minute.
    seed
        Of the words.
    format
        Text or JSON.
    """
    from rasp.trainer.longer import recorded_lengths
    from rasp.trainer.longer_text import lengths_text

    if where.cluster:
        raise UsageError("--cluster: the trained models are needed here; use --processes")
    anew = train or quick
    found = _examined(where, seed, quick=quick) if anew else recorded_lengths()
    emit([one.data() for one in found], lambda: lengths_text(found), format)
    return EXPECTED


def _examined(where: Where, seed: int, *, quick: bool) -> "tuple[Found, ...]":
    import tempfile

    import numpy as np

    from rasp.trainer.lengths import STUDIES, trials
    from rasp.trainer.longer import QUICK, Scope, examine
    from rasp.trainer.sweep import checkpoint_of
    from rasp.trainer.train import trained

    scope = QUICK if quick else Scope()
    models = scope.models()
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = where.out or Path(temporary)
        where.train(models, models=folder)
        asked = {
            name: trials(
                STUDIES[name],
                words=scope.words,
                rng=np.random.default_rng(seed),
                lengths=scope.lengths,
            )
            for name in scope.studies
        }
        for setting, (study, variant) in models.items():
            model = trained(checkpoint_of(folder, setting))
            rng = np.random.default_rng([seed, setting.seed])
            found.append(examine(model, study, variant, asked[study.task], scope, rng=rng))
            note(f"examined {setting.title()} ({len(found)} of {len(models)})")
    return tuple(found)
