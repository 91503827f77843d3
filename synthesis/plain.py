"""A stored refutation as plain text files, for solvers and proof checkers of other people.

Main definitions: `plain_files`, `Plain`.
"""

import hashlib
import json
import lzma
from dataclasses import dataclass
from pathlib import Path

from synthesis.checker.verify import CertificateError, clauses_of, digest, number


@dataclass(frozen=True, slots=True)
class Plain:
    """DIMACS, whose comments name the variables, and LRAT text that refutes it.

    Clause k of the formula has number k in the proof.
    """

    cell: str
    formula: str
    proof: str


def plain_files(path: Path) -> Plain:
    """Write the clauses of a stored refutation again and unpack its proof.

    Parameters
    ----------
    path
        The certificate's ``.json`` file; the packed proof lies beside it.

    Returns
    -------
    Plain
        The two texts.  That the proof is right is not checked here: that is for the reader.

    Raises
    ------
    CertificateError
        If the file is no stored refutation, or the files do not belong together.
    """
    try:
        data = json.loads(path.read_text())
        if data["kind"] != "refutation":
            raise CertificateError(f"{path.name}: a {data['kind']} has no clauses to export")
        proof = lzma.decompress((path.parent / Path(data["proof"]["file"]).name).read_bytes())
        names, clauses = number(clauses_of(data["spec"], data["encoding"], data["words"]))
        told = (digest(names, clauses), hashlib.sha256(proof).hexdigest())
        if told != (data["formula"]["sha256"], data["proof"]["sha256"]):
            raise CertificateError(f"{path.name}: clauses or proof are not the recorded ones")
    except (KeyError, TypeError, ValueError, OSError, lzma.LZMAError) as bad:
        if isinstance(bad, CertificateError):
            raise
        raise CertificateError(f"{path.name}: not a readable certificate: {bad}") from bad
    comments = [f"c {v} {name}" for v, name in enumerate(names, start=1)]
    head = f"p cnf {len(names)} {len(clauses)}"
    rows = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return Plain(
        path.stem.removesuffix("-impossible"),
        "\n".join([*comments, head, *rows]) + "\n",
        proof.decode(),
    )
