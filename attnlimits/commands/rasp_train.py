"""``attnlimits rasp train|table1|table2``: train encoders to mimic programs (extra ``train``)."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit, note

if TYPE_CHECKING:
    from rasp.trainer.result import Check, Result
    from rasp.trainer.setting import Setting
    from rasp.trainer.tables import Scale
    from rasp.trainer.tasks import Task

Flag = Annotated[bool, cyclopts.Parameter(negative=())]


def train(
    task: str,
    name: str = "",
    *,
    layers: int = 0,
    heads: int = 0,
    width: int = 64,
    supervise_attention: float = 0.0,
    mask: str = "full",
    alphabet: str = "",
    longest: int = 0,
    distribution: Literal["", "uniform", "skewed", "brackets"] = "",
    bos: str = "",
    causal: Flag = False,
    seed: int = 0,
    steps: int = 1500,
    batch: int = 64,
    rate: float = 3e-3,
    stop_at: float = 0.9995,
    test: int = 5000,
    example: str = "",
    checkpoint: Path | None = None,
    out: Path | None = None,
    device: str = "cpu",
    format: Format = "text",  # noqa: A002
) -> int:
    """Train an encoder to mimic a task of the paper or an s-op of a RASP file.

    Parameters
    ----------
    task
        reverse, hist-bos, hist-nobos, double-hist, sort, most-freq, dyck1, dyck2; or a file.
    name
        The s-op, if the first argument is a file.
    layers, heads
        Size; what the program needs if not given.
    width
        Dimensions of the residual stream.
    supervise_attention
        Weight of the loss that draws attention to the program's selectors; 0 for none.
    mask
        Which keys heads may look at: full, causal, window:3, block:4, strided:4, lowrank:4.
    alphabet
        Symbols, one character each.
    longest
        Longest words.
    distribution
        How symbols are drawn.
    bos
        Mark before every word, for the s-op of a file.
    causal
        Let positions look at themselves and what lies before only, for the s-op of a file.
    seed
        Of weights and data.
    steps
        Most optimiser steps.
    batch
        Words per step.
    rate
        Peak step size.
    stop_at
        Stop once this share of held-out tokens is right; above 1: never.
    test
        Words of the final test.
    example
        A word whose attention goes into the result.
    checkpoint
        File to go on from and to write at every check.
    out
        File for the result, JSON.
    device
        Where to compute, in PyTorch's words.
    format
        Text or JSON.
    """
    from rasp.trainer.setting import Setting
    from rasp.trainer.train import train as run

    chosen = _task(task, name, alphabet, longest, distribution, bos, causal)
    setting = Setting(
        task=chosen,
        layers=layers,
        heads=heads,
        width=width,
        supervise=supervise_attention,
        mask=mask,
        seed=seed,
        steps=steps,
        batch=batch,
        rate=rate,
        stop_at=stop_at,
        test=test,
    )
    note(f"{setting.title()}: {chosen.describe()}")
    result = run(setting, checkpoint=checkpoint, progress=_tell, example=example, device=device)
    if out is not None:
        result.save(out)
    emit(result.data(), lambda: _text(result), format)
    return EXPECTED


def _task(
    task: str,
    name: str,
    alphabet: str,
    longest: int,
    distribution: str,
    bos: str,
    causal: bool,
) -> "Task":
    from dataclasses import replace

    from rasp.trainer.tasks import TASKS, task_from_text

    changes: dict[str, Any] = {}
    if longest:
        changes["longest"] = longest
    if distribution:
        changes["distribution"] = distribution
    if task in TASKS and not name:
        if bos or causal:
            raise UsageError(f"{task} says itself whether it has a mark and is causal")
        if alphabet:
            changes["alphabet"] = tuple(alphabet)
        return replace(TASKS[task], **changes)
    if not name:
        known = ", ".join(TASKS)
        raise UsageError(f"{task!r} is no task ({known}); for a file name the s-op too: FILE NAME")
    from attnlimits.commands.rasp_terminal import read_file

    return task_from_text(
        read_file(task),
        name,
        alphabet=alphabet or "abcdefghij",
        bos=bos,
        causal=causal,
        **changes,
    )


def _tell(check: "Check") -> None:
    attention = "" if check.attention is None else f", attention error {check.attention:.4f}"
    note(
        f"step {check.step}: loss {check.loss:.4f}, held-out tokens "
        f"{100 * check.right / check.tokens:.2f} %{attention}, {check.cpu:.1f} CPU s"
    )


def _text(result: "Result") -> str:
    from rasp.trainer.statistics import interval
    from rasp.trainer.summary import percent

    tokens = interval(result.probes_right, result.probes)
    words = interval(result.sequences_right, result.sequences)
    lines = [
        f"{result.setting.title()}: {result.steps} steps, {result.parameters} weights, "
        f"{result.cpu_seconds:.1f} CPU s",
        f"  inputs      {result.distribution}",
        f"  tokens      {percent(result.token_accuracy)} %, "
        f"99 % interval [{percent(tokens[0])}, {percent(tokens[1])}]",
        f"  whole words {percent(result.sequence_accuracy)} %, "
        f"99 % interval [{percent(words[0])}, {percent(words[1])}]",
    ]
    if result.attention_error is not None:
        lines.append(f"  attention   mean squared distance of a row {result.attention_error:.4f}")
    return "\n".join(lines) + "\n"


def table1(
    *,
    quick: Flag = False,
    laptop: Flag = False,
    paper: Flag = False,
    out: Path | None = None,
    seeds: int = 3,
    processes: int = 2,
    cluster: str = "",
    device: str = "cpu",
    format: Format = "text",  # noqa: A002
) -> int:
    """Show Table 1 as recorded, or train it: models of the size that programs need.

    Parameters
    ----------
    quick
        Train reverse at length 10 and Dyck-1 only: about half a minute.
    laptop
        Train all tasks at small sizes.
    paper
        Train at the paper's sizes; give a device with --device.
    out
        Folder of finished runs, one file each; those already there are not repeated.
    seeds
        Runs per row.
    processes
        Runs at a time on this machine.
    cluster
        A dask scheduler that distributes the runs, as in tcp://10.0.0.1:8786 (extra cluster).
    device
        Where to compute, in PyTorch's words.
    format
        Text or JSON.
    """
    where = _Where(processes, cluster, device)
    return _table(1, _scale(quick, laptop, paper), out, seeds, where, format)


def table2(
    *,
    quick: Flag = False,
    laptop: Flag = False,
    paper: Flag = False,
    out: Path | None = None,
    seeds: int = 3,
    processes: int = 2,
    cluster: str = "",
    device: str = "cpu",
    format: Format = "text",  # noqa: A002
) -> int:
    """Show Table 2 as recorded, or train it: models of smaller sizes.

    Parameters
    ----------
    quick
        Train reverse at length 10 and Dyck-1 only: about half a minute.
    laptop
        Train all tasks at small sizes.
    paper
        Train at the paper's sizes; give a device with --device.
    out
        Folder of finished runs, one file each; those already there are not repeated.
    seeds
        Runs per row.
    processes
        Runs at a time on this machine.
    cluster
        A dask scheduler that distributes the runs, as in tcp://10.0.0.1:8786 (extra cluster).
    device
        Where to compute, in PyTorch's words.
    format
        Text or JSON.
    """
    where = _Where(processes, cluster, device)
    return _table(2, _scale(quick, laptop, paper), out, seeds, where, format)


@dataclass(frozen=True, slots=True)
class _Where:
    """Where runs are computed."""

    processes: int
    cluster: str
    device: str


def _scale(quick: bool, laptop: bool, paper: bool) -> "Scale | None":
    chosen: list[Scale] = []
    chosen += ["quick"] if quick else []
    chosen += ["laptop"] if laptop else []
    chosen += ["paper"] if paper else []
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]}: give one of them")
    return chosen[0] if chosen else None


def _table(
    number: int,
    scale: "Scale | None",
    out: Path | None,
    seeds: int,
    where: "_Where",
    format: Format,  # noqa: A002
) -> int:
    from rasp.trainer.store import recorded
    from rasp.trainer.summary import TABLE1, TABLE2, summaries, table_text
    from rasp.trainer.tables import rows, settings

    if seeds < 1:
        raise UsageError(f"--seeds {seeds}: give at least 1")
    chosen = tuple(range(seeds))
    if scale is None:
        found = summaries(recorded(), "laptop", seeds=chosen)
    else:
        variants = TABLE1 if number == 1 else TABLE2
        wanted = [
            setting
            for row in rows(scale)
            if row.variant in variants
            for setting in settings(row, scale, seeds=chosen)
        ]
        results = _train_all(wanted, out, where)
        found = summaries(results, scale, seeds=chosen)
    variants = TABLE1 if number == 1 else TABLE2
    shown = [summary for summary in found if summary.row.variant in variants]
    emit([summary.data() for summary in shown], lambda: table_text(shown, number), format)
    return EXPECTED


def _train_all(wanted: "list[Setting]", out: Path | None, where: _Where) -> "dict[str, Result]":
    from rasp.trainer.store import Store
    from rasp.trainer.sweep import cluster, local, sweep

    workers = cluster(where.cluster) if where.cluster else local(where.processes)
    store = None if out is None else Store(out)
    results: dict[str, Result] = {}
    for result in sweep(wanted, workers, store=store, device=where.device):
        results[result.setting.digest()] = result
        note(
            f"{result.setting.title()}: tokens {100 * float(result.token_accuracy):.2f} %, "
            f"{result.cpu_seconds:.0f} CPU s ({len(results)} of {len(wanted)})"
        )
    return results
