"""How far a float runtime is from the exact one: measured, and bounded.

Main definitions: :func:`float_errors`, :class:`FloatErrors`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from rasp.certify.variations import Word
from rasp.weights.bounds import error_bounds
from rasp.weights.exact import run_exact
from rasp.weights.floating import FloatModel
from rasp.weights.model import CompiledModel


@final
@dataclass(frozen=True, slots=True)
class FloatErrors:
    """Deviation of a float runtime from the exact one on some words, measured and bounded.

    ``measured`` and ``bound`` are of the coordinates that the output is read from, dimensionless;
    ``words`` is how many words they are about.
    """

    runtime: str
    output: str
    measured: float
    bound: float
    words: int

    @property
    def holds(self) -> bool:
        """Whether the bound was kept."""
        return self.measured <= self.bound


def _spread(words: Sequence[Word], most: int) -> list[Word]:
    """Return up to ``most`` of the longer half, evenly spread: constant words come first there."""
    longer = sorted(words, key=len, reverse=True)[: max(most, len(words) // 2)]
    step = max(1, len(longer) // max(1, most))
    return longer[::step][:most]


def float_errors(
    model: CompiledModel, words: Sequence[Word], runtime: str, bounded: int
) -> list[FloatErrors]:
    """Measure and bound on ``bounded`` of the words, evenly spread over the longer half."""
    longest = _spread(words, bounded)
    exact = run_exact(model, longest, returns=("residuals",)).residuals[-1]
    floats = FloatModel(model, runtime).run(longest, returns=("residuals",)).residuals[-1]
    bounds = error_bounds(model, longest, runtime).outputs
    found = []
    for readout in model.readouts:
        used = [*readout.directions]
        used += [] if readout.none_direction is None else [readout.none_direction]
        scale = abs(readout.scale) if readout.kind == "numeric" else Fraction(1)
        worst = Fraction(0)
        for precise, rough in zip(exact, floats, strict=True):
            for want, got in zip(
                precise[int(model.bos) :, used].reshape(-1),
                rough[int(model.bos) :, used].reshape(-1).tolist(),
                strict=True,
            ):
                worst = max(worst, abs(Fraction(got) - want))
        bound = bounds[readout.name]
        found.append(FloatErrors(runtime, readout.name, float(worst * scale), bound, len(longest)))
    return found
