"""The encoder that is trained: pre-norm, GELU, learned positions; its weights are plain tensors.

Main definitions: :func:`initial_weights`, :func:`forward` and its parts :func:`read`,
:func:`absorb`, :func:`classify`; :func:`torch_or_error`, :func:`device_or_error`.

References
----------
Vaswani et al. (2017) [vaswani2017]; the order of the norms is that of Xiong et al. (2020)
[xiong2020]; attention as a product of features is that of Katharopoulos et al. (2020)
[katharopoulos2020].
"""

from typing import Any, TypeAlias

from rasp.trainer.setting import Setting, SettingError

Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]


def torch_or_error() -> Any:
    """Import PyTorch.

    Raises
    ------
    SettingError
        If it is not installed.
    """
    try:
        import torch
    except ImportError:
        raise SettingError("training needs PyTorch: install attention-limits[train]") from None
    return torch


def device_or_error(name: str) -> None:
    """Try whether PyTorch can compute there.

    Raises
    ------
    SettingError
        If not, or if there is no such device.
    """
    torch = torch_or_error()
    try:
        torch.ones(1, device=name).sum().item()
    except (AssertionError, RuntimeError, NotImplementedError) as error:
        why = str(error).partition("\n")[0]
        raise SettingError(f"PyTorch cannot compute on {name!r} here ({why}): try cpu") from None


def initial_weights(setting: Setting, *, symbols: int, positions: int, classes: int) -> Weights:
    """Return random weights, a function of the setting's seed and sizes alone.

    Linear maps have variance 1/inputs, those that write to the residual stream are divided by
    the square root of twice the number of layers; embeddings have variance 1/2.
    """
    torch = torch_or_error()
    draw = torch.Generator().manual_seed(setting.seed)
    width, inner = setting.width, setting.inner

    def normal(rows: int, columns: int, scale: float) -> Tensor:
        return torch.randn(rows, columns, generator=draw) * scale

    small = (2 * setting.layers) ** -0.5
    weights = {
        "tokens": normal(symbols, width, 0.5**0.5),
        "positions": normal(positions, width, 0.5**0.5),
        "norm.scale": torch.ones(width),
        "norm.shift": torch.zeros(width),
        "output": normal(classes, width, width**-0.5),
        "output.bias": torch.zeros(classes),
    }
    for layer in range(setting.layers):
        name = f"layer{layer}."
        weights |= {
            name + "attention.scale": torch.ones(width),
            name + "attention.shift": torch.zeros(width),
            name + "qkv": normal(3 * width, width, width**-0.5),
            name + "qkv.bias": torch.zeros(3 * width),
            name + "mix": normal(width, width, width**-0.5 * small),
            name + "mix.bias": torch.zeros(width),
            name + "inner.scale": torch.ones(width),
            name + "inner.shift": torch.zeros(width),
            name + "up": normal(inner, width, width**-0.5),
            name + "up.bias": torch.zeros(inner),
            name + "down": normal(width, inner, inner**-0.5 * small),
            name + "down.bias": torch.zeros(width),
        }
    return weights


def forward(
    weights: Weights,
    tokens: Tensor,
    positions: Tensor,
    barrier: Tensor | None,
    *,
    layers: int,
    heads: int,
    rank: int = 0,
    hard: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """Run the encoder.

    Parameters
    ----------
    weights
        As :func:`initial_weights` returns them.
    tokens, positions
        Integers, shape (r, s).
    barrier
        0 where a query (rows) may look at a key (columns) and minus infinity elsewhere, shape
        (r, s, s) or (s, s); ``None`` if all keys are open.
    layers, heads
        Size.
    rank
        If positive, attention is the product of that many positive features of queries and of
        keys, rows normalised, instead of a softmax of dot products.
    hard
        Whether every head reads the key of its largest weight alone.

    Returns
    -------
    tuple
        Logits, shape (r, s, classes), and per layer the attention, shape (r, heads, s, s).
    """
    torch = torch_or_error()
    w = weights
    x = torch.nn.functional.embedding(tokens, w["tokens"]) + torch.nn.functional.embedding(
        positions, w["positions"]
    )
    rows, size, width = x.shape
    if barrier is not None and barrier.dim() == 3:
        barrier = barrier[:, None]
    attentions = []
    for layer in range(layers):
        scores, value = read(w, layer, x, heads=heads, rank=rank)
        if barrier is not None:
            scores = scores + barrier
        attention = torch.softmax(scores, -1)
        if hard:
            attention = torch.zeros_like(scores).scatter_(-1, scores.argmax(-1, keepdim=True), 1.0)
        attentions.append(attention)
        x = absorb(w, layer, x, (attention @ value).transpose(1, 2).reshape(rows, size, width))
    return classify(w, x), attentions


def read(w: Weights, layer: int, x: Tensor, *, heads: int, rank: int = 0) -> tuple[Tensor, Tensor]:
    """Return what a layer's heads make of the residual stream.

    Parameters
    ----------
    w
        As :func:`initial_weights` returns them.
    layer
        Its number, from 0.
    x
        Residual stream, shape (r, s, width).
    heads, rank
        As in :func:`forward`.

    Returns
    -------
    tuple
        Scores before the softmax, shape (r, heads, s, s), and values, shape
        (r, heads, s, width / heads).
    """
    torch = torch_or_error()
    name = f"layer{layer}."
    rows, size, width = x.shape
    each = width // heads
    seen = torch.nn.functional.layer_norm(
        x, (width,), w[name + "attention.scale"], w[name + "attention.shift"]
    )
    qkv = torch.nn.functional.linear(seen, w[name + "qkv"], w[name + "qkv.bias"])
    query, key, value = qkv.view(rows, size, 3, heads, each).permute(2, 0, 3, 1, 4)
    if rank:
        return _low_rank_scores(query[..., :rank], key[..., :rank]), value
    return (query * each**-0.5) @ key.transpose(-1, -2), value


def absorb(w: Weights, layer: int, x: Tensor, found: Tensor) -> Tensor:
    """Return the residual stream after a layer whose heads read ``found``, shape like ``x``."""
    torch = torch_or_error()
    linear = torch.nn.functional.linear
    name = f"layer{layer}."
    x = x + linear(found, w[name + "mix"], w[name + "mix.bias"])
    seen = torch.nn.functional.layer_norm(
        x, x.shape[-1:], w[name + "inner.scale"], w[name + "inner.shift"]
    )
    hidden = torch.nn.functional.gelu(linear(seen, w[name + "up"], w[name + "up.bias"]))
    return x + linear(hidden, w[name + "down"], w[name + "down.bias"])


def classify(w: Weights, x: Tensor) -> Tensor:
    """Return the logits of the classes, shape (..., classes)."""
    torch = torch_or_error()
    x = torch.nn.functional.layer_norm(x, x.shape[-1:], w["norm.scale"], w["norm.shift"])
    return torch.nn.functional.linear(x, w["output"], w["output.bias"])


def _low_rank_scores(query: Tensor, key: Tensor) -> Tensor:
    """Return logarithms of ``exp(query) @ exp(key).T``: their softmax has the rank of the product.

    Subtracting the largest exponents keeps the sums in range and cancels in the softmax.
    """
    query = (query - query.amax(-1, keepdim=True)).clamp(min=-60).exp()
    key = (key - key.amax((-2, -1), keepdim=True)).clamp(min=-60).exp()
    return (query @ key.transpose(-1, -2)).clamp(min=1e-30).log()
