"""Functions of the symbol alone, or of the position alone, written by the embeddings for free.

Main definitions: :func:`embedded`, :func:`embed_flags`, :func:`embed_number`.
"""

from typing import Any

import numpy as np

from rasp.compiler.domains import Exact, exact
from rasp.compiler.stream import Stream
from rasp.compiler.tables import Table
from rasp.compiler.values import SYMBOL
from rasp.graph import Indices
from rasp.weights.readout import Mark

SYMBOLS, POSITIONS = (SYMBOL.digest,), (Indices().digest,)


def embedded(table: Table | None) -> bool:
    """Return whether a function depends on the symbol alone, the position alone, or nothing."""
    return table is not None and table.axes in ((), SYMBOLS, POSITIONS)


def embed_flags(table: Table, label: str, stream: Stream, length: int) -> list[int]:
    """Return a direction per value of an embedded function, 1 where it has the value."""
    made = []
    for place, value in enumerate(table.values):
        if not table.axes:
            everywhere: dict[int, Exact] = dict.fromkeys(range(length), 1)
            made.append(stream.position_direction(label, value, everywhere))
            continue
        entries: dict[int, Exact] = dict.fromkeys(np.flatnonzero(table.codes == place).tolist(), 1)
        made.append(_add(table, stream, label, value, entries))
    return made


def embed_number(table: Table, label: str, stream: Stream) -> int:
    """Return a direction that holds the value of an embedded function of something."""
    values = [exact(value) for value in table.values]
    codes = enumerate(table.codes.tolist())
    entries = {at: values[code] for at, code in codes if code >= 0 and values[code]}
    return _add(table, stream, label, Mark.NUMERIC, entries)


def _add(table: Table, stream: Stream, label: str, value: Any, entries: dict[int, Exact]) -> int:
    if table.axes == SYMBOLS:
        return stream.symbol_direction(label, value, entries)
    return stream.position_direction(label, value, entries)
