"""``attnlimits report``: write the page from what a run folder holds."""

from pathlib import Path

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit
from attnlimits.commands.check import Packages

app = cyclopts.App(name="report", help="Write the HTML page from the results of an earlier run.")


@app.default
def report(
    *,
    out: Path = Path("out"),
    package: Packages = ("proofs",),
    format: Format = "text",  # noqa: A002
) -> int:
    """Write the page.

    Parameters
    ----------
    out
        Folder of the run, which holds results/ and figures/; the page is report.html there.
    package
        Where the claims are declared.
    format
        Text or JSON.
    """
    from attnlimits.decisions import read_all, with_gaps
    from attnlimits.drawing import drawings
    from attnlimits.report import page
    from attnlimits.selection import known_claims
    from attnlimits.store import Store, sources_digest, write_atomically

    known = known_claims(package)
    decisions = read_all(known, known, Store(out, sources_digest(package)))
    if not decisions.results:
        raise UsageError(f"{out} holds no results: run `attnlimits check --out {out}` first")
    decisions = with_gaps(decisions)
    path = out / "report.html"
    write_atomically(path, page(decisions, drawings(out / "figures")))
    emit({"report": str(path), "differences": decisions.differences()}, str(path), format)
    return DIFFERS if decisions.differences() else EXPECTED
