"""From a row of the reach tables to a claim: every cell of it has a certificate that checks.

Main definitions: `claim_of`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import final

from claims import OWN, Claim, ForAll, Kind, Verdict
from proofs.checkers import exhaustive
from synthesis.certificate import cell_name
from synthesis.spec import Spec
from synthesis.stored import RIGHTMOST, ROWS, UNIFORM, Row, certified

_BY_NAME = {row.name: row for row in (*ROWS, *UNIFORM, *RIGHTMOST)}


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with the verdict that its certificate has to show."""

    spec: Spec
    verdict: str

    def __str__(self) -> str:
        return f"{cell_name(self.spec)}: {self.verdict}"


def cells(name: str) -> Iterator[Cell]:
    """Yield the cells of a row."""
    for spec, verdict in _BY_NAME[name].cells():
        yield Cell(spec, verdict)


def settled(cell: Cell) -> bool:
    """Return whether the cell's certificate checks."""
    return certified(cell.spec, cell.verdict)


def claim_of(name: str, proof: str = "") -> Claim:
    """Return the claim of a row, EXHAUSTED by certificates.

    Parameters
    ----------
    name
        A row of `synthesis.stored`.
    proof
        What extends the cells beyond the lengths that were decided.
    """
    row = _BY_NAME[name]
    return Claim(
        id=f"synthesis.{name}",
        says=_sentence(row),
        source=OWN.at("synthesis"),
        statement=ForAll(
            says="the cell's certificate shows its verdict",
            scope="all transformers of the size, all words of the length, in the cells "
            + "; ".join(map(str, cells(name))),
            cases=partial(cells, name),
            holds=settled,
        ),
        check=exhaustive.decide(),
        expect=Verdict.EXHAUSTED,
        kind=Kind.OWN,
        proof=proof or (_MONOTONE if row.exact and row.spec.variant != "uniform" else ""),
    )


_MONOTONE = (
    "A found machine was run on every word of its length; a refutation is a SAT certificate "
    "(LRAT) against clauses that the checker writes itself, or the adversary of one layer. "
    "Longer words: the language has a neutral prefix, and fixing it turns a causal transformer "
    "into one of the same size for the shorter length, so a refuted length refutes all longer "
    "ones that the prefix reaches."
)


def _sentence(row: Row) -> str:
    spec = row.spec
    hidden = "any number of" if spec.alphabet is None else f"{spec.alphabet}"
    layers = f"{spec.layers} layer{'s' * (spec.layers > 1)}"
    size = f"{layers}, {spec.heads} head{'s' * (spec.heads > 1)}"
    where = {"causal": "causal", "full": "unmasked", "uniform": "position-free"}[spec.variant]
    if spec.layers > 1 or spec.variant == "uniform":
        size += f", {hidden} hidden symbols"
    if spec.ties == "rightmost":
        size += ", rightmost ties"
    relation = "exactly up to" if row.exact else "at least up to"
    extra = ""
    if row.refuted and not row.exact:
        extra = f", and not at $n = {', '.join(map(str, row.refuted))}$"
    return (
        f"{where.capitalize()} hard attention with {size} decides {spec.language} "
        f"{relation} $n = {row.found}${extra}."
    )
