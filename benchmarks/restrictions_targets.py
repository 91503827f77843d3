"""Certified subcubes at full length: dimension, CPU seconds, checker, and both plain baselines.

Run ``python benchmarks/restrictions_targets.py`` (a few CPU minutes), or name a part of the rows:
``python benchmarks/restrictions_targets.py n=256``.
All figures come from one run, side by side: "fixed" is the number of fixed positions, "first" the
CPU seconds until a certificate with at least half of the positions free, "flips" the tries and CPU
seconds of random single-bit flips until two words are answered alike, "SAT" what two SAT solvers
say about the certified claim.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from attention.constructions.recognisers import tribes
from attention.families import oracle, sinusoidal
from attention.json import to_json
from attention.transformer import AbstractHardTransformer, ModelError
from restrictions.baselines import random_flips
from restrictions.certificate import certificate
from restrictions.certify import Certified, certify
from restrictions.checker import check
from restrictions.sat import constant_by_sat

Row = tuple[str, Callable[[], AbstractHardTransformer], float, int]

rng = np.random.default_rng
ROWS: tuple[Row, ...] = (
    ("dot n=256 L=2 H=1", lambda: sinusoidal(256, 2, 1, rng=rng(1)), 1.5, 4),
    ("dot n=256 L=2 H=2", lambda: sinusoidal(256, 2, 2, rng=rng(1)), 2.5, 6),
    ("random n=256 L=2 H=1", lambda: oracle(256, 2, 1, seed=1), 1.5, 4),
    ("dot n=256 L=3 H=1", lambda: sinusoidal(256, 3, 1, rng=rng(1)), 7.5, 8),
    ("dot n=64 L=3 H=2", lambda: sinusoidal(64, 3, 2, rng=rng(1)), 5, 8),
    ("dot n=1024 L=2 H=1", lambda: sinusoidal(1024, 2, 1, rng=rng(1)), 2.5, 6),
    ("dot n=1024 L=2 H=2", lambda: sinusoidal(1024, 2, 2, rng=rng(1)), 5, 12),
    ("dot n=1024 L=2 H=4", lambda: sinusoidal(1024, 2, 4, rng=rng(1)), 10, 25),
    ("random n=1024 L=2 H=1", lambda: oracle(1024, 2, 1, seed=1), 2.5, 6),
    ("random n=1024 L=2 H=2", lambda: oracle(1024, 2, 2, seed=1), 2.5, 6),
    ("AND of ORs n=1024", lambda: tribes(1024, 32), 5, 32),
    ("dot n=1024 L=3 H=1", lambda: sinusoidal(1024, 3, 1, rng=rng(1)), 30, 300),
    ("dot n=100000 L=1 H=4", lambda: sinusoidal(100_000, 1, 4, rng=rng(1), samples=1), 5, 5),
)
"""Name, model, CPU budget, number of fixed positions that is good enough."""


def main() -> None:
    """Measure and print one line a model."""
    print(
        f"{'model':<24}{'fixed':>6}{'free %':>8}{'CPU s':>7}{'first':>7}{'check':>8}"
        f"{'flips':>14}{'SAT':>16}"
    )
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, build, seconds, enough in ROWS:
        if wanted not in name:
            continue
        model = build()
        begin, first = time.process_time(), [float("nan")]

        def seen(
            line: str, begin: float = begin, first: list[float] = first, half: int = model.n // 2
        ) -> None:
            if first[0] != first[0] and int(line.split(", ")[1].split()[0]) >= half:
                first[0] = time.process_time() - begin

        found = certify(
            model, seconds=seconds, rng=np.random.default_rng(0), enough=enough, progress=seen
        )
        spent = time.process_time() - begin
        if not isinstance(found, Certified):
            print(f"{name:<24} inconclusive after {spent:.1f} s")
            continue
        fixed = model.n - found.restriction.dimension
        print(
            f"{name:<24}{fixed:>6}{100 * found.restriction.dimension / model.n:>8.1f}{spent:>7.1f}"
            f"{first[0]:>7.2f}{_check(model, found):>8}{_flips(model):>14}{_sat(model, found):>16}",
            flush=True,
        )


def _check(model: AbstractHardTransformer, found: Certified) -> str:
    if model.n > 2000 or (model.n > 256 and "--check" not in sys.argv):
        return "-"
    try:
        to_json(model)
    except ModelError:
        return "-"
    data = certificate(model, found.restriction, {"output": found.output})
    begin = time.process_time()
    check(data)
    return f"{time.process_time() - begin:.1f} s"


def _flips(model: AbstractHardTransformer) -> str:
    if model.n > 2000:
        return "-"
    begin = time.process_time()
    flips = random_flips(model, most=20, rng=np.random.default_rng(0))
    return f"{flips.tries} / {time.process_time() - begin:.2f} s"


def _sat(model: AbstractHardTransformer, found: Certified) -> str:
    if model.n > 256:
        return "-"
    begin = time.process_time()
    answer = constant_by_sat(model, found.restriction, found.output, limit=600_000).answer
    return f"{answer} / {time.process_time() - begin:.1f} s"


if __name__ == "__main__":
    main()
