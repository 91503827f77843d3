r"""What the influence verb measures: models by name or file, words, lengths, and a journal.

The journal is a file of JSON lines, one per finished length, headed by a digest of everything the
numbers depend on; a run that finds its own digest skips what is there.

Main definitions
----------------
ModelChoice, chosen_model, lengths, word_family, Journal.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from attention.soft import SoftTransformer
    from influence.words import Word


class InfluenceRunError(ValueError):
    """A model, word or length that cannot be run as asked."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model as named on the command line; see the verb's help for the fields."""

    model: str
    layers: int
    heads: int
    width: int
    logit_bound: float | None
    norms: str
    eps: float
    period: int
    alphabet: str
    mask: str
    log_n: bool
    seed: int


def chosen_model(choice: ModelChoice) -> "SoftTransformer":
    """Build the model.

    Raises
    ------
    InfluenceRunError
        If the name is unknown and no such file exists.
    """
    import numpy as np

    from attention.soft import Mask
    from attention.soft_random import aligned_transformer, random_transformer

    if choice.norms not in ("none", "post", "pre"):
        raise InfluenceRunError(f"norms {choice.norms!r}: use none, post or pre")
    if choice.model == "random":
        kind, _, width = choice.mask.partition(":")
        if kind not in ("full", "causal", "window") or (kind == "window" and not width.isdigit()):
            raise InfluenceRunError(f"mask {choice.mask!r}: use full, causal or window:WIDTH")
        return random_transformer(
            np.random.default_rng(choice.seed),
            layers=choice.layers, heads=choice.heads, width=choice.width, symbols=choice.alphabet,
            logit_bound=choice.logit_bound, log_n=choice.log_n,
            norms=choice.norms,  # type: ignore[arg-type]
            eps=choice.eps, period=choice.period,
            mask=Mask(kind, int(width) if width else None),  # type: ignore[arg-type]
        )  # fmt: skip
    if choice.model == "aligned":
        return aligned_transformer(
            1.0 if choice.logit_bound is None else choice.logit_bound, log_n=choice.log_n
        )
    path = Path(choice.model)
    if path.suffix == ".json" or (path / "model.json").is_file():
        from rasp.certify.machines import soft_machine

        return soft_machine(str(path / "model.json" if path.is_dir() else path))
    if not path.is_file():
        raise InfluenceRunError(
            f"model {choice.model!r}: use random, aligned, the path of a saved state dict, or "
            "what `rasp compile` wrote"
        )
    from attention.soft_torch import load_checkpoint

    if choice.norms == "none":
        raise InfluenceRunError("a saved encoder has layer norms: say --norms post or --norms pre")
    return load_checkpoint(
        path,
        heads=choice.heads,
        alphabet=tuple(choice.alphabet),
        norms=choice.norms,  # type: ignore[arg-type]
        eps=choice.eps,
    )


def lengths(text: str) -> list[int]:
    """Return the lengths named by ``2^8..2^20`` (doubling), ``16..64:16`` or ``16,100``.

    Raises
    ------
    InfluenceRunError
        If a length is not a positive integer.

    Examples
    --------
    >>> lengths("2^3..2^5"), lengths("10..30:10"), lengths("7,2^10")
    ([8, 16, 32], [10, 20, 30], [7, 1024])
    """
    from attnlimits.grid import read_grid

    if ".." in text and ":" not in text:
        text += ":*2"
    found = read_grid([f"n={text}"])["n"]
    for n in found:
        if not isinstance(n, int) or n < 1:
            raise InfluenceRunError(f"n = {n}: lengths are integers from 1 on")
    return sorted({int(n) for n in found})


def word_family(
    model: "SoftTransformer", pattern: str | None, seed: int
) -> "Callable[[int], Word]":
    """Return the word of each length: a repeated pattern, by default 16 random symbols."""
    import numpy as np

    from influence.words import RepeatedWord

    if pattern is None:
        draw = np.random.default_rng(seed).integers(0, len(model.alphabet), 16)
        symbols = tuple(model.alphabet[i] for i in draw)
    else:
        symbols = tuple(pattern)
        model.indices(symbols)
    return lambda n: RepeatedWord(symbols, n)


class Journal:
    """Finished lengths of one run, kept in a file if there is one.

    Parameters
    ----------
    path
        The file, or ``None`` for no memory between runs.
    settings
        What the numbers depend on.
    """

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        """Read what is there; refuse the journal of another run."""
        text = json.dumps(settings, sort_keys=True, default=str)
        self._digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._path = path
        self.rows: dict[int, dict[str, Any]] = {}
        if path is None or not path.exists():
            return
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue  # a line cut short by an interrupt: that length is measured again
            if number == 0 and row.get("run") != self._digest:
                raise InfluenceRunError(
                    f"{path} belongs to a run with other settings: name another file"
                )
            if "n" in row:
                self.rows[row["n"]] = row

    def add(self, row: dict[str, Any]) -> None:
        """Remember one length."""
        self.rows[row["n"]] = row
        if self._path is None:
            return
        fresh = not self._path.exists()
        with self._path.open("a", encoding="utf-8") as file:
            if fresh:
                file.write(json.dumps({"run": self._digest}) + "\n")
            file.write(json.dumps(row, sort_keys=True) + "\n")


def settings_of(choice: ModelChoice, **more: Any) -> dict[str, Any]:
    """Return the settings that a journal's numbers depend on."""
    return {**asdict(choice), **more}
