"""The families of models on which the depth reduction is executed.

Main definitions: :class:`Run`, :func:`runs`, :data:`SCOPE`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from attention.families import oracle, sinusoidal
from attention.transformer import AbstractHardTransformer
from restrictions.ctransformer import lift
from restrictions.reduction import Step, reduce_depth

SCOPE = (
    "random position-aware models and random dot-product models with sinusoidal positions, "
    "n = 24 or 48, H = 1 or 2, k = 2, 4 or 8, one seed each; first layer, greedy Stage 3"
)


@dataclass(frozen=True)
class Run:
    """One execution of the depth reduction lemma."""

    family: str
    n: int
    heads: int
    k: int

    def model(self) -> AbstractHardTransformer:
        """Return the model; deterministic."""
        if self.family == "oracle":
            return oracle(self.n, 2, self.heads, seed=self.n + self.heads)
        return sinusoidal(
            self.n, 2, self.heads, rng=np.random.default_rng(self.n + self.heads), width=8
        )

    def step(self) -> Step:
        """Execute the lemma once per process."""
        return _step(self)


@cache
def _step(run: Run) -> Step:
    return reduce_depth(lift(run.model()), k=run.k, rng=np.random.default_rng(0))


def runs() -> Iterator[Run]:
    """Yield the family in a fixed order."""
    for family in ("oracle", "sinusoidal"):
        for n in (24, 48):
            for heads in (1, 2):
                for k in (2, 4, 8):
                    yield Run(family, n, heads, k)
