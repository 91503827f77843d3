"""Cube and conquer inside one cell: what is finished is on disk, what is too hard is cut in two.

The search keeps a set of cubes that covers everything, at first one without literals.  Each is
given to a solver for a slice of time, several at once.  A cube that is not settled in its slice
is cut in two (`synthesis.splitting`).  A refuted cube is stored with its proof.  A satisfied cube
is a machine: either it is right on all words, or the words it gets wrong join the chosen ones;
cubes refuted for fewer words stay refuted.  In the end `synthesis.assembly` makes one proof.

Whoever is killed, the solvers or this process, the next call with the same folder goes on from
the cubes that are left; at most the running slices are repeated.

Main definitions: `Campaign`, `Effort`.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from synthesis.assembly import Refuted, denial, join
from synthesis.certificate import Refutation, lemmas_of, refutation
from synthesis.encodings import Encoding, InternalDisagreementError, encode, read
from synthesis.formula import Cnf
from synthesis.ledger import Ledger
from synthesis.letters import UniformMachine
from synthesis.machine import Machine
from synthesis.solving import SOLVERS, SolverDiedError, SolverError, solve
from synthesis.spec import Labels, Spec, Word
from synthesis.splitting import Cube, cut, with_units

_MORE = 12  # words that one machine's mistakes add, about
_DEATHS = 3  # of the solvers of one search, before we take it for our own fault


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How a search by cubes may work.

    Parameters
    ----------
    folder
        Where finished work is kept; a folder of the same question is continued.
    workers
        Solvers at once, at least 1.
    slice_seconds
        What a cube gets before it is cut, > 0.
    solvers
        Solvers that race on each cube.
    """

    folder: Path
    workers: int = 1
    slice_seconds: float = 30.0
    solvers: Sequence[str] = SOLVERS[:1]

    def __post_init__(self) -> None:
        """Refuse efforts that allow no work."""
        if self.workers < 1 or self.slice_seconds <= 0:
            raise SolverError(
                f"{self.workers} solvers for {self.slice_seconds:g} s each: use at least one, > 0 s"
            )


@final
@dataclass(slots=True)
class Campaign:
    """One search by cubes; `run` gives a machine, a refutation, or ``None`` when time is up.

    Parameters
    ----------
    spec, encoding
        The cell and its clauses.
    labels
        The words to get right (``None``: a reduced system, which has none to choose).
    start
        Words to begin with; ``None`` for all of ``labels`` at once.
    """

    spec: Spec
    encoding: Encoding
    labels: Labels | None
    start: Sequence[Word] | None
    effort: Effort
    deadline: float
    tick: Callable[[str], None] | None = None
    words: list[Word] | None = None
    _formulas: dict[int | None, Cnf] = field(default_factory=dict)

    def run(self) -> Machine | UniformMachine | Refutation | None:
        """Work until everything is settled or the deadline (of `time.monotonic`) has passed."""
        ledger = Ledger(self.effort.folder, self._question())
        if (stored := ledger.found()) is not None:
            kind = UniformMachine if self.spec.variant == "uniform" else Machine
            machine = kind.from_json(self.spec, stored)
            if not self._wrong(machine):
                return machine
        leaves, words = ledger.plan()
        self.words = words or (None if self.start is None else list(self.start))
        ledger.keep_plan(leaves, self.words)
        refuted = ledger.refuted()
        deaths = 0
        running: dict[Future[_Result], Cube] = {}
        with ThreadPoolExecutor(self.effort.workers) as pool:
            while todo := _open(leaves, refuted):
                if time.monotonic() < self.deadline:
                    free = [c for c in todo if c not in running.values()]
                    for cube in free[: self.effort.workers - len(running)]:
                        running[pool.submit(self._attack, cube)] = cube
                if not running:
                    return None
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    cube = running.pop(done)
                    try:
                        result = done.result()
                    except SolverDiedError:  # the cube is still open: it is given out again
                        deaths += 1
                        if deaths == _DEATHS:
                            raise
                        continue
                    if isinstance(result, Refuted):
                        refuted.append(result)
                        ledger.keep_refuted(len(refuted), result)
                    elif isinstance(result, Cnf):
                        if time.monotonic() < self.deadline:
                            leaves = _cut(leaves, cube, result)
                            ledger.keep_plan(leaves, self.words)
                    elif wrong := self._wrong(result):
                        self._choose(wrong)
                        ledger.keep_plan(leaves, self.words)
                    else:
                        ledger.keep_found(result.as_json())
                        return result
                    self._report(leaves, refuted)
        return self._refutation(leaves, refuted)

    def _attack(self, cube: Cube) -> "_Result":
        """Return a refutation, a machine, or the formula of a cube that was not settled."""
        count = None if self.words is None else len(self.words)
        cnf = self._formula(count)
        task = with_units(cnf, cube)
        left = max(0.01, self.deadline - time.monotonic())
        # cubes of many cuts get longer: a slice too short for anything still ends somewhere
        seconds = min(left, self.effort.slice_seconds * (1 + len(cube) / 4))
        answer = solve(task, seconds=seconds, proof=True, solvers=self.effort.solvers)
        if answer.satisfiable is None:
            return cnf
        if answer.satisfiable:
            true = frozenset(cnf.names[v - 1] for v in answer.model if 0 < v <= len(cnf.names))
            return read(self.spec, self.encoding, true, self._labels(count))
        return denial(cnf, cube, lemmas_of(task, answer), count)

    def _formula(self, count: int | None) -> Cnf:
        """Return the clauses about the first ``count`` chosen words (``None``: about all)."""
        if count not in self._formulas:
            labels = self._labels(count)
            whole = labels is None or len(labels) == self.spec.words()
            cnf = encode(self.spec, self.encoding, None if whole else labels).canonical()
            self._formulas[count] = cnf
        return self._formulas[count]

    def _labels(self, count: int | None) -> Labels | None:
        if count is None or self.labels is None or self.words is None:
            return self.labels
        return {w: self.labels[w] for w in self.words[:count]}

    def _wrong(self, machine: Machine | UniformMachine) -> list[Word]:
        wrong = [w for w in machine.mistakes() if self.labels is None or w in self.labels]
        known = set(wrong) if self.words is None else set(wrong) & set(self.words)
        return wrong if not known else _disagree(self.spec, known)

    def _choose(self, wrong: list[Word]) -> None:
        assert self.words is not None
        step = max(1, len(wrong) // _MORE)
        self.words += [w for w in wrong[::step] if w not in self.words]

    def _refutation(self, leaves: Sequence[Cube], refuted: Sequence[Refuted]) -> Refutation:
        count = None if self.words is None else len(self.words)
        cnf = self._formula(count)
        lemmas = join(cnf, leaves, refuted, self._formula)
        chosen = self.labels if self.words is None else self.words
        whole = chosen is None or len(chosen) == self.spec.words()
        words = None if whole or chosen is None else tuple(sorted(chosen))
        solver = self.effort.solvers[0]
        return refutation(self.spec, self.encoding, words, cnf, lemmas, solver)

    def _question(self) -> str:
        words = [] if self.labels is None else sorted(self.labels)
        text = f"{self.spec.digest()} {self.encoding} {words}"
        return hashlib.sha256(text.encode()).hexdigest()

    def _report(self, leaves: Sequence[Cube], refuted: Sequence[Refuted]) -> None:
        if self.tick is not None:
            still = len(_open(leaves, refuted))
            words = "" if self.words is None else f", {len(self.words)} words"
            self.tick(f"{len(leaves)} cubes, {still} open{words}")


_Result = Refuted | Cnf | Machine | UniformMachine


def _disagree(spec: Spec, words: set[Word]) -> list[Word]:
    raise InternalDisagreementError(f"{spec}: a model fails {min(words)}, which it was made for")


def _open(leaves: Sequence[Cube], refuted: Sequence[Refuted]) -> list[Cube]:
    """Return the cubes that contain no refuted core, the shortest first."""
    cores = [frozenset(one.core) for one in refuted]
    left = [c for c in leaves if not any(core <= set(c) for core in cores)]
    return sorted(left, key=len)


def _cut(leaves: Sequence[Cube], cube: Cube, cnf: Cnf) -> list[Cube]:
    halves = cut(cnf, cube)
    return [*leaves] if halves is None else [*(c for c in leaves if c != cube), *halves]
