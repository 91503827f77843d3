"""Certificates as JSON: the model, the subcube, the claim, exact counts and a fooling pair.

Main definitions: :func:`certificate`, :func:`write`, :func:`verify_file`, :func:`counts`.

References
----------
Hahn (2020), Theorem 1 and Corollary 2 [hahn2020].
"""

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attention.json import digest, to_json
from attention.reference import model_at, reference_json
from attention.transformer import AbstractHardTransformer
from languages.language import AbstractLanguage
from languages.predicate import PredicateLanguage
from languages.registry import language as language_named
from restrictions.checker import (
    SCHEMA,
    VERSION,
    CertificateRejectedError,
    Verified,
    check,
)
from restrictions.counting import CountingError, members_in
from restrictions.plainmodel import CertificateFileError, PlainCalls
from restrictions.restriction import Restriction


def certificate(
    model: AbstractHardTransformer,
    rho: Restriction,
    tree: Mapping[str, Any],
    *,
    depends: Sequence[int] = (),
    witness: Mapping[str, Any] | None = None,
    language: AbstractLanguage | None = None,
    reference: str | None = None,
) -> dict[str, Any]:
    """Return the certificate data of a claim about a model.

    Parameters
    ----------
    model
        The model.
    rho
        The subcube.
    tree
        ``{"output": o}``, or ``{"split": i, "branches": [[symbol, subtree], ...]}``.
    depends
        The positions that the case tree may look at.
    witness
        ``{"first": word, "second": word, "output": o}``; with ``"same_activation": True`` the final
        activations are claimed to be equal too.
    language
        With it, the counts of members and errors are included.
    reference
        Where the model's Python code is (:mod:`attention.reference`), if it has no JSON form.
    """
    stored = to_json(model) if reference is None else reference_json(reference)
    common = Counter(rho.choices).most_common(1)[0][0]
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "n": rho.n,
        "ground": list(common),
        "narrowed": {str(i): list(c) for i, c in enumerate(rho.choices) if c != common},
        "tree": dict(tree),
        "depends": list(depends),
        "witness": None if witness is None else dict(witness),
        "model": stored,
        "model_digest": digest(stored),
        "counts": None,
    }
    if language is not None and "output" in tree:
        data["counts"] = counts(language, rho, tree["output"])
    return data


def counts(language: AbstractLanguage, rho: Restriction, output: Hashable) -> dict[str, Any] | None:
    """Return how often a constant ``output`` is wrong on the subcube; integers as text.

    With a boolean output, ``true`` standing for membership, the number of errors is exact; with
    any other output it is the least number over both readings.  ``None`` if counting is out of
    reach, or the language is a predicate, which no reader of the certificate could ask.
    """
    if isinstance(language, PredicateLanguage):
        return None
    try:
        inside = members_in(language, rho)
    except CountingError:
        return None
    outside = rho.size - inside
    wrong = (outside if output else inside) if isinstance(output, bool) else min(inside, outside)
    return {
        "language": language.name,
        "words": str(rho.size),
        "members": str(inside),
        "errors": str(wrong),
    }


def write(data: Mapping[str, Any], path: Path) -> None:
    """Write a certificate with sorted keys and a final newline."""
    path.write_text(json.dumps(data, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")


def verify_file(path: str | Path, *, model: str | None = None) -> str:
    """Check a certificate file without search and say what it establishes.

    Parameters
    ----------
    path
        The file.
    model
        Where the Python code of the model is, for a certificate about such a model; the code is
        imported and run.

    Raises
    ------
    CertificateFileError
        If the file is damaged or its model was altered.
    CertificateRejectedError
        If a claim in it is not confirmed.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise CertificateFileError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError as problem:
        raise CertificateFileError(f"{path} is not JSON: {problem}") from None
    if not isinstance(data, dict):
        raise CertificateFileError(f"{path} is not a certificate: it holds no object")
    found = check(data, _named_model(data, model))
    _check_counts(data)
    return sentence(data, found)


def _named_model(data: Mapping[str, Any], reference: str | None) -> PlainCalls | None:
    """Return the model of Python code that a certificate is about, if the caller named it."""
    stored = data.get("model")
    if not isinstance(stored, Mapping) or stored.get("kind") != "function":
        return None
    named = stored.get("reference")
    if reference is None:
        raise CertificateFileError(
            f"the certificate is about Python code, which is not run unasked: read {named} and "
            "give it with --model"
        )
    if stored != reference_json(reference) or data.get("model_digest") != digest(stored):
        raise CertificateFileError(f"the certificate is about {named} of another source file")
    return PlainCalls(model_at(reference))


def sentence(data: Mapping[str, Any], found: Verified) -> str:
    """Return what a verified certificate says, in one sentence."""
    where = f"on a subcube with {found.free} of {data['n']} positions free"
    if found.depends:
        says = f"{where} the output depends only on positions {list(found.depends)}"
    else:
        says = f"{where} the output is always {found.outputs[0]!r}"
    if data.get("counts"):
        says += (
            f"; wrong for {data['counts']['language']} on {data['counts']['errors']} words of it"
        )
    if data.get("witness"):
        says += "; fooling pair replayed"
        if data["witness"].get("same_activation"):
            says += ", with equal final activations"
    return says


def _check_counts(data: Mapping[str, Any]) -> None:
    """Count again and compare; a certificate without counts claims none."""
    claimed = data.get("counts")
    if claimed is None:
        return
    choices = [tuple(data["ground"])] * data["n"]
    for place, allowed in data["narrowed"].items():
        choices[int(place)] = tuple(allowed)
    recounted = counts(
        language_named(claimed["language"]), Restriction(tuple(choices)), data["tree"]["output"]
    )
    if recounted != claimed:
        raise CertificateRejectedError(f"the counts are {recounted}, not {claimed}")
