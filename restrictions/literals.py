"""Layer 1 on a subcube: every head is a decision list over input literals, walked exactly.

For a query literal, sort the literals (position j, choice b) by score.  The head attends to the
first literal of that list that is true.  Walking the list while remembering which literals were
assumed false gives every attainable attended literal with the exact set of inputs that leads to
it, as long as each position has at most two choices.  A literal known to be true ends the walk.

Rows are cached with the positions they looked at, so that a changed restriction recomputes only
the rows that could change.

Main definitions: :class:`LiteralLayer`, :class:`Setting`.

References
----------
Hahn (2020), Section 5.1, Stage 2, eq. (7) with c = 1 [hahn2020].
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias, final

import numpy as np

from attention.scoring import act_rows, embed_rows, score_rows, take
from attention.transformer import AbstractHardTransformer, visible
from restrictions.rows import BlowUp, Row, grouped, keys, merged

Branches: TypeAlias = list[tuple[int, tuple[int, ...]]]
"""Cases: the literals needed; the own literal and the attended ones so far."""

PREFIX = 96
"""How many literals of a decision list are kept; longer ones are recomputed on demand."""


@final
class _Bits:
    """The cubes of single literals, made on demand."""

    def __init__(self, n: int) -> None:
        self._n = n

    def __getitem__(self, lit: int) -> int:
        return 1 << ((lit >> 1) + (0 if lit & 1 else self._n))


@final
class LiteralLayer:
    """Layer 1 of a model over a ground of at most two symbols per position.

    Parameters
    ----------
    model
        Any hard-attention transformer.
    ground
        Per position one or two symbols: choice 0 and choice 1.
    stop
        Asked often; once it answers true, the work is abandoned as a blow-up.

    Notes
    -----
    Memory: ``2 n heads PREFIX`` small integers, plus score blocks of at most ``BLOCK`` entries.
    """

    BLOCK = 1 << 22

    def __init__(
        self,
        model: AbstractHardTransformer,
        ground: Sequence[tuple[Hashable, ...]],
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.model = model
        self.stop = stop
        self.ground = ground
        self.n = model.n
        self.literals = [2 * j + b for j in range(self.n) for b in range(len(ground[j]))]
        self.values = embed_rows(
            model,
            [lit >> 1 for lit in self.literals],
            [ground[lit >> 1][lit & 1] for lit in self.literals],
        )
        self.place = {lit: k for k, lit in enumerate(self.literals)}
        # 2 n cubes of 2 n bits: only while they are small, else each is made when it is needed
        made = _Bits(self.n)
        self.bits = [made[lit] for lit in range(2 * self.n)] if self.n <= 8192 else made
        self._lists: dict[tuple[int, int], list[int]] = {}
        self._whole: set[tuple[int, int]] = set()
        self._names: list[int] | None = None

    def decision_list(self, head: int, literal: int, *, whole: bool = False) -> list[int]:
        """Return the literals in the order in which the head prefers them.

        Ends after at least ``PREFIX`` literals unless ``whole``.
        """
        key = (head, literal)
        if key not in self._lists or (whole and key not in self._whole):
            self._sort(head, literal, whole=whole)
        return self._lists[key]

    def _sort(self, head: int, literal: int, *, whole: bool) -> None:
        """Sort one list; without ``whole``, also those of the following positions."""
        per_position = max(1, self.BLOCK // max(1, 2 * len(self.literals)))
        first = literal >> 1
        last = first + 1 if whole or self.model.layers == 1 else min(self.n, first + per_position)
        queries = [
            lit
            for lit in self.literals[self.place[2 * first] :]
            if lit >> 1 < last and (not whole or lit == literal)
        ]
        rows = [lit >> 1 for lit in queries]
        scores = score_rows(
            self.model,
            1,
            head,
            rows,
            take(self.values, [self.place[q] for q in queries]),
            [lit >> 1 for lit in self.literals],
            self.values,
        )
        rightmost = self.model.ties == "rightmost"
        lits = np.array(self.literals[::-1] if rightmost else self.literals)
        for query, row in zip(queries, scores, strict=True):
            key = (head, query)
            if not whole and key in self._lists:
                continue
            row = row[::-1] if rightmost else row
            seen = visible(self.model, query >> 1)
            usable = np.flatnonzero((lits >> 1) < seen) if seen < self.n else None
            if usable is not None:
                row = row[usable]
            if whole or len(row) <= 2 * PREFIX:
                order = np.argsort(-row, kind="stable")
                self._whole.add(key)
            else:
                least = np.partition(row, len(row) - PREFIX)[len(row) - PREFIX]
                top = np.flatnonzero(row >= least)
                order = top[np.argsort(-row[top], kind="stable")]
            self._lists[key] = (lits if usable is None else lits[usable])[order].tolist()

    def rows(self, setting: "Setting", wanted: Sequence[int], cap: int) -> list[Row]:
        """Return the attainable activations of the ``wanted`` positions.

        Raises
        ------
        BlowUp
            If a position has more than ``cap`` of them.
        """
        for i in wanted:
            if i not in setting.rows:
                if self.stop is not None and self.stop():
                    raise BlowUp("the time is spent")
                setting.rows[i] = self._walk(i, setting, cap)
        self._activate(setting, [i for i in wanted if not setting.rows[i].ready])
        for i in wanted:
            if len(setting.rows[i].cubes) > cap:
                raise BlowUp(f"position {i} has more than {cap} layer-1 activations")
        return [setting.rows[i] for i in wanted]

    def _walk(self, i: int, setting: "Setting", cap: int) -> Row:
        """Walk the decision lists of position ``i``, head after head."""
        bits, status, touched = self.bits, setting.status, 0
        cases: Branches = []
        for choice in range(len(self.ground[i])):
            own = 2 * i + choice
            if status[own] < 0:
                continue
            branches: Branches = [(bits[own] if status[own] == 0 else 0, (own,))]
            for head in range(self.model.heads):
                grown: Branches = []
                for cube, attended in branches:
                    ended = False
                    order = self.decision_list(head, own)
                    at = 0
                    while not ended:
                        if at == len(order):
                            if (head, own) in self._whole:
                                break
                            order = self.decision_list(head, own, whole=True)
                            continue
                        lit = order[at]
                        at += 1
                        state, bit = status[lit], bits[lit]
                        touched |= bit
                        if state < 0:
                            continue
                        if state == 0:
                            other = bits[lit ^ 1]
                            if cube & other:
                                continue
                            ended = bool(cube & bit)
                            grown.append((cube | bit, (*attended, lit)))
                            cube |= other
                        else:
                            ended = True
                            grown.append((cube, (*attended, lit)))
                        if len(grown) > cap:
                            grown = self._contained(i, grown, cap)
                branches = grown
            cases.extend(branches)
            if len(cases) > cap:
                cases = self._contained(i, cases, cap)
        touched = (touched | touched >> self.n) & ((1 << self.n) - 1) | 1 << i
        return Row(cases, [c[0] for c in cases], touched, False)

    def _contained(self, i: int, cases: Branches, cap: int) -> Branches:
        """Merge cases that attend to the same values, as :func:`restrictions.walk.contained`."""
        if self._names is None:
            numbers: dict[Any, int] = {}
            self._names = [numbers.setdefault(key, len(numbers)) for key in keys(self.values)]
        names, place = self._names, self.place
        first, cubes = grouped(
            [tuple(names[place[lit]] for lit in case[1]) for case in cases], [c[0] for c in cases]
        )
        if 2 * len(first) > cap:
            raise BlowUp(f"position {i} has more than {cap} layer-1 activations")
        return [(cube, cases[index][1]) for index, cube in zip(first, cubes, strict=True)]

    def cheap(self, setting: "Setting", cost: int) -> list[Row]:
        """Return the activations of each position that at most ``cost`` literals can force.

        The lists are incomplete on purpose: they propose what to fix, they prove nothing.
        """
        parts = [self._cheap_cases(i, setting, cost) for i in range(self.n)]
        values = self._values(
            [i for i, part in enumerate(parts) for _ in part],
            [case for part in parts for case in part],
        )
        rows, begin = [], 0
        for part in parts:
            rows.append(Row(values[begin : begin + len(part)], [case[0] for case in part], 0, True))
            begin += len(part)
        return rows

    def _values(self, where: Sequence[int], cases: Branches) -> Any:
        """Return the layer-1 activations in the given cases, packed."""
        places = np.array([[self.place[lit] for lit in case[1]] for case in cases], dtype=np.intp)
        columns = [take(self.values, places[:, k].tolist()) for k in range(places.shape[1])]
        return act_rows(self.model, 1, where, columns[0], columns[1:])

    def _cheap_cases(self, i: int, setting: "Setting", cost: int) -> Branches:
        status, bits, heads = setting.status, self.bits, self.model.heads
        cases: Branches = []
        for choice in range(len(self.ground[i])):
            own = 2 * i + choice
            if status[own] < 0:
                continue
            branches: Branches = [(bits[own] if status[own] == 0 else 0, (own,))]
            for head in range(heads):
                grown: Branches = []
                for cube, attended in branches:
                    for lit in self.decision_list(head, own):
                        state, bit, other = status[lit], bits[lit], bits[lit ^ 1]
                        if state < 0 or cube & other:
                            continue
                        known = state > 0 or bool(cube & bit)
                        made = 0 if known else bit
                        if (cube | made).bit_count() > cost:
                            break
                        grown.append((cube | made, (*attended, lit)))
                        if known:
                            break
                        cube |= other
                        if cube.bit_count() >= cost:
                            break
                branches = grown
            cases.extend(branches)
        return cases

    def _activate(self, setting: "Setting", missing: Sequence[int]) -> None:
        """Turn the walked cases of the missing positions into activations, all at once."""
        if not missing:
            return
        parts = [setting.rows[i].values for i in missing]
        where = [i for i, part in zip(missing, parts, strict=True) for _ in part]
        values = self._values(where, [case for part in parts for case in part])
        begin = 0
        for i, part in zip(missing, parts, strict=True):
            row = setting.rows[i]
            found = Row(values[begin : begin + len(part)], row.cubes, row.touched, True)
            # the last layer's separate cubes drive the search: merge below it only
            setting.rows[i] = merged(found) if self.model.layers > 1 else found
            begin += len(part)


@final
class Setting:
    """A restriction of the ground as masks, with the rows computed for it so far.

    Parameters
    ----------
    layer
        The layer whose ground is restricted.
    true, false
        Masks of the positions fixed to choice 1, resp. to choice 0; disjoint.
    base
        A setting whose rows are taken over where the difference cannot matter.
    """

    __slots__ = ("false", "rows", "status", "true")

    def __init__(
        self, layer: LiteralLayer, true: int, false: int, base: "Setting | None" = None
    ) -> None:
        self.true, self.false = true, false
        self.rows: dict[int, Row] = {}
        if base is None:
            self.status = [
                0 if len(layer.ground[j]) > 1 else 1 - 2 * b for j in range(layer.n) for b in (0, 1)
            ]
            changed = true | false
        else:
            self.status = base.status.copy()
            changed = (true ^ base.true) | (false ^ base.false)
            for i, row in base.rows.items():
                if row.touched & changed == 0:
                    self.rows[i] = row
        while changed:
            j = (changed & -changed).bit_length() - 1
            changed &= changed - 1
            if len(layer.ground[j]) == 1:
                continue
            state = 1 if true >> j & 1 else -1 if false >> j & 1 else 0
            self.status[2 * j + 1], self.status[2 * j] = state, -state
