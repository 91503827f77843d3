r"""Between the a priori bound and the enclosure: the recursion fed with measured quantities.

For one word (by types) and one exchange the base run is computed in balls.  The exchanged
position follows its own stream against the base word (its *centre*); every deviation, of the
others and of the centre, is bounded by a norm and carried through the layers with the weights,
norms, ReLU signs and standard deviations that the run really has.  The result is rigorous.

For attention with base weights w, logits moving by at most r_l and values by at most dv_l,

``|b' - b| <= sum_l w_l (expm1(r_l) |v_l - b| + exp(r_l) dv_l) / (1 - sum_l w_l (1 - exp(-r_l)))``.

Main definitions
----------------
certified_influence.

References
----------
Hahn (2020), Lemma 5 [hahn2020]; the bound is our own.
"""

from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx
from numpy.typing import NDArray

from attention.soft import SoftLayer, SoftTransformer
from bounds.soft.norms import matrix, norm_balls, spectral_norm
from influence.deviations import (
    distance_to,
    length_of,
    relative,
    row_norms,
    some_rows,
    through_block,
    through_norm,
    turn,
    without_norms,
)
from influence.enclosure import (
    EnclosureError,
    attention_balls,
    factor_ball,
    head_balls,
    local_balls,
)
from influence.words import TypeTable

Array = NDArray[Any]


def certified_influence(
    model: SoftTransformer,
    table: TypeTable,
    *,
    exchanged: int,
    target: int,
    readout: Array,
    bits: int = 128,
) -> arb:
    """Bound how far the readout moves when one position of a type is exchanged.

    Parameters
    ----------
    model
        Full attention; layer norms with eps > 0.
    table
        The word by types; any length.
    exchanged
        Type of the exchanged position, which is not the reading one.
    target
        Symbol number put in place.
    readout
        Shape (d, r).
    bits
        Working precision.

    Returns
    -------
    flint.arb
        An upper bound on the Euclidean norm of the change.

    Raises
    ------
    EnclosureError
        If the mask is not full, no position of that type is left, a layer norm has eps = 0, or
        the deviations are too large for the bound (very short words).

    Notes
    -----
    Deterministic; O(L T (T a + d^3)).

    Examples
    --------
    >>> from attention.soft_random import aligned_transformer
    >>> from influence.words import RepeatedWord, type_table
    >>> model = aligned_transformer(0.0)
    >>> table = type_table(model, RepeatedWord(("0",), 1000))
    >>> bound = certified_influence(model, table, exchanged=0, target=1, readout=model.output)
    >>> bound > arb("0.0019"), bound < arb("0.0021")
    (True, True)
    """
    if model.mask.kind != "full":
        raise EnclosureError(f"a bound by types needs full attention, not {model.mask.kind}")
    counts = [int(c) for c in table.counts]
    if counts[exchanged] - (exchanged == table.read) < 1:
        raise EnclosureError(f"type {exchanged} has no position besides the reading one")
    with ctx.workprec(bits):
        x = matrix(model.embedding[table.symbols]) + matrix(table.places)
        centre = matrix(model.embedding[[target]]) + matrix(table.places[[exchanged]])
        if model.embedding_norm is not None:
            x, centre = (
                norm_balls(model.embedding_norm, x),
                norm_balls(model.embedding_norm, centre),
            )
        moved = [arb(0)] * len(counts)
        drift = arb(0)
        for layer in model.layers:
            step = _Step(model, layer, x, centre, moved, drift, counts, exchanged, table.n)
            x, centre, moved, drift = step.result()
        last = moved[table.read]
        if model.final_norm is not None:
            row = arb_mat([x.tolist()[table.read]])
            last = through_norm(model.final_norm, row, [last])[0]
        bound = (last * spectral_norm(readout)).upper()
        if not bound.is_finite():
            raise EnclosureError(f"the bound is not finite at {bits} bits: raise the precision")
        return bound


class _Step:
    """One layer: base rows, the exchanged stream's centre, and bounds on all deviations."""

    def __init__(
        self,
        model: SoftTransformer,
        layer: SoftLayer,
        x: arb_mat,
        centre: arb_mat,
        moved: list[arb],
        drift: arb,
        counts: list[int],
        exchanged: int,
        n: int,
    ) -> None:
        self._model, self._layer, self._n = model, layer, n
        self._x, self._centre, self._moved, self._drift = x, centre, moved, drift
        self._counts, self._exchanged = counts, exchanged
        norm = layer.norm1 if model.norms == "pre" else None
        self._h = x if norm is None else norm_balls(norm, x)
        self._hc = centre if norm is None else norm_balls(norm, centre)
        self._dh = through_norm(norm, x, moved)
        self._dhc = through_norm(norm, centre, [drift])[0]

    def result(self) -> tuple[arb_mat, arb_mat, list[arb], arb]:
        """Return the next base rows, centre, deviations and drift."""
        layer, types = self._layer, self._x.nrows()
        total = self._x + matrix(np.repeat(layer.bo[None], types, axis=0))
        middle = self._centre + matrix(layer.bo[None])
        moved, drift = list(self._moved), self._drift
        both = arb_mat([*self._h.tolist(), *self._hc.tolist()])
        left = list(self._counts)
        left[self._exchanged] -= 1
        for head in range(layer.heads):
            q, k, v = head_balls(self._model, layer, head, both, both)
            out = matrix(layer.wo[head])
            wide = spectral_norm(out)
            base = attention_balls(
                some_rows(q, 0, types), k, v, [*self._counts, 0], self._n, self._model
            )
            own = attention_balls(
                some_rows(q, types, types + 1), k, v, [*left, 1], self._n, self._model
            )
            total, middle = total + base * out, middle + own * out
            d = self._deviations(head, q, k, v)
            for j in range(types):
                moved[j] += wide * self._other(j, q, k, v, base.tolist()[j], left, d)
            drift += wide * self._own(q, k, v, own.tolist()[0], left, d)
        return self._locally(total, middle, moved, drift)

    def _deviations(
        self, head: int, q: arb_mat, k: arb_mat, v: arb_mat
    ) -> tuple[list[arb], list[arb], list[arb]]:
        """Bound changes of queries, keys and values; the last entry is the centre's drift."""
        layer = self._layer
        size = [*self._dh, self._dhc]
        h = arb_mat([*self._h.tolist(), *self._hc.tolist()])
        out = []
        for w, b in ((layer.wq, layer.bq), (layer.wk, layer.bk), (layer.wv, layer.bv)):
            slope = spectral_norm(w[head])
            out.append([(slope * s).upper() for s in size])
            if self._model.logits.rule == "bounded" and w is not layer.wv:
                raw = h * matrix(w[head]) + matrix(np.repeat(b[head][None], h.nrows(), axis=0))
                lengths = [
                    sum((c * c for c in row[1:]), row[0] * row[0]).lower().max(arb(0)).sqrt()
                    for row in raw.tolist()
                ]
                out[-1] = [turn(s, size) for s, size in zip(out[-1], lengths, strict=True)]
        return out[0], out[1], out[2]

    def _shift(self, j: int, l: int, q: list[arb], k: list[arb], d: Any) -> arb:  # noqa: E741
        """Bound the change of logit (j, l) when query and key move by d."""
        dq, dk, _ = d
        factor = factor_ball(self._model, self._n)
        return (factor * (dq[j] * k[l] + q[j] * dk[l] + dq[j] * dk[l])).upper()

    def _other(
        self, j: int, q: arb_mat, k: arb_mat, v: arb_mat, b: list[arb], left: list[int], d: Any
    ) -> arb:
        """Bound the change of one head at a position that is not exchanged."""
        types = len(left)
        qn, kn = row_norms(q), row_norms(k)
        factor = factor_ball(self._model, self._n)
        logits = [factor * x for x in (some_rows(q, j, j + 1) * k.transpose()).entries()]
        share = [x.exp() for x in logits[:types]]
        total = arb(0)
        for s, c in zip(share, self._counts, strict=True):
            total += s * c
        bulk, fall = arb(0), arb(0)
        for l in range(types):  # noqa: E741
            if not left[l]:
                continue
            w = share[l] * left[l] / total
            r = self._shift(j, l, qn, kn, d)
            bulk += w * (r.expm1() * distance_to(v, l, b) + r.exp() * d[2][l])
            fall += w * (1 - (-r).exp())
        i = self._exchanged
        w = share[i] / total
        known = logits[types] - logits[i]
        r = self._shift(j, types, qn, kn, d)
        # the exchanged key: known jump to the centre, unknown drift around it
        grow = known.exp()
        vector = [grow * (v[types, c] - b[c]) - (v[i, c] - b[c]) for c in range(v.ncols())]
        direct = length_of(vector)
        bulk += w * (direct + grow * (r.expm1() * distance_to(v, types, b) + r.exp() * d[2][types]))
        fall += w * (1 - (known - r).exp()).max(arb(0))
        return relative(bulk, fall)

    def _own(
        self, q: arb_mat, k: arb_mat, v: arb_mat, b: list[arb], left: list[int], d: Any
    ) -> arb:
        """Bound the drift of one head at the exchanged position around its centre."""
        types = len(left)
        qn, kn = row_norms(q), row_norms(k)
        factor = factor_ball(self._model, self._n)
        share = [
            (factor * x).exp() for x in (some_rows(q, types, types + 1) * k.transpose()).entries()
        ]
        total = arb(0)
        for s, c in zip(share, [*left, 1], strict=True):
            total += s * c
        bulk, fall = arb(0), arb(0)
        for l, c in enumerate([*left, 1]):  # noqa: E741
            if not c:
                continue
            w = share[l] * c / total
            r = self._shift(types, l, qn, kn, d)
            bulk += w * (r.expm1() * distance_to(v, l, b) + r.exp() * d[2][l])
            fall += w * (1 - (-r).exp())
        return relative(bulk, fall)

    def _locally(
        self, total: arb_mat, middle: arb_mat, moved: list[arb], drift: arb
    ) -> tuple[arb_mat, arb_mat, list[arb], arb]:
        """Carry rows and deviations through norms and the ReLU block."""
        model, layer = self._model, self._layer
        rows = arb_mat([*total.tolist(), *middle.tolist()])
        sizes = [*(m.upper() for m in moved), drift.upper()]
        post, pre = model.norms == "post", model.norms == "pre"
        seen = rows
        if post and layer.norm1 is not None:
            sizes, seen = through_norm(layer.norm1, rows, sizes), norm_balls(layer.norm1, rows)
        inner, inside = seen, sizes
        if pre and layer.norm2 is not None:
            inner = norm_balls(layer.norm2, seen)
            inside = through_norm(layer.norm2, seen, sizes)
        if layer.w1.shape[1]:
            sizes = through_block(layer, inner, sizes, inside, joined=not pre)
        if post and layer.norm2 is not None:
            plain = local_balls(without_norms(model), layer, seen)
            sizes = through_norm(layer.norm2, plain, sizes)
        out = local_balls(model, layer, rows).tolist()
        return arb_mat(out[:-1]), arb_mat(out[-1:]), sizes[:-1], sizes[-1]
