"""Re-check stored certificates of synthesis cells, without search.

A refutation goes to `synthesis.checker`; a machine is turned into tables and run on every word by
the evaluator of :mod:`attention`; a peeling and an adversary are enumerated again.

Main definitions: `verify_file`, `verify_sentence`, `read_machine`, `Report`.
"""

import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attention.hard import TableTransformer, evaluate_batch
from synthesis.adversary import adversary_wins
from synthesis.certificate import cell_name
from synthesis.checker.meaning import belongs
from synthesis.checker.verify import SCHEMA, CertificateError, verify_refutation, words_of
from synthesis.letters import UniformMachine
from synthesis.machine import Machine
from synthesis.peeling import relaxed
from synthesis.shared import keep, recall
from synthesis.spec import Spec


@dataclass(frozen=True, slots=True)
class Report:
    """What a re-checked certificate shows: verdict ``impossible`` or ``found``, and figures."""

    verdict: str
    spec: Spec
    detail: str


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
        text = path.read_bytes()
        data = json.loads(text)
        spec = Spec(**data["spec"])
        if data["schema"] != SCHEMA or data["spec_sha256"] != spec.digest():
            raise CertificateError(f"{path.name}: not bound to the cell it names")
        packed = b""
        if data["kind"] == "refutation":
            packed = (path.parent / Path(data["proof"]["file"]).name).read_bytes()
        detail = recall(text, packed)
        if detail is None:
            detail = _established(path.name, data, spec, packed)
            keep(detail, text, packed)
        return Report("found" if data["kind"] == "machine" else "impossible", spec, detail)
    except (LookupError, TypeError, ValueError, OSError, lzma.LZMAError) as bad:
        if isinstance(bad, CertificateError):
            raise
        raise CertificateError(f"{path.name}: not a readable certificate: {bad}") from bad


def _established(name: str, data: dict[str, Any], spec: Spec, packed: bytes) -> str:
    """Check the content by its kind and say what was checked."""
    if data["kind"] == "refutation":
        done = verify_refutation(data, lzma.decompress(packed).decode())
        return f"{done.clauses} clauses, {done.lemmas} lemmas"
    if data["kind"] == "machine":
        return _run_tables(data)
    if data["kind"] == "adversary":
        if not adversary_wins(spec):
            raise CertificateError(f"{name}: the adversary does not win")
        return "the adversary beats every ranking"
    if data["kind"] == "peeling":
        return _peel(spec, data["cases"])
    raise CertificateError(f"{name}: unknown kind {data['kind']!r}")


def verify_sentence(path: Path) -> str:
    """Re-check one stored certificate and say in one sentence what it shows."""
    report = verify_file(path)
    return f"{cell_name(report.spec)}: {report.verdict} ({report.detail})"


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
    except (LookupError, TypeError, ValueError) as bad:
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
