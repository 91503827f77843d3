"""Re-check a stored certificate of a synthesis cell, without search and without the encoders.

A *refutation* is checked by writing the cell's clauses again (`regenerate`, `closed`, `uniform`),
comparing their digest, and running the LRAT checker on the stored proof.  A *machine* is run on
every word of the cell by the evaluator of :mod:`attention`.  A *peeling* is enumerated again.

Main definitions: `verify_refutation`, `CertificateError`, `Checked`.
"""

import gc
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from synthesis.checker.apart import apart_clauses
from synthesis.checker.blocks import blocks_clauses
from synthesis.checker.cells import cells_clauses
from synthesis.checker.closed import closing_clauses, halves_clauses
from synthesis.checker.lrat import ProofError, check
from synthesis.checker.meaning import belongs, letters
from synthesis.checker.regenerate import Cell, Clause, Word, level_clauses, order_clauses
from synthesis.checker.tidy import naming_clauses, symmetric, tidy_clauses
from synthesis.checker.uniform import uniform_clauses

SCHEMA = "attention-limits/synthesis/1"


class CertificateError(ValueError):
    """A certificate that is damaged, was altered, or is for another question."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What an accepted refutation consists of."""

    variables: int
    clauses: int
    lemmas: int


def verify_refutation(data: Mapping[str, Any], proof: str) -> Checked:
    """Accept a refutation or say why not.

    Parameters
    ----------
    data
        The certificate's JSON: ``spec``, ``encoding``, ``words``, ``formula``, ``proof``.
    proof
        LRAT text.

    Raises
    ------
    CertificateError
        If the proof is not the recorded one, the regenerated formula differs from the recorded
        one, the proof does not refute it, or a recorded size is not the counted one.
    """
    collecting = gc.isenabled()
    gc.disable()  # a million clauses, no cycles among them: the collector only doubles the time
    try:
        return _verified(data, proof)
    finally:
        if collecting:
            gc.enable()


def _verified(data: Mapping[str, Any], proof: str) -> Checked:
    if hashlib.sha256(proof.encode()).hexdigest() != data["proof"]["sha256"]:
        raise CertificateError("the proof is not the one this certificate was made for")
    names, clauses = number(clauses_of(data["spec"], data["encoding"], data["words"]))
    if digest(names, clauses) != data["formula"]["sha256"]:
        raise CertificateError("the cell's clauses are not the ones that were refuted")
    lines = proof.splitlines()
    try:
        lemmas = check(clauses, lines)
    except ProofError as bad:
        raise CertificateError(f"the proof fails: {bad}") from bad
    hints = sum(line.partition(" 0 ")[2].count(" ") for line in lines)
    sizes = {"variables": len(names), "clauses": len(clauses), "lemmas": lemmas, "hints": hints}
    stated = {key: value for key, value in data["formula"].items() if key != "sha256"}
    if stated != sizes:
        raise CertificateError(f"its sizes are {sizes}, not {stated} as stated")
    return Checked(len(names), len(clauses), lemmas)


def words_of(spec: Mapping[str, Any], chosen: list[str] | None) -> list[Word]:
    """Return the input words of a cell, or the chosen ones after checking that they fit it."""
    symbols, n = letters(spec["language"]), spec["n"]
    lengths = range(1, n + 1) if spec["variant"] == "uniform" else (n,)
    if chosen is None:
        return [w for length in lengths for w in product(range(symbols), repeat=length)]
    words = [tuple(map(int, text)) for text in chosen]
    if any(len(w) not in lengths or not set(w) <= set(range(symbols)) for w in words):
        raise CertificateError("a listed word does not belong to the cell")
    return words


def clauses_of(spec: Mapping[str, Any], encoding: str, chosen: list[str] | None) -> set[Clause]:
    """Return the clauses that say "some transformer of the cell is right on these words"."""
    language, n = spec["language"], spec["n"]
    layers, heads, symbols = spec["layers"], spec["heads"], spec["alphabet"]
    if encoding in ("closing", "halves", "blocks"):
        return _reduced(spec, encoding, chosen)
    answers = [(w, belongs(language, w)) for w in words_of(spec, chosen)]
    if (encoding in ("uniform", "relabelled")) != (spec["variant"] == "uniform"):
        raise CertificateError(f"encoding {encoding!r} does not fit variant {spec['variant']!r}")
    if spec["variant"] == "uniform":
        sizes = (n, layers, heads, letters(language), symbols)
        clauses = uniform_clauses(sizes, spec["ties"], answers)
        return clauses | naming_clauses(*sizes) if encoding == "relabelled" else clauses
    causal = spec["variant"] == "causal"
    if encoding == "cells" and (layers, heads, symbols) == (2, 1, None) and n > 1:
        return cells_clauses(Cell(n, layers, heads, letters(language), 2, causal), answers)
    if symbols is None and layers > 1:
        raise CertificateError(f"encoding {encoding!r} needs a finite alphabet")
    cell = Cell(n, layers, heads, letters(language), symbols or 2, causal)
    if encoding == "order":
        return order_clauses(cell, answers)
    if encoding == "apart" and layers == 1 and n > 1:
        return apart_clauses(cell, answers)
    if encoding == "symmetric" and layers == 1:
        if not symmetric(dict(answers)):
            raise CertificateError("the words or their answers are not symmetric")
        return order_clauses(cell, answers) | tidy_clauses(cell)
    if encoding == "level" and heads == 1 and layers <= 2:
        return level_clauses(cell, answers)
    raise CertificateError(f"unknown encoding {encoding!r} for this cell")


def _reduced(spec: Mapping[str, Any], encoding: str, chosen: list[str] | None) -> set[Clause]:
    """Return the clauses of a reduced system, for the cells that the reductions are proved for."""
    language, n, causal = spec["language"], spec["n"], spec["variant"] == "causal"
    size = (spec["layers"], spec["heads"], spec["alphabet"])
    if size != (2, 1, None) or n < 2 or letters(language) != 2:
        raise CertificateError(f"the {encoding} system does not speak about this cell")
    if spec["variant"] not in ("causal", "full"):
        raise CertificateError(f"the {encoding} system does not speak about uniform cells")
    if encoding == "closing":
        if language != "parity" or chosen is not None:
            raise CertificateError("the closing system speaks about all words of parity only")
        return closing_clauses(n - 2, causal)
    if not symmetric({w: belongs(language, w) for w in words_of(spec, None)}):
        raise CertificateError("the language is not symmetric at this length")
    if encoding == "blocks":
        if chosen is not None or not causal or n < 3:
            raise CertificateError("the blocks system speaks about all words, causal, n >= 3")
        return blocks_clauses(n - 2, lambda word: belongs(language, word))
    words = set(words_of(spec, chosen))
    return halves_clauses(n - 2, causal, lambda word: belongs(language, word), words)


def number(clauses: Iterable[Clause]) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return the names, sorted as printed, and the clauses over their numbers, sorted."""
    clauses = list(clauses)
    literals = set[tuple[bool, tuple[object, ...]]]().union(*clauses)
    index = {name: k for k, name in enumerate({name for _, name in literals}, start=1)}
    code = {(sign, name): index[name] if sign else -index[name] for sign, name in literals}
    known: dict[int, int] = {}  # by object: hashing a name again takes longer than all the rest
    coded = [
        [known.get(id(a)) or known.setdefault(id(a), code[a]) for a in clause] for clause in clauses
    ]
    plain = [row for row in coded if len(set(map(abs, row))) == len(row)]  # no tautologies
    used = {abs(v) for row in plain for v in row}
    text = {k: repr(name) for name, k in index.items() if k in used}
    names = sorted(text.values())
    place = {printed: k for k, printed in enumerate(names, start=1)}
    final = {k: place[printed] for k, printed in text.items()}
    final |= {-k: -v for k, v in final.items()}
    rows = {tuple(sorted([final[v] for v in row])) for row in plain}
    return names, sorted(rows, key=lambda row: (-len(row), row))


def digest(names: list[str], clauses: list[tuple[int, ...]]) -> str:
    """Return the SHA-256 of names and clauses."""
    text = "\n".join(names) + "\n".join(" ".join(map(str, row)) for row in clauses)
    return hashlib.sha256(text.encode()).hexdigest()
