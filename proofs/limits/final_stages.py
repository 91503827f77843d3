"""Theorem F2 on machines that do compute PARITY: every restriction has to be used up."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb

from attention.constructions.two_layer_parity import two_layer_parity
from attention.function import FunctionTransformer
from bounds.limits.machines_reach import reachable
from bounds.limits.model_paths import ModelPaths
from bounds.limits.refuter import constant_last, made_constant
from bounds.limits.verifier import code
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Drawn = tuple[int, int, tuple[int | None, ...]]  # layers, heads, symbols of the free positions
_NINE = (2, 0)  # the machine of 9 bits; other keys are trees


def tree_parity(layers: int, heads: int, *, near: bool = False) -> FunctionTransformer:
    """Return the tree of (H+1)^L bits; with ``near`` all layers read as near as the first one."""
    n = (heads + 1) ** layers

    def score(layer: int, head: int, i: int, j: int, query: object, key: object) -> int:
        reach = 1 if near else (heads + 1) ** (layer - 1)
        return int(j == (i - (head + 1) * reach) % n)

    return FunctionTransformer(
        n=n,
        layers=layers,
        heads=heads,
        alphabet=("0", "1"),
        embedding=lambda i, symbol: int(symbol),
        scoring=score,
        activation=lambda layer, i, own, attended: (own + sum(attended)) % 2,
        output=lambda value: value == 0,
    )


@lru_cache(maxsize=8)
def _machine(layers: int, heads: int, near: bool) -> FunctionTransformer:
    if (layers, heads) == _NINE:
        return two_layer_parity(1)
    return tree_parity(layers, heads, near=near)


def drawn(layers: int, heads: int, stars_drawn: tuple[int, ...]) -> Iterator[Drawn]:
    """Yield every restriction with these numbers of stars of a machine's free positions."""
    model = _machine(layers, heads, False)
    free = model.n - len(constant_last(model, {}))
    for symbols in product((0, 1, None), repeat=free):
        if symbols.count(None) in stars_drawn:
            yield layers, heads, symbols


def _two() -> Iterator[Drawn]:
    yield from drawn(*_NINE, (5, 6))
    yield from drawn(2, 1, (1, 2))
    yield from drawn(2, 2, (3, 6))


def used_up(case: Drawn, near: bool = False) -> bool:
    """Run the proof: no star may be left where the heads of the last layer are constant."""
    layers, heads, symbols = case
    model = _machine(layers, heads, near)
    quiet = constant_last(model, {})
    free = [i for i in range(model.n) if i not in quiet]
    given = {i: b for i, b in zip(free, symbols, strict=True) if b is not None}
    return len(made_constant(ModelPaths(model, quiet | given, {}))) == model.n


def _lengths() -> Iterator[tuple[int, int]]:
    """Heads and numbers of stars, at the length that a machine with two layers reaches."""
    for heads in range(1, 6):
        m = reachable(2, heads) - heads - 1
        yield from ((heads, s) for s in range(heads, m + 1))


def _counted(case: tuple[int, int]) -> bool:
    heads, s = case
    n = reachable(2, heads)
    process = [("tree", 1), *[("list", 1)] * heads] * heads
    images: int = comb(n - 1, heads) * 2**s * code(process, s)
    return comb(n - heads - 1, s) <= images


def _two_cases() -> Iterator[Drawn | tuple[int, int]]:
    yield from _two()
    yield from _lengths()


def _two_holds(case: Drawn | tuple[int, int]) -> bool:
    return _counted(case) if len(case) == 2 else used_up(case)


LAST_TWO = Claim(
    id="limits.final.two",
    says=r"Theorem F2: a transformer with two layers left that computes PARITY uses up every"
    r" restriction: making the heads of the last layer constant queries all $s$ stars.  So"
    r" $\binom{m'}{s} \le \binom{N-1}{H} 2^s [z^s]\mathrm{code}'(z)$ for all $s \ge H$.",
    source=OWN.at("explicit limits, Theorem F2"),
    statement=ForAll(
        "no star is left; the inequality holds where a machine exists",
        "machines of 9 bits (5 and 6 stars), of 4 bits, of 9 bits with two heads (3 and 6 stars), all"
        " restrictions; the inequality at the reachable lengths of 1..5 heads, all s",
        _two_cases,
        _two_holds,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.encoding.bound", "limits.sets.suffice", "limits.stage.head_is_a_list"),
    twin=Twin(
        "that PARITY is computed: both layers read the nearest bits only",
        ForAll(
            "no star is left",
            "nine bits, six stars, heads that read the nearest two positions in both layers",
            lambda: drawn(2, 2, (6,)),
            lambda c: used_up(c, True),
        ),
    ),
    proof=r"""Let every activation of layer $L-2$ be a decision tree of depth $w$ over $m$ free variables.

(i) Make the last position's activation of layer $L-1$ constant: one path of its tree and, for each
head, the first alive term, $(H+1)w$ variables at most.  Let $m'$ be left.

(ii) Draw a restriction $\rho$ with exactly $s$ stars among the $m'$ variables.  Among all
completions take one whose attended pairs $(j_1,v_1),\dots,(j_H,v_H)$ in the last layer are
lexicographically first.  Run the canonical process of position $j_1$ (its tree, then $H$ lists), then
that of $j_2$, and so on, with the answers of that completion.  Afterwards every $y_{j_h}$ is
constant, so every head attends to the same pair on all remaining completions, and the output is
constant.

(iii) If the output is PARITY, no star is left.  So the process of $H$ positions has a canonical
path that queries all $s$ stars.  By Lemma E a set of $H$ positions explains at most
$2^{m'}[z^s]\mathrm{code}'$ restrictions, and there are $\binom{N-1}{H}$ sets (the last position's
activation is constant already), but $\binom{m'}{s}2^{m'-s}$ restrictions.  $s \ge H$ lets Lemma E pad
a set that is smaller than $H$.""",
)
