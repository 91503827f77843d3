r"""Train a small encoder to predict the next symbol of 2DYCK (optional extra ``train``).

Main definitions
----------------
Training, train_dyck, hidden_prefixes.

References
----------
Hahn (2020), Theorem 6 [hahn2020]; Vaswani et al. (2017) [vaswani2017].
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from attention.soft import Mask, SoftTransformer
from attention.soft_torch import from_encoder
from influence.result import InfluenceError
from languages.dyck_process import CLOSER, DyckProcess
from languages.next_symbol import END

ALPHABET = ("(", ")", "[", "]", END)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How to train.

    Parameters
    ----------
    p
        Opening probability of the process.
    length
        Length of training prefixes.
    steps, batch
        Optimiser steps and prefixes per step.
    layers, heads, width
        Size of the encoder (ReLU block 4 d, pre-norm, causal attention, no position encoding:
        a causal mask alone tells positions apart).
    rate
        Adam's step size.
    """

    p: Fraction = Fraction(1, 2)
    length: int = 48
    steps: int = 600
    batch: int = 32
    layers: int = 2
    heads: int = 2
    width: int = 32
    rate: float = 3e-3


def train_dyck(settings: Training, *, seed: int) -> tuple[SoftTransformer, list[float]]:
    """Train an encoder and convert it.

    Parameters
    ----------
    settings
        Sizes and optimiser.
    seed
        Of weights and data.

    Returns
    -------
    tuple
        The transformer (float64, readout with a logit per symbol of :data:`ALPHABET`) and the
        training loss in nats, one value per 20 steps.

    Raises
    ------
    InfluenceError
        If PyTorch is not installed.

    Notes
    -----
    About 15 CPU seconds with the defaults.  Deterministic for one version of PyTorch.
    """
    try:
        import torch
    except ImportError as missing:
        raise InfluenceError("training needs PyTorch: install attention-limits[train]") from missing

    rng = np.random.default_rng(seed)
    process = DyckProcess(settings.p)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layer = torch.nn.TransformerEncoderLayer(
            settings.width, settings.heads, 4 * settings.width, dropout=0.0, batch_first=True,
            norm_first=True,
        )  # fmt: skip
        encoder = torch.nn.TransformerEncoder(
            layer, settings.layers, torch.nn.LayerNorm(settings.width), enable_nested_tensor=False
        )
        embedding = torch.nn.Embedding(len(ALPHABET), settings.width)
        output = torch.nn.Linear(settings.width, len(ALPHABET))
    weights = [*encoder.parameters(), *embedding.parameters(), *output.parameters()]
    optimiser = torch.optim.Adam(weights, lr=settings.rate)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(settings.length)
    number = {s: i for i, s in enumerate(ALPHABET)}
    curve = []
    for step in range(settings.steps):
        words = process.sample_many(settings.length, settings.batch, rng)
        x = torch.tensor([[number[s] for s in w] for w in words])
        # targets are the exact laws of the next symbol: less noise than sampled symbols
        laws = torch.tensor(_laws(process, words), dtype=torch.float32)
        logits = output(encoder(embedding(x), mask=mask, is_causal=True))
        loss = -(laws * torch.log_softmax(logits, -1)).sum(-1).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * min(1.0, 2 * (1 - step / settings.steps) + 0.02)
        optimiser.step()
        if step % 20 == 0:
            curve.append(float(loss.detach()))
    model = from_encoder(
        encoder.eval(),
        alphabet=ALPHABET,
        embedding=embedding.weight.detach().double().numpy(),
        output=output.weight.detach().double().numpy().T,
        output_bias=output.bias.detach().double().numpy(),
        mask=Mask("causal"),
    )
    return model, curve


def _laws(process: DyckProcess, words: list[str]) -> np.ndarray:
    """Return the law of the next symbol after every prefix, shape (b, n, symbols)."""
    p = float(process.p)
    out = np.zeros((len(words), len(words[0]), len(ALPHABET)))
    out[..., 0] = out[..., 2] = p / 2
    for row, word in zip(out, words, strict=True):
        stack: list[str] = []
        for t, symbol in enumerate(word):
            if symbol in CLOSER:
                stack.append(symbol)
            else:
                stack.pop()
            due = CLOSER[stack[-1]] if stack else END
            row[t, ALPHABET.index(due)] = 1 - p
    return out


def hidden_prefixes(
    process: DyckProcess, n: int, number: int, rng: np.random.Generator
) -> list[str]:
    """Draw prefixes of n symbols that are unbalanced and end with a closing bracket.

    Raises
    ------
    InfluenceError
        If n < 3: there are none.
    """
    if n < 3:
        raise InfluenceError(f"n = {n}: an unbalanced prefix that ends closing needs 3 symbols")
    found: list[str] = []
    while len(found) < number:
        for word in process.sample_many(n, 4 * number, rng):
            opened = sum(s in CLOSER for s in word)
            if word[-1] in CLOSER.values() and 2 * opened > n:
                found.append(word)
    return found[:number]
