"""Sweep the certified least k over a grid, in several processes, with a progress bar.

Run it with ``python examples/sweep_bound.py [PROCESSES] > sweep.csv``.  The table goes to stdout,
the progress bar to stderr; the rows come in the order of the grid, whatever finishes first.
"""

import itertools
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

from rich.console import Console
from rich.progress import track

INPUTS = (1, 2, 4, 8, 16)
HEADS = (1, 8)
TARGETS = tuple(Fraction(t, 20) for t in (2, 6, 10, 14, 18))


def row(point: tuple[int, int, Fraction]) -> str:
    """Return one line of the table: c, H, C', the least k, and the inputs after the step."""
    from bounds.reduction.final import C_OUT
    from bounds.reduction.least import least_k
    from bounds.reduction.parameters import explicit

    c, H, target = point
    p = explicit(C=1, Cprime=target)
    k = least_k(c=c, H=H, C=1, eta=p.eta, q=p.q).value
    return f"{c},{H},{target},{p.eta},{p.q},{k},{C_OUT.exact(c=c, k=k, H=H)}"


def main(processes: int = 2) -> None:
    """Print the table."""
    grid = list(itertools.product(INPUTS, HEADS, TARGETS))
    print("c,H,Cprime,eta,q,k,c_out")
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        rows = pool.map(row, grid, chunksize=5)
        bar = track(rows, "least k", total=len(grid), console=Console(stderr=True))
        for line in bar:
            print(line)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
