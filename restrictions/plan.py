"""Plans: fix what the output should look at before anything else.

Only the heads of the last position matter in the last layer (the last-layer trick).  For two
layers a plan fixes the last position's layer-1 activation by its cheapest case, then gives each
top head a layer-1 activation of high score that few literals force.  For more layers a plan fixes
the tree of positions that the output depends on in one sampled run of the model.

Main definitions: :func:`two_layer_plans`, :func:`tree_plan`.

References
----------
Hahn (2020), Section 5.1 [hahn2020], of which the last-layer trick is a sharper special case.
"""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from attention.hard import Trace
from attention.scoring import join, score_rows, take
from attention.transformer import visible
from restrictions.probe import Fixing
from restrictions.propagate import Propagator
from restrictions.rows import opposite


def two_layer_plans(
    propagator: Propagator, *, cost: int, prices: Sequence[float], inside: Fixing | None = None
) -> Iterator[Fixing]:
    """Yield fixings of a few positions each, the most promising first.

    Parameters
    ----------
    propagator
        A propagator of a model with two layers.
    cost
        Most literals that one layer-1 activation may need.
    prices
        What a cheap activation of higher score costs, in literals; one plan per price and per
        case of the last position.
    inside
        Keep to the literals of this assignment.
    """
    model, first = propagator.model, propagator.first
    empty = propagator.setting(0, 0)
    last = model.n - 1
    rows = first.cheap(empty, cost)
    own_row = rows[last]
    values = join([row.values for row in rows])
    cubes = [cube for row in rows for cube in row.cubes]
    where = np.repeat(np.arange(model.n), [len(row.cubes) for row in rows])
    near = np.flatnonzero(where < visible(model, last))
    columns, keys = where[near].tolist(), take(values, near.tolist())
    banned = 0 if inside is None else inside.false | inside.true << model.n
    cases = sorted(range(len(own_row.cubes)), key=lambda k: own_row.cubes[k].bit_count())
    agreeing = [k for k in cases if not own_row.cubes[k] & banned][:6]
    for own in agreeing:
        scores = [
            score_rows(model, 2, head, [last], take(own_row.values, [own]), columns, keys)[0]
            for head in range(model.heads)
        ]
        for price in prices:
            held = own_row.cubes[own]
            for row in scores:
                order = np.argsort(-row, kind="stable")[:4000]
                clash = opposite(held, model.n)
                excluded = banned | clash
                best, least, rivals = None, np.inf, 0
                for index in order.tolist():
                    if price * rivals >= least:
                        break
                    item = int(near[index])
                    needs = cubes[item]
                    if needs & clash:
                        continue
                    needed = (needs & ~held).bit_count() + price * rivals
                    rivals += 1
                    if needed < least and not needs & excluded:
                        best, least = item, needed
                if best is not None:
                    held |= cubes[best]
            yield Fixing.of_cube(held, model.n)


def tree_plan(
    propagator: Propagator, run: Trace, word: Sequence[Hashable], *, below: int = 0
) -> Fixing:
    """Return the positions that the output depended on in one run, fixed as they were in it.

    Parameters
    ----------
    propagator
        Gives the ground that numbers the choices.
    run, word
        A run of the model and its input.
    below
        Stop the descent at this layer (0: down to the inputs).
    """
    wanted = {propagator.model.n - 1}
    for layer in range(len(run.attended), below, -1):
        wanted |= {heads[i] for heads in run.attended[layer - 1] for i in wanted}
    ground = propagator.ground
    return Fixing().with_literals(
        2 * j + ground[j].index(word[j]) for j in sorted(wanted) if len(ground[j]) > 1
    )
