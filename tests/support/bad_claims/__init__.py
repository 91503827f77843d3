"""Claims for tests whose checkers hang, die and raise, and whose twin is not refuted."""

from sample_claims.checkers import Enumerate, Misbehave

from claims import HAHN, Claim, ForAll, Twin, Verdict

TRUE = ForAll("$x \\ge 0$", "integers 0..3", lambda: range(4), lambda x: x >= 0)


def _misbehaving(how: str) -> Claim:
    return Claim(
        id=f"bad.{how}",
        says="$x \\ge 0$.",
        source=HAHN.at("nowhere"),
        statement=TRUE,
        check=Misbehave(how),
        expect=Verdict.EXHAUSTED,
    )


HANG, DIE, RAISE, SLOW = map(_misbehaving, ("hang", "die", "raise", "slow"))
VACUOUS = Claim(
    id="bad.vacuous",
    says="$x \\ge 0$.",
    source=HAHN.at("nowhere"),
    statement=TRUE,
    check=Enumerate(),
    expect=Verdict.EXHAUSTED,
    twin=Twin("nothing at all", TRUE),
)
