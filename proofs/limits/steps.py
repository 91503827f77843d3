"""Small steps of the theorems: sets of positions, the last two layers, longer inputs, one layer."""

from collections.abc import Iterator
from itertools import permutations, product
from zlib import crc32

import numpy as np
import sympy as sp

from attention.function import FunctionTransformer
from bounds.limits.refuter import guarantee, refute
from claims import Claim, ForAll, Inequality, Kind, Reals, Relation, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive, smt

Layer = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
_POSITIONS, _POINTS, _VALUES = 2, 4, 2


def _layers() -> Iterator[Layer]:
    """All values of 2 positions on 4 inputs, and two heads' rankings of all 4 pairs.

    Pairs are numbered 2 * position + value.  The first head's rankings are taken up to swapping the
    positions and, at each position, the values: pair 0 is best and its partner second, third or last.
    """
    rows = tuple(product(range(_VALUES), repeat=_POINTS))
    for values in product(rows, repeat=_POSITIONS):
        for first in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):  # ranks of the pairs 0, 1, 2, 3
            yield from ((values, (first, second)) for second in permutations(range(4)))


def _attended(layer: Layer, head: int, point: int) -> int:
    values, ranks = layer
    return min(range(_POSITIONS), key=lambda j: ranks[head][j * _VALUES + values[j][point]])


def _rank(layer: Layer, head: int, point: int) -> int:
    j = _attended(layer, head, point)
    return layer[1][head][j * _VALUES + layer[0][j][point]]


def _constant(layer: Layer, best: int) -> bool:
    values = layer[0]
    chosen = [_attended(layer, head, best) for head in (0, 1)]
    agreeing = [x for x in range(_POINTS) if all(values[j][x] == values[j][best] for j in chosen)]
    return all(_attended(layer, h, x) == chosen[h] for h in (0, 1) for x in agreeing)


def _first_is_constant(layer: Layer) -> bool:
    best = min(range(_POINTS), key=lambda x: (_rank(layer, 0, x), _rank(layer, 1, x)))
    return _constant(layer, best)


def _any_is_constant(layer: Layer) -> bool:
    return all(_constant(layer, x) for x in range(_POINTS))


_SETS_SCOPE = "two heads, 2 positions, 2 values, 4 inputs: all activations and all rankings"

SETS = Claim(
    id="limits.sets.suffice",
    says=r"Take the input whose attended pairs are lexicographically first among all completions of"
    r" a restriction.  On all completions on which the attended positions keep their activations,"
    r" every head attends to the same position; the order of the positions does not matter.",
    source=OWN.at("explicit limits, Theorem F2"),
    statement=ForAll("all heads are constant", _SETS_SCOPE, _layers, _first_is_constant),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "that the input is lexicographically first",
        ForAll("all heads are constant", _SETS_SCOPE, _layers, _any_is_constant),
    ),
    proof=r"""Let $x$ be such an input, $(j_h, v_h)$ its attended pairs, and $z$ a completion with
$y_{j_h}(z) = v_h$ for all $h$.  Head 1 attains its best pair on $z$.  If heads $1..h-1$ attend on
$z$ as on $x$, then head $h$ cannot do better on $z$ than $(j_h, v_h)$, by the choice of $x$, nor
worse, because that pair is present.  So the union in the counting argument runs over sets of
positions, not over tuples: a factor $H!$.""",
)


def _scrambled(n: int, heads: int, seed: int) -> FunctionTransformer:
    """Return a two-layer model with pseudo-random scores that remembers what it saw."""

    def noise(*parts: object) -> int:
        return crc32(repr((seed, parts)).encode())

    return FunctionTransformer(
        n=n,
        layers=2,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: (i, symbol),
        scoring=lambda layer, head, i, j, query, key: noise(layer, head, i, j, query, key),
        activation=lambda layer, i, own, attended: (own, attended),
        output=lambda value: noise(value) & 1,
    )


def _models() -> Iterator[tuple[int, int, int]]:
    """Lengths, stars, seeds."""
    yield from ((n, s, seed) for n, s in ((16, 5), (20, 6), (24, 7)) for seed in range(4))


def _often_fooled(case: tuple[int, int, int]) -> bool:
    """Compare the successes of 12 independent tries with the proved chance, three deviations off."""
    n, s, seed = case
    rng, model = np.random.default_rng(seed), _scrambled(n, 1, seed)
    hits = sum(refute(model, stars=s, tries=1, rng=rng) is not None for _ in range(12))
    chance = float(guarantee(n, 1, s))
    return bool(hits >= 12 * chance - 3 * (12 * chance * (1 - chance)) ** 0.5)


LAST_TWO = Claim(
    id="limits.stage.last_two",
    says=r"Theorem F2 as an algorithm: under a random restriction with $s$ stars the H heads of the last"
    r" layer are made constant without using all stars, except with probability at most"
    r" $\binom{N-1}{H} 2^s [z^s]\mathrm{code}'(z) / \binom{m'}{s}$.",
    source=OWN.at("explicit limits, Theorem F2"),
    statement=ForAll(
        "12 tries succeed as often as promised",
        "12 pseudo-random models of 16, 20 and 24 bits, one head",
        _models,
        _often_fooled,
    ),
    check=exhaustive.decide(sampled=True),
    expect=Verdict.SAMPLED,
    kind=Kind.OWN,
    assumes=("limits.final.two", "limits.final.three"),
    no_twin="a proved upper bound on a chance; no sample of models is expected to reach it",
    proof=r"""The steps of Theorem F2 (or F3) are carried out on a concrete model: fix the last position's
activation, draw $s$ stars, make the heads constant one after the other.  If a star is left, flipping
it does not change the output.  The number of restrictions on which none is left is bounded as in
those theorems, with ordered tuples because a try follows the heads in order.""",
)

_n, _m, _eta, _a, _b = sp.symbols("n m eta a b")
_RATIO_DOMAIN = {_n: Reals(1), _m: Reals(1), _eta: Reals(0, 1), _a: Reals(0), _b: Reals()}
_GROWS = (Relation(_m, ">=", _n), Relation(_n + _b, ">", 0), Relation(_eta * _b + _a, ">=", 0))

LONGER = Claim(
    id="limits.longer.ratio",
    says=r"$(\eta n - a)/(n + b)$ does not decrease with $n$ if $\eta b + a \ge 0$: the stages leave"
    r" $\eta n - a$ variables, so a load below one at $n_0$ stays below one for every larger $n$.",
    source=OWN.at("explicit limits, all larger lengths"),
    statement=Inequality(
        (_eta * _n - _a) * (_m + _b), "<=", (_eta * _m - _a) * (_n + _b), _RATIO_DOMAIN, _GROWS
    ),
    check=smt.decide(),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    twin=Twin(
        "eta b + a >= 0",
        Inequality(
            (_eta * _n - _a) * (_m + _b),
            "<=",
            (_eta * _m - _a) * (_n + _b),
            _RATIO_DOMAIN,
            _GROWS[:2],
        ),
    ),
)


def _list_pairs(heads: int) -> Iterator[tuple[tuple[tuple[int, int], ...], ...]]:
    """All literal lists over H + 1 variables for each of H heads (own bit fixed)."""
    k = heads + 1
    lists = [
        tuple(zip(order, bits, strict=True))
        for order in permutations(range(k))
        for bits in product((0, 1), repeat=k)
    ]
    return iter(product(lists, repeat=heads))


def _one_layer() -> Iterator[tuple[tuple[tuple[int, int], ...], ...]]:
    yield from _list_pairs(1)
    yield from _list_pairs(2)


def _confused(case: tuple[tuple[tuple[int, int], ...], ...], variables: int) -> bool:
    seen: dict[tuple[int, ...], int] = {}
    for x in product((0, 1), repeat=variables):
        cells = tuple(
            next((i for i, (v, b) in enumerate(row) if x[v] == b), len(row)) for row in case
        )
        if seen.setdefault(cells, sum(x) % 2) != sum(x) % 2:
            return True
    return False


ONE_LAYER = Claim(
    id="limits.parity.one_layer",
    says=r"With one layer and $H$ heads PARITY is computed for $n$ bits if and only if $n \le H+1$:"
    r" $H$ heads of literal lists on $H + 1$ further bits always confuse two parities.",
    source=OWN.at("explicit limits, one layer"),
    statement=ForAll(
        "two inputs of different parity look alike",
        "all complete literal lists, H = 1 and 2",
        _one_layer,
        lambda c: _confused(c, len(c) + 1),
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "one of the bits: H further bits can be read exactly",
        ForAll(
            "two inputs of different parity look alike",
            "two lists on two bits",
            lambda: iter([(((0, 1),), ((1, 1),))]),
            lambda c: _confused(c, 2),
        ),
    ),
    proof=r"""Fix the last bit.  For each head in turn take its first pair that is consistent with the
bits fixed so far and fix that bit.  Every head is constant, at most $H + 1$ bits are fixed, and one
bit is free on which the output does not depend.""",
)
