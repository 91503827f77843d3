"""``attnlimits rasp train``: train an encoder to mimic a program (extra ``train``)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit, note
from attnlimits.commands.rasp_where import require_writable

if TYPE_CHECKING:
    from rasp.trainer.result import Check, Result
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
    longest: int | None = None,
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
        Longest words, in symbols without the mark; the task's own if not given.
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
    unknown = sorted(set(example) - set(chosen.alphabet))
    if unknown:
        raise UsageError(f"--example {example}: {unknown[0]!r} is not in the task's alphabet")
    if out is not None:
        require_writable(out)  # a result that cannot be kept is not worth computing
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
    longest: int | None,
    distribution: str,
    bos: str,
    causal: bool,
) -> "Task":
    from dataclasses import replace

    from rasp.trainer.tasks import TASKS, task_from_text

    changes: dict[str, Any] = {}
    if longest is not None:
        changes["longest"] = longest
    if distribution:
        changes["distribution"] = distribution
    if task in TASKS and not name:
        if bos or causal:
            raise UsageError(f"{task} says itself whether it has a mark and is causal")
        if alphabet:
            if TASKS[task].distribution == "brackets":
                raise UsageError(f"{task} reads {''.join(TASKS[task].alphabet)}: no --alphabet")
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
