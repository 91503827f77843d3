"""Decide one cell: a machine that was run on every word, a certificate, or an honest "unknown".

One layer splits by the last symbol, since the last position's own value selects its rankings.
Many words are met by counterexamples: solve for a few words, run the machine on all, add its
mistakes, repeat.  A refutation for some words is a refutation for all.

Main definitions: `decide`, `Found`, `Impossible`, `Unknown`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, final

from synthesis.apart import unsettled
from synthesis.certificate import Refutation, Witness, refute
from synthesis.conquer import Campaign, Effort
from synthesis.encodings import REDUCED, Encoding, InternalDisagreementError, choose, encode, read
from synthesis.formula import Cnf
from synthesis.letters import UniformMachine
from synthesis.machine import ListKey, Machine, Pair, RowKey
from synthesis.solving import SOLVERS, Answer, solve
from synthesis.spec import Labels, Spec, Word

Mode = Literal["auto", "all", "guided"]
GUIDED_FROM = 257
"""From this many words on, ``auto`` lets counterexamples choose the words."""
_FIRST, _MORE = 24, 12


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A machine of the cell's size that is right on every word (it was run on all of them)."""

    witness: Witness
    seconds: float


@final
@dataclass(frozen=True, slots=True)
class Impossible:
    """No such machine exists; ``certificate`` is ``None`` if no proof was asked for."""

    certificate: Refutation | None
    seconds: float


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """The budget ran out; ``words`` of the cell's words were met at once by some machine."""

    words: int
    seconds: float


Decision = Found | Impossible | Unknown


def decide(
    spec: Spec,
    *,
    seconds: float,
    certify: bool = True,
    encoding: Encoding | None = None,
    mode: Mode = "auto",
    solvers: Sequence[str] = SOLVERS[:1],
    effort: Effort | None = None,
    tick: Callable[[str], None] | None = None,
) -> Decision:
    """Decide whether the cell's transformers exist.

    Parameters
    ----------
    spec
        The cell.
    seconds
        Wall-clock budget for the solvers, > 0.
    certify
        Whether a refutation must carry a proof.
    encoding
        One of the encodings that cover the cell; default: the fastest.
    mode
        ``all`` words at once, ``guided`` by counterexamples, or ``auto`` by their number.
    solvers
        Racing solvers, from `synthesis.solving.SOLVERS`.
    effort
        Work by cubes, keep what is finished in the effort's folder and go on from there;
        refutations carry proofs then, whatever ``certify`` says.
    tick
        Called with a short progress text.

    Raises
    ------
    SpecError
        If no encoding covers the cell.

    Examples
    --------
    >>> type(decide(Spec("parity", 3, 1, 1), seconds=20)).__name__
    'Impossible'
    """
    start = time.monotonic()
    search = _Search(
        spec, encoding or choose(spec), start, start + seconds, certify, solvers, effort, tick
    )
    try:
        if search.encoding in REDUCED:
            return search.settle(None)
        labels = spec.labels()
        if spec.layers > 1 or spec.variant == "uniform":
            return search.settle(labels, mode)
        machines: list[Machine] = []
        for symbol in range(len(spec.target.alphabet)):
            part = {w: a for w, a in labels.items() if w[-1] == symbol}
            outcome = search.settle(part, mode)
            if not isinstance(outcome, Found):
                return outcome
            assert isinstance(outcome.witness.machine, Machine)
            machines.append(outcome.witness.machine)
        return search.found(_joined(machines))
    except _OutOfTime as limit:
        return Unknown(limit.words, time.monotonic() - start)


class _OutOfTime(Exception):
    def __init__(self, words: int) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class _Search:
    spec: Spec
    encoding: Encoding
    start: float
    deadline: float
    certify: bool
    solvers: Sequence[str]
    effort: Effort | None
    tick: Callable[[str], None] | None

    def settle(self, labels: Labels | None, mode: Mode = "all") -> Decision:
        """Decide for the given words (``None``: a reduced system, which has none to choose)."""
        at_once = labels is None or mode == "all" or (mode == "auto" and len(labels) < GUIDED_FROM)
        if self.effort is not None:
            return self.by_cubes(labels, None if at_once or labels is None else self.first(labels))
        if labels is None or at_once:
            cnf, answer = self.ask(labels, met=0)
            if answer.satisfiable:
                machine = self.machine(cnf, answer, labels)
                self.confirm(machine, labels)
                return self.found(machine, labels)
            return self.impossible(labels, cnf, answer)
        return self.guided(labels)

    def guided(self, labels: Labels) -> Decision:
        """Let counterexamples choose the words."""
        chosen = {w: labels[w] for w in self.first(labels)}
        met = 0
        while True:
            cnf, answer = self.ask(chosen, met)
            if not answer.satisfiable:
                return self.impossible(chosen, cnf, answer)
            machine = self.machine(cnf, answer, chosen)
            wrong = [w for w in machine.mistakes() if w in labels]
            if not wrong:
                return self.found(machine, labels)
            if set(wrong) & set(chosen):
                raise InternalDisagreementError(f"{self.spec}: model fails {wrong[0]}")
            met = max(met, len(labels) - len(wrong))
            step = max(1, len(wrong) // _MORE)
            chosen |= {w: labels[w] for w in wrong[::step]}
            if self.tick is not None:
                self.tick(f"{len(chosen)} of {len(labels)} words, {len(wrong)} were still wrong")

    def first(self, labels: Labels) -> list[Word]:
        """Return the words to begin with: those that matter, if the encoding knows, or a few."""
        matter = list(unsettled(labels)) if self.encoding == "apart" else []
        return matter or _some(labels)

    def by_cubes(self, labels: Labels | None, start: Sequence[Word] | None) -> Decision:
        """Work by cubes in the effort's folder, one subfolder for each last symbol."""
        assert self.effort is not None
        effort = self.effort
        if labels is not None and len(labels) < self.spec.words():
            last = {w[-1] for w in labels}
            effort = replace(effort, folder=effort.folder / "-".join(map(str, sorted(last))))
        result = Campaign(
            self.spec, self.encoding, labels, start, effort, self.deadline, self.tick
        ).run()
        if result is None:
            raise _OutOfTime(0)
        if isinstance(result, Refutation):
            return Impossible(result, self.used())
        return Found(Witness(self.spec, result), self.used())

    def ask(self, labels: Labels | None, met: int) -> tuple[Cnf, Answer]:
        """Encode and solve within what is left of the budget."""
        whole = labels is not None and len(labels) == self.spec.words()
        cnf = encode(self.spec, self.encoding, None if whole else labels).canonical()
        left = self.deadline - time.monotonic()
        tick = self.tick

        def report(used: float) -> None:
            if tick is not None:
                tick(f"{len(cnf.clauses)} clauses, {used:.0f} s")

        if left <= 0:
            raise _OutOfTime(met)
        answer = solve(cnf, seconds=left, proof=self.certify, solvers=self.solvers, tick=report)
        if answer.satisfiable is None:
            raise _OutOfTime(met)
        return cnf, answer

    def machine(self, cnf: Cnf, answer: Answer, labels: Labels | None) -> Machine | UniformMachine:
        """Read the machine off a model for the given words."""
        true = frozenset(cnf.names[v - 1] for v in answer.model if 0 < v <= len(cnf.names))
        return read(self.spec, self.encoding, true, labels)

    def confirm(self, machine: Machine | UniformMachine, labels: Labels | None) -> None:
        """Run the machine on every word it was made for."""
        wrong = [w for w in machine.mistakes() if labels is None or w in labels]
        if wrong:
            raise InternalDisagreementError(f"{self.spec}: model fails {wrong[0]}")

    def found(self, machine: Machine | UniformMachine, labels: Labels | None = None) -> Found:
        """Return the machine, after one more run if it is meant for every word."""
        if labels is None:
            self.confirm(machine, None)
        return Found(Witness(self.spec, machine), self.used())

    def impossible(self, labels: Labels | None, cnf: Cnf, answer: Answer) -> Impossible:
        """Return the refutation with its certificate."""
        if not self.certify:
            return Impossible(None, self.used())
        whole = labels is None or len(labels) == self.spec.words()
        words = None if whole or labels is None else tuple(sorted(labels))
        return Impossible(refute(self.spec, self.encoding, words, cnf, answer), self.used())

    def used(self) -> float:
        """Return the wall-clock seconds since the search began."""
        return time.monotonic() - self.start


def _some(labels: Labels) -> list[Word]:
    """Return a few members and a few others, spread evenly."""
    groups = [[w for w, answer in labels.items() if answer is wanted] for wanted in (True, False)]
    return [w for group in groups for w in group[:: max(1, len(group) // _FIRST)]]


def _joined(machines: Sequence[Machine]) -> Machine:
    """Join one-layer machines that differ in the last position's own value."""
    ranks: dict[ListKey, tuple[Pair, ...]] = {}
    rows: dict[RowKey, int] = {}
    for own, machine in enumerate(machines):
        ranks |= {key: value for key, value in machine.ranks.items() if key[3] == own}
        rows |= {key: value for key, value in machine.rows.items() if key[2] == own}
    return Machine(machines[0].spec, machines[0].symbols, ranks, rows)
