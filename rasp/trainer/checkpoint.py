"""Checkpoints: everything a run needs to go on as if it had never stopped.

The data of a step is a function of the seed and the step's number, so weights, the optimiser's
moments and the curve are all there is to keep.

Main definitions: :class:`State`, :func:`save_state`, :func:`load_state`.
"""

import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from rasp.trainer.encoder import Weights, torch_or_error
from rasp.trainer.result import Check, write_whole
from rasp.trainer.setting import Setting, SettingError

SCHEMA = "attention-limits/training-state/1"


@final
@dataclass(slots=True)
class State:
    """A run in progress; ``moments`` is the state dict of the optimiser.

    ``losses`` holds the loss of each step since the last check, ``cpu`` the seconds so far.
    """

    setting: Setting
    weights: Weights
    moments: dict[str, Any]
    step: int
    losses: list[float]
    curve: list[Check]
    cpu: float
    finished: bool = False


def save_state(state: State, path: Path) -> None:
    """Write a checkpoint; the file appears whole or not at all."""
    torch = torch_or_error()
    buffer = io.BytesIO()
    content = {
        "schema": SCHEMA,
        "setting": state.setting.data(),
        "weights": {name: value.detach() for name, value in state.weights.items()},
        "moments": state.moments,
        "step": state.step,
        "losses": state.losses,
        "curve": [asdict(check) for check in state.curve],
        "cpu": state.cpu,
        "finished": state.finished,
    }
    torch.save(content, buffer)
    write_whole(path, buffer.getvalue())


def load_state(path: Path) -> State:
    """Read a checkpoint.

    Raises
    ------
    SettingError
        If the file is no checkpoint.
    """
    torch = torch_or_error()
    import pickle

    try:
        content = torch.load(path, weights_only=True)
    except (pickle.UnpicklingError, EOFError, RuntimeError) as error:
        raise SettingError(f"{path} is no checkpoint: {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise SettingError(f"{path} is no checkpoint: schema is not {SCHEMA}")
    return State(
        Setting.from_data(content["setting"]),
        content["weights"],
        content["moments"],
        content["step"],
        content["losses"],
        [Check(**check) for check in content["curve"]],
        content["cpu"],
        content["finished"],
    )
