"""Decide a stored limit for 1DYCK: the stages of `verifier` with balanced restrictions.

A word is a frame of opening brackets, a middle and a frame of closing brackets.  The middle is
restricted to ``s`` free symbols of which exactly half still open; a path of at most ``s // 2``
queries leaves a member and a non-member, so every such restriction needs a path of
``t = s // 2 + 1`` queries.  Integers and fractions only, rounded up.

Main definitions: `verify_dyck`, `dyck_load`.
"""

from fractions import Fraction
from math import comb, factorial, isqrt

from bounds.limits.verifier import (
    ONE,
    Data,
    Report,
    choices,
    code,
    cost,
    final_process,
    need,
    star_weights,
    up,
    verify,
)

GRID = 1000  # the number of free variables is rounded down to a multiple of 1 / GRID


def power_up(base: Fraction, exponent: int) -> Fraction:
    """Return an upper bound of ``base ** exponent`` for base >= 0."""
    result, factor = ONE, up(base)
    for bit in bin(exponent)[2:]:
        result = -(-result * result // ONE)
        result = -(-result * factor // ONE) if bit == "1" else result
    return Fraction(result, ONE)


def images(m: Fraction, fixed: tuple[int, int], codes: int, s: int, t: int) -> Fraction:
    """Return the covered share when ``fixed`` (opening, closing) symbols were fixed beforehand."""
    o = int((m / 2 - fixed[0] - (s + 1) // 2) * GRID // 1)
    c = int((m / 2 - fixed[1] - s // 2) * GRID // 1)
    need(min(o, c) > 0, "too few variables for a balanced restriction")
    opened, closed = [1], [1]
    for k in range(1, t + 1):
        opened.append(opened[-1] * (o + k * GRID))
        closed.append(closed[-1] * (c + k * GRID))
    top = codes * GRID**t * ONE
    return Fraction(sum(-(-top // (opened[i] * closed[t - i])) for i in range(t + 1)), ONE)


def dip(
    high: Fraction, side: Fraction, fixed: tuple[int, int], s: int, limit: Fraction
) -> Fraction:
    """Bound the share of balanced restrictions whose closing completion leaves the frame.

    Reflection: C(M, o + side) / C(M, o) <= base ** side; ``limit`` bounds the base at all larger
    lengths (0 for a single length).
    """
    ones, zeros = fixed
    room, closing = side - zeros - s // 2 + 1, high / 2 - zeros - s // 2
    need(room >= 1, "the frame is too short")
    base = max(limit, closing / (closing + room + zeros - ones - s % 2))
    need(0 < base < 1, "the frame is too short")
    return power_up(base, int(room))


def random_dip(n: int, share: Fraction, high: Fraction, p: Fraction, lift: Fraction) -> Fraction:
    """Return ``high`` times the chance that a random middle, stars read as closing, dips too low.

    Maximal inequality for ``lift ** (height drop)``: the chance is at most base^(n / denominator).
    """
    step = (1 - p) / 2 / lift + (1 + p) / 2 * lift
    base = lift**-share.numerator * step ** (share.denominator - 2 * share.numerator)
    need(lift > 1 and step >= 1 and base < 1, "the frame is too short for the random middle")
    return high * power_up(Fraction(up(base), ONE), n // share.denominator)


def too_wide(heads: int, widths: list[int], s: int, m: Fraction, first: int) -> Fraction:
    """Bound one position's expected alive leaves that are too wide for their number of stars.

    Given the stars, a literal holds with chance at most ``theta``: one value up to depth
    ``widths[0] + 64``, a larger one below, and no more than a weight ``alive ** depth`` very deep.
    """
    bound, fixed, x = widths[0] + 64, m - first - s, Fraction(up(s / (m - first)), ONE)
    need(fixed >= 8 * max(bound, 20 * heads), "too few variables for wide leaves")
    likely, depth = m / 2 - s // 2, int(fixed // 8)
    deep = likely / (fixed * Fraction(7, 8))
    alive = deep + (1 - deep) * s / (m - first)
    need(alive * Fraction(5, 4) < 1, "literals are too likely")
    total = up(2 * heads * comb(depth - 1, heads - 1) * power_up(alive, depth))
    shallow = Fraction(up(likely / (fixed - bound)), ONE)
    ratio = [Fraction(1)]  # E C(Y, b) = C(d, b) ratio[b] for the stars Y of a leaf of depth d
    for b in range(1, min(s, widths[0]) + 1):
        ratio.append(ratio[-1] * (s - b + 1) / (m - first - b + 1))
    for k in range(2, len(widths) + 1):
        a = star_weights(k, len(ratio) - 1, 1 / shallow)
        for d in range(widths[k - 1] + 1, widths[k - 2] + 1):
            stars = sum(a[b] * comb(d, b) * r for b, r in enumerate(ratio[: d + 1]))
            total += up(2 * comb(d - 2, heads - 1) * shallow**d * stars) if d > heads else 0
    xs, ends = (
        up(x),
        ((shallow, widths[0] + 1, bound), (Fraction(up(deep), ONE), bound + 1, bound + 600)),
    )
    for theta, start, stop in ends:
        upth, grow, power, growth = up(theta), ONE + up(x * (1 / theta - 1)), ONE, ONE
        few = up(min(Fraction(1), (1 / theta - 1) ** 2))  # 1[Y >= 1] <= Y - few (C(Y,2) - C(Y,3))
        for d in range(1, stop + 1):
            power, growth = -(-power * upth // ONE), -(-growth * grow // ONE)
            if d >= start:
                star = d * xs - (few - 1) * comb(d, 2) * (xs - 1) ** 2 // ONE**2
                star += few * comb(d, 3) * xs**3 // ONE**3 + 1
                total += 2 * comb(d - 2, heads - 1) * -(-power * (growth - ONE + star) // ONE)
    fall = Fraction(upth * grow, ONE**2) * Fraction(stop, stop + 1 - heads)
    need(fall < 1, "the sum over wide leaves does not converge")
    rest = (
        4 * comb(stop - 1, heads - 1) * Fraction(power * growth * upth * grow, ONE**4) / (1 - fall)
    )
    return Fraction(total, ONE) + rest


def dyck_load(cert: Data, part: Data, n: int) -> Fraction:
    """Walk the stages at the even length ``n`` and return the load; below 1 is a proof."""
    heads, positions, final = cert["heads"], n + cert["padding"], part["stages"][-1]
    need(cert["task"] == "dyck", "not a limit of dyck")
    share, open_end = Fraction(part["share"]), part["to"] is None
    need(0 < share < Fraction(1, 2), "the frame's share must lie in (0, 1/2)")
    side = share * n if open_end else Fraction(-(-share * n // 1))
    high, w, done = n - 2 * side, 1, 0
    m = high - 2 * open_end  # rounding the frame up costs two symbols
    for stage in part["stages"][:-1]:
        p, kind = Fraction(stage["p"]), stage["kind"]
        need(kind in ("first-layer", "next-layer", "two-layers"), "unknown stage")
        need(0 < p < 1 and stage["w"] >= 1, "a stage needs 0 < p < 1 and w >= 1")
        need(open_end and (kind == "next-layer" or done == 0), "this stage starts from the bits")
        need(kind != "two-layers" or stage["narrow"] >= heads, "narrow is below the heads")
        # every repair also unbalances; E|imbalance| is at most a standard deviation
        lost = 2 * positions * cost(stage, heads, w, p) + isqrt(int(m * (1 - p))) + 1
        lost += random_dip(n, share, high, p, Fraction(stage["lift"])) if done == 0 else 0
        m, w, done = p * m - lost, stage["w"], done + (2 if kind == "two-layers" else 1)
        need(m > 0, "no free variable is left")
    if final["kind"] == "last":
        need((cert["layers"], done) == (1, 0), "for dyck this end is for one layer")
        return Fraction(4 * heads - 1, n)
    process, widths = final_process(final, heads, w)
    need(done == cert["layers"] - (3 if widths else 2), "wrong number of layers left")
    s, first = final["s"], (heads + 1) * w
    t = s // 2 + 1
    need(3 * heads <= s <= m - first, "s is too small, or more stars than variables")
    codes = choices(final, heads, positions) * code(process, t) * factorial(s) // factorial(s - t)
    limit, worst = (1 - 2 * share) * open_end, list[tuple[Fraction, Fraction]]()
    for ones in range(first + 1):  # openings among the symbols fixed first
        value = images(m, (ones, first - ones), codes, s, t)
        worst.append(
            (value, dip(high, side, (ones, first - ones), s, limit) if done == 0 else Fraction(0))
        )
    wide = too_wide(heads, widths, s, m, first) if widths else Fraction(0)
    covered, dipped = (max(row) for row in zip(*worst, strict=True))
    return Fraction(covered + dipped + positions * wide)


def verify_dyck(cert: Data) -> Report:
    """Decide one limit for 1DYCK given as parsed JSON.

    Examples
    --------
    >>> part = {"from": 4, "to": None, "share": "1/4", "stages": [{"kind": "last"}]}
    >>> verify_dyck({"schema": "attention-limits/n0/1", "task": "dyck", "layers": 1, "heads": 1,
    ...              "padding": 0, "modulus": 2, "n0": 4, "ranges": [part]}).ok
    True
    """
    return verify(cert, dyck_load, 2)
