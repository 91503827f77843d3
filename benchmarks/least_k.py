"""How much the proposal saves: Newton and two signs against doubling and bisection alone.

Run it with ``python benchmarks/least_k.py``.  Both find and certify the same least k in the same
process; the last column is the ratio of their CPU seconds.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from bounds.ball import enclose
from bounds.bound import Values
from bounds.reduction import symbols as sym
from bounds.reduction.least import least_k, settle
from bounds.reduction.monotone import PUBLISHED

_QUARTER = Fraction(1, 4)


def proposed(c: int) -> int:
    """Return the least k as the library finds it."""
    return least_k(c=c, H=8, C=1, eta=_QUARTER, q=_QUARTER).value


def bisected(c: int) -> int:
    """Return the least k by doubling from 2 and bisection on certified signs."""
    at: Values = {sym.c: c, sym.H: 8, sym.C: Fraction(1), sym.eta: _QUARTER, sym.q: _QUARTER}

    def holds(k: int) -> bool:
        bits = 64 + k.bit_length()
        while True:
            slack = enclose(PUBLISHED.slack10, {**at, sym.k: k}, bits=bits)
            if slack >= 0 or slack < 0:
                return bool(slack >= 0)
            bits *= 2

    return settle(holds, 2, 2)


def seconds(function: Callable[[], int]) -> tuple[int, float]:
    """Return what the function returns and the CPU seconds that it took."""
    start = time.process_time()
    value = function()
    return value, time.process_time() - start


def main() -> None:
    """Print one line per c."""
    print(f"{'c':>5}  {'digits':>6}  {'proposed':>9}  {'bisected':>9}  ratio")
    for c in (1, 8, 64, 256):
        fast, quick = seconds(partial(proposed, c))
        slow, long = seconds(partial(bisected, c))
        assert fast == slow
        digits = len(str(fast))
        print(f"{c:>5}  {digits:>6}  {quick:>8.4f}s  {long:>8.4f}s  {long / quick:>5.0f}")


if __name__ == "__main__":
    main()
