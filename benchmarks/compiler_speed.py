"""Cost and size of compiling, and whether it is right: ``python benchmarks/compiler_speed.py``.

Every row runs in a process of its own, so that the first compilation is a cold one and the peak of
memory is its own.  CPU seconds are after the imports.  "Before" is what a known compiler needed
for the same program on a machine like this, where that was measured.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rasp.certify.verification import verify
from rasp.compiler.pipeline import compile_program
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.floating import FloatModel

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CODE = (
    'load "paper_examples"; load "stdlib"; sorted = sort(tokens, tokens); size = length + 0;'
    'frac_prevs = aggregate(select(indices, indices, <=), indicator(tokens == "a"));'
    'even = parity(tokens == "b"); shuffle2 = shuffle_dyck_prefixes(["()", "{}"]);'
    "rank = selector_width(select(tokens_int, tokens_int, <));"
    "sort_unique = aggregate(select(rank, indices, ==), tokens_int);"
    # a token is a column of two digits, lowest first: the carry comes from the last column before
    # whose sum is not 9
    "total = (tokens_int - tokens_int % 10) / 10 + tokens_int % 10;"
    "settled = best(select(indices, indices, <) and select(total, 9, !=), indices);"
    "addition = (total + aggregate(settled, indicator(total > 9), 0)) % 10;"
)
COLUMNS = tuple(f"{column:02d}" for column in range(100))
FORWARD = 1e-3
"""Seconds that a word of up to 50 tokens may take in float32, in batches."""


@dataclass(frozen=True)
class Row:
    """A program and sizes, the aims, and what was measured elsewhere.

    For programs that ALTA compiles, the aim is twice the seconds it took elsewhere.
    """

    program: str
    symbols: Sequence[str]
    length: int
    seconds: float
    parameters: float = float("inf")
    megabytes: float = float("inf")
    layers: int = 99
    before: str = ""


ROWS = (
    Row("hist_nobos", "abcd", 5, 0.05, before="5-6 s cold, 370 MB"),
    Row("reverse", LETTERS, 50, 0.2, 0.3e6, before="40 s, 490 MB, 7.9 M, 8-13 % right"),
    Row("sorted", LETTERS, 50, 0.5, 1e6, 300, before="33 s, 951 MB, 34.3 M, 25 % right"),
    Row("dyck1_ptf", "()", 20, 0.1, before="10 s, 29 % of sequences"),
    Row("dyck1_ptf", "()", 40, 0.1, before="none in 290 s"),
    Row("dyck1_ptf", "()", 200, 0.1),
    Row("shuffle2", "(){}", 20, 0.1, 50e3, layers=3, before="13 s, 5.3 M, 8 layers, all rejected"),
    Row("frac_prevs", "ab", 200, 0.2, before="error 0.17"),
    Row("size", LETTERS, 1000, 2.0, before="right to 9"),
    Row("hist_nobos", LETTERS, 1000, 2.0, before="right to 9"),
    Row("reverse", LETTERS, 1000, 2.0, before="right to 9"),
    Row("even", "ab", 100, 2 * 0.02, before="ALTA, sum mod 2: 0.02 s, 36 k"),
    Row("even", "ab", 200, 0.2, before="ALTA, bit by bit in 200 layers: 0.005 s, 340 k"),
    Row("addition", COLUMNS, 20, 2 * 0.6, before="ALTA: 0.6 s, 3.0 M"),
    *(
        Row("sort_unique", tuple(map(str, range(n))), n, aim, before=before)
        for n, aim, before in (
            (16, 2 * 0.01, "ALTA: 0.01 s, 0.14 M"),
            (32, 2 * 0.05, "ALTA: 0.05 s, 0.97 M"),
            (64, 2 * 0.3, "ALTA: 0.3 s, 7.3 M"),
        )
    ),
)


def programs() -> Session:
    """Return a session with all programs."""
    session = Session(read=library_text)
    session.settings = replace(session.settings, sop_example=["1", "2"], selector_example=["1"])
    broken = [event.note for event in session.run(CODE) if event.error is not None]
    assert not broken, broken
    return session


def measure(row: Row, *, samples: int) -> dict[str, Any]:
    """Compile and verify one row in this process."""
    session = programs()
    sop = session.console.variables[row.program]
    start = time.process_time()
    model = compile_program(
        sop, vocabulary=list(row.symbols), length=row.length, name=row.program, names=session.names
    )
    took = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rng = np.random.default_rng(0)
    outcome = verify(sop, model, samples=samples, exhaustive=200, rng=rng, bounded=2)
    words = [rng.choice(list(row.symbols), size=row.length).tolist() for _ in range(64)]
    runner = FloatModel(model)
    runner.run(words[:2])
    start = time.process_time()
    runner.run(words)
    forward = (time.process_time() - start) / len(words)
    return {
        "seconds": took, "megabytes": peak, "forward": forward, "right": outcome.right,
        "tried": outcome.tried, "error": max(e.measured for e in outcome.errors),
        "parameters": model.parameters()["dense"], "nonzero": model.parameters()["nonzero"],
        "layers": model.depth, "heads": [len(layer.heads) for layer in model.layers],
        "width": model.width,
    }  # fmt: skip


def in_process(number: int, samples: int) -> dict[str, Any]:
    """Measure a row in a fresh process."""
    command = [sys.executable, __file__, "--row", str(number), "--samples", str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        return {"failed": lines[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(samples: int) -> bool:
    """Print every row beside its aim; return whether all are met."""
    fine = True
    print("program (symbols, length)     CPU s   aim   MB  parameters (not 0)  layers heads  right")
    for number, row in enumerate(ROWS):
        found = in_process(number, samples)
        label = f"{row.program} ({len(row.symbols)}, {row.length})"
        if "failed" in found:
            print(f"{label:28s} FAILED: {found['failed']}")
            fine = False
            continue
        met = (
            found["right"]
            and found["seconds"] <= row.seconds
            and found["parameters"] <= row.parameters
            and found["megabytes"] <= row.megabytes
            and found["layers"] <= row.layers
            and (found["forward"] <= FORWARD or row.length > 50)
        )
        fine = fine and met
        print(
            f"{label:28s} {found['seconds']:6.3f} {row.seconds:5.2f} {found['megabytes']:5.0f} "
            f"{found['parameters']:10d} ({found['nonzero']:d}) {found['layers']} {found['heads']} "
            f"{found['right']} on {found['tried']} words, float32 off by {found['error']:.1e}, "
            f"{1000 * found['forward']:.2f} ms a word   {'ok' if met else 'MISSED'}"
            + (f"   before: {row.before}" if row.before else "")
        )
    return fine


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the least CPU time of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def growth() -> None:
    """Print how the cost grows with vocabulary, length and program size."""
    session = programs()
    known = session.console.variables
    print("growth: seconds and parameters at twice the size over the size")

    def compiled(name: str, symbols: int, length: int) -> Any:
        alphabet = [f"s{i}" for i in range(symbols)]
        return compile_program(known[name], vocabulary=alphabet, length=length, name=name)

    for name, sizes in (
        ("sorted", [(16, 32), (32, 32), (64, 32)]),
        ("sorted", [(16, 32), (16, 64), (16, 128)]),
        ("reverse", [(16, 64), (16, 128), (16, 256)]),
        ("hist_nobos", [(64, 64), (128, 64), (256, 64)]),
    ):
        took = [seconds(lambda n=name, s=s: compiled(n, *s), 1) for s in sizes]
        counts = [compiled(name, *s).parameters()["nonzero"] for s in sizes]
        print(
            f"  {name} {sizes}: seconds {took[1] / took[0]:.1f} {took[2] / took[1]:.1f}, "
            f"weights {counts[1] / counts[0]:.1f} {counts[2] / counts[1]:.1f}"
        )
    took = []
    for nodes in (5, 10, 20):
        inner = Session(read=library_text)
        lines = ["s0 = tokens;"] + [
            f's{i + 1} = aggregate(select(indices, indices - {i + 1}, ==), s{i}, "-");'
            for i in range(nodes)
        ]
        list(inner.run("\n".join(lines)))
        sop = inner.console.variables[f"s{nodes}"]
        took.append(
            seconds(lambda sop=sop: compile_program(sop, vocabulary="ab", length=40, name="s"), 1)
        )
    print(f"  5, 10, 20 heads one after another: {took[1] / took[0]:.1f} {took[2] / took[1]:.1f}")


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", type=int, help="measure one row here and print JSON")
    parser.add_argument("--samples", type=int, default=20, help="random words to verify on")
    parser.add_argument("--no-growth", action="store_true", help="leave the growth out")
    arguments = parser.parse_args()
    if arguments.row is not None:
        print(json.dumps(measure(ROWS[arguments.row], samples=arguments.samples)))
        return
    fine = table(arguments.samples)
    if not arguments.no_growth:
        growth()
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
