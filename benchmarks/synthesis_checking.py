"""What checking each stored refutation costs: CPU seconds, and the ratio to one small certificate.

Run ``python benchmarks/synthesis_checking.py``.  Writes ``synthesis_checking.json`` beside this
script, which the figure ``synthesis-certificates`` draws.  Seconds are this machine's; ``ratio``
divides by the seconds of `REFERENCE` in the same run, so it says the same elsewhere.
"""

import json
import time
from pathlib import Path

from synthesis.recheck import verify_file
from synthesis.stored import folder

REFERENCE = "parity-n5-L1-H3-S2-causal"
"""The cell that the others are compared with: checked several times, the best time counts."""


def seconds(path: Path, times: int) -> float:
    """Return the least CPU seconds of checking a certificate, clauses and proof."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        assert verify_file(path).verdict == "impossible"
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Measure every stored refutation and write the file."""
    paths = sorted(folder().glob("*-impossible.json"))
    measured: dict[str, dict[str, float]] = {}
    unit = seconds(folder() / f"{REFERENCE}-impossible.json", 4)
    for path in paths:
        small = path.with_suffix(".lrat.xz").stat().st_size < 100_000
        used = seconds(path, 5 if small else 1)
        cell = path.stem.removesuffix("-impossible")
        measured[cell] = {"seconds": round(used, 4), "ratio": round(used / unit, 2)}
        print(f"{used:8.3f} s  {used / unit:8.1f}  {cell}", flush=True)
    total = sum(one["seconds"] for one in measured.values())
    print(f"{total:8.3f} s  all {len(paths)}")
    place = Path(__file__).with_suffix(".json")
    place.write_text(
        json.dumps({"reference": REFERENCE, "cells": measured}, sort_keys=True, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
