"""Which encoding suits a cell, and the way back from its models.

Main definitions: `choose`, `encode`, `decode`.
"""

from typing import Literal

from synthesis import (
    apart,
    blocks,
    cells,
    closing,
    decode,
    halves,
    level,
    order,
    relabelled,
    symmetric,
    uniform,
)
from synthesis.formula import Formula, Name
from synthesis.letters import UniformMachine, from_uniform
from synthesis.machine import Machine
from synthesis.spec import Labels, Spec, SpecError

Encoding = Literal[
    "order",
    "level",
    "symmetric",
    "apart",
    "closing",
    "cells",
    "halves",
    "blocks",
    "uniform",
    "relabelled",
]


REDUCED: tuple[Encoding, ...] = ("closing", "halves", "blocks")
"""Encodings of a reduced system, which has no words to choose from."""


class InternalDisagreementError(RuntimeError):
    """A model of the clauses is not a machine for its words: an encoder or decoder is wrong."""


def choose(spec: Spec) -> Encoding:
    """Return the encoding that is fastest for the cell.

    Raises
    ------
    SpecError
        If no encoding covers the cell.
    """
    if spec.variant == "uniform":
        return "relabelled"
    if spec.alphabet is None and spec.layers > 1:
        closing.free_bits(spec)
        return "closing" if spec.language == "parity" else "cells"
    return "level" if spec.heads == 1 and spec.layers <= 2 else "order"


def encode(spec: Spec, encoding: Encoding, labels: Labels | None = None) -> Formula:
    """Return the clauses of the cell in the given encoding, for the given words."""
    if encoding in ("closing", "blocks"):
        if labels is not None:
            raise SpecError(f"the {encoding} encoding speaks about all words of the reduced system")
        return closing.encode(spec) if encoding == "closing" else blocks.encode(spec)
    if encoding == "halves":
        return halves.encode(spec, labels)
    if encoding == "cells":
        return cells.encode(spec, labels)
    if encoding == "level":
        return level.encode(spec, labels)
    if encoding == "apart":
        return apart.encode(spec, labels)
    if encoding == "symmetric":
        return symmetric.encode(spec, labels)
    if encoding == "order":
        return order.encode(spec, labels)
    if encoding == "relabelled":
        return relabelled.encode(spec, labels)
    return uniform.encode(spec, labels)


def read(
    spec: Spec, encoding: Encoding, true: frozenset[Name], labels: Labels | None = None
) -> Machine | UniformMachine:
    """Return the machine that the true variables describe.

    Parameters
    ----------
    labels
        The words that were encoded (default: all of the cell).

    Raises
    ------
    SpecError
        If the encoding only refutes, so that its solutions describe nothing.
    """
    if encoding in ("halves", "blocks"):
        raise SpecError(f"the {encoding} encoding only refutes; here it is satisfiable: try cells")
    if encoding == "cells":
        return cells.decode(spec, true, labels)
    if encoding == "apart":
        return apart.decode(spec, true, labels)
    if encoding == "closing":
        return decode.from_closing(spec, true)
    if encoding == "level":
        return decode.from_level(spec, true)
    if encoding in ("order", "symmetric"):
        return decode.from_order(spec, true)
    return from_uniform(spec, true)
