"""Ways to write down layers by what each head would like to see.

A wish is an activation and the assignment of its inputs that the head scores highest.  A head
with wishes w_1, w_2, ... ranks their activations in this order, as long as the wished assignment
is possible; an activation that can no longer take it falls to the end.

Main definitions: :func:`wishing`, :func:`cyclic`.

References: the objects are those of Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Sequence

from proofs.hahn2020.combinatorics.layers import Head, Layer, Scores

Wish = tuple[int, int]  # (activation, index of the assignment of its inputs)


def scores(feeds: Sequence[tuple[int, ...]], wishes: Sequence[Wish]) -> Scores:
    """Return the score table of one pair: wished assignments high in turn, all else low.

    Activations that are not wished for get 1 at the assignment of ones and 0 elsewhere.

    Examples
    --------
    >>> scores([(0,), (1,)], [(1, 0)])
    ((0, 1), (3, 0))
    """
    tables = [[0] * (2 ** len(f) - 1) + [1] for f in feeds]
    for rank, (j, assignment) in enumerate(wishes):
        tables[j] = [0] * len(tables[j])
        tables[j][assignment] = 2 + len(wishes) - rank
    return tuple(tuple(table) for table in tables)


def wishing(
    feeds: Sequence[tuple[int, ...]], wishes: Sequence[tuple[Sequence[Wish], ...]], *, inputs: int
) -> Layer:
    """Return the layer with one head at each position whose pairs have these wishes.

    ``wishes[i][z]`` are the wishes of the head at position i for the z-th value of its activation.
    """
    heads = tuple(
        Head(i, tuple(scores(feeds, listed) for listed in by_value))
        for i, by_value in enumerate(wishes)
    )
    return Layer(inputs, tuple(feeds), heads)


def cyclic(m: int, *, share: int, differences: tuple[Sequence[int], Sequence[int]]) -> Layer:
    """Return a layer in which every head looks at inputs at fixed differences, modulo ``m``.

    There are ``m * share`` activations and heads.  Activation ``share * a + r`` is fed by input a
    alone, so each of the inputs 0, ..., m - 1 feeds ``share`` activations; further inputs feed
    none.  The head at position ``share * a + r`` wishes for activations fed by the inputs a + d,
    for d in ``differences[z]`` in this order, at the residues r, r + 1, ... so that every
    activation is wished for equally often.

    Examples
    --------
    >>> layer = cyclic(5, share=1, differences=((1, 2), (3, 4)))
    >>> len(layer.heads), layer.c, layer.width
    (5, 1, 1)
    """
    feeds = tuple((j // share,) for j in range(m * share))
    wishes = []
    for i in range(m * share):
        a, r = divmod(i, share)
        wishes.append(
            tuple(
                [(share * ((a + d) % m) + (r + s) % share, 1) for s, d in enumerate(ordered)]
                for ordered in differences
            )
        )
    return wishing(feeds, wishes, inputs=m * share)
