"""The independent checker of certificates: pure integers, no search, no numpy.

It recomputes by one walk which values every activation can take on the claimed subcube and accepts
only if a single output is left.  Its invariant, proved by induction over the layers: *for every
word x of the subcube and every position i, some item (v, P, N) of layer k has y_i^(k)(x) = v, x
takes choice 1 on P and choice 0 on N.*  Step for one head with own item z: some position certainly
scores T = max_j min_w score(z, w) or more, so the attended item scores above T, or T itself and
lies on the tie-winning side of a position that certainly reaches T.  Going down through these
items, when the attended one is met all earlier ones are false for x, hence x satisfies, for each
position met, the conditions shared by the items that are left there.

Main definitions: :func:`check`, :func:`attainable_outputs`, :class:`Verified`.

References
----------
Hahn (2020), Section 5.1 [hahn2020].
"""

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from restrictions.plainmodel import (
    AbstractPlainModel,
    CertificateFileError,
    final_activation,
    plain_model,
)

SCHEMA = "attnlimits.constant-subcube"
VERSION = 1

Item = tuple[Any, int, int]
"""A value and the positions that must take choice 1, resp. choice 0 (bit masks)."""


class CertificateRejectedError(ValueError):
    """A certificate claims something that the checker cannot confirm."""


@final
@dataclass(frozen=True)
class Verified:
    """What the checker established.

    Attributes
    ----------
    free, fixed
        Free and fixed positions of the subcube.
    outputs
        The outputs of the leaves of the case tree; one only for a constant.
    depends
        The positions that the case tree looks at (empty for a constant).
    """

    free: int
    fixed: int
    outputs: tuple[Any, ...]
    depends: tuple[int, ...]


def check(data: Mapping[str, Any], model: AbstractPlainModel | None = None) -> Verified:
    """Verify a certificate.

    Parameters
    ----------
    data
        The certificate as JSON data.
    model
        The model, if the certificate does not contain it; its digest is then not compared.

    Raises
    ------
    CertificateFileError
        If the certificate is malformed, or its model was altered.
    CertificateRejectedError
        If the claim is not confirmed: it is false, or out of reach of this propagation.
    """
    if data.get("schema") != SCHEMA or data.get("version") != VERSION:
        raise CertificateFileError(f"not a certificate of schema {SCHEMA!r} version {VERSION}")
    if model is None:
        model = _stored_model(data)
    try:
        choices = _choices(data, model)
        tree, witness = data["tree"], data.get("witness")
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        if isinstance(problem, CertificateFileError):
            raise
        raise CertificateFileError(f"the certificate cannot be read: {problem!r}") from None
    outputs: list[Any] = []
    depends: set[int] = set()
    _check_tree(model, choices, tree, outputs, depends)
    listed = data.get("depends", [])
    if sorted(depends - set(listed)):
        raise CertificateRejectedError(
            f"the case tree looks at {sorted(depends)}, the claim lists only {listed}"
        )
    if witness is not None:
        _check_witness(model, choices, witness)
    free = sum(len(c) > 1 for c in choices)
    return Verified(free, len(choices) - free, tuple(outputs), tuple(sorted(depends)))


def _stored_model(data: Mapping[str, Any]) -> AbstractPlainModel:
    stored = data.get("model")
    if not isinstance(stored, Mapping):
        raise CertificateFileError("the certificate contains no model: give the model")
    text = json.dumps(stored, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    if hashlib.sha256(text.encode()).hexdigest() != data.get("model_digest"):
        raise CertificateFileError("the model was altered: its digest is not the certified one")
    return plain_model(stored)


def _choices(data: Mapping[str, Any], model: AbstractPlainModel) -> list[tuple[Any, ...]]:
    """Return the allowed symbols of each position: a common pair, and the exceptions."""
    if data["n"] != model.n:
        raise CertificateFileError(f"n = {data['n']}, but the model has {model.n} positions")
    choices = [tuple(data["ground"])] * model.n
    for place, allowed in data["narrowed"].items():
        if not 0 <= int(place) < model.n:
            raise CertificateFileError(f"position {place} does not exist")
        choices[int(place)] = tuple(allowed)
    for i, allowed in enumerate(choices):
        known = len(set(allowed)) == len(allowed) and all(s in model.alphabet for s in allowed)
        if not 1 <= len(allowed) <= 2 or not known:
            raise CertificateFileError(f"position {i} allows {allowed!r}: give one or two symbols")
    return choices


def _check_tree(
    model: AbstractPlainModel,
    choices: Sequence[tuple[Any, ...]],
    tree: Any,
    outputs: list[Any],
    depends: set[int],
) -> None:
    """Check a case tree: inner nodes split one position, leaves claim a constant output."""
    if not isinstance(tree, Mapping):
        raise CertificateFileError("the case tree has a node that is not an object")
    if "output" in tree:
        found = attainable_outputs(model, choices)
        if len(found) != 1 or not _same(found[0], tree["output"]):
            shown = ", ".join(map(repr, found))
            raise CertificateRejectedError(
                f"claimed output {tree['output']!r}, attainable as far as seen: {shown}"
            )
        if not any(_same(found[0], output) for output in outputs):
            outputs.append(found[0])
        return
    i, branches = tree.get("split"), tree.get("branches")
    if not isinstance(i, int) or not 0 <= i < model.n or not isinstance(branches, list):
        raise CertificateFileError("the case tree has a malformed split")
    if [symbol for symbol, _ in branches] != list(choices[i]):
        raise CertificateFileError(f"the split of position {i} does not cover {choices[i]!r}")
    depends.add(i)
    for symbol, subtree in branches:
        narrowed = list(choices)
        narrowed[i] = (symbol,)
        _check_tree(model, narrowed, subtree, outputs, depends)


def _check_witness(
    model: AbstractPlainModel, choices: Sequence[tuple[Any, ...]], witness: Mapping[str, Any]
) -> None:
    """Replay both words of the fooling pair and require equal outputs inside the subcube.

    If the pair claims the same final activation, that must be equal too.
    """
    words = (witness["first"], witness["second"])
    if list(words[0]) == list(words[1]):
        raise CertificateRejectedError("the two words of the pair are equal")
    for word in words:
        if len(word) != model.n or any(s not in c for s, c in zip(word, choices, strict=True)):
            raise CertificateRejectedError("a word of the pair is not in the subcube")
    ends = [final_activation(model, word) for word in words]
    if witness.get("same_activation") and ends[0] != ends[1]:
        raise CertificateRejectedError(f"the pair ends in {ends[0]!r} and {ends[1]!r}")
    first, second = map(model.readout, ends)
    if not _same(first, second) or not _same(first, witness["output"]):
        raise CertificateRejectedError(f"the pair yields {first!r} and {second!r}, not one output")


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def attainable_outputs(model: AbstractPlainModel, choices: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the outputs that may occur on the subcube (a superset of those that do)."""
    layer: list[list[Item]] = []
    for i, allowed in enumerate(choices):
        if len(allowed) == 1:
            layer.append([(model.embed(i, allowed[0]), 0, 0)])
        else:
            zero, one = (model.embed(i, symbol) for symbol in allowed)
            layer.append([(zero, 0, 1 << i), (one, 1 << i, 0)])
    for k in range(1, model.layers):
        step = _Step(model, k, layer)
        layer = [_merge(step.items(i)) for i in range(model.n)]
    found: list[Any] = []
    for value, _, _ in _Step(model, model.layers, layer).items(model.n - 1):
        output = model.readout(value)
        if not any(_same(output, known) for known in found):
            found.append(output)
    return found


def _merge(items: Sequence[Item]) -> list[Item]:
    """Merge items of equal value, keeping the conditions that they share."""
    merged: dict[Any, Item] = {}
    for value, pos, neg in items:
        known = merged.get(value)
        merged[value] = (
            (value, pos, neg) if known is None else (value, known[1] & pos, known[2] & neg)
        )
    return list(merged.values())


@final
class _Step:
    """The items of layer ``k``, given those of layer k - 1."""

    def __init__(self, model: AbstractPlainModel, k: int, layer: Sequence[Sequence[Item]]) -> None:
        self.model, self.k, self.layer = model, k, layer
        self.flat = [(j, u) for j, items in enumerate(layer) for u in range(len(items))]
        ends = list(itertools.accumulate(map(len, layer)))
        self.spans = list(zip([0, *ends[:-1]], ends, strict=True))
        keys = [(j, layer[j][u][0]) for j, u in self.flat]
        self.scorers = [model.scorer(k, head, keys) for head in range(model.heads)]

    def items(self, i: int) -> list[Item]:
        """Return the items of position ``i``."""
        model, layer = self.model, self.layer
        seen = i + 1 if model.causal else model.n
        spans = self.spans[:seen]
        found: list[Item] = []
        for own, (value, pos, neg) in enumerate(layer[i]):
            branches: list[tuple[int, int, tuple[Any, ...]]] = [(pos, neg, ())]
            for scorer in self.scorers:
                scores = scorer(i, value)[: spans[-1][1]]
                order = _attendable(i, own, self.flat, spans, scores, rightmost=model.rightmost)
                grown: list[tuple[int, int, tuple[Any, ...]]] = []
                for branch in branches:
                    _walk(branch, order, layer, (i, own), grown)
                branches = grown
            found.extend((model.act(self.k, i, value, a), p, n) for p, n, a in branches)
        return found


def _attendable(
    i: int,
    own: int,
    flat: Sequence[tuple[int, int]],
    spans: Sequence[tuple[int, int]],
    scores: Sequence[Any],
    *,
    rightmost: bool,
) -> list[tuple[int, int]]:
    """Return the items that the head may attend to, best first.

    ``flat[t]`` is (position, item) number t, of score ``scores[t]``; ``spans[j]`` are the numbers
    of position j.  At position i only the own item counts, which is assumed to be the true one.
    """
    floor = [min(scores[begin:end]) for begin, end in spans]
    floor[i] = scores[spans[i][0] + own]
    level = max(floor)
    if rightmost:
        pivot = len(floor) - 1 - floor[::-1].index(level)
    else:
        pivot = floor.index(level)
    side = -1 if rightmost else 1
    near = []
    for t, score in enumerate(scores):
        if score >= level:
            j, u = flat[t]
            if (score > level or side * j <= side * pivot) and (j != i or u == own):
                near.append((-score, side * j, t))
    near.sort()
    return [flat[t] for _, _, t in near]


def _walk(
    branch: tuple[int, int, tuple[Any, ...]],
    order: Sequence[tuple[int, int]],
    layer: Sequence[Sequence[Item]],
    mine: tuple[int, int],
    grown: list[tuple[int, int, tuple[Any, ...]]],
) -> None:
    """Append one case for each item that can be the attended one."""
    pos, neg, attended = branch
    left: dict[int, list[int]] = {mine[0]: [mine[1]]}
    for j, u in order:
        value, p, n = layer[j][u]
        if pos & n or neg & p:
            continue  # this item contradicts what is assumed already
        grown.append((pos | p, neg | n, (*attended, value)))
        # from here on y_j is not this item
        rest = [
            w
            for w in left.get(j, range(len(layer[j])))
            if w != u and not (pos & layer[j][w][2] or neg & layer[j][w][1])
        ]
        if not rest:
            return  # y_j had to be this item: nothing below it is ever attended
        left[j] = rest
        shared_pos, shared_neg = layer[j][rest[0]][1:]
        for w in rest[1:]:
            shared_pos &= layer[j][w][1]
            shared_neg &= layer[j][w][2]
        pos |= shared_pos
        neg |= shared_neg
