r"""Reverse under restricted attention: what is trained, and what theory allows.

Reverse moves the last token to the first position, so it needs attention without restriction.
Under a window of :math:`w`, information travels at most :math:`Lw` positions in :math:`L` layers;
a position whose token is further away can only guess.

Main definitions: :data:`MASKS`, :func:`settings`, :func:`ceiling`.

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021]; the ceiling is our own.
"""

from collections.abc import Iterator
from fractions import Fraction

from rasp.trainer.masks import Mask
from rasp.trainer.setting import Setting
from rasp.trainer.tasks import task

LONGEST = 12

SEEDS = (0, 1, 2)

MASKS = ("full", "window:2", "window:3", "strided:3", "lowrank:2", "lowrank:4")
"""No restriction first; windows of two layers reach 4 and 6 positions."""


def settings(mask: str, *, seeds: tuple[int, ...] = SEEDS) -> Iterator[Setting]:
    """Yield the runs of a mask, at the size that the program of reverse needs.

    Examples
    --------
    >>> next(settings("window:3")).title()
    'reverse (2,1), mask window:3, seed 0'
    """
    made = task("reverse", longest=LONGEST)
    for seed in seeds:
        yield Setting(task=made, mask=mask, seed=seed, steps=1000, rate=3e-3, stop_at=0.9995)


def ceiling(setting: Setting) -> Fraction:
    """Return a share of tokens that no model of the setting exceeds in expectation.

    Parameters
    ----------
    setting
        Reverse on uniform symbols, under any mask.

    Returns
    -------
    Fraction
        1 where theory says nothing; under windows and blocks, positions whose token is out of
        reach are right with chance one over the number of symbols.

    Notes
    -----
    Exact, and not attained: a position that sees neither end does not know how far to look.

    Examples
    --------
    >>> ceiling(next(settings("full"))), ceiling(next(settings("window:3")))
    (Fraction(1, 1), Fraction(103, 130))
    """
    made, mask = setting.task, Mask.parse(setting.mask)
    tokens, right = 0, Fraction(0)
    for n in range(made.shortest, made.longest + 1):
        for i in range(n):
            tokens += 1
            reached = _reaches(mask, setting.layers, i, n - 1 - i)
            right += 1 if reached else Fraction(1, len(made.alphabet))
    return right / tokens


def _reaches(mask: Mask, layers: int, reader: int, written: int) -> bool:
    match mask.kind:
        case "window":
            return abs(reader - written) <= layers * mask.size
        case "block":
            return reader // mask.size == written // mask.size
    return True
