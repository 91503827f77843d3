r"""Measure the influence of single positions with the engine that fits.

Main definitions
----------------
influence, exchange_conditions.

References
----------
Hahn (2020), Lemma 5 [hahn2020].
"""

import time
import warnings
from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.allflips import all_changes
from influence.brute import brute_changes
from influence.by_types import by_types
from influence.error_estimates import rounding, second_order, second_order_guess, undamped
from influence.exchange import (
    Positions,
    chosen_positions,
    keep_worst,
    readout_matrix,
    target_symbols,
)
from influence.fused import FusedBackend
from influence.kernels import AbstractBackend
from influence.lowrank import LowRankBackend
from influence.result import Influence, InfluenceError, InfluenceWarning, assembled
from influence.words import RepeatedWord, TypeTable, Word, type_table

Array = NDArray[Any]
Engine = Literal["auto", "brute", "types", "hybrid", "lowrank"]

FEW_TYPES = 64
"""Up to this many types the types engine is the cheapest, and it is exact."""

SMALL = 512
"""Up to this length a forward pass per position is cheap, and it is exact."""


def exchange_conditions(model: SoftTransformer) -> list[str]:
    """Return which conditions of Lemma 5 the model breaks, in words.

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> exchange_conditions(aligned_transformer(1.0))
    []
    >>> exchange_conditions(aligned_transformer(1.0, log_n=True))
    ['logits are multiplied by ln n: no bound A holds for all n']
    """
    broken = []
    if not model.encoding.bounded:
        broken.append("the position encoding grows with n: norms and logits are unbounded")
    if model.logits.log_n:
        broken.append("logits are multiplied by ln n: no bound A holds for all n")
    if undamped(model):
        broken.append("a layer norm has eps = 0: it is not Lipschitz")
    return broken


def influence(
    model: SoftTransformer,
    word: Word,
    *,
    positions: Positions = "all",
    to: Hashable = "worst",
    readout: Array | None = None,
    engine: Engine = "auto",
    dtype: Any = np.float64,
    backend: AbstractBackend | None = None,
    calibrate: bool = True,
) -> Influence:
    r"""Return how far the readout moves when one symbol is exchanged, for many positions.

    Parameters
    ----------
    model
        The transformer.
    word
        Symbols of its alphabet, or a :class:`RepeatedWord` of any length.
    positions
        ``"all"`` or positions from 0.
    to
        The symbol put in place, or ``"worst"``: for each position the symbol that moves the
        readout most.
    readout
        Direction (d,) or matrix (d, r); ``None``: the model's readout, else all d coordinates.
    engine
        ``"brute"``: one pass per position, the oracle.  ``"types"``: exact, cost by number of
        (symbol, encoding) types.  ``"hybrid"``: all positions in about one pair of passes,
        relative error O(1/n) (window: O(1/width); causal: O(1/i) at position i, but at most
        O(1/64)).  ``"lowrank"``: the same in O(n r), full attention only.  ``"auto"`` chooses.
    dtype
        ``float64``, or ``float32`` for hybrid and brute.
    backend
        Replaces the kernels of the hybrid or low-rank engine.
    calibrate
        Estimate the second-order error of hybrid and low rank against brute force on a short
        subword (a few tenths of a second).  An estimate, not a bound: see
        :attr:`Influence.error`.

    Returns
    -------
    Influence
        Changes, norms, error estimate, engine and CPU seconds.

    Raises
    ------
    InfluenceError
        If a position lies outside the word, a symbol is unknown or an engine cannot be used.
    SoftModelError
        If the word is empty or holds an unknown symbol.

    Warns
    -----
    InfluenceWarning
        If the model breaks a condition of Lemma 5, or the low-rank residual is too large.

    Notes
    -----
    Deterministic.

    References
    ----------
    Hahn (2020), Lemma 5 [hahn2020].

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> run = influence(aligned_transformer(0.0), "0000", to="1", engine="types")
    >>> run.values.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    began = time.process_time()
    for condition in exchange_conditions(model):
        warnings.warn(f"outside Lemma 5: {condition}", InfluenceWarning, stacklevel=2)
    if engine not in ("auto", "brute", "types", "hybrid", "lowrank"):
        raise InfluenceError(
            f"engine {engine!r}: use 'auto', 'brute', 'types', 'hybrid' or 'lowrank'"
        )
    n = len(word)
    matrix = readout_matrix(model, readout)
    table = type_table(model, word) if engine in ("auto", "types") else None
    if engine == "auto":
        assert table is not None
        asked = n if isinstance(positions, str) else len(positions)
        engine = _choose(model, table, n, asked)
    if engine == "types":
        assert table is not None
        return by_types(model, word, table, positions, to, matrix, began)
    spelled = word.spelled() if isinstance(word, RepeatedWord) else word
    symbols = model.indices(spelled)
    at = chosen_positions(positions, n)
    found: list[Array] = []
    residual = 0.0
    targets = target_symbols(model, to, symbols)
    for target in targets:
        if engine == "brute":
            found.append(brute_changes(model, symbols, at, target[at], matrix, dtype=dtype))
            continue
        kernels = backend or (FusedBackend() if engine == "hybrid" else LowRankBackend())
        sweep = all_changes(model, symbols, target, matrix, kernels, dtype=dtype)
        found.append(sweep.changes[at])
        residual = max(residual, sweep.residual)
    changes, symbol = keep_worst(found, [target[at] for target in targets])
    if not np.all(np.isfinite(changes)):
        raise InfluenceError(
            "the run overflowed: logits or activations are too large for this engine and dtype; "
            "use engine='brute' in float64 or bounded logits"
        )
    changes[symbols[at] == symbol] = 0  # exchanging a symbol for itself changes nothing
    if engine == "brute":
        error = rounding(model, symbols, changes, matrix, dtype)
    else:
        second = (
            second_order(model, symbols, targets[-1], matrix)
            if calibrate
            else second_order_guess(model, n)
        )
        if undamped(model) and not second < 0.1:
            raise InfluenceError(
                f"engine {engine!r} expects small changes everywhere, but a layer norm with "
                f"eps = 0 magnifies them here (relative error {second:.1g} on a subword): "
                "use engine='types' or 'brute'"
            )
        error = second + residual + float(np.finfo(dtype).eps) * 100
        _complain(kernels, residual, error)
    return assembled(
        n=n, positions=at, multiplicity=np.ones(len(at)), changes=changes, symbols=symbol,
        read=model.reading_position(n), error=error, engine=engine,
        cost=time.process_time() - began,
    )  # fmt: skip


def _choose(model: SoftTransformer, table: TypeTable, n: int, asked: int) -> Engine:
    if model.mask.kind != "full":  # hybrid costs two to three passes, brute one per position
        return "brute" if n <= SMALL or asked <= 2 else "hybrid"
    if len(table.counts) <= FEW_TYPES or table.type_of is None:
        return "types"
    if n <= SMALL or (undamped(model) and n <= 4096):
        return "brute"
    if undamped(model):
        return "hybrid"
    return "lowrank" if n >= 4096 and model.encoding.bounded else "hybrid"


def _complain(kernels: AbstractBackend, residual: float, error: float) -> None:
    if error > 0.1:
        warnings.warn(
            f"estimated relative error {error:.1g}: changes are not small here, or the word is "
            "short; use engine='types' or 'brute'",
            InfluenceWarning,
            stacklevel=3,
        )
    if isinstance(kernels, LowRankBackend) and residual > 10 * kernels.tolerance:
        warnings.warn(
            f"low-rank residual {residual:.1e} exceeds ten times the tolerance "
            f"{kernels.tolerance:.0e}: the exp-kernel has too high a rank here; "
            "use engine='hybrid' or a larger sample",
            InfluenceWarning,
            stacklevel=3,
        )
