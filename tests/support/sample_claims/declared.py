"""A true claim on a false assumption, a false one, its repair."""

from claims import HAHN, Claim, ForAll, Kind, Twin, Verdict
from sample_claims.checkers import Enumerate

SQUARES = ForAll(
    says="$x^2 \\ge x$",
    scope="integers -3..3",
    cases=lambda: range(-3, 4),
    holds=lambda x: x * x >= x,
    tex=r"x^2 \ge x",
)
CUBES = ForAll(
    says="$x^3 \\ge x$",
    scope="integers -3..3",
    cases=lambda: range(-3, 4),
    holds=lambda x: x**3 >= x,
    tex=r"x^3 \ge x",
)

SQUARE = Claim(
    id="sample.square",
    says=r"Every integer has $x^2 \ge x$.",
    source=HAHN.at("Section 1"),
    statement=SQUARES,
    check=Enumerate(),
    expect=Verdict.EXHAUSTED,
    labels=("Q1",),
    twin=Twin("the exponent 2 becomes 3", CUBES),
    proof=r"If $x \ge 1$ multiply by $x$; else $x^2 \ge 0 \ge x$.",
)
CUBE = Claim(
    id="sample.cube.as_stated",
    says=r"Every integer has $x^3 \ge x$.",
    source=HAHN.at("Section 2"),
    statement=CUBES,
    check=Enumerate(),
    expect=Verdict.REFUTED,
    labels=("Q2",),
    difference="fails for negative $x$, e.g. $x = -2$",
    assumes=("sample.square",),
)
CUBE_REPAIRED = Claim(
    id="sample.cube.repaired",
    says=r"Every integer $x \ge 0$ has $x^3 \ge x$.",
    source=HAHN.at("Section 2"),
    statement=ForAll("$x^3 \\ge x$", "integers 0..3", lambda: range(4), lambda x: x**3 >= x),
    check=Enumerate(),
    expect=Verdict.EXHAUSTED,
    kind=Kind.REPAIRED,
    repairs="sample.cube.as_stated",
    difference="the domain is restricted to $x \\ge 0$",
    labels=("Q2",),
    assumes=("sample.square",),
)
