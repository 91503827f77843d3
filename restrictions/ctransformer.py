"""c-transformers: layer-0 activations that are functions of at most c inputs.

Each activation is stored as *leaves* (value, choice-1 mask, choice-0 mask): cubes that partition
the subcube, so that the table's size is the number of leaves and not 2^c.  Removing a layer turns
the next layer's activations into such leaves, exactly.

Main definitions: :class:`CTransformer`, :func:`lift`, :func:`next_leaves`.

References
----------
Hahn (2020), Definition 3 [hahn2020].
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np

from attention.hard import attended_position
from attention.scoring import act_rows, pack, score_rows, take, unpack
from attention.transformer import AbstractHardTransformer, visible
from restrictions.probe import Fixing
from restrictions.restriction import Restriction, RestrictionError
from restrictions.rows import BlowUp

Leaf: TypeAlias = tuple[Any, int, int]
"""A value and the free positions that must take choice 1, resp. choice 0, for it."""


@final
@dataclass(frozen=True, eq=False)
class CTransformer:
    """A model whose first layers were replaced by functions of few inputs.

    Attributes
    ----------
    model
        The original model; its layers above ``removed`` are still there.
    ground
        The subcube that choices refer to, at most two symbols a position.
    removed
        How many layers the activations stand for.
    fixing
        The restriction; only words inside it are meant.
    activations
        Per position its leaves, a partition of the subcube.
    """

    model: AbstractHardTransformer
    ground: Restriction
    removed: int
    fixing: Fixing
    activations: tuple[tuple[Leaf, ...], ...]

    @property
    def c(self) -> int:
        """The greatest number of free inputs that feed one activation."""
        return max(self.sources(j).bit_count() for j in range(self.model.n))

    @property
    def layers(self) -> int:
        """Number of layers that are left."""
        return self.model.layers - self.removed

    @property
    def stars(self) -> int:
        """Number of free inputs."""
        return sum(len(c) > 1 for c in self.ground.choices) - len(self.fixing)

    def sources(self, j: int) -> int:
        """Return the mask of the free inputs that feed into activation ``j``."""
        mask = 0
        for _, pos, neg in self.activations[j]:
            mask |= pos | neg
        return mask

    def restrict(self, fixing: Fixing) -> "CTransformer":
        """Return the same transformer on a smaller subcube; ``fixing`` extends the own one."""
        return CTransformer(
            self.model,
            self.ground,
            self.removed,
            fixing,
            tuple(restrict_leaves(leaves, fixing) for leaves in self.activations),
        )

    def evaluate(self, word: Sequence[Hashable]) -> Hashable:
        """Return the output on a word of the subcube, through the leaves and the layers left."""
        mask = self._mask(word)
        values = []
        for leaves in self.activations:
            hits = [v for v, pos, neg in leaves if pos & ~mask == 0 and neg & mask == 0]
            assert len(hits) == 1, "leaves must partition the subcube"
            values.append(hits[0])
        model = self.model
        for layer in range(self.removed + 1, model.layers + 1):
            wanted = range(model.n) if layer < model.layers else (model.n - 1,)
            below, values = values, list(values)
            for i in wanted:
                attended = tuple(
                    below[attended_position(model, layer, head, i, below)]
                    for head in range(model.heads)
                )
                values[i] = model.act(layer, i, below[i], attended)
        return model.readout(values[-1])

    def _mask(self, word: Sequence[Hashable]) -> int:
        mask = 0
        for j, choices in enumerate(self.ground.choices):
            if word[j] not in choices:
                raise RestrictionError(f"position {j} allows {choices!r}, not {word[j]!r}")
            if len(choices) > 1:
                mask |= choices.index(word[j]) << j
        if self.fixing.true & ~mask or self.fixing.false & mask:
            raise RestrictionError("the word is outside the restriction")
        return mask


def lift(model: AbstractHardTransformer, ground: Restriction | None = None) -> CTransformer:
    """Return a model as a 1-transformer on a subcube of at most two symbols a position."""
    ground = Restriction.free(model.alphabet, model.n) if ground is None else ground
    activations: list[tuple[Leaf, ...]] = []
    for i, choices in enumerate(ground.choices):
        if len(choices) > 2:
            raise RestrictionError(
                f"position {i} allows {len(choices)} symbols: choose a ground of two (--symbols)"
            )
        for symbol in choices:
            if symbol not in model.alphabet:
                raise RestrictionError(
                    f"position {i} allows {symbol!r}: the model reads {model.alphabet!r}"
                )
        values = [model.embed(i, symbol) for symbol in choices]
        if len(values) == 1 or values[0] == values[1]:
            activations.append(((values[0], 0, 0),))
        else:
            activations.append(((values[0], 0, 1 << i), (values[1], 1 << i, 0)))
    return CTransformer(model, ground, 0, Fixing(), tuple(activations))


def restrict_leaves(leaves: Sequence[Leaf], fixing: Fixing) -> tuple[Leaf, ...]:
    """Return the leaves that are left under a fixing, without the literals it makes true."""
    return tuple(
        (value, pos & ~fixing.true, neg & ~fixing.false)
        for value, pos, neg in leaves
        if not (pos & fixing.false or neg & fixing.true)
    )


def next_leaves(transformer: CTransformer, *, cap: int = 20_000) -> tuple[tuple[Leaf, ...], ...]:
    """Return the next layer's activations as leaves, exactly.

    Parameters
    ----------
    transformer
        A c-transformer with at least one layer.
    cap
        Greatest number of leaves of one activation.

    Raises
    ------
    BlowUp
        If an activation has more leaves.

    Notes
    -----
    A head is resolved by asking for the whole activation of the position that holds the greatest
    attainable score, then for the next one, and so on: a decision tree over activations, whose
    leaves partition the subcube because those of every activation do.
    """
    model, layer = transformer.model, transformer.removed + 1
    items = [(j, leaf) for j, leaves in enumerate(transformer.activations) for leaf in leaves]
    if model.ties == "rightmost":
        items.reverse()
    keys = pack(model, [leaf[0] for _, leaf in items])
    columns = [j for j, _ in items]
    found = []
    for i in range(model.n):
        own_leaves = transformer.activations[i]
        seen = np.flatnonzero(np.array(columns) < visible(model, i))
        orders = []
        for head in range(model.heads):
            scores = score_rows(
                model,
                layer,
                head,
                [i] * len(own_leaves),
                pack(model, [leaf[0] for leaf in own_leaves]),
                columns,
                keys,
            )[:, seen]
            orders.append(seen[np.argsort(-scores, axis=1, kind="stable")])
        cases: list[tuple[int, int, tuple[int, ...]]] = []
        owners: list[int] = []
        for row, (_, pos, neg) in enumerate(own_leaves):
            branches: list[tuple[int, int, tuple[int, ...]]] = [(pos, neg, ())]
            for order in orders:
                branches = _resolve(transformer, items, order[row].tolist(), branches, cap)
            cases.extend(branches)
            owners.extend([row] * len(branches))
            if len(cases) > cap:
                raise BlowUp(f"position {i} has more than {cap} leaves at layer {layer}")
        values = unpack(
            act_rows(
                model,
                layer,
                [i] * len(cases),
                take(pack(model, [leaf[0] for leaf in own_leaves]), owners),
                [take(keys, [case[2][head] for case in cases]) for head in range(model.heads)],
            )
        )
        leaves = [(v, pos, neg) for v, (pos, neg, _) in zip(values, cases, strict=True)]
        if len({v for v, _, _ in leaves}) == 1:
            leaves = [(leaves[0][0], 0, 0)]
        found.append(tuple(leaves))
    return tuple(found)


def _resolve(
    transformer: CTransformer,
    items: Sequence[tuple[int, Leaf]],
    order: Sequence[int],
    branches: Sequence[tuple[int, int, tuple[int, ...]]],
    cap: int,
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Split branches until the attended item of one head is decided on each."""
    done: list[tuple[int, int, tuple[int, ...]]] = []
    stack = [(pos, neg, attended, 0) for pos, neg, attended in reversed(branches)]
    while stack:
        pos, neg, attended, place = stack.pop()
        while True:
            t = order[place]
            place += 1
            j, (_, item_pos, item_neg) = items[t]
            if not (pos & item_neg or neg & item_pos):
                break
        done.append((pos | item_pos, neg | item_neg, (*attended, t)))
        for _, other_pos, other_neg in transformer.activations[j]:
            same = other_pos == item_pos and other_neg == item_neg
            if not same and not (pos & other_neg or neg & other_pos):
                stack.append((pos | other_pos, neg | other_neg, attended, place))
        if len(done) + len(stack) > cap:
            raise BlowUp(f"a head has more than {cap} cases")
    return done
