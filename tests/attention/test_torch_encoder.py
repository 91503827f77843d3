import math

import numpy as np
import pytest

from attention.hard import ModelError, evaluate, evaluate_batch
from attention.json import from_json, to_json
from attention.torch_encoder import from_state_dict
from restrictions.plainmodel import plain_model, run

D, HEADS, INNER, N = 8, 2, 12, 6


def random_state(rng, layers=2):
    """A state dict with the names and shapes of torch.nn.TransformerEncoder, without torch."""
    shapes = {
        "self_attn.in_proj_weight": (3 * D, D),
        "self_attn.in_proj_bias": (3 * D,),
        "self_attn.out_proj.weight": (D, D),
        "self_attn.out_proj.bias": (D,),
        "linear1.weight": (INNER, D),
        "linear1.bias": (INNER,),
        "linear2.weight": (D, INNER),
        "linear2.bias": (D,),
        "norm1.weight": (D,),
        "norm1.bias": (D,),
        "norm2.weight": (D,),
        "norm2.bias": (D,),
    }
    return {
        f"layers.{k}.{name}": rng.normal(size=shape) * 0.6
        for k in range(layers)
        for name, shape in shapes.items()
    }


def float_logit(state, symbols, positions, weights, word, layers=2):
    """The encoder with argmax attention in floating point, straight from its definition."""

    def norm(x, k, name):
        mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) / np.sqrt(var + 1e-5) * state[f"layers.{k}.{name}.weight"] + state[
            f"layers.{k}.{name}.bias"
        ]

    x = symbols[word] + positions
    for k in range(layers):
        part = {
            key.split(".", 2)[2]: v for key, v in state.items() if key.startswith(f"layers.{k}.")
        }
        q, key, v = np.split(
            x @ part["self_attn.in_proj_weight"].T + part["self_attn.in_proj_bias"], 3, axis=1
        )
        e, outs = D // HEADS, []
        for h in range(HEADS):
            cut = slice(h * e, (h + 1) * e)
            outs.append(v[:, cut][(q[:, cut] @ key[:, cut].T / math.sqrt(e)).argmax(1)])
        y = np.concatenate(outs, 1) @ part["self_attn.out_proj.weight"].T
        x = norm(x + y + part["self_attn.out_proj.bias"], k, "norm1")
        inner = np.maximum(x @ part["linear1.weight"].T + part["linear1.bias"], 0)
        x = norm(x + inner @ part["linear2.weight"].T + part["linear2.bias"], k, "norm2")
    return x[-1] @ weights


def test_converted_encoder_equals_argmax_attention_in_floats_up_to_rounding() -> None:
    rng = np.random.default_rng(0)
    state, symbols = random_state(rng), rng.normal(size=(2, D))
    positions, weights = rng.normal(size=(N, D)), rng.normal(size=D)
    model = from_state_dict(
        state,
        heads=HEADS,
        alphabet="01",
        embedding=symbols,
        positions=positions,
        weights=weights,
        grid=20,
        weight_bits=24,
    )
    twin = plain_model(to_json(from_json(to_json(model))))
    checked = 0
    for row in rng.integers(0, 2, (12, N)):
        logit = float_logit(state, symbols, positions, weights, row)
        if abs(logit) > 1e-2:
            checked += 1
            word = ["01"[b] for b in row]
            assert evaluate(model, word) == (logit > 0) == run(twin, word)
            assert evaluate_batch(model, row[None, :].astype(np.uint8))[0] == (logit > 0)
    assert checked >= 8


def test_incomplete_or_broken_state_dicts_are_refused() -> None:
    rng = np.random.default_rng(1)
    state = random_state(rng, 1)
    common = {
        "heads": HEADS,
        "alphabet": "01",
        "embedding": rng.normal(size=(2, D)),
        "positions": rng.normal(size=(N, D)),
        "weights": rng.normal(size=D),
    }
    with pytest.raises(ModelError, match="prefix"):
        from_state_dict({}, **common)
    with pytest.raises(ModelError, match="heads divide"):
        from_state_dict(state, **common | {"heads": 3})
    with pytest.raises(ModelError, match="missing"):
        from_state_dict({k: v for k, v in state.items() if "norm2" not in k}, **common)
    state["layers.0.linear1.bias"] = np.full(INNER, np.nan)
    with pytest.raises(ModelError, match="NaN"):
        from_state_dict(state, **common)


@pytest.mark.slow
def test_a_real_torch_encoder_converts() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(D, HEADS, INNER, dropout=0.0, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    embed, read = torch.nn.Embedding(2, D), torch.nn.Linear(D, 2)
    model = from_state_dict(
        encoder.state_dict(),
        heads=HEADS,
        alphabet="01",
        embedding=embed.weight,
        positions=np.zeros((N, D)),
        weights=read.weight.T,
        bias=read.bias,
    )
    assert evaluate(model, "010101") in (0, 1)
