"""Tasks: a program, the inputs it is learnt on, and the size that its analysis predicts.

A task holds nothing but plain data, the text of its program included, so that settings can be
stored and sent to other machines.

Main definitions: :class:`Task`, :func:`task`, :func:`task_from_text`, :data:`TASKS`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5 [weiss2021].
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, final

from rasp.analysis.heads import Problem, problem_of
from rasp.analysis.optimal import Optimum, narrowest
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp
from rasp.trainer.distributions import DISTRIBUTIONS

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOS = "§"
"""The mark at position 0 of programs that expect one."""


class TaskError(ValueError):
    """A task that cannot be: an unknown name, a program without the s-op, no alphabet."""


@final
@dataclass(frozen=True, slots=True)
class Task:
    """What a model is to learn.

    Attributes
    ----------
    name
        For people.
    text
        The program: RASP statements, which may load the programs that come with the language.
    sop
        The s-op, a name that ``text`` defines.
    alphabet
        Symbols that words are made of.
    distribution
        A name of :data:`rasp.trainer.distributions.DISTRIBUTIONS`.
    shortest, longest
        Lengths, uniform between these, both included; a mark at the beginning is not counted.
    bos
        Mark put before every word, or the empty string.
    causal
        Whether positions may only attend to themselves and to what lies before.
    """

    name: str
    text: str
    sop: str
    alphabet: tuple[str, ...]
    distribution: str = "uniform"
    shortest: int = 1
    longest: int = 20
    bos: str = ""
    causal: bool = False

    def __post_init__(self) -> None:
        if self.distribution not in DISTRIBUTIONS:
            known = ", ".join(DISTRIBUTIONS)
            raise TaskError(f"unknown distribution {self.distribution!r}: use one of {known}")
        if not self.alphabet or len(set(self.alphabet)) < len(self.alphabet):
            raise TaskError(f"alphabet {self.alphabet}: give at least one symbol, each once")
        if self.bos in self.alphabet:
            raise TaskError(f"the mark {self.bos!r} is a symbol of the alphabet: choose another")
        if not 1 <= self.shortest <= self.longest:
            raise TaskError(
                f"lengths {self.shortest} to {self.longest}: need 1 <= shortest <= longest"
            )
        if self.distribution == "brackets" and len(self.alphabet) % 2:
            raise TaskError("brackets come in pairs: give an even number of symbols")

    @property
    def program(self) -> SOp:
        """The s-op.

        Raises
        ------
        TaskError
            If the text does not define it.
        """
        return _program(self.text, self.sop)

    @property
    def problem(self) -> Problem:
        """The attention operations of the program, equal selectors shared."""
        return _scheduled(self.text, self.sop)[0]

    @property
    def optimum(self) -> Optimum:
        """The narrowest schedule of least depth: which layer each operation is in."""
        return _scheduled(self.text, self.sop)[1]

    @property
    def predicted(self) -> tuple[int, int]:
        """Layers, and heads in the widest layer, that the program needs."""
        heads = self.optimum.heads
        return len(heads), max(heads, default=0)

    def describe(self) -> str:
        """Return the distribution of inputs in words."""
        says = DISTRIBUTIONS[self.distribution].says
        mark = f", after the mark {self.bos}" if self.bos else ""
        return (
            f"lengths uniform on {self.shortest}..{self.longest}, "
            f"{len(self.alphabet)} symbols, {says}{mark}"
        )


@cache
def _program(text: str, name: str) -> SOp:
    session = Session(read=library_text)
    broken = [event for event in session.run(text, "program") if event.error is not None]
    value = session.console.variables.get(name)
    if isinstance(value, SOp):
        return value
    defined = sorted(n for n, v in session.console.variables.items() if isinstance(v, SOp))
    why = f" ({broken[0].error.message})" if broken and broken[0].error is not None else ""
    raise TaskError(f"the program defines no s-op {name!r}{why}; it defines {', '.join(defined)}")


@cache
def _scheduled(text: str, name: str) -> tuple[Problem, Optimum]:
    problem = problem_of(_program(text, name).node, "shared")
    return problem, narrowest(problem)


_PAPER = 'load "paper_examples";'


def _paper(name: str, sop: str, **more: Any) -> Task:
    return Task(name, _PAPER, sop, tuple(LETTERS[:10]), **more)


def _dyck(name: str, pairs: tuple[str, ...]) -> Task:
    listed = ", ".join(f'"{pair}"' for pair in pairs)
    text = f'load "stdlib"; program = dyck_prefixes([{listed}]);'
    return Task(name, text, "program", tuple("".join(pairs)), "brackets", causal=True)


TASKS = {
    known.name: known
    for known in (
        _paper("reverse", "reverse"),
        _paper("hist-bos", "hist_bos", bos=BOS),
        _paper("hist-nobos", "hist_nobos"),
        _paper("double-hist", "hist2_bos", bos=BOS),
        _paper("sort", "sort_bos", bos=BOS),
        _paper("most-freq", "sort_by_most_freq", bos=BOS, longest=10),
        replace(
            _paper("dyck1", "dyck1_ptf", causal=True), alphabet=("(", ")"), distribution="brackets"
        ),
        _dyck("dyck2", ("()", "{}")),
    )
}
"""The paper's tasks by name."""


def task(name: str, **changes: Any) -> Task:
    """Return one of the paper's tasks, some fields changed.

    Raises
    ------
    TaskError
        If there is no such task.

    Examples
    --------
    >>> task("reverse").predicted, task("dyck2", longest=8).predicted
    ((2, 1), (3, 1))
    """
    if name not in TASKS:
        raise TaskError(f"no task is called {name!r}: use one of {', '.join(TASKS)}")
    return replace(TASKS[name], **changes)


def task_from_text(text: str, sop: str, *, alphabet: str, **fields: Any) -> Task:
    """Return a task of your own; fails at once if the program does not define the s-op.

    Examples
    --------
    >>> task_from_text("last = aggregate(select(indices, length - 1, ==), tokens_str);", "last",
    ...     alphabet="ab").predicted
    (2, 1)
    """
    made = Task(fields.pop("name", sop), text, sop, tuple(alphabet), **fields)
    assert made.program is not None
    return made
