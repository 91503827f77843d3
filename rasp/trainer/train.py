"""Train one model: a function of the setting, whenever and however often it was interrupted.

Main definitions: :func:`train`, :func:`trained`, :class:`StoppedError`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np

from rasp.trainer.checkpoint import State, load_state, save_state
from rasp.trainer.encoder import Tensor, device_or_error, initial_weights, torch_or_error
from rasp.trainer.lessons import NOT_SCORED, Batch, Lesson
from rasp.trainer.measure import Model, look, score
from rasp.trainer.result import Check, Result
from rasp.trainer.setting import Setting, SettingError

STEPS_AT_ONCE = 32
"""Steps whose words are drawn and evaluated together: the evaluator is fast on many words."""

TRAINING, HELD_OUT, TEST = 1, 2, 3
"""What is drawn; with the seed it makes the generator."""


class StoppedError(RuntimeError):
    """The caller asked to stop; the checkpoint, if there is one, holds everything so far."""


def train(
    setting: Setting,
    *,
    checkpoint: Path | None = None,
    progress: Callable[[Check], None] | None = None,
    stop: Callable[[], bool] | None = None,
    example: str = "",
    device: str = "cpu",
) -> Result:
    """Train and test a model.

    Parameters
    ----------
    setting
        Everything the result depends on.
    checkpoint
        File to go on from if it exists, and to write at every check.  The last one holds the
        trained weights.
    progress
        Called with every point of the learning curve.
    stop
        Asked after every step.
    example
        A word, without the mark, whose attention the result is to hold.
    device
        Where to compute, in PyTorch's words.

    Returns
    -------
    Result
        The same, but for processor time, whether or not the run was interrupted.

    Raises
    ------
    SettingError
        If PyTorch or the device is missing, or the checkpoint is of another setting.
    StoppedError
        If ``stop`` said so.

    Notes
    -----
    One thread: a model of this size gains nothing from two.  Deterministic on one machine with
    one version of PyTorch.
    """
    device_or_error(device)
    with _one_thread():
        state, lesson = _begin(setting, checkpoint)
        state.weights = {name: value.to(device) for name, value in state.weights.items()}
        model = Model(setting, lesson, state.weights)
        if not state.finished:
            _run(state, model, checkpoint, progress, stop)
        return _result(state, model, example)


def trained(checkpoint: Path) -> Model:
    """Return the model that a checkpoint holds, finished or not."""
    state = load_state(checkpoint)
    return Model(state.setting, Lesson(state.setting.task), state.weights)


@contextmanager
def _one_thread() -> Iterator[None]:
    torch = torch_or_error()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _begin(setting: Setting, checkpoint: Path | None) -> tuple[State, Lesson]:
    lesson = Lesson(setting.task)
    if checkpoint is not None and checkpoint.exists():
        state = load_state(checkpoint)
        if state.setting != setting:
            raise SettingError(
                f"{checkpoint} is of another run, {state.setting.title()}: name another file"
            )
        return state, lesson
    weights = initial_weights(
        setting,
        symbols=len(lesson.symbols),
        positions=lesson.longest,
        classes=len(lesson.classes),
    )
    return State(setting, weights, {}, 0, [], [], 0.0), lesson


def rate_at(step: int, setting: Setting) -> float:
    """Return the step size: linear up to the peak, then a cosine down to zero.

    Examples
    --------
    >>> from rasp.trainer.tasks import task
    >>> setting = Setting(task=task("reverse"), steps=300, warmup=100, rate=1.0)
    >>> [round(rate_at(step, setting), 3) for step in (0, 99, 200, 300)]
    [0.01, 1.0, 0.5, 0.0]
    """
    if step < setting.warmup:
        return setting.rate * (step + 1) / setting.warmup
    done = (step - setting.warmup) / max(1, setting.steps - setting.warmup)
    return setting.rate * (1 + cos(pi * min(1.0, done))) / 2


def _run(
    state: State,
    model: Model,
    checkpoint: Path | None,
    progress: Callable[[Check], None] | None,
    stop: Callable[[], bool] | None,
) -> None:
    torch = torch_or_error()
    setting, lesson = state.setting, model.lesson
    began = time.process_time() - state.cpu
    parameters = [value.requires_grad_() for value in state.weights.values()]
    optimiser = torch.optim.AdamW(
        parameters, lr=setting.rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True
    )
    if state.moments:
        optimiser.load_state_dict(state.moments)
    patterns = setting.supervise > 0
    rng = np.random.default_rng([setting.seed, HELD_OUT])
    held_out = lesson.independent(setting.held_out, rng, patterns=True)
    rows = setting.batch // 2
    block, drawn = -1, None

    def save() -> None:
        state.moments = optimiser.state_dict()
        state.cpu = time.process_time() - began
        if checkpoint is not None:
            save_state(state, checkpoint)

    while state.step < setting.steps:
        if state.step // STEPS_AT_ONCE != block:
            block = state.step // STEPS_AT_ONCE
            rng = np.random.default_rng([setting.seed, TRAINING, block])
            drawn = lesson.packed(rows * STEPS_AT_ONCE, rng, patterns=patterns)
        assert drawn is not None
        begin = state.step % STEPS_AT_ONCE * rows
        for group in optimiser.param_groups:
            group["lr"] = rate_at(state.step, setting)
        state.losses.append(_step(model, drawn.rows(begin, begin + rows), optimiser, parameters))
        state.step += 1
        if state.step % setting.check_every == 0 or state.step == setting.steps:
            found = score(model, held_out)
            check = Check(
                state.step,
                sum(state.losses) / len(state.losses),
                found.tokens_right,
                found.tokens,
                found.attention_error,
                time.process_time() - began,
            )
            state.losses.clear()
            state.curve.append(check)
            reached = check.right >= setting.stop_at * check.tokens
            state.finished = reached or state.step == setting.steps
            save()
            if progress is not None:
                progress(check)
            if state.finished:
                return
        if stop is not None and stop():
            save()
            raise StoppedError(f"stopped after step {state.step} of {setting.steps}")


def _step(model: Model, batch: Batch, optimiser: Any, parameters: list[Tensor]) -> float:
    """Make one step and return the cross-entropy before it."""
    torch = torch_or_error()
    logits, attentions = model.run(batch)
    targets = torch.from_numpy(batch.targets).reshape(-1).to(logits.device)
    loss = torch.nn.functional.cross_entropy(
        logits.reshape(len(targets), -1), targets.clamp(min=NOT_SCORED), ignore_index=NOT_SCORED
    )
    total = loss
    if model.setting.supervise:
        total = loss + model.setting.supervise * attention_loss(model, batch, attentions)
    optimiser.zero_grad(set_to_none=True)
    total.backward()
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    optimiser.step()
    return float(loss.detach())


def attention_loss(model: Model, batch: Batch, attentions: list[Tensor]) -> Tensor:
    """Return the squared distance of attention rows from the program's, mean over rows and heads.

    Rows that select nothing have no pattern and do not count.
    """
    torch = torch_or_error()
    placed = model.lesson.placed
    device = attentions[0].device
    total = torch.zeros((), device=device)
    for number, place in enumerate(placed):
        pattern = torch.from_numpy(batch.patterns[number]).to(device)
        rows = torch.from_numpy(batch.selecting[number]).to(device)
        apart = (attentions[place.layer][:, place.head] - pattern).square().sum(-1)
        total = total + (apart * rows).sum() / rows.sum().clamp(min=1)
    return total / len(placed)


def _result(state: State, model: Model, example: str) -> Result:
    setting, lesson = state.setting, model.lesson
    rng = np.random.default_rng([setting.seed, TEST])
    found = score(model, lesson.independent(setting.test, rng, patterns=True), rng=rng)
    return Result(
        setting=setting,
        steps=state.step,
        tokens_right=found.tokens_right,
        tokens=found.tokens,
        sequences_right=found.sequences_right,
        sequences=found.sequences,
        probes_right=found.probes_right,
        probes=found.probes,
        by_length=found.by_length,
        attention_error=found.attention_error,
        attention_probes_right=found.attention_probes_right if setting.supervise else None,
        unevenness=found.unevenness,
        curve=tuple(state.curve),
        cpu_seconds=round(state.cpu, 3),
        parameters=sum(value.numel() for value in state.weights.values()),
        distribution=setting.task.describe(),
        versions=_versions(),
        example=look(model, example) if example else None,
    )


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("attention-limits", "numpy", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
