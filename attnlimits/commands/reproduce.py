"""``attnlimits reproduce``: decide every claim, draw every figure, write the page."""

import json
from pathlib import Path
from typing import Annotated

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, emit, note
from attnlimits.commands.check import Packages, as_data

app = cyclopts.App(
    name="reproduce", help="Decide every claim, draw every figure and write the HTML page."
)


@app.default
def reproduce(
    *,
    quick: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    out: Path = Path("out"),
    fresh: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    seconds: float = 120.0,
    workers: int | None = None,
    package: Packages = ("proofs",),
    format: Format = "text",  # noqa: A002
) -> int:
    """Do the whole job.

    Parameters
    ----------
    quick
        Draw the figures with fewer points; the claims are decided all the same.
    out
        Folder for results/, figures/, results.json and report.html.  A second run in the same
        folder resumes.
    fresh
        Decide and draw everything again.
    seconds
        Time limit of each check; a check that exceeds it is killed and stays UNDECIDED.
    workers
        Number of processes; the number of processors by default.
    package
        Where the claims are declared.
    format
        Text or JSON.
    """
    from attnlimits.boundary import plain
    from attnlimits.decisions import decide_all
    from attnlimits.drawing import chosen, draw_all, drawings, sources
    from attnlimits.pool import cores
    from attnlimits.report import page
    from attnlimits.selection import known_claims
    from attnlimits.store import opened, sources_digest, write_atomically
    from claims import Budget

    budget = Budget(seconds=seconds)
    processes = cores() if workers is None else workers
    known = known_claims(package)
    with opened(out, sources_digest(package)) as store:
        note(f"deciding {len(known)} claims and their twins in {processes} processes")
        decisions = decide_all(
            known,
            known,
            packages=package,
            budget=budget,
            workers=processes,
            store=store,
            fresh=fresh,
        )
        found = as_data(decisions)
        text = json.dumps(found, sort_keys=True, indent=1, default=plain)
        write_atomically(out / "results.json", text + "\n")
        ids = chosen(())
        note(f"drawing {len(ids)} figures")
        failed = draw_all(
            ids,
            out / "figures",
            quick=quick,
            workers=processes,
            sources=sources(package),
            fresh=fresh,
        )
        shown = [d for d in drawings(out / "figures") if d.id in ids and d.id not in failed]
        write_atomically(out / "report.html", page(decisions, shown))
    differences = [*decisions.differences(), *failed.values()]
    summary = {
        "claims": len(known),
        "counts": decisions.counts(),
        "differences": differences,
        "figures": len(ids) - len(failed),
        "report": str(out / "report.html"),
        "results": str(out / "results.json"),
    }

    def as_text() -> str:
        counts = ", ".join(f"{n} {v}" for v, n in decisions.counts().items())
        twins = len(decisions.results) - len(known)
        lines = [f"claims   {len(known)}: {counts}; negative twins: {twins}"]
        lines += [f"figures  {summary['figures']} in {out / 'figures'}"]
        lines += [f"page     {out / 'report.html'}"]
        if not differences:
            return "\n".join([*lines, "all as expected"])
        return "\n".join([*lines, "not as expected:", *(f"  {d}" for d in differences)])

    emit(summary, as_text, format)
    return DIFFERS if differences else EXPECTED
