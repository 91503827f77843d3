"""All 2^n inputs of a hard-attention model at once, 64 to a machine word.

The cost depends on the number of different values a position has.

Main definitions: :func:`output_sets`, :func:`model_truth_table`.
"""

from collections.abc import Hashable, Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from attention.inputsets import AbstractInputSets, outputs_over
from attention.transformer import AbstractHardTransformer, ModelError
from languages.sensitivity import TruthTable

Inputs: TypeAlias = npt.NDArray[np.uint64]
Sets: TypeAlias = dict[Hashable, Inputs]

MEMORY = 2**31
"""Greatest size in bytes of one layer's sets."""


def output_sets(model: AbstractHardTransformer) -> Sets:
    """Return, for each output, the packed set of inputs that yield it.

    Parameters
    ----------
    model
        A model with two symbols and at most 24 positions.

    Raises
    ------
    ModelError
        If the model is larger, or a layer has so many values that its sets exceed ``MEMORY``.

    Notes
    -----
    Time O(L H n V sum of list lengths x 2^n / 64); memory n V 2^n / 8 bytes a layer for V values
    a position.
    """
    if model.n > 24:
        raise ModelError(f"2^{model.n} inputs are out of reach: use n <= 24")
    return outputs_over(model, _PackedSets(model.n))


def model_truth_table(model: AbstractHardTransformer) -> TruthTable:
    """Return the model's Boolean output on all inputs; input x has position j in bit j."""
    sets = output_sets(model)
    odd = [output for output in sets if not isinstance(output, (bool, np.bool_))]
    if odd:
        raise ModelError(f"the model answers {odd[0]!r}: a truth table needs boolean outputs")
    none = np.zeros(max(1, 2**model.n // 64), dtype=np.uint64)
    return TruthTable(model.n, sets.get(True, none))


@final
class _PackedSets(AbstractInputSets[Inputs]):
    """Sets as bits of 64-bit words; input x is bit x % 64 of word x // 64."""

    def __init__(self, n: int) -> None:
        self.n = n

    def everything(self) -> Inputs:
        if self.n < 6:
            return np.array([2 ** (2**self.n) - 1], dtype=np.uint64)
        return np.full(2**self.n // 64, 2**64 - 1, dtype=np.uint64)

    def position(self, j: int) -> Inputs:
        if j < 6:
            word = sum(1 << x for x in range(64) if x >> j & 1)
            return np.full(max(1, 2**self.n // 64), word, dtype=np.uint64) & self.everything()
        block = np.repeat(np.array([0, 2**64 - 1], dtype=np.uint64), 1 << (j - 6))
        return np.tile(block, 2 ** (self.n - j - 1))

    def both(self, a: Inputs, b: Inputs) -> Inputs:
        return a & b

    def either(self, a: Inputs, b: Inputs) -> Inputs:
        return a | b

    def minus(self, a: Inputs, b: Inputs) -> Inputs:
        return a & ~b

    def empty(self, a: Inputs) -> bool:
        return not a.any()

    def require_room(self, layer: int, sets: Sequence[Sets]) -> None:
        if sum(inputs.nbytes for part in sets for inputs in part.values()) > MEMORY:
            raise ModelError(f"layer {layer} has too many activations: use a smaller n")
