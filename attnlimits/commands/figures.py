"""``attnlimits figures``: draw figures as PDF, SVG, PNG and JSON."""

from pathlib import Path
from typing import Annotated

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, emit

app = cyclopts.App(name="figures", help="Draw figures: PDF, SVG, PNG and the numbers as JSON.")


@app.default
def figures(
    *names: str,
    out: Path = Path("out"),
    list_only: Annotated[bool, cyclopts.Parameter(name="--list", negative=())] = False,
    quick: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    workers: int | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Draw figures.

    Parameters
    ----------
    names
        Ids or globs; all if none.
    out
        Folder of the run; the files go to its folder figures/.
    list_only
        Only list the figures.
    quick
        Draw with fewer points.
    workers
        Number of processes; the number of processors by default.
    format
        Text or JSON.
    """
    from attnlimits.drawing import chosen, draw_all
    from attnlimits.pool import cores
    from attnlimits.store import opened
    from figures.registry import figures as registered

    ids = chosen(names)
    if list_only:
        titles = {i: f.title for i, f in registered().items() if i in ids}
        width = max(map(len, titles), default=0)
        emit(titles, lambda: "\n".join(f"{i:<{width}}  {t}" for i, t in titles.items()), format)
        return EXPECTED
    folder = out / "figures"
    with opened(out, ""):
        failed = draw_all(ids, folder, quick=quick, workers=cores() if workers is None else workers)
    drawn = [i for i in ids if i not in failed]
    lines = [f"{folder / i}.svg" for i in drawn] + list(failed.values())
    value = {"drawn": drawn, "failed": failed, "folder": str(folder)}
    emit(value, "\n".join(lines), format)
    return DIFFERS if failed else EXPECTED
