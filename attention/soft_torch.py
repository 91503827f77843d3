r"""Conversion of PyTorch encoders to soft-attention transformers, from modules or state dicts.

A state dict is a mapping from names to arrays; nothing here needs PyTorch unless a module or a
saved file is given.  Equal to PyTorch's own forward pass to about 1e-15 in float64.

Main definitions
----------------
from_state_dict, from_encoder, load_checkpoint, TorchModelError.

References
----------
Vaswani et al. (2017) [vaswani2017].
"""

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attention.soft import LayerNorm, Logits, Mask, SoftLayer, SoftTransformer
from attention.soft_encodings import AbstractEncoding, LearnedEncoding, NoEncoding

Array = NDArray[Any]

_LAYER = "layers.0.self_attn.in_proj_weight"


class TorchModelError(ValueError):
    """A PyTorch model or file that cannot be read as a soft-attention encoder."""


def _array(value: Any) -> Array:
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return np.asarray(value, dtype=np.float64)


def from_state_dict(
    state: Mapping[str, Any],
    *,
    heads: int,
    alphabet: tuple[Hashable, ...],
    embedding: Array,
    encoding: AbstractEncoding | None = None,
    norms: Literal["post", "pre"] = "post",
    eps: float = 1e-5,
    output: Array | None = None,
    output_bias: Array | None = None,
    prefix: str = "",
    mask: Mask | None = None,
    read: Literal["first", "last"] = "last",
) -> SoftTransformer:
    """Build a transformer from the state dict of ``torch.nn.TransformerEncoder`` (ReLU).

    Parameters
    ----------
    state
        Names to arrays or tensors, e.g. ``layers.0.self_attn.in_proj_weight``.
    heads
        Number of heads; a state dict does not contain it.
    alphabet, embedding, encoding, output, output_bias, mask, read
        As for :class:`SoftTransformer`; ``output`` has shape (d, r).
    norms
        ``"pre"`` for ``norm_first=True``.
    eps
        Layer norm eps; not in a state dict either.
    prefix
        What stands before ``layers.`` in the names.

    Returns
    -------
    SoftTransformer
        In float64.

    Raises
    ------
    TorchModelError
        If a name is missing or ``heads`` does not divide the width.
    SoftModelError
        If a weight is NaN or a shape does not fit.

    Notes
    -----
    Deterministic.  Logits are ``q.k / sqrt(d / H)`` as in PyTorch.

    Examples
    --------
    >>> from_state_dict({}, heads=1, alphabet=("0",), embedding=np.zeros((1, 2)))
    Traceback (most recent call last):
    ...
    attention.soft_torch.TorchModelError: no 'layers.0.self_attn.in_proj_weight' in the state dict
    """
    names = {k.removeprefix(prefix): _array(v) for k, v in state.items() if k.startswith(prefix)}
    if _LAYER not in names:
        raise TorchModelError(f"no '{prefix}{_LAYER}' in the state dict")
    d = names[_LAYER].shape[1]
    if heads < 1 or d % heads:
        raise TorchModelError(f"heads = {heads} does not divide the width {d}")
    layers: list[SoftLayer] = []
    while f"layers.{len(layers)}.self_attn.in_proj_weight" in names:
        layers.append(_layer(names, f"layers.{len(layers)}.", d, heads, eps))
    final = None
    if "norm.weight" in names:
        final = LayerNorm(names["norm.weight"], names["norm.bias"], eps)
    return SoftTransformer(
        alphabet=alphabet,
        embedding=np.asarray(embedding, dtype=float),
        layers=tuple(layers),
        encoding=encoding or NoEncoding(),
        logits=Logits("plain", 1 / float(np.sqrt(d // heads))),
        mask=mask or Mask(),
        norms=norms,
        final_norm=final,
        output=output,
        output_bias=output_bias,
        read=read,
    )


def _layer(names: Mapping[str, Array], at: str, d: int, heads: int, eps: float) -> SoftLayer:
    def get(name: str, size: int | None = None) -> Array:
        if at + name in names:
            return names[at + name]
        if size is None:
            raise TorchModelError(f"no '{at}{name}' in the state dict")
        return np.zeros(size)  # built with bias=False

    a = d // heads
    joint, bias = get("self_attn.in_proj_weight"), get("self_attn.in_proj_bias", 3 * d)
    w = [part.reshape(heads, a, d).transpose(0, 2, 1) for part in np.split(joint, 3)]
    b = [part.reshape(heads, a) for part in np.split(bias, 3)]
    m = len(get("linear1.weight"))
    return SoftLayer(
        wq=w[0], bq=b[0], wk=w[1], bk=b[1], wv=w[2], bv=b[2],
        wo=get("self_attn.out_proj.weight").T.reshape(heads, a, d),
        bo=get("self_attn.out_proj.bias", d),
        w1=get("linear1.weight").T, b1=get("linear1.bias", m),
        w2=get("linear2.weight").T, b2=get("linear2.bias", d),
        norm1=LayerNorm(get("norm1.weight"), get("norm1.bias", d), eps),
        norm2=LayerNorm(get("norm2.weight"), get("norm2.bias", d), eps),
    )  # fmt: skip


def from_encoder(
    encoder: Any,
    *,
    alphabet: tuple[Hashable, ...],
    embedding: Array,
    encoding: AbstractEncoding | None = None,
    output: Array | None = None,
    output_bias: Array | None = None,
    mask: Mask | None = None,
    read: Literal["first", "last"] = "last",
) -> SoftTransformer:
    """Build a transformer from a ``torch.nn.TransformerEncoder``.

    Parameters
    ----------
    encoder
        With ReLU activations; dropout is ignored (evaluation mode).
    alphabet, embedding, encoding, output, output_bias, mask, read
        As for :func:`from_state_dict`.

    Returns
    -------
    SoftTransformer
        In float64.

    Raises
    ------
    TorchModelError
        If the activation is not ReLU or layers differ in heads, norm order or eps.
    """
    first = encoder.layers[0]
    kinds = {
        (x.self_attn.num_heads, bool(x.norm_first), x.norm1.eps, x.norm2.eps)
        for x in encoder.layers
    }
    if len(kinds) != 1 or first.norm1.eps != first.norm2.eps:
        raise TorchModelError("layers differ in heads, norm order or eps: convert one by one")
    name = getattr(first.activation, "__name__", type(first.activation).__name__).lower()
    if name != "relu":
        raise TorchModelError(f"activation {name!r}: only ReLU is supported")
    return from_state_dict(
        encoder.state_dict(),
        heads=first.self_attn.num_heads,
        alphabet=alphabet,
        embedding=embedding,
        encoding=encoding,
        norms="pre" if first.norm_first else "post",
        eps=first.norm1.eps,
        output=output,
        output_bias=output_bias,
        mask=mask,
        read=read,
    )


def load_checkpoint(
    path: Path,
    *,
    heads: int,
    alphabet: tuple[Hashable, ...],
    norms: Literal["post", "pre"] = "post",
    eps: float = 1e-5,
    encoding: AbstractEncoding | None = None,
) -> SoftTransformer:
    """Read a state dict saved by ``torch.save`` (loaded with ``weights_only=True``).

    The names are found by their ends: ``...layers.0...`` for the encoder, a two-dimensional
    ``...embed...weight`` with as many rows as the alphabet, optionally ``...pos...`` for a learned
    encoding and ``output``/``readout``/``head``/``decoder`` ``.weight`` for the readout.

    Parameters
    ----------
    path
        The file.
    heads, alphabet, norms, eps
        As for :func:`from_state_dict`.
    encoding
        Replaces the learned encoding of the file.

    Returns
    -------
    SoftTransformer
        In float64.

    Raises
    ------
    TorchModelError
        If PyTorch is missing, the file is no state dict, or a part is not found.
    """
    state = _loaded(path)
    ends = [k for k in state if k.endswith(_LAYER)]
    if len(ends) != 1:
        raise TorchModelError(f"{path}: {len(ends)} encoders found, expected one '...{_LAYER}'")
    prefix = ends[0].removesuffix(_LAYER)
    outside = {k: v for k, v in state.items() if not k.startswith(prefix + "layers.")}
    tables = {k: _array(v) for k, v in outside.items() if getattr(v, "ndim", 0) >= 2}
    positions = [k for k in tables if "pos" in k.lower()]
    embeddings = [k for k in tables if "emb" in k.lower() and k not in positions]
    embeddings = [k for k in embeddings if len(tables[k]) == len(alphabet)]
    if len(embeddings) != 1:
        raise TorchModelError(
            f"{path}: {len(embeddings)} embeddings with {len(alphabet)} rows found among "
            f"{sorted(tables)}: check the alphabet"
        )
    if encoding is None and positions:
        table = tables[positions[0]]
        encoding = LearnedEncoding(table.reshape(-1, table.shape[-1]))
    heads_out = [
        k.removesuffix(".weight")
        for k in tables
        if k.endswith(".weight") and any(w in k for w in ("output", "readout", "head", "decoder"))
    ]
    output = bias = None
    if len(heads_out) == 1:
        output = tables[heads_out[0] + ".weight"].T
        found = outside.get(heads_out[0] + ".bias")
        bias = None if found is None else _array(found)
    return from_state_dict(
        state, heads=heads, alphabet=alphabet, embedding=tables[embeddings[0]], encoding=encoding,
        norms=norms, eps=eps, output=output, output_bias=bias, prefix=prefix,
    )  # fmt: skip


def _loaded(path: Path) -> Mapping[str, Any]:
    try:
        import torch
    except ImportError as missing:
        raise TorchModelError(
            "reading a .pt file needs PyTorch: install attention-limits[train]"
        ) from missing
    import pickle
    import struct

    if not path.is_file():
        raise TorchModelError(f"{path}: no such file")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, struct.error) as wrong:
        raise TorchModelError(f"{path}: not a file saved by torch.save(state_dict)") from wrong
    if not isinstance(state, Mapping) or not all(isinstance(k, str) for k in state):
        raise TorchModelError(f"{path}: expected a state dict, found {type(state).__name__}")
    return state
