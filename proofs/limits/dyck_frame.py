"""Frames of Dyck words: when a balanced middle makes a member, and how often it does not."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, perm

from bounds.limits.verifier_dyck import images
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Frame = tuple[int, tuple[int, ...]]


def _words() -> Iterator[Frame]:
    for m in (2, 4, 6, 8):
        for ones in combinations(range(m), m // 2):
            middle = tuple(1 if i in ones else -1 for i in range(m))
            yield from ((a, middle) for a in range(1, m // 2 + 1))


def _lowest(middle: tuple[int, ...]) -> int:
    height = low = 0
    for step in middle:
        height += step
        low = min(low, height)
    return low


def _member(word: tuple[int, ...]) -> bool:
    return sum(word) == 0 and _lowest(word) >= 0


def _framed(case: Frame) -> bool:
    a, middle = case
    return _lowest(middle) < -a or _member((1,) * a + middle + (-1,) * a)


FRAME = Claim(
    id="limits.dyck.frame",
    says=r"$a$ opening brackets, a balanced middle that never dips below $-a$, and $a$ closing"
    r" brackets form a Dyck word.",
    source=OWN.at("explicit limits, frame"),
    statement=ForAll("the word is a member", "balanced middles of length <= 8", _words, _framed),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    twin=Twin(
        "that the middle does not dip",
        ForAll(
            "the word is a member",
            "balanced middles of length <= 8",
            _words,
            lambda c: _member((1,) * c[0] + c[1] + (-1,) * c[0]),
        ),
    ),
)


def _bridges() -> Iterator[tuple[int, int, int]]:
    for m in range(1, 10):
        for ones in range(m + 1):
            yield from ((m, ones, b) for b in range(m + 1) if 2 * ones - m >= -(b + 1))


def _reflected(case: tuple[int, int, int]) -> bool:
    m, ones, b = case
    dips = sum(
        _lowest(tuple(1 if i in places else -1 for i in range(m))) < -b
        for places in combinations(range(m), ones)
    )
    return dips == (comb(m, ones + b + 1) if ones + b + 1 <= m else 0)


REFLECTION = Claim(
    id="limits.dyck.reflection",
    says=r"Of the $\binom{M}{o}$ sequences of $o$ up and $M - o$ down steps exactly"
    r" $\binom{M}{o+b+1}$ dip below $-b$, if $2o - M \ge -b-1$.",
    source=OWN.at("explicit limits, frame"),
    statement=ForAll("the count is the binomial", "M <= 9", _bridges, _reflected),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
)

Partial = tuple[int, int, tuple[int, ...]]  # stars, ones still needed, answers given


def _partials() -> Iterator[Partial]:
    for s in range(1, 9):
        for asked in range(s // 2 + 1):
            yield from ((s, (s + 1) // 2, answers) for answers in product((0, 1), repeat=asked))


def _longer_partials() -> Iterator[Partial]:
    for s in range(1, 9):
        answers = product((0, 1), repeat=s // 2 + 1)
        yield from ((s, (s + 1) // 2, given) for given in answers)


def _both_left(case: Partial) -> bool:
    s, needed, answers = case
    rest = s - len(answers)
    reached = {sum(answers) + ones == needed for ones in range(rest + 1)}
    return reached == {True, False}


BALANCED = Claim(
    id="limits.dyck.half_of_the_stars",
    says=r"Let exactly $\lceil s/2 \rceil$ of $s$ stars have to open.  After any $\lfloor s/2 \rfloor$"
    r" answers some completions are balanced and some are not; so a transformer that recognises 1DYCK"
    r" asks at least $t = \lfloor s/2 \rfloor + 1$ stars under every such restriction.",
    source=OWN.at("explicit limits, balanced restrictions"),
    statement=ForAll(
        "both kinds of completions",
        "s <= 8, all answers to at most s/2 stars",
        _partials,
        _both_left,
    ),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.final.two", "limits.dyck.frame"),
    twin=Twin(
        "that at most half of the stars are asked: one more",
        ForAll(
            "both kinds of completions",
            "s <= 8, all answers to s/2 + 1 stars, rounded down",
            _longer_partials,
            _both_left,
        ),
    ),
    proof=r"""At most $\lfloor s/2 \rfloor$ answers give at most $\lfloor s/2 \rfloor \le \lceil s/2 \rceil$ openings and
leave at least $\lceil s/2 \rceil$ stars, so exactly the missing number of them can open.  At least one
star is left, and flipping one changes the balance.  Fix the frame and a middle of $m$ symbols: the
word is a member if the middle is balanced and stays above the frame, and no member otherwise.  The
heads of the last layer are made constant as in Theorem F2; a constant output contradicts the two
kinds of completions unless the path asks more than half of the stars.""",
)

Image = tuple[int, int, int, int]  # opening and closing symbols fixed, stars, queries


def _images() -> Iterator[Image]:
    for o, c in product((1, 2, 5, 9), repeat=2):
        yield from ((o, c, s, t) for s in (2, 4, 6) if abs(o - c) < 5 for t in (s // 2 + 1,))


def _share_counted(case: Image, percent: int = 100) -> bool:
    """Count images by opening symbols and divide by the balanced restrictions."""
    o, c, s, t = case
    m = Fraction(o + c + s)
    exact = sum(
        (
            Fraction(
                comb(o + c + s, s - t) * comb(o + c + t, o + i), comb(o + c + s, s) * comb(o + c, o)
            )
            for i in range(t + 1)
        ),
        Fraction(0),
    )
    fixed = (int(m // 2) - (s + 1) // 2 - o, int(m // 2) - s // 2 - c)
    if (o + c) % 2:  # an odd middle has no balanced restriction
        return True
    return 100 * exact <= percent * images(m, fixed, perm(s, t), s, t)


_IMAGE_SCOPE = "1..9 opening and closing symbols, 2, 4, 6 stars, s/2 + 1 queries"

IMAGES = Claim(
    id="limits.dyck.images",
    says=r"Of $o$ opening and $c$ closing symbols and $s$ stars, images with $s - t$ stars and $o + i$"
    r" opening symbols, $i = 0..t$, are $\frac{s!}{(s-t)!}\sum_i \frac{1}{(o+1)\cdots(o+i)\,(c+1)\cdots(c+t-i)}$"
    r" times as many as the balanced restrictions.",
    source=OWN.at("explicit limits, balanced restrictions"),
    statement=ForAll("the counted share is at most the sum", _IMAGE_SCOPE, _images, _share_counted),
    check=exhaustive.decide(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.OWN,
    assumes=("limits.encoding.bound",),
    twin=Twin(
        "the full constant: one percent less",
        ForAll("at most 99 %", _IMAGE_SCOPE, _images, lambda c: _share_counted(c, 99)),
    ),
    proof=r"""Lemma E (b) maps a balanced restriction with a path of $t$ queries to one with $s-t$ stars, whose
opening symbols are the $o$ old ones and $i$ of the $t$ answers.  There are
$\binom{m}{s-t}\binom{o+c+t}{o+i}$ of them, and $\binom ms\binom{o+c}{o}$ balanced restrictions; in the
quotient the falling factorials cancel to the sum, which decreases in $o$ and $c$ and so may be
evaluated at a real number of variables.""",
)
