"""Synthesis: CPU seconds (this process and its solvers) of the cells that the documents quote.

Run ``python benchmarks/synthesis_speed.py [--long]``.  Prints one line a task; the last line is
the ratio of the plain z3 encoding to the CNF route on the same cell, measured in this run.
"""

import resource
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np

from attention.hard import TableTransformer
from languages.registry import language
from synthesis import local
from synthesis.annealing import search
from synthesis.bitwise import wrong_words
from synthesis.certificate import save
from synthesis.decision import Found, Impossible, decide
from synthesis.failing import find_failure
from synthesis.peeling import relaxed
from synthesis.reach import reach
from synthesis.readable import decide_readably
from synthesis.recheck import verify_file
from synthesis.spec import Spec


def cpu() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


def timed(name: str, task: Callable[[], object], limit: str) -> float:
    """Run the task, print its CPU seconds, return them."""
    start = cpu()
    result = task()
    used = cpu() - start
    print(f"{used:8.2f} s  (target {limit:>8})  {name}: {result}", flush=True)
    return used


def certified(spec: Spec) -> str:
    """Decide a cell and check what was found or refuted."""
    outcome = decide(spec, seconds=600)
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(outcome, Found):
            return verify_file(save(outcome.witness, Path(folder))).verdict
        if isinstance(outcome, Impossible) and outcome.certificate is not None:
            return verify_file(save(outcome.certificate, Path(folder))).verdict
    return "unknown"


def random_tables(n: int) -> TableTransformer:
    """Return a random transformer with two layers, one head, two values."""
    rng = np.random.default_rng(0)
    return TableTransformer(
        n=n,
        alphabet=("0", "1"),
        embedding=rng.integers(0, 2, (n, 2)),
        scores=[[rng.integers(0, 99, (n, 2, n, 2))] for _ in range(2)],
        acts=[rng.integers(0, 2, (n, 2, 2)) for _ in range(2)],
        outputs=(False, True),
    )


def witness() -> str:
    """Start local search with seeds 0, 1, ... until a machine is found."""
    spec = Spec("parity", 6, 2, 1, 3)
    for seed in count():
        done = local.search(spec, steps=30_000, rng=np.random.default_rng(seed))
        if done.machine is not None:
            break
    return f"found at start {seed + 1}"


def one_layer() -> str:
    """Decide the whole one-layer table: by SAT, where the adversary does not win before."""
    rows = []
    for name, step in (("parity", 1), ("mod3", 1), ("majority", 1), ("dyck1", 2), ("dyck2", 2)):
        for heads in (1, 2, 3):
            if (name, heads) not in (("majority", 3), ("dyck2", 3)):
                spec = Spec(name, 1, 1, heads)
                done = reach(spec, range(step, 12, step), seconds=600, try_adversary=heads > 2)
                rows.append(f"{name}/{heads} {done.summary}")
    for name, lengths, encoding in (("majority", (6, 7), "symmetric"), ("dyck2", (6,), "apart")):
        for n in lengths:
            verdict = type(decide(Spec(name, n, 1, 3), seconds=600, encoding=encoding)).__name__
            rows.append(f"{name}/3 {verdict} at {n}")
    return ", ".join(rows)


def main(long: bool) -> None:
    """Measure."""
    rng = np.random.default_rng(0)
    timed("one-layer table", one_layer, "120 s")
    found = timed("causal L=2 H=1 S=2 n=5", lambda: certified(Spec("parity", 5, 2, 1)), "")
    no = timed("causal L=2 H=1 S=2 n=6", lambda: certified(Spec("parity", 6, 2, 1)), "")
    print(f"{found + no:8.2f} s  (target     15 s)  both, certificate checked")
    found = timed("any S n=6", lambda: certified(Spec("parity", 6, 2, 1, None)), "")
    no = timed("any S n=7, LRAT", lambda: certified(Spec("parity", 7, 2, 1, None)), "")
    print(f"{found + no:8.2f} s  (target    120 s)  both, certificate checked")
    timed("any S n=7, peeling", lambda: relaxed(5), "")
    spec = Spec("parity", 8, 2, 1, None, "full")
    timed(
        "unmasked any S n=8, annealing",
        lambda: search(spec, steps=20_000, rng=rng, restarts=5) is not None,
        "",
    )
    timed("witness causal S=3 n=6, local search", witness, "10 s")
    parity = language("parity")
    timed("brute force n=20", lambda: len(wrong_words(random_tables(20), parity)), "3 s")
    timed(
        "failure n=100, flips",
        lambda: type(find_failure(random_tables(100), parity, rng=rng)).__name__,
        "1 s",
    )
    timed(
        "failure n=100, SAT",
        lambda: type(find_failure(random_tables(100), parity, rng=rng, ways=("sat",))).__name__,
        "",
    )
    same = Spec("parity", 5, 2, 1) if long else Spec("parity", 4, 2, 1)
    answers: list[bool | None] = []
    plain = timed(
        f"plain z3, L=2 n={same.n}",
        lambda: answers.append(decide_readably(same, seconds=240)) or answers[0],  # type: ignore[func-returns-value]
        "",
    )
    fast = timed(f"CNF in its own process, L=2 n={same.n}", lambda: certified(same), "")
    open_ended = "" if answers[0] is not None else "at least "
    print(f"ratio {open_ended}{plain / fast:.1f} (the CNF side includes starting a process)")


if __name__ == "__main__":
    main("--long" in sys.argv)
