r"""How far a size of transformer reaches, climbing the word length.

**Monotone cells.** A *neutral prefix* p of a language satisfies: w is a member iff p w is.  From
a causal transformer for length n + |p| one gets one of the same size for length n by fixing the
first |p| symbols to p: the fixed positions see only themselves, so they are constants, a literal
about them is always or never present, and dropping them changes no answer.  Hence "impossible at
n" settles n + |p|, n + 2|p|, ... as well.  PARITY and MOD-m have p = 0, the bracket languages (),
1* has 1, MAJORITY 01; for FIRST there is none.  With one layer only the last position computes,
so the same holds for the full variant.  For two or more layers with full attention the argument
fails: the fixed positions still compute.

Main definitions: `reach`, `Reach`, `neutral_prefix`, `is_neutral`.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from synthesis.adversary import MAX_PARTIAL, adversary_wins
from synthesis.certificate import Adversary, cell_name, save
from synthesis.conquer import Effort
from synthesis.decision import Decision, Found, Impossible, decide
from synthesis.recheck import verify_file
from synthesis.solving import SOLVERS
from synthesis.spec import Spec


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one size reaches.

    Parameters
    ----------
    found
        Lengths with a machine, ascending.
    impossible
        Lengths refuted, ascending.
    undecided
        Lengths whose budget ran out.
    settles_all
        Whether the refutations, by monotonicity, settle every length above them too.
    """

    found: tuple[int, ...]
    impossible: tuple[int, ...]
    undecided: tuple[int, ...]
    settles_all: bool

    @property
    def summary(self) -> str:
        """``= n`` if exact, ``>= n`` if only machines are known, ``?`` if nothing is."""
        best = max(self.found, default=0)
        return f"{'=' if self.settles_all else '>='} {best}" if best else "?"


def neutral_prefix(spec: Spec) -> tuple[int, ...] | None:
    """Return a neutral prefix as symbol indices if monotonicity is proved for the cell.

    Examples
    --------
    >>> neutral_prefix(Spec("dyck2", 4, 2, 1)), neutral_prefix(Spec("parity", 4, 2, 1, 2, "full"))
    ((0, 1), None)
    """
    if spec.variant != "causal" and not (spec.variant == "full" and spec.layers == 1):
        return None
    for size in (1, 2):
        for prefix in product(range(len(spec.target.alphabet)), repeat=size):
            if is_neutral(spec, prefix):
                return prefix
    return None


def is_neutral(spec: Spec, prefix: Sequence[int]) -> bool:
    """Return whether reading ``prefix`` leaves the language's machine where it started.

    Sufficient for "w is a member iff prefix w is" at every length, because the machines of
    :mod:`languages` used here read symbols without knowing the length.
    """
    target = spec.target
    if target.start(1) != target.start(2):
        return False
    state = target.start(len(prefix))
    for symbol in prefix:
        state = target.step(state, target.alphabet[symbol])
    return state == target.start(len(prefix))


def reach(
    spec: Spec,
    lengths: Iterable[int],
    *,
    seconds: float,
    folder: Path | None = None,
    solvers: Sequence[str] = SOLVERS[:1],
    workers: int = 1,
    try_adversary: bool = False,
    tick: Callable[[str], None] | None = None,
) -> Reach:
    """Decide the lengths in turn and stop when monotonicity settles the rest.

    Parameters
    ----------
    spec
        The size; its own ``n`` is ignored.
    lengths
        Lengths to try, ascending.
    seconds
        Budget of each length.
    folder
        Where certificates are kept.  A length with a valid certificate there is not searched
        again, and an unfinished one goes on from its finished cubes (`synthesis.conquer`), so an
        interrupted climb resumes where it stopped.
    workers
        Solvers at once within a length, if there is a folder.
    try_adversary
        With one layer: try the solver-free refutation first (its certificates are tiny).
    solvers, tick
        As in `synthesis.decision.decide`.

    Examples
    --------
    >>> reach(Spec("parity", 1, 1, 1), range(1, 9), seconds=20).summary
    '= 2'
    """
    found: list[int] = []
    impossible: list[int] = []
    undecided: list[int] = []
    for n in lengths:
        cell = at_length(spec, n)
        verdict = stored_verdict(cell, folder) if folder is not None else None
        if verdict is None:
            if tick is not None:
                tick(f"n = {n}")
            if try_adversary and _adversary_wins(cell):
                verdict = "impossible"
                if folder is not None:
                    save(Adversary(cell), folder)
            else:
                effort = None
                if folder is not None:
                    effort = Effort(work_folder(cell, folder), workers, solvers=solvers)
                outcome = decide(cell, seconds=seconds, solvers=solvers, effort=effort, tick=tick)
                verdict = _keep(outcome, folder)
                if effort is not None and verdict != "unknown":
                    shutil.rmtree(effort.folder, ignore_errors=True)
        {"found": found, "impossible": impossible}.get(verdict, undecided).append(n)
        if impossible and settled(spec, found, impossible):
            break
        if verdict == "unknown":
            break
    done = settled(spec, found, impossible)
    return Reach(tuple(found), tuple(impossible), tuple(undecided), done)


def _adversary_wins(spec: Spec) -> bool:
    small = (len(spec.target.alphabet) + 1) ** spec.n <= MAX_PARTIAL
    return spec.layers == 1 and spec.variant != "uniform" and small and adversary_wins(spec)


def settled(spec: Spec, found: Sequence[int], impossible: Sequence[int]) -> bool:
    """Return whether every length above the last one found is refuted or follows by monotonicity.

    A neutral prefix of length 2 needs the next two lengths refuted; for bracket languages odd
    lengths have no members, so the next even one is enough.
    """
    if spec.variant == "uniform":  # right up to n + 1 implies right up to n
        return bool(impossible)
    prefix = neutral_prefix(spec)
    if prefix is None or not impossible:
        return False
    top = max(found, default=0)
    above = [n for n in impossible if n > top]
    if spec.language.startswith("dyck"):
        return top + 2 in above or (top == 0 and 2 in above)
    return all(top + k in above for k in range(1, len(prefix) + 1))


def at_length(spec: Spec, n: int) -> Spec:
    """Return the same cell at another length."""
    return Spec(spec.language, n, spec.layers, spec.heads, spec.alphabet, spec.variant, spec.ties)


def work_folder(spec: Spec, folder: Path) -> Path:
    """Return where the unfinished work on a cell is kept, beside its certificate to be."""
    return folder / f"{cell_name(spec)}.work"


def stored_verdict(spec: Spec, folder: Path) -> str | None:
    """Return the verdict of a stored certificate of the cell after re-checking it, else None."""
    for kind in ("found", "adversary", "peeled", "impossible"):
        path = folder / f"{cell_name(spec)}-{kind}.json"
        if path.exists():
            return verify_file(path).verdict
    return None


def _keep(outcome: Decision, folder: Path | None) -> str:
    if isinstance(outcome, Found):
        if folder is not None:
            save(outcome.witness, folder)
        return "found"
    if isinstance(outcome, Impossible):
        if folder is not None and outcome.certificate is not None:
            save(outcome.certificate, folder)
        return "impossible"
    return "unknown"
