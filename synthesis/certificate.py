"""Certificates of synthesis cells: refutations, machines, peelings; made, stored, re-checked.

Files: ``NAME.json`` (readable, sorted keys) and for refutations ``NAME.lrat.xz`` beside it.  The
JSON binds the proof to the question by two digests, one of the cell and one of its clauses.

Main definitions: `Refutation`, `Witness`, `Peeling`, `save`, `verify_file`, `Report`.
"""

import hashlib
import json
import lzma
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from attention.hard import TableTransformer, evaluate_batch
from synthesis.checker.meaning import belongs
from synthesis.checker.verify import SCHEMA, CertificateError, verify_refutation, words_of
from synthesis.encodings import Encoding
from synthesis.formula import Cnf
from synthesis.letters import UniformMachine
from synthesis.machine import Machine
from synthesis.peeling import relaxed
from synthesis.proof import as_text, read_lrat, trim
from synthesis.rup import hints_for
from synthesis.solving import Answer
from synthesis.spec import Spec, Word


@dataclass(frozen=True, slots=True)
class Report:
    """What a re-checked certificate shows: verdict ``impossible`` or ``found``, and figures."""

    verdict: str
    spec: Spec
    detail: str


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


def refute(
    spec: Spec, encoding: Encoding, words: tuple[Word, ...] | None, cnf: Cnf, answer: Answer
) -> Refutation:
    """Turn a solver's raw proof into a certificate.

    Raises
    ------
    ProofError
        If the solver's proof is broken.
    """
    size = len(cnf.clauses)
    if answer.format == "lrat":
        kept = trim(read_lrat(answer.proof, size), size)
    else:
        kept = trim(hints_for(cnf, answer.proof), size)
    sizes = {
        "variables": len(cnf.names),
        "clauses": len(cnf.clauses),
        "lemmas": len(kept),
        "hints": sum(len(s.hints) for s in kept),
    }
    return Refutation(spec, encoding, words, cnf.digest(), sizes, as_text(kept), answer.solver)


def save(certificate: Refutation | Witness | Peeling, folder: Path) -> Path:
    """Write the certificate into ``folder`` and return the path of its JSON file."""
    path = folder / f"{certificate.name()}.json"
    if isinstance(certificate, Refutation):
        packed = lzma.compress(certificate.proof.encode(), preset=6)
        (folder / certificate.body()["proof"]["file"]).write_bytes(packed)
    path.write_text(json.dumps(certificate.body(), sort_keys=True, indent=1) + "\n")
    return path


def verify_file(path: Path) -> Report:
    """Re-check one stored certificate, without search.

    Parameters
    ----------
    path
        A ``.json`` file written by `save`; the proof lies beside it.

    Raises
    ------
    CertificateError
        If the file is damaged, altered, for another question, or does not show what it says.
    """
    try:
        data = json.loads(path.read_text())
        spec = Spec(**data["spec"])
        if data["schema"] != SCHEMA or data["spec_sha256"] != spec.digest():
            raise CertificateError(f"{path.name}: not bound to the cell it names")
        if data["kind"] == "refutation":
            packed = (path.parent / Path(data["proof"]["file"]).name).read_bytes()
            done = verify_refutation(data, lzma.decompress(packed).decode())
            return Report("impossible", spec, f"{done.clauses} clauses, {done.lemmas} lemmas")
        if data["kind"] == "machine":
            return Report("found", spec, _run_tables(data))
        if data["kind"] == "peeling":
            return Report("impossible", spec, _peel(spec, data["cases"]))
    except (KeyError, TypeError, ValueError, OSError, lzma.LZMAError) as bad:
        if isinstance(bad, CertificateError):
            raise
        raise CertificateError(f"{path.name}: not a readable certificate: {bad}") from bad
    raise CertificateError(f"{path.name}: unknown kind {data['kind']!r}")


def verify_sentence(path: Path) -> str:
    """Re-check one stored certificate and say in one sentence what it shows."""
    report = verify_file(path)
    return f"{cell_name(report.spec)}: {report.verdict} ({report.detail})"


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


def read_machine(data: dict[str, Any]) -> TableTransformer:
    """Return the tables of a stored machine (uniform: at its largest length).

    Raises
    ------
    CertificateError
        If the data is not a stored machine.
    """
    try:
        spec = Spec(**data["spec"])
        if spec.variant == "uniform":
            return UniformMachine.from_json(spec, data["machine"]).as_tables()
        return Machine.from_json(spec, data["machine"]).as_tables()
    except (KeyError, TypeError, ValueError) as bad:
        raise CertificateError(f"not a stored machine: {bad}") from bad


def _run_tables(data: dict[str, Any]) -> str:
    """Run the machine's tables on every word with the evaluator of the attention package."""
    spec = Spec(**data["spec"])
    if spec.variant == "uniform":
        machine = UniformMachine.from_json(spec, data["machine"])
        # lengths share everything but the rows of the embedding, by construction of the tables
        models = {n: machine.as_tables(n) for n in range(1, spec.n + 1)}
    else:
        models = {spec.n: Machine.from_json(spec, data["machine"]).as_tables()}
    words = words_of(data["spec"], None)
    for n, model in models.items():
        _fits(spec, model)
        batch = [w for w in words if len(w) == n]
        answers = evaluate_batch(model, np.array(batch, dtype=np.uint8))
        wrong = [w for w, a in zip(batch, answers, strict=True) if a != belongs(spec.language, w)]
        if wrong:
            raise CertificateError(f"the machine is wrong on {wrong[0]}")
    return f"right on all {len(words)} words"


def _fits(spec: Spec, model: TableTransformer) -> None:
    """Check that the tables stay within the cell's size."""
    if (model.layers, model.heads) != (spec.layers, spec.heads):
        raise CertificateError("the machine has another number of layers or heads than the cell")
    if spec.variant == "uniform":
        shared = all(t.shape[0] == t.shape[2] == 1 for layer in model.scores for t in layer)
        small = all(model.values(k) <= (spec.alphabet or 0) for k in range(spec.layers))
        if not (shared and small and all(act.shape[0] == 1 for act in model.acts)):
            raise CertificateError("the machine is not uniform or has too many letters")
    elif spec.alphabet is not None:
        size = len(spec.target.alphabet)
        for act in model.acts[:-1]:  # values at position i are i S .. i S + S - 1
            for i in range(spec.n):
                block = act[0, i * size : (i + 1) * size] // spec.alphabet
                if act.shape[0] != 1 or (block != i).any():
                    raise CertificateError("the machine uses more symbols than the cell allows")
            size = spec.alphabet


def _peel(spec: Spec, cases: int) -> str:
    if (spec.language, spec.layers, spec.heads, spec.alphabet, spec.variant) != (
        "parity", 2, 1, None, "causal",
    ):  # fmt: skip
        raise CertificateError("peeling was proved for causal PARITY, L = 2, H = 1, any alphabet")
    done = relaxed(spec.n - 2)
    if done.closed or done.cases != cases:
        raise CertificateError(f"peeling closes {done.closed} of {done.cases} cases")
    return f"all {done.cases} cases get stuck"
