r"""Two programs under restricted attention: what is trained, what theory foretells.

*Reverse* moves the last token to the first position and needs attention without restriction;
*previous* repeats each position's left neighbour and survives every window and stride.  Under a
window of :math:`w`, information travels at most :math:`Lw` positions in :math:`L` layers: a
position whose token is further away can only guess.

Main definitions: :data:`MASKS`, :func:`settings`, :func:`foretold`, :func:`ceiling`.

References
----------
Weiss, Goldberg & Yahav (2021), section 6 [weiss2021]; the ceiling is our own.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from rasp.profiles import highest_rank, survives
from rasp.trainer.masks import Mask
from rasp.trainer.setting import Setting
from rasp.trainer.tasks import Task, task, task_from_text

LONGEST = 12

SEEDS = (0, 1, 2)

MASKS = ("full", "window:2", "window:3", "strided:3", "lowrank:2", "lowrank:4")
"""No restriction first; windows of two layers reach 4 and 6 positions."""

PROGRAMS = ("reverse", "previous")

_PREVIOUS = """
previous = aggregate(select(indices, indices - 1 if indices > 0 else 0, ==), tokens_str);
"""

_LETTERS, _TRIED = "ab", 7
"""Letters and longest words on which a program is compared with its restriction."""


def _task(program: str) -> Task:
    if program == "reverse":
        return task("reverse", longest=LONGEST)
    return task_from_text(_PREVIOUS, "previous", alphabet="abcdefghij", longest=LONGEST)


def settings(program: str, mask: str, *, seeds: tuple[int, ...] = SEEDS) -> Iterator[Setting]:
    """Yield the runs of a program under a mask, at the size that the program needs.

    Examples
    --------
    >>> next(settings("reverse", "window:3")).title()
    'reverse (2,1), mask window:3, seed 0'
    """
    made = _task(program)
    for seed in seeds:
        yield Setting(task=made, mask=mask, seed=seed, steps=1000, rate=3e-3, stop_at=0.9995)


@cache
def foretold(program: str, mask: str) -> bool:
    """Return whether the program itself survives the mask.

    Positions: its result stays the same on all words of two letters up to length 7.  Low rank: no
    selector has a higher rank on words of one letter, which is all that positions can say.

    Examples
    --------
    >>> foretold("reverse", "window:3"), foretold("previous", "window:3")
    (False, True)
    """
    made, parsed = _task(program).program, Mask.parse(mask)
    if parsed.rank:
        return highest_rank(made, _LETTERS[:1], up_to=LONGEST).rank <= parsed.rank
    return survives(made, parsed.profile(), _LETTERS, up_to=_TRIED).equal


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
    >>> ceiling(next(settings("reverse", "window:3")))
    Fraction(103, 130)
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
