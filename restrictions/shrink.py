"""Set fixed positions free again, as long as the output stays certainly constant.

Chunked deletion in the manner of delta debugging: try to free a chunk; halve the chunks after
each pass.  Each trial is an incremental propagation, so the result is certified at every moment.

Main definitions: :func:`shrink`.

References
----------
Zeller and Hildebrandt (2002), ddmin [zeller2002].
"""

from collections.abc import Callable, Hashable, Sequence

from restrictions.probe import Clock, Fixing, Probe, positions
from restrictions.propagate import Caps


def shrink(
    probe: Probe,
    fixing: Fixing,
    order: Sequence[int],
    caps: Sequence[Caps],
    clock: Clock,
    *,
    output: Hashable | None = None,
    seen: Callable[[Fixing], None] | None = None,
) -> Fixing:
    """Return a fixing with as few positions as found, still certainly constant.

    Parameters
    ----------
    probe
        The propagation to ask.
    fixing
        A fixing known to make the output constant.
    order
        Positions, those to set free first first; positions not listed go last.
    caps
        Limits of the propagations, tried in this order in one pass each.
    clock
        Limit of the run.
    output
        If given, the constant must stay this output.
    seen
        Receives every smaller fixing.
    """
    rank = {j: k for k, j in enumerate(order)}
    probe.final(fixing, caps[-1], adopt=True)
    for limits in caps:
        queue = sorted(
            positions(fixing.true | fixing.false), key=lambda j: (rank.get(j, len(rank)), j)
        )
        chunk = max(1, len(queue) // 4)
        while queue and not clock.over():
            kept: list[int] = []
            at = 0
            while at < len(queue):
                part = queue[at : at + chunk]
                at += chunk
                trial = fixing.without(sum(1 << j for j in part))
                found = None if clock.over() else probe.constant(trial, limits)
                if found is not None and (output is None or found[0] == output):
                    fixing = trial
                    if seen is not None:
                        seen(fixing)
                else:
                    kept.extend(part)
            if chunk == 1:
                break
            queue, chunk = kept, max(1, min(chunk // 2, len(kept) // 2))
    return fixing
