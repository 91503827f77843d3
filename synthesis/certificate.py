"""Certificates of synthesis cells: refutations, machines, peelings, adversaries; made and stored.

Files: ``NAME.json`` (readable, sorted keys) and for refutations ``NAME.lrat.xz`` beside it.  The
JSON binds the proof to the question by two digests, one of the cell and one of its clauses.

Main definitions: `Refutation`, `Witness`, `Peeling`, `Adversary`, `refute`, `save`, `cell_name`.
They are re-checked by `synthesis.recheck`.
"""

import hashlib
import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from synthesis.checker.verify import SCHEMA
from synthesis.encodings import Encoding
from synthesis.formula import Cnf
from synthesis.letters import UniformMachine
from synthesis.machine import Machine
from synthesis.proof import Lemma, as_text, read_lrat, trim
from synthesis.rup import hints_for
from synthesis.solving import Answer
from synthesis.spec import Spec, Word


@final
@dataclass(frozen=True, slots=True)
class Refutation:
    """A proof that no transformer of the cell is right on all (or on the listed) words."""

    spec: Spec
    encoding: Encoding
    words: tuple[Word, ...] | None
    cnf_sha256: str
    sizes: dict[str, int]
    proof: str = field(repr=False)
    solver: str = ""

    def name(self) -> str:
        """Return the file name's stem."""
        return f"{cell_name(self.spec)}-impossible"

    def body(self) -> dict[str, Any]:
        """Return the JSON content."""
        return {
            **_head(self.spec, "refutation"),
            "encoding": self.encoding,
            "words": None if self.words is None else ["".join(map(str, w)) for w in self.words],
            "formula": {"sha256": self.cnf_sha256, **self.sizes},
            "proof": {
                "file": f"{self.name()}.lrat.xz",
                "sha256": hashlib.sha256(self.proof.encode()).hexdigest(),
            },
            "solver": self.solver,
        }


@final
@dataclass(frozen=True, slots=True)
class Witness:
    """A machine that is right on every word of the cell."""

    spec: Spec
    machine: Machine | UniformMachine

    def name(self) -> str:
        """Return the file name's stem."""
        return f"{cell_name(self.spec)}-found"

    def body(self) -> dict[str, Any]:
        """Return the JSON content: rankings and rows."""
        return {**_head(self.spec, "machine"), "machine": self.machine.as_json()}


@final
@dataclass(frozen=True, slots=True)
class Peeling:
    """The solver-free refutation for PARITY, two layers, one head, unbounded alphabet, causal."""

    spec: Spec
    cases: int

    def name(self) -> str:
        """Return the file name's stem."""
        return f"{cell_name(self.spec)}-peeled"

    def body(self) -> dict[str, Any]:
        """Return the JSON content."""
        return {**_head(self.spec, "peeling"), "cases": self.cases}


@final
@dataclass(frozen=True, slots=True)
class Adversary:
    """The solver-free refutation for one layer (see `synthesis.adversary`)."""

    spec: Spec

    def name(self) -> str:
        """Return the file name's stem."""
        return f"{cell_name(self.spec)}-adversary"

    def body(self) -> dict[str, Any]:
        """Return the JSON content."""
        return _head(self.spec, "adversary")


Certificate = Refutation | Witness | Peeling | Adversary


def refute(
    spec: Spec, encoding: Encoding, words: tuple[Word, ...] | None, cnf: Cnf, answer: Answer
) -> Refutation:
    """Turn a solver's raw proof into a certificate.

    Raises
    ------
    ProofError
        If the solver's proof is broken.
    """
    kept = trim(lemmas_of(cnf, answer), len(cnf.clauses))
    return refutation(spec, encoding, words, cnf, kept, answer.solver)


def lemmas_of(cnf: Cnf, answer: Answer) -> list[Lemma]:
    """Read a solver's proof of ``cnf``, with hints that are searched for if it has none."""
    if answer.format == "lrat":
        return read_lrat(answer.proof, len(cnf.clauses))
    return hints_for(cnf, answer.proof)


def refutation(
    spec: Spec,
    encoding: Encoding,
    words: tuple[Word, ...] | None,
    cnf: Cnf,
    lemmas: Sequence[Lemma],
    solver: str,
) -> Refutation:
    """Bind a finished proof of ``cnf`` to its cell."""
    sizes = {
        "variables": len(cnf.names),
        "clauses": len(cnf.clauses),
        "lemmas": len(lemmas),
        "hints": sum(len(s.hints) for s in lemmas),
    }
    return Refutation(spec, encoding, words, cnf.digest(), sizes, as_text(lemmas), solver)


def save(certificate: Certificate, folder: Path) -> Path:
    """Write the certificate into ``folder`` and return the path of its JSON file."""
    path = folder / f"{certificate.name()}.json"
    if isinstance(certificate, Refutation):
        packed = lzma.compress(certificate.proof.encode(), preset=1)
        (folder / certificate.body()["proof"]["file"]).write_bytes(packed)
    path.write_text(json.dumps(certificate.body(), sort_keys=True, indent=1) + "\n")
    return path


def cell_name(spec: Spec) -> str:
    """Return a short name of the cell, used for files and claims.

    Examples
    --------
    >>> cell_name(Spec("parity", 6, 2, 1, None))
    'parity-n6-L2-H1-Sany-causal'
    """
    size = "any" if spec.alphabet is None else spec.alphabet
    ties = "-rightmost" if spec.ties == "rightmost" else ""
    return f"{spec.language}-n{spec.n}-L{spec.layers}-H{spec.heads}-S{size}-{spec.variant}{ties}"


def _head(spec: Spec, kind: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": kind,
        "spec": spec.as_json(),
        "spec_sha256": spec.digest(),
    }
