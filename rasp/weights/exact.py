"""The exact runtime: average-hard attention in rationals, batched.

Every row of every word is a vector of rationals, but few of them differ: all work that concerns a
row alone is done once per distinct row.  Scores are integers over common denominators, so that
the choice of the greatest, and which ones tie, are decided exactly.

Main definitions: :func:`run_exact`.

References
----------
Merrill, Sabharwal and Smith (2022), Definition 4 (saturated attention) [merrill2022].
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

import numpy as np

from rasp.errors import MalformedModelError
from rasp.weights.hardmax import Pattern, attend
from rasp.weights.matrix import Indexes, Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Layer
from rasp.weights.rows import Product, Rows, grouped
from rasp.weights.runs import RETURNS, Run

CELLS = 2**21
"""Words are run together as long as their attention matrices have no more cells than this."""


@final
@dataclass(frozen=True, eq=False)
class Table:
    """The rows of a batch: the distinct ones, and ``at`` (words, rows) which of them is where."""

    distinct: Rows
    at: Indexes


@final
@dataclass(eq=False)
class _Traces:
    patterns: dict[str, list[Pattern]] = field(default_factory=dict)
    stages: list[Table] = field(default_factory=list)


def run_exact(
    model: CompiledModel, words: Sequence[Sequence[Any]], *, returns: Sequence[str] = ("outputs",)
) -> Run:
    """Run a model with average-hard attention in exact rationals.

    Parameters
    ----------
    model
        Any compiled model.
    words
        Non-empty sequences of symbols of the vocabulary, of any lengths up to ``model.length``.
    returns
        Which of ``outputs``, ``attention``, ``residuals``, ``gaps`` to keep.

    Raises
    ------
    WordError
        If the model cannot read a word.
    MalformedModelError
        If something else is to be returned.

    Notes
    -----
    Deterministic.  Words of equal length run together; a head costs one look at each pair of
    rows, everything else one product per distinct row.

    Examples
    --------
    >>> from rasp.weights.examples import reverse_model
    >>> run_exact(reverse_model("abc", length=5), ["abc", "caabb"]).output()
    [['c', 'b', 'a'], ['b', 'b', 'a', 'a', 'c']]
    """
    require_returns(returns, (*RETURNS, "gaps"))
    ids = [model.encode(word) for word in words]
    prepared = [_Layer(layer) for layer in model.layers]
    outputs: dict[str, list[Any]] = {r.name: [None] * len(words) for r in model.readouts}
    attention: dict[str, list[Any]] = {h.name: [None] * len(words) for _, h in model.heads()}
    residuals: list[list[Any]] = [[None] * len(words) for _ in range(2 * model.depth + 1)]
    gaps: dict[str, Fraction] = {}
    for members in words_of_equal_length(ids, cells=CELLS):
        traces = _Traces()
        last = _forward(model, prepared, np.array([ids[w] for w in members]), traces, returns)
        if "outputs" in returns:
            for name, values in _read(model, last).items():
                for word, found in zip(members, values, strict=True):
                    outputs[name][word] = found
        for name, patterns in traces.patterns.items():
            if "attention" in returns:
                for word, hits in zip(members, (h for p in patterns for h in p.hits), strict=True):
                    attention[name][word] = hits
            found_gaps = [p.gap for p in patterns if p.gap is not None]
            if found_gaps:
                gaps[name] = min([*found_gaps, *([gaps[name]] if name in gaps else [])])
        for stage, table in enumerate(traces.stages):
            dense = np.array(table.distinct.fractions(), dtype=object)
            for word, at in zip(members, table.at, strict=True):
                residuals[stage][word] = dense[at]
    return Run(
        model=model,
        outputs=outputs if "outputs" in returns else {},
        attention=attention if "attention" in returns else {},
        residuals=residuals if "residuals" in returns else (),
        gaps=gaps,
    )


def require_returns(returns: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse what a run cannot return."""
    for wanted in returns:
        if wanted not in allowed:
            raise MalformedModelError(f"cannot return {wanted!r}: use {', '.join(allowed)}")


def words_of_equal_length(
    ids: Sequence[Sequence[int]], *, cells: int, width: int = 1
) -> list[list[int]]:
    """Return the places of words of equal length together, in groups that are not too large.

    Parameters
    ----------
    ids
        The words.
    cells
        Most cells of an array with an entry per pair of rows, or ``width`` per row.
    width
        Entries per row of the widest array.
    """
    lengths: dict[int, list[int]] = {}
    for word, row in enumerate(ids):
        lengths.setdefault(len(row), []).append(word)
    found = []
    for length, members in sorted(lengths.items()):
        step = max(1, cells // (length * max(length, width)))
        found += [members[i : i + step] for i in range(0, len(members), step)]
    return found


def stage_tables(model: CompiledModel, ids: Indexes) -> list[Table]:
    """Return the rows of words of equal length at every stage, embedding first."""
    traces = _Traces()
    _forward(model, [_Layer(layer) for layer in model.layers], ids, traces, ("residuals",))
    return traces.stages


@final
class _Layer:
    """A layer whose matrices are prepared for products; queries and keys keep their scores."""

    def __init__(self, layer: Layer) -> None:
        self.heads = [
            (head, {name: Product(m) for name, m in head.matrices.items()}) for head in layer.heads
        ]
        self.network = _prepared(layer.feed_forward)


def _prepared(network: FeedForward | None) -> tuple[Product, Product] | None:
    return network and (Product(network.inner), Product(network.w2))


def _forward(
    model: CompiledModel,
    layers: list[_Layer],
    ids: Indexes,
    traces: _Traces,
    returns: Sequence[str],
) -> Table:
    table = _embed(model, ids)
    keep = "residuals" in returns
    if keep:
        traces.stages.append(table)
    for layer in layers:
        added = []
        for head, products in layer.heads:
            found, at, pattern = attend(
                products, table.distinct, table.at, causal=model.causal, gap="gaps" in returns
            )
            added.append(Table(found, at))
            if "attention" in returns or "gaps" in returns:
                traces.patterns.setdefault(head.name, []).append(pattern)
        table = _added(table, added)
        if keep:
            traces.stages.append(table)
        if layer.network is not None:
            table = _fed(table, *layer.network)
        if keep:
            traces.stages.append(table)
    return table


def _embed(model: CompiledModel, ids: Indexes) -> Table:
    where = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
    first, at = grouped(np.stack([ids.reshape(-1), where.reshape(-1)], 1))
    token, position = ids.reshape(-1)[first], where.reshape(-1)[first]
    rows = _rows(model.token_embedding, token).plus(_rows(model.position_embedding, position))
    return Table(rows, at.reshape(ids.shape))


def _rows(matrix: Matrix, places: Indexes) -> Rows:
    dense = np.zeros(matrix.shape, dtype=matrix.numerators.dtype)
    dense[matrix.rows, matrix.columns] = matrix.numerators
    bottoms = np.full(len(places), matrix.denominator, dtype=object)
    return Rows(dense[places], bottoms).reduced()


def _added(table: Table, added: list[Table]) -> Table:
    """Return the rows plus what each head adds to them, once per distinct combination."""
    if not added:
        return table
    columns = [table.at.reshape(-1), *(part.at.reshape(-1) for part in added)]
    first, at = grouped(np.stack(columns, 1))
    total = table.distinct.take(columns[0][first])
    for part, column in zip(added, columns[1:], strict=True):
        total = total.plus(part.distinct.take(column[first]))
    distinct, merged = total.distinct()
    return Table(distinct, merged[at].reshape(table.at.shape))


def _fed(table: Table, inner: Product, outer: Product) -> Table:
    # hidden rows are wide and soon gone: taking out common factors there would not pay
    hidden = inner.unreduced(table.distinct.with_one()).positive()
    distinct, merged = table.distinct.plus(outer.of(hidden)).distinct()
    return Table(distinct, merged[table.at])


def _read(model: CompiledModel, table: Table) -> dict[str, list[list[Any]]]:
    found = {}
    rows = table.distinct
    for readout in model.readouts:
        values = np.empty(rows.count, dtype=object)
        values[:] = readout.read_rows(rows.numerators, rows.denominators)
        found[readout.name] = values[table.at[:, int(model.bos) :]].tolist()
    return found
