"""Layers on which the paper's own rule for Stage 2 keeps fixing activations in vain.

All heads rank y_1, y_2, ... for z = 0.  Fixing y_1 satisfies these pairs, but as long as their
heads have an unsatisfied pair with z = 1, the rule counts them as dependent on y_2, y_3, ... too.
The pairs with z = 1 are spread over the second half, at most 2k to an activation.

Main definitions: :class:`Vain`, :func:`vain_layers`.

References: Hahn (2020), Section 5.1, Stage 2 [hahn2020].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from proofs.hahn2020.combinatorics.designs import Wish, wishing
from proofs.hahn2020.combinatorics.layers import Layer
from proofs.hahn2020.combinatorics.literal_stage2 import LiteralRepetition, repetitions

SCOPE = "layers with y_j = x_j, c = H = 1, k = 5, 18 <= n <= 24, pairs with z = 1 spread out"


@final
@dataclass(frozen=True, slots=True)
class Vain:
    """n positions with y_j = x_j and one head each; n even, k + 2 at most n/2."""

    n: int
    k: int

    @property
    def layer(self) -> Layer:
        """The layer itself."""
        wishes = [(self._in_order(i), self._spread(i)) for i in range(self.n)]
        return wishing([(j,) for j in range(self.n)], wishes, inputs=self.n)

    def repetitions(self) -> list[LiteralRepetition]:
        """Run Stage 2 by the paper's rule, most popular activation first, best value for pairs."""
        layer, done = self.layer, list[LiteralRepetition]()
        while True:
            rho = done[-1].rho if done else (None,) * self.n
            allowed = next(repetitions(layer, rho, self.k), None)
            if allowed is None:
                return done
            done.append(allowed)

    def _in_order(self, i: int) -> list[Wish]:
        return [(j, 1) for j in range(self.n) if j != i]

    def _spread(self, i: int) -> list[Wish]:
        """Return k + 1 wishes in the second half, starting after position i modulo n/2."""
        half = self.n // 2
        tail = [half + (i + s) % half for s in range(1, self.k + 3)]
        return [(j, 1) for j in dict.fromkeys(tail) if j != i][: self.k + 1]

    def __str__(self) -> str:
        return (
            f"c=H=1, k={self.k}, n={self.n}, y_j=x_j, head i wishes for y_1, y_2, ... at z=0, and"
            f" for k+1 of the last n/2 activations, from i+1 on cyclically, at z=1"
        )


def vain_layers() -> Iterator[Vain]:
    """Yield the layers in the scope, short ones first."""
    for n in range(18, 25, 2):
        yield Vain(n, 5)
