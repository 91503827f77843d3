"""What is certain of a selector's rows: at most one key, at least one key, exactly which.

Main definitions: :class:`Facts`, :func:`facts_of`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from rasp.compiler.findings import NotHere
from rasp.compiler.selections import Cube, cubes
from rasp.compiler.without_bos import FirstElseRest, selects_first
from rasp.evaluate.terms import EQUAL, LESS
from rasp.graph import Best, Indices, SelectorNode, SOpNode


@final
@dataclass(frozen=True)
class Facts:
    """Of every row of a selector, on every word.

    Attributes
    ----------
    single
        At most one key is selected.
    filled
        At least one key is selected.
    everything
        All keys are selected, ``prefix``: all up to the row's own position.
    """

    single: bool
    filled: bool
    everything: bool = False
    prefix: bool = False


def facts_of(
    selector: SelectorNode,
    *,
    causal: bool,
    injective: Callable[[SOpNode], bool],
    within: Callable[[SOpNode], bool],
) -> Facts:
    """Return what is certain.

    Parameters
    ----------
    selector
        Any selector.
    causal
        Whether later keys are masked.
    injective
        Whether an s-op never has a value twice.
    within
        Whether an s-op is, everywhere, a position that the row sees.

    Examples
    --------
    >>> from rasp import indices, select
    >>> upto = select(indices, indices, "<=").node
    >>> facts_of(upto, causal=False, injective=lambda _: True, within=lambda _: False)
    Facts(single=False, filled=True, everything=False, prefix=True)
    """
    if isinstance(selector, FirstElseRest):
        return Facts(single=False, filled=True)
    if isinstance(selector, Best):
        inner = facts_of(selector.inner, causal=causal, injective=injective, within=within)
        return Facts(single=True, filled=inner.filled)
    try:
        parts = cubes(selector)
    except NotHere:
        return Facts(single=False, filled=False)
    if not parts:
        return Facts(single=True, filled=False)
    filled = any(_filled(cube, within) for cube in parts) or selects_first(selector)
    if len(parts) > 1:
        return Facts(single=False, filled=filled)
    (cube,) = parts
    single = any(x.relations == EQUAL and injective(x.keys) for x in cube)
    upto = len(cube) == 1 and _upto(cube)
    return Facts(single, filled, not cube and not causal, upto or (not cube and causal))


def _upto(cube: Cube) -> bool:
    x = cube[0]
    positions = isinstance(x.keys, Indices) and isinstance(x.queries, Indices)
    return positions and x.relations == LESS | EQUAL


def _filled(cube: Cube, within: Callable[[SOpNode], bool]) -> bool:
    """Every row selects itself, or a position that is always there."""
    if all(x.keys == x.queries and x.relations & EQUAL for x in cube):
        return True
    return (
        len(cube) == 1
        and isinstance(cube[0].keys, Indices)
        and cube[0].relations & EQUAL != 0
        and within(cube[0].queries)
    )
