import math

import numpy as np
import pytest

from attention.hard import ModelError, evaluate, evaluate_batch
from attention.json import from_json, to_json
from attention.torch_encoder import from_state_dict
from languages import language
from restrictions.certificate import certificate
from restrictions.checker import check
from restrictions.fooling import FoolingPair, fool
from restrictions.plainmodel import plain_model, run
from restrictions.reduction import reduce_layers

D, HEADS, INNER, N = 8, 2, 12, 6


def random_state(rng, layers=2, norms=True, final=False):
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
    state = {
        f"layers.{k}.{name}": rng.normal(size=shape) * 0.6
        for k in range(layers)
        for name, shape in shapes.items()
        if norms or "norm" not in name
    }
    if final:
        state |= {"norm.weight": rng.normal(size=D), "norm.bias": rng.normal(size=D)}
    return state


def float_logit(state, symbols, positions, weights, word, *, layers=2, norm_first=False):
    """The encoder with argmax attention in floating point, straight from its definition."""

    def norm(x, name, wanted=True):
        if not wanted or f"{name}.weight" not in state:
            return x
        mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        unit = (x - mean) / np.sqrt(var + 1e-5)
        return unit * state[f"{name}.weight"] + state[f"{name}.bias"]

    x = symbols[word] + positions
    for k in range(layers):
        part = {
            key.split(".", 2)[2]: v for key, v in state.items() if key.startswith(f"layers.{k}.")
        }
        seen = norm(x, f"layers.{k}.norm1", norm_first)
        q, key, v = np.split(
            seen @ part["self_attn.in_proj_weight"].T + part["self_attn.in_proj_bias"], 3, axis=1
        )
        e, outs = D // HEADS, []
        for h in range(HEADS):
            cut = slice(h * e, (h + 1) * e)
            outs.append(v[:, cut][(q[:, cut] @ key[:, cut].T / math.sqrt(e)).argmax(1)])
        y = np.concatenate(outs, 1) @ part["self_attn.out_proj.weight"].T
        x = norm(x + y + part["self_attn.out_proj.bias"], f"layers.{k}.norm1", not norm_first)
        seen = norm(x, f"layers.{k}.norm2", norm_first)
        inner = np.maximum(seen @ part["linear1.weight"].T + part["linear1.bias"], 0)
        x = x + inner @ part["linear2.weight"].T + part["linear2.bias"]
        x = norm(x, f"layers.{k}.norm2", not norm_first)
    return norm(x, "norm")[-1] @ weights


@pytest.mark.parametrize(
    ("norms", "norm_first", "final"),
    [(True, False, False), (True, False, True), (True, True, True), (False, False, False)],
)
def test_converted_encoder_equals_argmax_attention_in_floats_up_to_rounding(
    norms, norm_first, final
) -> None:
    rng = np.random.default_rng(0)
    state, symbols = random_state(rng, norms=norms, final=final), rng.normal(size=(2, D))
    positions, weights = rng.normal(size=(N, D)), rng.normal(size=D)
    model = from_state_dict(
        state,
        heads=HEADS,
        alphabet="01",
        embedding=symbols,
        positions=positions,
        weights=weights,
        norm_first=norm_first,
        grid=20,
        weight_bits=24,
    )
    assert (model.final_norm is not None) == final
    twin = plain_model(to_json(from_json(to_json(model))))
    checked = 0
    for row in rng.integers(0, 2, (12, N)):
        logit = float_logit(state, symbols, positions, weights, row, norm_first=norm_first)
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
    with pytest.raises(ModelError, match="'relu'"):
        from_state_dict(state, **common, activation="gelu")
    with pytest.raises(ModelError, match="final norm"):
        from_state_dict(state | {"norm.weight": np.ones(3), "norm.bias": np.ones(3)}, **common)
    state["layers.0.linear1.bias"] = np.full(INNER, np.nan)
    with pytest.raises(ModelError, match="NaN"):
        from_state_dict(state, **common)


@pytest.mark.slow
@pytest.mark.parametrize("norm_first", [False, True])
def test_a_torch_encoder_is_reduced_and_fooled(norm_first) -> None:
    """Sharp attention of a real encoder is argmax attention: both forward passes must agree."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(
        D, HEADS, INNER, dropout=0.0, batch_first=True, norm_first=norm_first
    )
    final = torch.nn.LayerNorm(D) if norm_first else None
    encoder = torch.nn.TransformerEncoder(layer, 2, norm=final, enable_nested_tensor=False).double()
    n = 16
    embed, read = torch.nn.Embedding(2, D).double(), torch.nn.Linear(D, 1).double()
    positions = torch.randn(n, D, dtype=torch.float64)
    with torch.no_grad():
        for part in encoder.layers:  # softmax(1e4 x) is argmax up to nearly equal scores
            part.self_attn.in_proj_weight[:D] *= 1e4
            part.self_attn.in_proj_bias[:D] *= 1e4
    words = np.random.default_rng(0).integers(0, 2, (64, n)).astype(np.uint8)
    with torch.no_grad():
        soft = read(encoder.eval()(embed(torch.tensor(words.astype(np.int64))) + positions)[:, -1])
    model = from_state_dict(
        encoder.state_dict(),
        heads=HEADS,
        alphabet="01",
        embedding=embed.weight,
        positions=positions,
        weights=read.weight[0],
        bias=read.bias.item(),
        norm_first=norm_first,
        grid=24,
        weight_bits=None,
    )
    clear = np.abs(soft[:, 0].numpy()) > 1e-3
    agree = evaluate_batch(model, words) == (soft[:, 0].numpy() > 0)
    assert clear.sum() > 40
    assert agree[clear].mean() > 0.95
    reduced = reduce_layers(model, k=2, rng=np.random.default_rng(0))
    assert reduced.restriction.dimension > 0
    pair = fool(model, language("parity"), seconds=1, rng=np.random.default_rng(0), enough=6)
    assert isinstance(pair, FoolingPair)
    assert pair.subcube is not None
    data = certificate(model, pair.subcube.restriction, {"output": pair.output})
    assert check(data).free == pair.subcube.restriction.dimension
