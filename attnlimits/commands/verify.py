"""``attnlimits verify``: re-check stored certificates without search."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, emit
from attnlimits.commands.check import Packages

if TYPE_CHECKING:
    from attnlimits.verification import Checked

app = cyclopts.App(
    name="verify",
    help="Re-check stored certificates without search; exit 1 if one does not hold.",
)


@app.default
def verify(
    *files: Path,
    seconds: float = 120.0,
    workers: int | None = None,
    package: Packages = ("proofs",),
    model: str | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Verify certificates.

    Parameters
    ----------
    files
        Certificate files of any kind, or folders of them.  By default everything in
        certificates/, and then every claim must have a certificate there.
    seconds
        Time limit of each file; a verification that exceeds it fails.
    workers
        Number of processes; the number of processors by default.
    package
        Where the claims are declared.
    model
        For one certificate about a model of Python code: module:function(...), which is run.
    format
        Text or JSON.
    """
    from attnlimits.boundary import progress
    from attnlimits.pool import cores
    from attnlimits.selection import known_claims
    from attnlimits.twins import with_twins
    from attnlimits.verification import certificates_folder, stored_files, verify_files
    from claims import Budget

    if model is not None:
        return _about_code(files, model, format)
    Budget(seconds=seconds)  # refuses limits that allow nothing
    claims = with_twins(known_claims(package))
    places = files or (certificates_folder(),)
    paths = [p for place in places for p in (stored_files(place) if place.is_dir() else [place])]
    checked: list[Checked] = []
    with progress("verifying", len(paths)) as advance:
        for one in verify_files(
            paths,
            packages=package,
            seconds=seconds,
            workers=cores() if workers is None else workers,
        ):
            checked.append(one)
            advance(one.path.stem)
    checked.sort(key=lambda c: str(c.path))
    certified = {c.claim for c in checked}
    missing = [] if files else sorted(set(claims) - certified)
    emit(_as_data(checked, missing), lambda: _table(checked, missing), format)
    return EXPECTED if not missing and all(c.valid for c in checked) else DIFFERS


def _about_code(files: tuple[Path, ...], model: str, format: Format) -> int:  # noqa: A002
    """Verify certificates about a model whose code the caller named."""
    from attnlimits.verification import Checked
    from restrictions.certificate import verify_file
    from restrictions.checker import CertificateRejectedError
    from restrictions.plainmodel import CertificateFileError

    checked = []
    for path in files:
        try:
            checked.append(Checked(path, True, verify_file(path, model=model)))
        except (CertificateFileError, CertificateRejectedError) as wrong:
            checked.append(Checked(path, False, " ".join(str(wrong).split())))
    shown = [f"{one.path}: {one.sentence}" for one in checked]
    emit(_as_data(checked, []), "\n".join(shown), format)
    return EXPECTED if checked and all(one.valid for one in checked) else DIFFERS


def _as_data(checked: "list[Checked]", missing: list[str]) -> dict[str, Any]:
    return {
        "files": {str(c.path): {"valid": c.valid, "says": c.sentence} for c in checked},
        "missing": missing,
        "valid": sum(c.valid for c in checked),
        "invalid": sum(not c.valid for c in checked),
    }


def _table(checked: "list[Checked]", missing: list[str]) -> str:
    lines = [f"{c.path}: {c.sentence}" for c in checked if not c.valid]
    lines += [f"no certificate of {claim_id}" for claim_id in missing]
    valid = sum(c.valid for c in checked)
    lines.append(f"{valid} of {len(checked)} certificates hold")
    return "\n".join(lines)
