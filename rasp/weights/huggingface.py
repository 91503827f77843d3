"""Compiled models in a form that Hugging Face transformers loads, without code of ours.

The architecture is MobileBERT for token classification, the one in transformers whose layers can
be exactly those of a compiled model: its configuration switches the layer norms off
(``no_norm``), the activation is ReLU, the bottlenecks and the trigram input can be left out, and
positions are a table.  What differs is made up for by weights: heads have one size, a power of
four, so that the division by its square root is exact; the attention's scale is rounded up to a
power of two and multiplied into the queries; a causal model is freed of its mask
(:mod:`rasp.weights.unmasked`).  The classifier is the unembedding; labels are the output's values.

Main definitions: :func:`save_huggingface`.

References
----------
Sun et al. (2020), Section 3.3 [sun2020].
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rasp.weights.extras import needed
from rasp.weights.floating import head_scale, require_dtype
from rasp.weights.huggingface_tokenizer import tokenizer_of
from rasp.weights.matrix import Floats, Matrix, joined
from rasp.weights.model import CompiledModel
from rasp.weights.parts import Head
from rasp.weights.readout import Readout
from rasp.weights.safetensors_file import DESCRIPTION, write_description
from rasp.weights.tensors import chosen_gap, export_description, unembedding
from rasp.weights.unmasked import without_mask


def save_huggingface(
    model: CompiledModel,
    folder: str | Path,
    dtype: str = "float32",
    *,
    output: str | None = None,
    gap: float | None = None,
) -> None:
    """Write a model that ``AutoModelForTokenClassification.from_pretrained(folder)`` loads.

    Also a tokenizer for ``AutoTokenizer``: words are split into characters if all symbols are
    single characters, else at spaces.  A categorical output has one label per value (one more
    for ``None``); a numeric output is the single logit.

    Parameters
    ----------
    model
        Any compiled model.
    folder
        Where the files go; made if it does not exist.
    dtype
        ``float32`` or ``float64``; load with ``dtype="auto"`` to keep it.
    output
        Name of the output to classify by; the first if absent.
    gap
        As for :class:`rasp.weights.floating.FloatModel`, then rounded up.

    Raises
    ------
    MalformedModelError
        If transformers or torch is not installed, for another dtype, gap or output, or symbols
        that no tokenizer can tell apart, such as 1 and "1".
    """
    readout, kind = model.readout(output), require_dtype(dtype)
    plain, gap = without_mask(model), chosen_gap(model, dtype, gap)
    tokenizer = tokenizer_of(model)
    config = _config(plain, readout, kind)
    torch, transformers = needed("torch"), needed("transformers")
    weights = transformers.MobileBertForTokenClassification(config).to(getattr(torch, kind))
    state = {
        name: torch.tensor(array)
        for name, array in _state(plain, readout, config, kind, gap).items()
    }
    weights.load_state_dict(state, strict=True)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    weights.save_pretrained(str(place))
    tokenizer.save_pretrained(str(place))
    write_description(export_description(model, dtype, gap=gap), place / DESCRIPTION)


def labels(readout: Readout) -> list[str]:
    """Return the names of the logits, in order.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> labels(copy_model("ab", length=3).readout())
    ['a', 'b']
    """
    if readout.kind == "numeric":
        return [readout.name]
    names = [value if isinstance(value, str) else repr(value) for value in readout.values]
    return names + (["None"] if readout.none_direction is not None else [])


def _config(model: CompiledModel, readout: Readout, dtype: str) -> Any:
    size = max([1, *(max(head.sizes) for _, head in model.heads())])
    size = 4 ** math.ceil(math.log(size, 4) - 1e-9)
    heads = max([math.ceil(model.width / size), *(len(layer.heads) for layer in model.layers), 1])
    hidden = max([1, *(layer.feed_forward.hidden for layer in model.layers if layer.feed_forward)])
    names = labels(readout)
    return needed("transformers").MobileBertConfig(
        vocab_size=model.vocabulary.size,
        hidden_size=size * heads,
        embedding_size=size * heads,
        num_hidden_layers=model.depth,
        num_attention_heads=heads,
        intermediate_size=hidden,
        hidden_act="relu",
        max_position_embeddings=model.length + model.bos,
        type_vocab_size=1,
        pad_token_id=model.vocabulary.pad,
        trigram_input=False,
        use_bottleneck=False,
        num_feedforward_networks=1,
        normalization_type="no_norm",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        classifier_dropout=0.0,
        id2label=dict(enumerate(names)),
        label2id={name: place for place, name in enumerate(names)},
        dtype=dtype,
    )


def _state(
    model: CompiledModel, readout: Readout, config: Any, dtype: str, gap: float
) -> Mapping[str, Floats]:
    """Return the parameters by name; Linear layers store the transposed matrix."""
    width, hidden = config.hidden_size, config.intermediate_size
    size = width // config.num_attention_heads
    found: dict[str, Floats] = {}

    def put(name: str, parts: list[tuple[Matrix, int, int]], shape: tuple[int, int]) -> None:
        found[name] = joined(shape, parts).dense(dtype)

    def linear(name: str, parts: list[tuple[Matrix, int, int]], out: int, into: int) -> None:
        turned = [(part.transposed, left, top) for part, top, left in parts]
        put(f"{name}.weight", turned or [(Matrix.zeros(1, 1), 0, 0)], (out, into))
        bias(f"{name}.bias", Matrix.zeros(1, out), out)

    def bias(name: str, part: Matrix, size: int) -> None:
        found[name] = joined((1, size), [(part, 0, 0)]).dense(dtype)[0]

    def no_norm(name: str) -> None:
        found[f"{name}.weight"] = Matrix.of([[1] * width]).dense(dtype)[0]
        bias(f"{name}.bias", Matrix.zeros(1, width), width)

    place = "mobilebert.embeddings"
    put(
        f"{place}.word_embeddings.weight",
        [(model.token_embedding, 0, 0)],
        (config.vocab_size, width),
    )
    put(
        f"{place}.position_embeddings.weight",
        [(model.position_embedding, 0, 0)],
        (config.max_position_embeddings, width),
    )
    put(f"{place}.token_type_embeddings.weight", [(Matrix.zeros(1, width), 0, 0)], (1, width))
    linear(f"{place}.embedding_transformation", [], width, width)
    no_norm(f"{place}.LayerNorm")
    for number, layer in enumerate(model.layers):
        place = f"mobilebert.encoder.layer.{number}"
        starts = [head * size for head in range(len(layer.heads))]
        pairs = list(zip(layer.heads, starts, strict=True))
        own = f"{place}.attention.self"
        queries = [(_scaled(head, gap, size), 0, at) for head, at in pairs]
        linear(f"{own}.query", queries, width, width)
        linear(f"{own}.key", [(head.key, 0, at) for head, at in pairs], width, width)
        linear(f"{own}.value", [(head.value, 0, at) for head, at in pairs], width, width)
        outputs = [(head.output, at, 0) for head, at in pairs]
        linear(f"{place}.attention.output.dense", outputs, width, width)
        no_norm(f"{place}.attention.output.LayerNorm")
        network = layer.feed_forward
        up = [(network.w1, 0, 0)] if network else []
        linear(f"{place}.intermediate.dense", up, hidden, width)
        if network:
            bias(f"{place}.intermediate.dense.bias", network.b1, hidden)
        down = [(network.w2, 0, 0)] if network else []
        linear(f"{place}.output.dense", down, width, hidden)
        no_norm(f"{place}.output.LayerNorm")
    weight, shift = unembedding(readout, model.width)
    linear("classifier", [(weight, 0, 0)], weight.shape[1], width)
    bias("classifier.bias", shift, weight.shape[1])
    return found


def _scaled(head: Head, gap: float, size: int) -> Matrix:
    """Return the queries times the attention's scale and the root that the division takes off."""
    factor = Fraction(2) ** math.ceil(math.log2(head_scale(head, gap)))
    return head.query.times(factor * math.isqrt(size))
