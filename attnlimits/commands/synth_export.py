"""``attnlimits synth export``: a stored refutation as DIMACS and LRAT for other checkers."""

from pathlib import Path

from attnlimits.boundary import EXPECTED, Format, emit


def export(file: Path, *, out: Path = Path(), format: Format = "text") -> int:  # noqa: A002
    """Write the clauses of a stored refutation (CELL.cnf) and its proof (CELL.lrat).

    Parameters
    ----------
    file
        A refutation written by `synth decide` or from certificates/synthesis.
    out
        Folder for the two files.
    format
        Text or JSON.
    """
    from synthesis.plain import plain_files

    plain = plain_files(file)
    out.mkdir(parents=True, exist_ok=True)
    formula, proof = out / f"{plain.cell}.cnf", out / f"{plain.cell}.lrat"
    formula.write_text(plain.formula)
    proof.write_text(plain.proof)
    emit({"formula": str(formula), "proof": str(proof)}, f"{formula}\n{proof}", format)
    return EXPECTED
