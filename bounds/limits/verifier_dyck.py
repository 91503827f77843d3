"""Decide a stored limit for 1DYCK: the stages of `verifier` with balanced restrictions.

A word is a frame of opening brackets, a middle and a frame of closing brackets.  The middle is
restricted to ``s`` free symbols of which exactly half still open; a path of at most ``s // 2``
queries leaves a member and a non-member, so every such restriction needs a path of
``t = s // 2 + 1`` queries.  Integers and fractions only, rounded up.

Main definitions: `verify_dyck`, `dyck_load`.
"""

from fractions import Fraction
from math import ceil, comb, isqrt, perm

from bounds.limits.verifier import (
    ONE,
    Data,
    cost,
    final_codes,
    need,
    star_weights,
    verify,
    walk,
)


def up(x: Fraction) -> int:
    """Return ``x * ONE`` rounded up."""
    return ceil(x * ONE)


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
    # below: (1 + x odds)^d - 1 + d x <= 2 d x (1 + x odds)^d; with x, positions * rest falls too
    fall = Fraction(upth * grow, ONE**2) * Fraction((stop + 2) * stop, stop + 1)
    fall /= stop + 1 - heads
    need(fall < 1, "the sum over wide leaves does not converge")
    rest = 4 * x * (stop + 1) * comb(stop - 1, heads - 1) / (1 - fall)
    return Fraction(total, ONE) + rest * Fraction(power * growth * upth * grow, ONE**4)


def dyck_load(cert: Data, part: Data, n: int) -> Fraction:
    """Walk the stages at the even length ``n`` and return the load; below 1 is a proof."""
    heads, positions, final = cert["heads"], n + cert["padding"], part["stages"][-1]
    need(cert["task"] == "dyck", "not a limit of dyck")
    share, open_end = Fraction(part["share"]), part["to"] is None
    need(0 < share < Fraction(1, 2), "the frame's share must lie in (0, 1/2)")
    side = share * n if open_end else Fraction(-(-share * n // 1))
    high, alone = n - 2 * side, len(part["stages"]) == 1
    need(open_end or alone, "single lengths have no restricting stage")

    def loss(m: Fraction, stage: Data, w: int, p: Fraction) -> Fraction:
        # every repair also unbalances; E|imbalance| is at most a standard deviation
        lost: Fraction = 2 * positions * cost(heads, stage, w, p) + isqrt(int(m * (1 - p))) + 1
        if stage is part["stages"][0]:
            lost += random_dip(n, share, high, p, Fraction(stage["lift"]))
        return lost

    m, w = walk(cert, part, high - 2 * open_end, loss)  # rounding the frame up costs two symbols
    if final["kind"] == "last":
        need(alone, "for dyck this end is for one layer")
        return Fraction(4 * heads - 1, n)
    s, t, first = final["s"], final["s"] // 2 + 1, (heads + 1) * w
    need(3 * heads <= s <= m - first, "s is too small, or more stars than variables")
    codes = final_codes(final, heads, w, positions, t) * perm(s, t)
    limit, covered, dipped = (1 - 2 * share) * open_end, Fraction(0), Fraction(0)
    for ones in range(first + 1):  # openings among the symbols fixed first
        fixed = (ones, first - ones)
        covered = max(covered, images(m, fixed, codes, s, t))
        dipped = max(dipped, dip(high, side, fixed, s, limit)) if alone else dipped
    wide = too_wide(heads, final["w"], s, m, first) if "w" in final else Fraction(0)
    return Fraction(covered + dipped + positions * wide)


def verify_dyck(cert: Data) -> None:
    """Return if one limit for 1DYCK is established; raise as `verifier.verify` otherwise.

    Examples
    --------
    >>> part = {"from": 4, "to": None, "share": "1/4", "stages": [{"kind": "last"}]}
    >>> verify_dyck({"schema": "attention-limits/n0/1", "task": "dyck", "layers": 1, "heads": 1,
    ...              "padding": 0, "modulus": 2, "n0": 4, "ranges": [part]})
    """
    verify(cert, dyck_load, 2)
