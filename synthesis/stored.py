"""The stored certificates, and the table of cells that they settle.

Main definitions: `Row`, `ROWS`, `UNIFORM`, `RIGHTMOST`, `certified`, `folder`.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import synthesis
from synthesis.certificate import Certificate, save
from synthesis.decision import Found, Impossible, decide
from synthesis.reach import at_length, settled, stored_verdict
from synthesis.recheck import verify_file
from synthesis.spec import Spec


@dataclass(frozen=True, slots=True)
class Row:
    """One size of transformer: the largest length found and the lengths refuted above it.

    ``refuted`` is empty where only a machine is known.  ``through`` names a row whose
    transformers include this row's, so that its refutations apply here as well.
    """

    name: str
    spec: Spec
    found: int
    refuted: tuple[int, ...] = ()
    through: str = ""

    @property
    def exact(self) -> bool:
        """Whether the refutations, by monotonicity, settle every length above ``found``."""
        if self.through:
            wider = next(row for row in ROWS if row.name == self.through)
            return wider.exact and wider.found == self.found
        return settled(self.spec, (self.found,), self.refuted)

    @property
    def summary(self) -> str:
        """``= n`` or ``>= n``."""
        return f"{'=' if self.exact else '>='} {self.found}"

    def cells(self) -> list[tuple[Spec, str]]:
        """Return the cells the row rests on with their verdicts."""
        below = [(at_length(self.spec, self.found), "found")] if self.found else []
        own = [(at_length(self.spec, n), "impossible") for n in self.refuted]
        if not self.through:
            return below + own
        wider = next(row for row in ROWS if row.name == self.through)
        return below + own + [cell for cell in wider.cells() if cell[1] == "impossible"]


def _row(name: str, found: int, refuted: tuple[int, ...], *size: object) -> Row:
    language, layers, heads, alphabet, *rest = size
    return Row(name, Spec(language, 1, layers, heads, alphabet, *rest), found, refuted)  # type: ignore[arg-type]


ROWS: tuple[Row, ...] = (
    _row("parity.l1h1", 2, (3,), "parity", 1, 1, 2),
    _row("parity.l1h2", 3, (4,), "parity", 1, 2, 2),
    _row("parity.l1h3", 4, (5,), "parity", 1, 3, 2),
    _row("parity.l1h4", 5, (6,), "parity", 1, 4, 2),
    _row("mod3.l1h1", 3, (4,), "mod3", 1, 1, 2),
    _row("mod3.l1h2", 4, (5,), "mod3", 1, 2, 2),
    _row("mod3.l1h3", 5, (6,), "mod3", 1, 3, 2),
    _row("mod3.l1h4", 6, (7,), "mod3", 1, 4, 2),
    _row("majority.l1h1", 3, (4, 5), "majority", 1, 1, 2),
    _row("majority.l1h2", 5, (6, 7), "majority", 1, 2, 2),
    _row("majority.l1h3", 5, (6, 7), "majority", 1, 3, 2),
    _row("majority.l1h4", 7, (), "majority", 1, 4, 2),
    _row("dyck1.l1h1", 2, (4,), "dyck1", 1, 1, 2),
    _row("dyck1.l1h2", 4, (6,), "dyck1", 1, 2, 2),
    _row("dyck1.l1h3", 6, (8,), "dyck1", 1, 3, 2),
    _row("dyck1.l1h4", 8, (10,), "dyck1", 1, 4, 2),
    _row("dyck2.l1h1", 2, (4,), "dyck2", 1, 1, 2),
    _row("dyck2.l1h2", 4, (6,), "dyck2", 1, 2, 2),
    _row("dyck2.l1h3", 4, (6,), "dyck2", 1, 3, 2),
    _row("first.l1h1", 8, (), "first", 1, 1, 2),
    _row("ones.l1h1", 8, (), "ones", 1, 1, 2),
    _row("parity.l2h1s2", 5, (6,), "parity", 2, 1, 2),
    Row("parity.l2h1s3", Spec("parity", 1, 2, 1, 3), 6, through="parity.l2h1any"),
    _row("parity.l2h1any", 6, (7,), "parity", 2, 1, None),
    _row("mod3.l2h1s2", 5, (6,), "mod3", 2, 1, 2),
    _row("mod3.l2h1s3", 6, (), "mod3", 2, 1, 3),
    _row("mod3.l2h1any", 7, (8,), "mod3", 2, 1, None),
    _row("majority.l2h1s2", 7, (), "majority", 2, 1, 2),
    _row("majority.l2h1any", 10, (), "majority", 2, 1, None),
    _row("dyck1.l2h1s2", 8, (), "dyck1", 2, 1, 2),
    _row("dyck2.l2h1s2", 4, (), "dyck2", 2, 1, 2),
    _row("dyck2.l2h1any", 6, (), "dyck2", 2, 1, None),
    _row("parity.l2h1s2full", 6, (), "parity", 2, 1, 2, "full"),
    _row("mod3.l2h1s2full", 6, (), "mod3", 2, 1, 2, "full"),
    _row("parity.l2h1anyfull", 9, (), "parity", 2, 1, None, "full"),
)
"""Every stored row of the position-aware variants."""

UNIFORM: tuple[Row, ...] = tuple(
    _row(f"uniform.l{layers}h{heads}s{size}", found, (found + 1,), "parity", layers, heads, size,
         "uniform")
    for layers, heads, size, found in (
        (1, 1, 2, 1), (1, 1, 3, 2), (1, 1, 4, 2), (1, 2, 2, 1), (1, 2, 3, 3), (1, 2, 4, 3),
        (1, 3, 2, 1), (1, 3, 3, 3), (1, 3, 4, 4), (2, 1, 2, 1), (2, 1, 3, 3), (2, 1, 4, 4),
        (2, 2, 2, 1), (2, 2, 3, 3), (3, 1, 2, 1),
    )
)  # fmt: skip
"""Stored rows of the uniform variant: PARITY, leftmost ties, all lengths up to ``found``."""

RIGHTMOST: tuple[Row, ...] = tuple(
    _row(f"uniform.rightmost.l{layers}h{heads}s{size}", found, (found + 1,), "parity", layers,
         heads, size, "uniform", "rightmost")
    for layers, heads, size, found in (
        (1, 1, 2, 1), (1, 1, 3, 2), (1, 2, 3, 2), (2, 1, 3, 2),
    )
)  # fmt: skip
"""The same with rightmost ties, which are weaker: the answer is read at the right end."""


def folder() -> Path:
    """Return the folder of stored certificates of a clone (it may not exist elsewhere)."""
    return Path(synthesis.__file__).resolve().parents[1] / "certificates" / "synthesis"


def certified(spec: Spec, verdict: str, *, seconds: float = 300.0) -> bool:
    """Return whether a certificate shows ``verdict`` for the cell.

    A stored certificate is re-checked; without one the cell is decided and its new certificate is
    re-checked in the same way.

    Parameters
    ----------
    spec, verdict
        The cell, and ``found`` or ``impossible``.
    seconds
        Budget of a search, if one is needed.
    """
    stored = stored_verdict(spec, folder())
    if stored is None:
        outcome = decide(spec, seconds=seconds)
        certificate: Certificate | None = None
        if isinstance(outcome, Found):
            certificate = outcome.witness
        elif isinstance(outcome, Impossible):
            certificate = outcome.certificate
        if certificate is None:
            return False
        with tempfile.TemporaryDirectory() as scratch:
            stored = verify_file(save(certificate, Path(scratch))).verdict
    return stored == verdict
