r"""How far the engines may be off: estimates, relative to the l2 norm over positions.

Main definitions
----------------
rounding, second_order, second_order_guess, undamped.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.allflips import EARLY, all_changes
from influence.brute import brute_changes
from influence.fused import FusedBackend

Array = NDArray[Any]


def undamped(model: SoftTransformer) -> bool:
    """Return whether a layer norm has eps = 0, so that it may magnify small changes."""
    norms = [model.final_norm, model.embedding_norm]
    norms += [norm for layer in model.layers for norm in (layer.norm1, layer.norm2)]
    return any(norm is not None and norm.eps == 0 for norm in norms)


def rounding(
    model: SoftTransformer, symbols: NDArray[np.int64], changes: Array, matrix: Array, dtype: Any
) -> float:
    """Estimate the relative error of a subtraction: rounding of the readout over the change."""
    size = float(np.sqrt((changes.astype(float) ** 2).sum(-1).mean()))
    if size == 0:
        return 0.0
    scale = float(np.linalg.norm(matrix, 2)) * np.sqrt(model.width)
    return float(np.finfo(dtype).eps * 8 * model.depth * scale / size)


def second_order(
    model: SoftTransformer, symbols: NDArray[np.int64], target: NDArray[np.int64], matrix: Array
) -> float:
    """Compare with brute force on a short subword; under full attention the miss falls like 1/n."""
    n = len(symbols)
    if model.depth == 1:
        return 0.0
    m = min(n, 256)
    read = model.reading_position(n)
    if model.mask.kind == "window":  # what the reading position sees is its neighbourhood
        pick = np.arange(m) + (n - m if read else 0)
    else:
        pick = np.linspace(0, n - 1, m).astype(np.int64)
    short, put = symbols[pick], target[pick]
    at = np.linspace(0, m - 1, min(m, 24)).astype(np.int64)
    at = np.setdiff1d(at, [model.reading_position(m)])
    if not at.size:
        return 0.0
    exact = brute_changes(model, short, at, put[at], matrix)
    near = all_changes(model, short, put, matrix, FusedBackend()).changes[at]
    size = float(np.linalg.norm(exact))
    falls = model.mask.kind == "full" and not undamped(model)
    return float(np.linalg.norm(near - exact)) / size * (m / n if falls else 1) if size > 0 else 0.0


def second_order_guess(model: SoftTransformer, n: int) -> float:
    """Return twenty over the number of positions that share the attention, where that is least."""
    if undamped(model):
        return np.inf
    sharing = {"full": n, "causal": EARLY, "window": 2 * (model.mask.width or 0) + 1}
    return 20 / min(n, sharing[model.mask.kind])
