r"""The types engine behind the front door: types turned into positions.

Main definitions
----------------
by_types.
"""

import time
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention.soft import SoftTransformer
from influence.exchange import Positions, chosen_positions, keep_worst, target_symbols
from influence.result import Influence, InfluenceError, assembled
from influence.types import type_changes
from influence.words import RepeatedWord, TypeTable, Word

Array = NDArray[Any]


def by_types(
    model: SoftTransformer,
    word: Word,
    table: TypeTable,
    positions: Positions,
    to: Hashable,
    matrix: Array,
    began: float,
) -> Influence:
    """Measure with the types engine; ``began`` is the CPU time at the start of the run.

    A word that is spelled out gets one entry per position, else one per type.
    """
    n, read = table.n, model.reading_position(table.n)
    targets = target_symbols(model, to, table.symbols)
    runs = [type_changes(model, table, target, matrix) for target in targets]
    changes, symbol = keep_worst([run.elsewhere for run in runs], targets)
    last, last_symbol = keep_worst(
        [run.at_read[None] for run in runs], [t[table.read : table.read + 1] for t in targets]
    )
    if table.type_of is not None or not isinstance(positions, str):
        at = chosen_positions(positions, n)
        kind = table.type_of[at] if table.type_of is not None else _kinds(model, word, table, at)
        at_read = at == read
        changes = np.where(at_read[:, None], last, changes[kind])
        symbol = np.where(at_read, last_symbol, symbol[kind])
        many = np.ones(len(at))
    else:
        if positions != "all":
            raise InfluenceError(f"positions {positions!r}: give 'all' or a list of positions")
        many = table.counts.copy()
        many[table.read] -= 1
        keep = many > 0
        # the first position of a type stands for it, unless that is the reading position
        first = np.where(table.first == read, -1, table.first)
        at = np.append(first[keep], read)
        changes = np.concatenate([changes[keep], last])
        symbol = np.append(symbol[keep], last_symbol)
        many = np.append(many[keep], 1.0)
    if not np.all(np.isfinite(changes)):
        raise InfluenceError(
            "the run overflowed: logits or activations are too large; use engine='brute'"
        )
    return assembled(
        n=n, positions=at, multiplicity=many, changes=changes, symbols=symbol, read=read,
        error=64 * 2.0**-52 * model.depth, engine="types", cost=time.process_time() - began,
    )  # fmt: skip


def _kinds(
    model: SoftTransformer, word: Word, table: TypeTable, at: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the types of positions of a repeated word, by symbol and encoding row."""
    assert isinstance(word, RepeatedWord)
    pattern = model.indices(word.pattern)
    period = model.encoding.period
    assert period is not None
    known = {
        (int(s), int(f) % period): t
        for t, (s, f) in enumerate(zip(table.symbols, table.first, strict=True))
    }
    return np.array([known[int(pattern[i % len(pattern)]), int(i) % period] for i in at])
