r"""Fast float estimates of k and n, in logarithms so that nothing overflows; they only propose.

Everything here is vectorised over parameters and never decides anything: optimisers use it to
pick rational parameters, which :mod:`bounds.reduction.least` then certifies.

Main definitions: :class:`Estimator`, :func:`minimise`.

References
----------
Hahn (2020), Section 5.1, eqs. (8) to (12) [hahn2020].
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from bounds.reduction.monotone import Weights

Floats: TypeAlias = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Estimator:
    """Estimates for c inputs per activation, H heads, share C and some weights.

    All methods take eta, q, delta as arrays of one shape and return natural logarithms of that
    shape; values outside the domain give NaN.
    """

    c: float
    H: int
    C: float
    weights: Weights

    def log_e(self, eta: Floats) -> Floats:
        """Estimate ln E with E = f/k^2."""
        c = self.c
        return 2 * c * math.log(2) + 2 * math.log(c) + math.log(self.H) - np.log(eta * self.C)

    def log_rate(self, eta: Floats, q: Floats) -> Floats:
        """Estimate ln r with r = -ln(1 - (q/2)^c) eta C / c^2."""
        log_x = self.c * np.log(q / 2)
        x = np.exp(log_x)
        log_miss = np.where(x > 1e-8, np.log(-np.log1p(-np.maximum(x, 1e-300))), log_x)
        return log_miss + np.log(eta * self.C) - 2 * math.log(self.c)

    def log_k12(self, eta: Floats, q: Floats) -> Floats:
        """Estimate ln of the least k for E12, as a real number."""
        log_e, log_r = self.log_e(eta), self.log_rate(eta, q)
        y = np.maximum(math.log(8) - log_r, log_e - log_r)
        for _ in range(20):  # fixed point of r k = h(k); contracts by 2/(r k) <= 1/4
            y = np.log(self.needed(y, log_e)) - log_r
        if self.weights.name == "best":
            return y
        return np.where(log_e < 650, y, log_e - log_r)

    def needed(self, y: Floats, log_e: Floats) -> Floats:
        """Return what r k must reach at k = e^y; capped at e^700."""
        log_f = log_e + 2 * y
        f = np.exp(np.minimum(log_f, 700.0))
        if self.weights.name == "best":
            spread = np.where(log_f > 30, 1.0, f * np.log1p(1 / f))
            return np.logaddexp(log_f, 0) + spread - math.log1p(-float(self.weights.other))
        e = np.exp(np.minimum(log_e, 700.0))
        u = np.exp(-2 * np.maximum(y, math.log(1.01)))
        spread = np.where(u > 1e-8, -np.log1p(-u) / np.maximum(u, 1e-300), 1.0)
        return e * spread + 2 * y + math.log(2)

    def log_k11(self, eta: Floats, q: Floats, delta: Floats) -> Floats:
        """Estimate ln of the least k with a positive headroom, as a real number."""
        log_t = np.log(self.alpha(eta, q, delta)) - self.c * math.log(2) - math.log(self.H)
        t = np.exp(log_t)
        if self.weights.name == "best":
            log_f = np.where(t > 1e-8, -np.log(np.expm1(np.maximum(t, 1e-300))), -log_t)
            return (log_f - self.log_e(eta)) / 2
        return np.where(t > 1e-8, -np.log(-np.expm1(-np.maximum(t, 1e-300))), -log_t) / 2

    def alpha(self, eta: Floats, q: Floats, delta: Floats) -> Floats:
        """Return the decay rate of E8."""
        return delta**2 * q * (1 - 2 * eta) * self.C / 3

    def loss(self, y: Floats, log_e: Floats) -> Floats:
        """Return -2^c H ln(1 - A) at k = e^y, capped at e^700."""
        log_a = -2 * y if self.weights.name != "best" else -np.logaddexp(log_e + 2 * y, 0)
        size = np.log(-np.log1p(-np.exp(np.minimum(log_a, -1e-9))))
        log_small = np.where(log_a < -18, log_a, size)
        return np.exp(np.minimum(self.c * math.log(2) + math.log(self.H) + log_small, 700.0))

    def log_n11(self, y: Floats, eta: Floats, q: Floats, delta: Floats) -> Floats:
        """Estimate ln of the least n for E11 at k = e^y; infinite where there is none."""
        head = self.alpha(eta, q, delta) - self.loss(y, self.log_e(eta))
        top = math.log(-math.log(float(self.weights.other)))
        return np.where(head > 0, top - np.log(np.maximum(head, 1e-300)), np.inf)

    def log_c_out(self, y: Floats) -> Floats:
        """Estimate ln of c (2^c k H + 1) at k = e^y."""
        through = self.c * math.log(2) + y + math.log(self.H)
        return math.log(self.c) + np.logaddexp(through, 0)


def minimise(
    objective: Callable[..., Floats],
    box: Sequence[tuple[float, float]],
    *,
    points: int = 11,
    rounds: int = 28,
) -> list[float]:
    """Return a point of ``box`` where ``objective`` is small: a grid that zooms in on its best.

    Parameters
    ----------
    objective
        Vectorised; NaN or infinite values count as worst.
    box
        Lower and upper end of each coordinate.
    points, rounds
        Grid points per coordinate, and number of zooms by a factor 0.6.

    Notes
    -----
    Deterministic; finds the minimum of well-behaved functions, promises nothing.

    Examples
    --------
    >>> [abs(round(x, 4)) for x in minimise(lambda x, y: (x - 0.3) ** 2 + y**2, [(-1, 1), (-1, 2)])]
    [0.3, 0.0]
    """
    centre = [(low + high) / 2 for low, high in box]
    reach = [(high - low) / 2 for low, high in box]
    for _ in range(rounds):
        axes = [
            np.clip(np.linspace(m - w, m + w, points), low, high)
            for m, w, (low, high) in zip(centre, reach, box, strict=True)
        ]
        grid = np.meshgrid(*axes, indexing="ij")
        with np.errstate(all="ignore"):
            value = objective(*grid)
        best = int(np.argmin(np.where(np.isfinite(value), value, np.inf)))
        centre = [float(g.flat[best]) for g in grid]
        reach = [w * 0.6 for w in reach]
    return centre
