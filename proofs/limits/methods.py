"""The steps that the older methods rest on: conditioning on no bad event, lists that show stars."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Ring = tuple[int, Fraction, bool]  # inputs, chance to be fixed, whether the first and last meet


def _rings() -> Iterator[Ring]:
    for n in range(2, 9):
        for q in (Fraction(2, 3), Fraction(3, 4)):
            yield n, q, False
            if n > 2:
                yield n, q, True


def _conditioned(case: Ring, factor: Fraction | None = None) -> bool:
    """Compare Pr[input fixed | no two neighbours are both stars] with the bound, exactly."""
    n, q, closed = case
    pairs = [(i, (i + 1) % n) for i in range(n if closed else n - 1)]
    weight = Fraction(1, 3)  # A = 1/(f + 1), as every event meets f = 2 others at most
    assert (1 - q) ** 2 <= weight * (1 - weight) ** 2
    whole, fixed = Fraction(0), [Fraction(0)] * n
    for stars in product((False, True), repeat=n):
        if any(stars[i] and stars[j] for i, j in pairs):
            continue
        mass = q ** stars.count(False) * (1 - q) ** stars.count(True)
        whole += mass
        fixed = [f if star else f + mass for f, star in zip(fixed, stars, strict=True)]
    meets = [sum(i in pair for pair in pairs) for i in range(n)]
    return all(
        f <= q * (factor if factor is not None else 1 / (1 - weight) ** g) * whole
        for f, g in zip(fixed, meets, strict=True)
    )


_RING_SCOPE = "bad: two neighbours are both stars; rows and rings of 2..8 inputs, q = 2/3, 3/4"

CONDITIONED = Claim(
    id="limits.method.without_x0",
    says=r"If bad events that each meet at most $f$ others have probability at most $A(1-A)^f$, then"
    r" given that none happens, an event that meets $g$ of them has probability at most"
    r" $(1-A)^{-g}$ times its own.  So the expected number of free inputs is bounded without the"
    r" event $X_0$, and no length has to be large.",
    source=OWN.at("explicit limits, depth reduction without X0"),
    statement=ForAll("Pr[fixed | no bad event] <= q (1-A)^(-g)", _RING_SCOPE, _rings, _conditioned),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "the factor $(1-A)^{-g}$",
        ForAll(
            "Pr[fixed | no bad event] <= q",
            _RING_SCOPE,
            _rings,
            lambda c: _conditioned(c, Fraction(1)),
        ),
    ),
    proof=r"""Order the bad events; the local lemma's induction shows $\Pr[X \mid \text{no } Y \in S] \le A$
for every $X$ and every set $S$ of others.  For an event $E$ let $N$ be the bad events it meets.  Then
$$\Pr[E \mid \text{none}] \le
\frac{\Pr[E \mid \text{none outside } N]}{\Pr[\text{none in } N \mid \text{none outside } N]}
\le \frac{\Pr[E]}{(1-A)^{|N|}}.$$
In a step of the depth reduction an input is fixed with probability $q$ and feeds the selections of at
most $g = 2^c k H c/(\eta C)$ bad events, so at least $C(1-2\eta)(1 - q(1-A)^{-g})n$ inputs stay free
on average.  With $A = 1/(f+1)$ the condition is $rk \ge \ln(f+1) + f\ln(1+1/f)$.""",
)

Chain = tuple[int, int, Fraction]  # literals, K, star probability


def _chains() -> Iterator[Chain]:
    for m in (2, 5, 9):
        yield from ((m, k, p) for k in (0, 1, 2) for p in (Fraction(1, 10), Fraction(3, 10)))


def _shown(case: Chain, percent: int) -> bool:
    """Sum the masses of all restrictions that show more than K stars before a true literal."""
    m, k, p = case
    chance = [Fraction(0)] * (k + 2)  # by stars seen so far, the last entry is absorbing
    chance[0] = Fraction(1)
    for _ in range(m):
        after = [x * (1 - p) / 2 for x in chance]  # the literal is false: go on
        after[-1] = chance[-1]
        for seen, x in enumerate(chance[:-1]):
            after[seen + 1] += p * x
        chance = after
    theta = 2 * p / (1 + p)
    return 100 * chance[-1] <= percent * theta ** (k + 1)


_CHAIN_SCOPE = "chains of 2, 5, 9 literals; K = 0, 1, 2; p = 1/10, 3/10"

ALTERATION = Claim(
    id="limits.method.alteration",
    says=r"With stars of probability $p$ a list of literals shows more than $K$ stars before its first"
    r" true literal with probability at most $\theta^{K+1}$, $\theta = 2p/(1+p)$.  Repairing every"
    r" such list keeps $(p - 2H\theta^{K+1})n$ stars and leaves $1 + 2HK$ inputs per activation.",
    source=OWN.at("explicit limits, random restriction and alteration"),
    statement=ForAll(
        "the chance is at most theta^(K+1)", _CHAIN_SCOPE, _chains, lambda c: _shown(c, 100)
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "the full constant: one percent less",
        ForAll(
            "the chance is at most 99 % of theta^(K+1)",
            _CHAIN_SCOPE,
            _chains,
            lambda c: _shown(c, 99),
        ),
    ),
    proof=r"""False literals say nothing more.  Given that a literal is not false it is a star with
probability $p / (p + (1-p)/2) = \theta$, otherwise true; so the number of stars before the first true
literal is at most geometric.  A list that shows more than $K$ stars is repaired by making one of them
true, which costs one star; there are $2Hn$ lists, one for each own bit, head and position.  In the
last layer fix the last position's activation and then each head's best one: $(H+1)(1+2HK)$ inputs.""",
)
