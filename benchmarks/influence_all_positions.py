"""Influence of all positions against naive float32 passes: ratios of CPU time in one process.

The naive way subtracts two float32 forward passes for one position (both passes in PyTorch's fused
attention).  Run ``python benchmarks/influence_all_positions.py [--n 16384] [--layers 2]``; with
``--n 1048576 --only lowrank`` the memory target is checked.
"""

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np

from attention.soft import SoftTransformer
from attention.soft_encodings import FractionEncoding
from attention.soft_random import random_transformer
from influence.allflips import Sweep, all_changes
from influence.brute import brute_changes
from influence.fused import FusedBackend
from influence.lowrank import LowRankBackend


def model_of(layers: int) -> SoftTransformer:
    """Return the d = 32, H = 2 model of all comparisons, logits bounded by A = 1."""
    rng = np.random.default_rng(0)
    line = FractionEncoding(rng.standard_normal(32), 0.5 * rng.standard_normal(32))
    return random_transformer(rng, layers=layers, heads=2, width=32, norms="post", encoding=line)


class Naive:
    """A plain float32 forward pass in PyTorch with fused attention."""

    def __init__(self, model: SoftTransformer) -> None:
        """Convert the weights."""
        import torch

        self._torch, self._model = torch, model
        self._layers = [
            {
                name: torch.tensor(getattr(layer, name), dtype=torch.float32)
                for name in ("wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo", "w1", "b1", "w2", "b2")
            }
            for layer in model.layers
        ]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Return the last activation of the last position."""
        torch = self._torch
        f = torch.nn.functional
        with torch.no_grad():
            y = torch.tensor(x, dtype=torch.float32)
            for w in self._layers:
                q, k, v = (
                    y[None] @ w["w" + name] + w["b" + name][:, None] for name in ("q", "k", "v")
                )
                q, k = f.normalize(q, dim=-1), f.normalize(k, dim=-1)
                heads = f.scaled_dot_product_attention(q[None], k[None], v[None], scale=1.0)[0]
                y = f.layer_norm(y + (heads @ w["wo"]).sum(0) + w["bo"], y.shape[-1:])
                y = f.layer_norm(
                    y + torch.relu(y @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"], y.shape[-1:]
                )
            return y[-1].numpy()


def timed(run: Callable[[], Sweep | np.ndarray]) -> tuple[float, Sweep | np.ndarray]:
    """Return CPU seconds and the result."""
    began = time.process_time()
    result = run()
    return time.process_time() - began, result


def main() -> None:
    """Print one table."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=16384)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--only", choices=["lowrank", "hybrid", "brute"])
    parser.add_argument("--tolerance", type=float, default=1e-8)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    n, model = arguments.n, model_of(arguments.layers)
    assert model.output is not None
    word = np.random.default_rng(1).integers(0, 2, n)
    low = LowRankBackend(tolerance=arguments.tolerance)
    print(f"n = {n}, L = {arguments.layers}, d = 32, H = 2, one thread, CPU seconds")
    x = model.embedding[word] + model.encoding.rows(np.arange(n), n, 32)
    naive = Naive(model)
    naive(x[:256])
    results = {}
    for name, backend, dtype in (
        ("hybrid float32", FusedBackend(), np.float32),
        ("low rank float64", low, np.float64),
    ):
        if arguments.only is not None and not name.startswith(arguments.only[:3]):
            continue
        # one naive pass before and one after: a machine that gets slower meanwhile slows both
        before, _ = timed(lambda: naive(x)) if arguments.only is None else (0.0, None)
        spent, sweep = timed(
            lambda b=backend, t=dtype: all_changes(model, word, 1 - word, model.output, b, dtype=t)
        )
        after, _ = timed(lambda: naive(x)) if arguments.only is None else (0.0, None)
        results[name] = sweep.changes[:-1].astype(float)
        print(f"{name:<41} {spent:10.2f}   residual {sweep.residual:.1e}")
        if arguments.only is None:
            pair = before + after
            print(f"  two naive float32 passes (one exchange) {pair:10.2f}")
            print(f"  ratio to the two passes                 {spent / pair:10.3f}")
            print(f"  n + 1 passes take                       {pair / 2 * (n + 1) / spent:10,.0f}x")
    if len(results) == 2:
        a, b = results.values()
        print(f"hybrid against low rank: {np.linalg.norm(a - b) / np.linalg.norm(b):.1e} (l2)")
    if n <= 2048:
        spent, exact = timed(
            lambda: brute_changes(model, word, np.arange(n), 1 - word, model.output)
        )
        miss = [
            np.linalg.norm(r - exact[:-1]) / np.linalg.norm(exact[:-1]) for r in results.values()
        ]
        print(f"brute, all positions                      {spent:10.2f}   misses {miss}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GB")


if __name__ == "__main__":
    main()
