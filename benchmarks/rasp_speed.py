"""How fast programs load and evaluate, and how cost grows: ``python benchmarks/rasp_speed.py``.

Prints CPU seconds, the target where there is one, and ratios of consecutive sizes.  The authors'
interpreter is timed beside ours if its folder is given (``--reference FOLDER``), and so is raspy
if it can be imported (``--raspy``).
"""

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from other_rasp import Reference, Unavailable, raspy_programs

from rasp.evaluate.columnar import ColumnarEvaluation
from rasp.evaluate.engine import evaluate, evaluate_batch
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

PAPER = ("hist_nobos", "reverse", "hist_bos", "sort_bos", "hist2_bos", "sort_by_most_freq")
PAPER += ("dyck1_ptf", "dyck2_ptf", "dyck3_ptf")


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the least CPU time of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return max(best, 1e-9)


def programs() -> dict[str, SOp]:
    """Return the paper's programs and some of the library's."""
    session = Session(read=library_text)
    code = """load "paper_examples"; load "stdlib";
    sorted = sort(tokens, tokens); prefix_count = count_so_far(tokens == "a");
    dyck2_best = dyck_prefixes(["()", "{}"]); double = selector_width(
        select(hist_nobos, hist_nobos, ==));"""
    list(session.run(code))
    names = (*PAPER, "sorted", "prefix_count", "dyck2_best")
    return {name: session.console.variables[name] for name in names}


def large_program(statements: int) -> str:
    """Return a program of that many statements, about 1.4 nodes each."""
    rng = random.Random(0)
    lines = []
    for i in range(statements):
        before = [f"v{j}" for j in range(max(0, i - 8), i)] or ["indices"]
        a, b = rng.choice(before), rng.choice(before)
        kind = rng.randrange(4)
        if kind == 0:
            lines.append(f"v{i} = round(aggregate(select({a}, {b}, <=), {b} % 7));")
        elif kind == 1:
            lines.append(f"v{i} = {a} if {b} > {i % 5} else indices;")
        elif kind == 2:
            lines.append(f"v{i} = ({a} + {b}) % 11;")
        else:
            lines.append(f"v{i} = {a} + indices;")
    return "\n".join(lines)


def report(what: str, took: float, target: float | None = None) -> None:
    """Print a measurement beside its target."""
    limit = (
        "" if target is None else f"   target {target:g}   {'ok' if took <= target else 'MISSED'}"
    )
    print(f"{what:58s} {took:8.4f} s{limit}")


def words(count: int, length: int, seed: int) -> list[str]:
    """Return random words that begin with a mark for the beginning."""
    rng = random.Random(seed)
    return ["^" + "".join(rng.choices("ab(){}", k=length - 1)) for _ in range(count)]


def beside_reference(folder: Path, known: dict[str, SOp], length: int) -> None:
    """Print the authors' interpreter beside ours, one input of that length."""
    print(f"beside the authors' interpreter, one input of {length} tokens")
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    (word,) = words(1, length, 1)
    try:
        reference = Reference(folder)
        start = reference.start()
    except Unavailable as reason:
        print(f"  not compared: {reason}")
        return
    print(f"  start and load: {start:.2f} s")
    for name in PAPER:
        answer = "".join(event.text for event in session.run(f'{name}("{word}");'))
        took = seconds(lambda name=name: evaluate(known[name].node, word))
        try:
            theirs = reference.seconds(name, word, answer, start)
        except Unavailable as reason:
            print(f"  {name}: not compared: {reason}")
            continue
        print(f"  {name:40s} ours {took:.4f} s, theirs {theirs:.2f} s: {theirs / took:.0f} times")


def beside_raspy(known: dict[str, SOp], length: int) -> None:
    """Print raspy beside ours, one input of that length."""
    print(f"beside raspy, one input of {length} tokens")
    try:
        programs = raspy_programs()
    except Unavailable as reason:
        print(f"  not compared: {reason}")
        return
    (word,) = words(1, length, 1)
    for name, run in programs.items():
        if run(word) != evaluate(known[name].node, word):
            print(f"  {name}: not compared: another answer than ours")
            continue
        took = seconds(lambda name=name: evaluate(known[name].node, word))
        theirs = seconds(lambda run=run: run(word), 1)
        print(f"  {name:40s} ours {took:.4f} s, theirs {theirs:.2f} s: {theirs / took:.0f} times")


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference", type=Path, help="folder of the authors' implementation")
    parser.add_argument("--raspy", action="store_true", help="compare with raspy, if installed")
    parser.add_argument("--length", type=int, default=1000, help="tokens, for the comparisons")
    arguments = parser.parse_args()
    known = programs()
    if arguments.reference or arguments.raspy:
        if arguments.reference:
            beside_reference(arguments.reference, known, arguments.length)
        if arguments.raspy:
            beside_raspy(known, arguments.length)
        return
    evaluate_batch(known["reverse"].node, ["warm", "up", "all"])
    print("one input of 1000 tokens")
    for name, sop in known.items():
        (word,) = words(1, 1000, 1)
        report(f"  {name}", seconds(lambda sop=sop, word=word: evaluate(sop.node, word)), 0.05)
    print("one input of 100000 tokens")
    for name, sop in known.items():
        (word,) = words(1, 100_000, 2)
        report(f"  {name}", seconds(lambda sop=sop, word=word: evaluate(sop.node, word), 1), 1.0)
    print("10000 inputs of 20 tokens")
    many = words(10_000, 20, 3)
    for name in ("hist_nobos", "reverse", "sorted", "dyck1_ptf", "dyck2_ptf", "dyck2_best"):
        took = seconds(lambda name=name: evaluate_batch(known[name].node, many), 1)
        report(f"  {name}", took, 0.5)
    print("a program of 1000 statements")
    code = large_program(1000)
    loaded = Session()
    report("  load", seconds(lambda: list(Session().run(code))), 0.5)
    list(loaded.run(code))
    node = loaded.console.variables["v999"].node
    (word,) = words(1, 40, 4)
    report("  one input of 40 tokens", seconds(lambda: evaluate(node, word), 10), 0.02)
    thousand = words(1000, 40, 5)
    report("  1000 inputs of 40 tokens", seconds(lambda: evaluate_batch(node, thousand), 1), 2.0)
    print("start to prompt")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "attnlimits", "rasp"], input=b"exit\n",
        stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report("  CPU time", took, 0.3)
    growth(known)


def growth(known: dict[str, SOp]) -> None:
    """Print how time grows with length, batch and statements."""
    print("growth: time at twice the size over time at the size")
    for name in ("hist_nobos", "dyck1_ptf", "sorted"):
        times = []
        for n in (25_000, 50_000, 100_000):
            (word,) = words(1, n, 6)
            node = known[name].node
            times.append(
                seconds(lambda node=node, word=word: ColumnarEvaluation([word]).column(node))
            )
        print(f"  {name} in n        {times[1] / times[0]:.2f} {times[2] / times[1]:.2f}")
    times = []
    for count in (2_500, 5_000, 10_000):
        many = words(count, 20, 7)
        times.append(seconds(lambda many=many: evaluate_batch(known["dyck1_ptf"].node, many)))
    print(f"  dyck1_ptf in batch    {times[1] / times[0]:.2f} {times[2] / times[1]:.2f}")
    times = []
    for statements in (1000, 2000, 4000):
        code = large_program(statements)
        times.append(seconds(lambda code=code: list(Session().run(code)), 1))
    print(f"  loading in statements {times[1] / times[0]:.2f} {times[2] / times[1]:.2f}")
    text = "x = [" + ", ".join(map(str, range(100_000))) + "];"
    report("a literal of 100000 entries", seconds(lambda: list(Session().run(text)), 1))


if __name__ == "__main__":
    main()
