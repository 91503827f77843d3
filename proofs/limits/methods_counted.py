"""The counting methods kept for comparison: textbook switching, switching and repair, greedy."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb

from bounds.limits.switching import bad_count
from bounds.limits.verifier import code
from claims import Claim, ForAll, Kind, Paper, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

BEAME = Paper("beame1994", "Beame", "A switching lemma primer", 1994, "University of Washington")
Count = tuple[int, int, int, int]  # width, variables, stars, queries


def _counts() -> Iterator[Count]:
    for w, m in product((1, 2, 3, 5, 9), (40, 400)):
        for s in (1, 2, m // 20, m // 7):
            yield from ((w, m, s, t) for t in range(1, min(s, 12) + 1))


def _share(case: Count) -> Fraction:
    """Return Lemma E's share of the restrictions under which one list asks t stars or more."""
    w, m, s, t = case
    images = comb(m, s - t) * 2 ** (m - s + t) * code([("list", w)], t)
    return Fraction(images, comb(m, s) * 2 ** (m - s))


def _seven(case: Count, constant: int = 7) -> bool:
    w, m, s, t = case
    return _share(case) <= (constant * Fraction(s, m) * w) ** t


_COUNT_SCOPE = "w = 1, 2, 3, 5, 9; m = 40, 400; four numbers of stars up to m/7; t <= 12"

TEXTBOOK = Claim(
    id="limits.method.textbook",
    says=r"The textbook switching lemma follows from Lemma E: with exactly $pm$ stars, $p \le 1/7$, a"
    r" list of terms of width $w$ asks $t$ stars or more with probability at most $(7pw)^t$.",
    source=BEAME.at("the switching lemma"),
    statement=ForAll("Lemma E's share is at most (7pw)^t", _COUNT_SCOPE, _counts, _seven),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.TEXTBOOK,
    assumes=("limits.encoding.bound",),
    twin=Twin(
        "the constant 7: with 2",
        ForAll("at most (2pw)^t", _COUNT_SCOPE, _counts, lambda c: _seven(c, 2)),
    ),
    proof=r"""Lemma E gives the share $2^t [z^t]L_w \binom{m}{s-t}/\binom ms$ with
$L_w = ((1+z)^w-1)/(1-c_w)$.  First $\binom{m}{s-t}/\binom ms \le (s/(m-s+1))^t \le (p/(1-p))^t \le (7p/6)^t$.
Second $[z^t]L_w \le (3w)^t L_w(1/(3w))$, because all coefficients are non-negative, and at $z = 1/(3w)$
$$(1+z)^w - 1 \le e^{1/3}-1 < 0.3957,\qquad
c_w(z) = \sum_k \binom wk (2^k-1) z^k \le \sum_k \frac{2^k-1}{3^k k!} = e^{2/3}-e^{1/3} < 0.5522,$$
so $L_w(1/(3w)) < 0.884 < 1$.  Together $(2 \cdot \tfrac76 \cdot 3 pw)^t = (7pw)^t$.

The method: draw restrictions layer by layer with $7 p w = 1/a$; when $a^s$ exceeds the number of
positions, heads and own values, some restriction makes all lists shallower than $s$.  Then the last
position's output is a tree of depth $H(s_L-1)$ over more variables than that, and PARITY needs all.""",
)


def _repaired(case: Count, one_star: bool = False) -> bool:
    w, m, s, t = case
    p = Fraction(s, m)
    # with one star in the last block: w x in the numerator instead of (1 + 2x)^w - 1
    ways = w * _blocks(w, t - 1) if one_star else bad_count(w, t)
    return _share(case) <= ways * (2 * p / (1 - p)) ** t


def _blocks(w: int, t: int) -> int:
    """Return the coefficient of x^t in 1 / (1 - c_w): falsified blocks only."""
    row = [1] + [0] * t
    for i in range(1, t + 1):
        row[i] = sum(comb(w, y) * (2**y - 1) * row[i - y] for y in range(1, min(w, i) + 1))
    return row[t]


SWITCHING = Claim(
    id="limits.method.switching",
    says=r"With exactly a share $p$ of stars a list of terms of width $w$ asks $t$ stars or more under"
    r" at most a share $N(w,t)(2p/(1-p))^t$ of the restrictions,"
    r" $N(w,t) = [x^t]\,((1+2x)^w-1)/(1-(1+2x)^w+(1+x)^w)$.",
    source=OWN.at("explicit limits, switching and repair"),
    statement=ForAll("Lemma E's share is at most this", _COUNT_SCOPE, _counts, _repaired),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.encoding.bound", "limits.method.alteration"),
    twin=Twin(
        "that the last block may hold several stars",
        ForAll("at most this", _COUNT_SCOPE, _counts, lambda c: _repaired(c, True)),
    ),
    proof=r"""Code the answers of the last block too: $(1+2x)^w-1$ instead of $(1+x)^w-1$ in the numerator of
$L_w$, coefficient by coefficient not less; $\binom{m}{s-t}/\binom ms \le (p/(1-p))^t$.

The method: the first layer by alteration (lists of literals), then in every layer a restriction with
exactly a share $p$ of stars; a list that asks $s$ stars or more is repaired by fixing at most $2t$
variables.  With $x_1 = p - 2H\theta^{k+1}$, $t_1 = 1+Hk$, $x_{l+1} = px_l - 2t_lH\varepsilon$,
$t_{l+1} = H(s-1)$ PARITY is impossible once $n x_{L-1} - L \ge (H+1)t_{L-1} + 1$.""",
)

Rounds = tuple[int, int, int, int]  # inputs, literals of the list, K, rounds


def _rounds() -> Iterator[Rounds]:
    for n in (3, 4, 5):
        for literals in range(1, n + 1):
            yield from ((n, literals, k, t) for k in range(literals) for t in (1, 2, 3) if t < n)


def _captured(case: Rounds, percent: int = 100) -> bool:
    """Try every choice of inputs and bits: how often more than K stars stay in front."""
    n, literals, k, rounds = case
    open_, whole = 0, 0
    for order in permutations(range(n), rounds):
        for bits in product((0, 1), repeat=rounds):
            fixed = dict(zip(order, bits, strict=True))
            shown = 0
            for v in range(literals):  # the list of the literals x_0, x_1, ...
                if fixed.get(v) == 1:
                    break
                shown += v not in fixed
            open_ += shown > k
            whole += 1
    bound = Fraction(1)
    for t in range(rounds):
        bound *= 1 - Fraction(k + 1, 2 * (n - t))
    return 100 * open_ <= percent * bound * whole


_ROUND_SCOPE = "n <= 5 inputs, lists of 1..n literals, all K, T <= 3 rounds, all choices"

GREEDY = Claim(
    id="limits.method.greedy",
    says=r"After $T$ rounds of fixing a random free input to a random bit a list of literals shows more"
    r" than $K$ stars with probability at most $\prod_{t<T}(1 - \frac{K+1}{2(n-t)})$.",
    source=OWN.at("explicit limits, greedy restrictions"),
    statement=ForAll("the chance is at most the product", _ROUND_SCOPE, _rounds, _captured),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "the full product: one percent less",
        ForAll("at most 99 %", _ROUND_SCOPE, _rounds, lambda c: _captured(c, 99)),
    ),
    proof=r"""While more than $K$ stars are shown, a uniformly random one of the $n-t$ free inputs is among
the first $K+1$ of them with probability $(K+1)/(n-t)$, and its bit ends the list with probability
$1/2$.  A list that shows at most $K$ stars never shows more again.  The expected number of lists left
open is $2Hn$ times the product; each is closed with one star, so $n - T - 2Hn\prod$ inputs stay free
and an activation depends on $1 + 2HK$ of them.  With larger sets of inputs the same holds for the
shortest prefix of the attention order that involves more than $K$ inputs, whose at least $(K+1)/c$
positions are hit with probability $(K+1)/(c2^cn)$.""",
)
