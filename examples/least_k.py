"""Find the least k for a target share C', with certified signs, and the length it is good for.

Run it with ``python examples/least_k.py [C' [H]]``, for instance ``python examples/least_k.py
9/10 8``.  One step of Hahn's depth reduction from c = 1, C = 1 is to keep the share C' of the
inputs free: a search proposes eta, q and delta, everything printed is then certified for them.
"""

import sys
from fractions import Fraction

from bounds.reduction.least import least_k
from bounds.reduction.monotone import PUBLISHED, best_weights
from bounds.reduction.optimise import smallest_k, smallest_n
from bounds.reduction.parameters import explicit
from bounds.values import parse


def main(target: str = "1/2", heads: str = "1") -> None:
    """Print the least k for the explicit parameters and for searched ones, then a length."""
    share, H = parse(target), int(heads)
    p = explicit(C=1, Cprime=share)
    least = least_k(c=1, H=H, C=1, eta=p.eta, q=p.q)
    print(f"explicit parameters eta={p.eta}, q={p.q}, delta={p.delta}: least k = {least.value}")
    below = "none" if least.slack_below is None else least.slack_below.str(5)
    print(f"  slack of E12 at k: {least.slack.str(5)}, at k - 1: {below}")
    for weights in (PUBLISHED, best_weights()):
        step = smallest_k(c=1, H=H, C=1, Cprime=share, weights=weights)
        print(f"{weights.name} weights, searched parameters: k = {step.k} for E12 and large n")
        step = smallest_n(c=1, H=H, C=1, Cprime=share, weights=weights)
        q = step.parameters
        print(f"  k = {step.k} with eta={q.eta}, q={q.q}, delta={q.delta} keeps exactly {share};")
        print(
            f"  from n = {step.n0} on {step.c_out} inputs matter to an activation, fewer than C'n"
        )
    assert Fraction(share) == q.share


if __name__ == "__main__":
    main(*sys.argv[1:])
