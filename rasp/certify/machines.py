"""Compiled models in the forms that the other engines read.

A *hard* machine (:class:`attention.hard.DotProductTransformer`) attends to one position and reads
its verdict at the last one; it exists if no head averages different values, which is tested on
words.  It has no row for BOS, since its words are those of the language: compile without.  A
*soft* one (:class:`attention.soft.SoftTransformer`) is the float runtime itself; its words begin
with the symbol for BOS if the model has it.

Main definitions: :func:`hard_machine`, :func:`soft_machine`.

References
----------
Hahn (2020), section 3 [hahn2020].
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from attention.hard import DotProductHead, DotProductLayer, DotProductTransformer, evaluate
from attention.soft import Logits, Mask, SoftLayer, SoftTransformer
from attention.soft_encodings import LearnedEncoding
from rasp.certify.words import chosen_words
from rasp.errors import RaspError
from rasp.weights.exact import run_exact
from rasp.weights.floating import default_gap, head_scale
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward
from rasp.weights.readout import Readout
from rasp.weights.store import load

BEGIN = "^"
"""Symbol for BOS in words of soft machines."""


class ConversionError(RaspError):
    """A compiled model that has no such form."""


def hard_machine(
    model: CompiledModel | str,
    n: int | None = None,
    *,
    accept: Any = True,
    output: str | None = None,
    exhaustive: int = 4000,
) -> DotProductTransformer:
    """Return the hard-attention machine for words of length ``n``.

    Parameters
    ----------
    model
        Compiled without BOS; a path is read.
    n
        Length of its words, at most ``model.length``, which is the default.
    accept
        The output at the last position that counts as acceptance.
    output
        Name of the output; the first if ``None``.
    exhaustive
        The machine is compared with the model on all words of length ``n`` if there are at most
        so many, else on boundary cases and 100 random ones.

    Raises
    ------
    ConversionError
        If the model has BOS, the output cannot be ``accept``, or the machine differs on a word,
        because a head averages.

    Examples
    --------
    >>> from rasp import aggregate, indices, select, tokens
    >>> from rasp.compiler.pipeline import compile_program
    >>> first = (aggregate(select(indices, 0, "=="), tokens) == "1").named("first")
    >>> model = compile_program(first, vocabulary="01", length=5, bos=False)
    >>> evaluate(hard_machine(model), "10010"), evaluate(hard_machine(model, 3), "011")
    (True, False)
    """
    if isinstance(model, str):
        model = load(model)
    n = model.length if n is None else n
    if model.bos:
        raise ConversionError(
            "a hard-attention machine reads words of the language, without a row for BOS: compile "
            "without BOS (--no-bos)"
        )
    if not 1 <= n <= model.length:
        raise ConversionError(f"the model reads words of 1 to {model.length} symbols, not {n}")
    readout = model.readout(output)
    weights, bias = _verdict(readout, accept, model.width)
    most = max([1, *(len(layer.heads) for layer in model.layers)])
    symbols = tuple(map(str, model.vocabulary.symbols))
    stack = []
    for layer in model.layers:
        heads = [
            DotProductHead(
                query=_dense(head.query), key=_dense(head.key),
                value=_product(head.value, head.output),
            )
            for head in layer.heads
        ]  # fmt: skip
        idle = [[0]] * model.width
        none = [[0] * model.width for _ in range(model.width)]
        heads += [DotProductHead(query=idle, key=idle, value=none)] * (most - len(heads))
        stack.append(DotProductLayer(heads=heads, **_network(layer.feed_forward)))
    machine = DotProductTransformer(
        alphabet=symbols,
        symbols=_dense(model.token_embedding)[: len(symbols)],
        positions=_dense(model.position_embedding)[:n],
        stack=stack,
        weights=weights,
        bias=bias,
        mask="causal" if model.causal else "full",
    )
    _compare(machine, model, n, readout.name, accept, exhaustive)
    return machine


def _verdict(readout: Readout, accept: Any, width: int) -> tuple[list[Any], Fraction]:
    weights: list[Any] = [0] * width
    if readout.kind == "categorical":
        places = [
            d for d, v in zip(readout.directions, readout.values, strict=True)
            if (type(v), v) == (type(accept), accept)
        ]  # fmt: skip
        if places:
            weights[places[0]] = 1
            return weights, Fraction(-1, 2)
    elif readout.cast == "bool" and isinstance(accept, bool):
        sign = 1 if accept else -1
        weights[readout.directions[0]] = sign * readout.scale
        return weights, sign * (readout.offset - Fraction(1, 2))
    known = ", ".join(map(repr, readout.values)) or f"{readout.cast} numbers"
    raise ConversionError(f"output {readout.name} is never {accept!r}: it has {known}")


def _compare(
    machine: DotProductTransformer,
    model: CompiledModel,
    n: int,
    name: str,
    accept: Any,
    exhaustive: int,
) -> None:
    scope = chosen_words(
        model.vocabulary.symbols, n, samples=100, rng=np.random.default_rng(0),
        exhaustive=2 * exhaustive,
    )  # fmt: skip
    words = [word for word in scope.words if len(word) == n]
    for word, values in zip(words, run_exact(model, words).outputs[name], strict=True):
        want = (type(values[-1]), values[-1]) == (type(accept), accept)
        if evaluate(machine, tuple(map(str, word))) is not want:
            raise ConversionError(
                f"on {list(word)} a head averages different values: attention to one position "
                "computes something else"
            )


def soft_machine(model: CompiledModel | str, *, gap: float | None = None) -> SoftTransformer:
    """Return the soft-attention transformer that the float runtime evaluates.

    Parameters
    ----------
    model
        The model; a path is read.
    gap
        Logit difference between what is attended and what is not, positive; by default so large
        that nothing else gets any weight in float64.  Influence is then 0 or as large as the
        program's; small gaps show how softness leaks.

    Returns
    -------
    SoftTransformer
        Reads the output's coordinates, one per value, at the last position.

    Examples
    --------
    >>> from rasp import indicator, full_s, aggregate, tokens
    >>> from rasp.compiler.pipeline import compile_program
    >>> share = aggregate(full_s, indicator(tokens == "1")).named("share")
    >>> machine = soft_machine(compile_program(share, vocabulary="01", length=8))
    >>> from attention.soft_forward import evaluate as soft
    >>> [round(float(x), 9) for x in soft(machine, "^0110")]
    [0.5]
    """
    if isinstance(model, str):
        model = load(model)
    if not model.layers:
        raise ConversionError("a model without layers has no attention to convert")
    symbols = tuple(map(str, model.vocabulary.symbols))
    table = np.asarray(model.token_embedding.dense())
    embedding = table[: len(symbols)]
    if model.bos:
        embedding = np.vstack([embedding, table[model.vocabulary.begin]])
        symbols = (*symbols, BEGIN)
    chosen = default_gap("float64", model.length + model.bos) if gap is None else gap
    readout = model.readout()
    output = np.zeros((model.width, len(readout.directions)))
    scale = float(readout.scale) if readout.kind == "numeric" else 1.0
    for place, direction in enumerate(readout.directions):
        output[direction, place] = scale
    offset = float(readout.offset) if readout.kind == "numeric" else 0.0
    return SoftTransformer(
        alphabet=symbols,
        embedding=embedding,
        layers=tuple(_soft_layer(model, number, chosen) for number in range(model.depth)),
        encoding=LearnedEncoding(np.asarray(model.position_embedding.dense())),
        logits=Logits("plain"),
        mask=Mask("causal" if model.causal else "full"),
        output=output,
        output_bias=np.full(len(readout.directions), offset),
    )


def _soft_layer(model: CompiledModel, number: int, gap: float) -> SoftLayer:
    layer, d = model.layers[number], model.width
    a = max([1, *(max(head.sizes) for head in layer.heads)])
    count = max(1, len(layer.heads))
    wq, wk, wv = (np.zeros((count, d, a)) for _ in range(3))
    wo = np.zeros((count, a, d))
    for place, head in enumerate(layer.heads):
        k, m = head.sizes
        wq[place, :, :k] = head.query.dense() * head_scale(head, gap)
        wk[place, :, :k] = head.key.dense()
        wv[place, :, :m] = head.value.dense()
        wo[place, :m] = head.output.dense()
    fed = layer.feed_forward
    none = np.zeros((count, a))
    return SoftLayer(
        wq=wq, bq=none, wk=wk, bk=none, wv=wv, bv=none, wo=wo, bo=np.zeros(d),
        w1=np.zeros((d, 0)) if fed is None else np.asarray(fed.w1.dense()),
        b1=np.zeros(0) if fed is None else np.asarray(fed.b1.dense())[0],
        w2=np.zeros((0, d)) if fed is None else np.asarray(fed.w2.dense()),
        b2=np.zeros(d),
    )  # fmt: skip


def _dense(matrix: Matrix) -> list[list[Fraction]]:
    rows = [[Fraction(0)] * matrix.shape[1] for _ in range(matrix.shape[0])]
    for row, column, value in matrix.entries():
        rows[row][column] = value
    return rows if matrix.shape[1] else [[Fraction(0)] for _ in range(matrix.shape[0])]


def _product(left: Matrix, right: Matrix) -> list[list[Fraction]]:
    rows = [[Fraction(0)] * right.shape[1] for _ in range(left.shape[0])]
    by_row: dict[int, list[tuple[int, Fraction]]] = {}
    for row, column, value in right.entries():
        by_row.setdefault(row, []).append((column, value))
    for row, inner, value in left.entries():
        for column, other in by_row.get(inner, []):
            rows[row][column] += value * other
    return rows


def _network(fed: FeedForward | None) -> dict[str, Any]:
    if fed is None or not fed.hidden:
        return {}
    bias: Sequence[Fraction] = _dense(fed.b1)[0]
    return {
        "up": _dense(fed.w1), "up_bias": bias, "down": _dense(fed.w2),
        "down_bias": [0] * fed.width,
    }  # fmt: skip
