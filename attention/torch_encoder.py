"""A trained PyTorch encoder read with hard attention.

The softmax of every head is replaced by the argmax; that is another function than the trained one,
so both accuracies should be reported.  Weights keep the exact value of their floats (or are rounded
to a grid on request); layer normalisation is rounded to the activation grid by exact integer
square roots, so the model so defined has no rounding errors.

Main definitions: :func:`from_state_dict`.

References
----------
Vaswani et al. (2017), Section 3 [vaswani2017]; Hahn (2020), Section 3 [hahn2020].
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from attention.dotproduct import DotProductHead, DotProductLayer, DotProductTransformer
from attention.transformer import Mask, ModelError, Ties

Array = npt.NDArray[np.float64]


def from_state_dict(
    state: Mapping[str, Any],
    *,
    heads: int,
    alphabet: Sequence[Hashable],
    embedding: Any,
    positions: Any,
    weights: Any,
    bias: Any = 0,
    prefix: str = "",
    eps: float = 1e-5,
    norm_first: bool = False,
    activation: str = "relu",
    grid: int = 16,
    weight_bits: int | None = 16,
    ties: Ties = "leftmost",
    mask: Mask = "full",
) -> DotProductTransformer:
    """Convert the state dict of ``torch.nn.TransformerEncoder`` with ReLU networks.

    Post-norm and pre-norm encoders convert, with or without a final norm; layers without the
    tensors of norms are read as having none.

    Parameters
    ----------
    state
        Tensors, arrays or nested lists by name: ``layers.K.self_attn.in_proj_weight`` and so on.
    heads
        Heads per layer; divides the width d.
    alphabet, embedding, positions
        Symbols, their embeddings (symbols, d), position embeddings (n, d).
    weights, bias
        Readout, as in :class:`DotProductTransformer`.
    prefix
        Comes before ``layers`` in the names.
    eps
        The layer norms' epsilon.
    norm_first
        Whether the encoder was built with ``norm_first=True``: the tensors do not tell.
    activation
        Only ``"relu"`` is rational; the tensors do not tell this either.
    grid, weight_bits
        Activations are rounded to ``2^-grid``; weights to ``2^-weight_bits`` (``None``: exact).
    ties, mask
        As in :class:`AbstractHardTransformer`.

    Raises
    ------
    ModelError
        If a tensor is missing, has a wrong shape, or is not finite, or for another activation.
    """
    if activation != "relu":
        raise ModelError(f"activation = {activation!r}: only networks with 'relu' are rational")
    layers: list[DotProductLayer] = []
    while f"{prefix}layers.{len(layers)}.self_attn.in_proj_weight" in state:
        name = f"{prefix}layers.{len(layers)}."
        layers.append(_layer(state, name, heads, eps, weight_bits, norm_first))
    if not layers:
        raise ModelError(
            f"no {prefix}layers.0.self_attn.in_proj_weight among the tensors: give the prefix"
        )
    final = None
    if f"{prefix}norm.weight" in state:
        final = (
            _rounded(state[f"{prefix}norm.weight"], weight_bits),
            _rounded(state[f"{prefix}norm.bias"], weight_bits),
            eps,
        )
    return DotProductTransformer(
        alphabet=tuple(alphabet),
        symbols=_rounded(embedding, weight_bits),
        positions=_rounded(positions, weight_bits),
        stack=layers,
        weights=_rounded(weights, weight_bits),
        bias=_rounded(bias, weight_bits).tolist(),
        grid=grid,
        final_norm=final,
        ties=ties,
        mask=mask,
    )


def _layer(
    state: Mapping[str, Any],
    name: str,
    heads: int,
    eps: float,
    bits: int | None,
    norm_first: bool,
) -> DotProductLayer:
    def tensor(part: str) -> Array:
        if name + part not in state:
            raise ModelError(
                f"the tensor {name + part} is missing: give the state dict of an encoder whose "
                "layers have biases and two linear maps"
            )
        return _array(state[name + part])

    joint, joint_bias = tensor("self_attn.in_proj_weight"), tensor("self_attn.in_proj_bias")
    out, out_bias = tensor("self_attn.out_proj.weight"), tensor("self_attn.out_proj.bias")
    d = out.shape[0]
    if heads < 1 or d % heads or joint.shape != (3 * d, d):
        raise ModelError(f"{heads} heads do not fit width {d} and {joint.shape}: heads divide d")
    e, made, total = d // heads, [], out_bias.copy()
    for head in range(heads):
        rows = slice(head * e, (head + 1) * e)
        query, key, value = (joint[i * d : (i + 1) * d][rows] for i in range(3))
        query_bias, key_bias, value_bias = (joint_bias[i * d : (i + 1) * d][rows] for i in range(3))
        made.append(
            DotProductHead(
                query=_rounded(query.T, bits),
                key=_rounded(key.T, bits),
                query_bias=_rounded(query_bias, bits),
                key_bias=_rounded(key_bias, bits),
                value=_rounded(value.T @ out[:, rows].T, bits),
            )
        )
        total = total + out[:, rows] @ value_bias
    norms = [
        (_rounded(tensor(f"{norm}.weight"), bits), _rounded(tensor(f"{norm}.bias"), bits), eps)
        for norm in ("norm1", "norm2")
        if any(key.startswith(f"{name}norm") for key in state)
    ]
    return DotProductLayer(
        heads=made,
        bias=_rounded(total, bits),
        up=_rounded(tensor("linear1.weight").T, bits),
        up_bias=_rounded(tensor("linear1.bias"), bits),
        down=_rounded(tensor("linear2.weight").T, bits),
        down_bias=_rounded(tensor("linear2.bias"), bits),
        norms=norms,
        norm_first=norm_first,
    )


def _array(tensor: Any) -> Array:
    # torch tensors are recognised by their module, so that torch itself is not imported
    is_tensor = type(tensor).__module__.split(".")[0] == "torch"
    data = tensor.detach().cpu().tolist() if is_tensor else tensor
    array = np.asarray(data, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ModelError("a tensor contains NaN or an infinity: weights must be finite")
    return array


def _rounded(data: Any, bits: int | None) -> Array:
    """Return the data as floats on the grid ``2^-bits``; products of weights are rounded once."""
    array = _array(data)
    return array if bits is None else np.asarray(np.round(array * 2.0**bits) / 2.0**bits)
