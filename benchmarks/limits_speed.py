"""Verify the stored tables, search a few cells again, compare both evaluations: CPU seconds.

Run ``python benchmarks/limits_speed.py [--all]``; ``--all`` searches every cell of both tables.
"""

import sys
import time

from flint import ctx

from bounds.limits.ball_dyck import ball_dyck_load
from bounds.limits.ball_load import ball_load
from bounds.limits.certify import limit
from bounds.limits.decide import decide, load_at
from bounds.limits.plan import Question
from bounds.limits.sweep import key, stored


def main() -> None:
    """Print CPU seconds; the ratio of the two evaluations is measured in the same run."""
    for name in ("parity", "dyck"):
        start = time.process_time()
        certs = stored(name)
        good = sum(decide(cert).ok for cert in certs)
        spent = time.process_time() - start
        print(f"verify {name}: {good} of {len(certs)} hold, {spent:.1f} CPU s")
    plain = second = 0.0
    ctx.prec = 256
    for cert in [*stored("parity"), *stored("dyck")]:
        part = cert["ranges"][-1]
        start = time.process_time()
        load_at(cert, part, part["from"])
        middle = time.process_time()
        (ball_dyck_load if cert["task"] == "dyck" else ball_load)(cert, part, part["from"])
        plain, second = plain + middle - start, second + time.process_time() - middle
    print(f"one evaluation of every load: plain {plain:.2f}, FLINT {second:.2f} CPU s,", end=" ")
    print(f"ratio {second / plain:.2f}")
    cells = [(3, 1), (3, 8), (4, 2), (4, 8)]
    for name in ("parity", "dyck"):
        known = {key(c): c["n0"] for c in stored(name)}
        todo = [(k, h) for _, k, h, _, _ in known] if "--all" in sys.argv else cells
        start = time.process_time()
        same = 0
        for layers, heads in todo:
            found = limit(Question(name, layers, heads))["n0"]  # type: ignore[arg-type]
            same += found == known[(name, layers, heads, 0, 2)]
        spent = time.process_time() - start
        print(f"search {name}: {len(todo)} cells, {same} as stored, {spent:.0f} CPU s")


if __name__ == "__main__":
    main()
