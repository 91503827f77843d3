"""How fast programs load and evaluate, and how cost grows: ``python benchmarks/rasp_speed.py``.

Prints CPU seconds, the target where there is one, and ratios of consecutive sizes.  The authors'
interpreter is timed beside ours if its folder is given: ``--reference FOLDER``.
"""

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rasp.evaluate.columnar import ColumnarEvaluation
from rasp.evaluate.engine import evaluate, evaluate_batch
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the least CPU time of a few runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def programs() -> dict[str, SOp]:
    """Return the paper's programs and some of the library's."""
    session = Session(read=library_text)
    code = """load "paper_examples"; load "stdlib";
    sorted = sort(tokens, tokens); prefix_count = count_so_far(tokens == "a");
    dyck2_best = dyck_prefixes(["()", "{}"]); double = selector_width(
        select(hist_nobos, hist_nobos, ==));"""
    list(session.run(code))
    names = ("hist_nobos", "reverse", "hist_bos", "sort_bos", "hist2_bos", "sort_by_most_freq")
    names += ("dyck1_ptf", "dyck2_ptf", "dyck3_ptf", "sorted", "prefix_count", "dyck2_best")
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


def reference_seconds(folder: Path, name: str, word: str) -> float:
    """Run the authors' interpreter on one word and return its CPU time, start included."""
    code = f'load "paper_examples";\n{name}("{word}");\nexit\n'
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "RASP_support"], cwd=folder, input=code.encode(), check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return time.perf_counter() - start


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reference", type=Path, help="folder of the authors' implementation")
    arguments = parser.parse_args()
    known = programs()
    evaluate_batch(known["reverse"].node, ["warm", "up", "all"])
    print("one input of 1000 tokens")
    for name, sop in known.items():
        (word,) = words(1, 1000, 1)
        took = seconds(lambda sop=sop, word=word: evaluate(sop.node, word))
        report(f"  {name}", took, 0.05)
        if arguments.reference and name.endswith(("bos", "ptf", "freq", "reverse")):
            theirs = reference_seconds(arguments.reference, name, word)
            print(f"    reference {theirs:.2f} s, ratio {theirs / took:.0f}")
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
    report("  one input of 40 tokens", seconds(lambda: evaluate(node, word)), 0.02)
    thousand = words(1000, 40, 5)
    report("  1000 inputs of 40 tokens", seconds(lambda: evaluate_batch(node, thousand), 1), 2.0)
    print("start to prompt")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "attnlimits", "rasp", "repl"], input=b"exit\n",
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
