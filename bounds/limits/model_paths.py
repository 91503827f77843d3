"""Canonical executions of a concrete model's activations under a restriction of its inputs.

An activation of layer k runs the execution of its own activation of layer k - 1 and then one list
per head: the pairs (position, value) in the order in which the head prefers them, each pair as the
executions of layer k - 1 that end with that value.  The first execution that is still possible is
asked as a whole; answers that contradict it leave the rest of the list.

Main definitions: `ModelPaths`, `Fixed`, `literals`.

References
----------
Own derivation: a head is a list, and lists are executed as in the switching lemma [razborov1995].
"""

from __future__ import annotations

from itertools import product
from typing import Any, final

from attention.transformer import AbstractHardTransformer, visible

Fixed = dict[int, int]  # position -> symbol index 0 or 1
Execution = tuple[Any, Fixed]  # the value reached, and the answers given on the way
Literals = dict[
    tuple[int, int, int], list[tuple[int, int]]
]  # (position, own bit, head) -> literals


def _rank(model: AbstractHardTransformer, score: Any, j: int) -> tuple[Any, int]:
    return (score, -j if model.ties == "leftmost" else j)


def literals(
    model: AbstractHardTransformer, i: int, bit: int, head: int, known: Literals
) -> list[tuple[int, int]]:
    """Return the literals (position, bit) of a layer-1 head, best first; kept in ``known``."""
    if (i, bit, head) not in known:
        query = model.embed(i, model.alphabet[bit])
        rows = []
        for j in range(visible(model, i)):
            for b, symbol in enumerate(model.alphabet):
                score = model.score(1, head, i, j, query, model.embed(j, symbol))
                rows.append((_rank(model, score, j), (j, b)))
        rows.sort(key=lambda row: row[0], reverse=True)
        known[(i, bit, head)] = [literal for _, literal in rows]
    return known[(i, bit, head)]


@final
class ModelPaths:
    """All canonical executions of a model under one restriction, computed when asked for.

    Parameters
    ----------
    model
        Two symbols, any number of layers.
    fixed
        The restriction: symbols of fixed positions; the others are stars.
    lists
        Layer-1 lists of the model, shared between restrictions and filled on the way.
    """

    def __init__(self, model: AbstractHardTransformer, fixed: Fixed, lists: Literals) -> None:
        self.model, self.fixed, self.lists = model, fixed, lists
        self._known: dict[Any, list[Execution]] = {}

    def executions(self, layer: int, i: int, told: Fixed) -> list[Execution]:
        """Return every execution of position ``i``'s activation of ``layer``, given more answers.

        ``told`` are answers for some stars; the answers of each execution come on top of them.
        """
        key = (layer, i, tuple(sorted(told.items())))
        if key not in self._known:
            ends = self._first_layer(i, told) if layer == 1 else self._later(layer, i, told)
            self._known[key] = ends
        return self._known[key]

    def first_possible(
        self, layer: int, head: int, i: int, query: Any, told: Fixed
    ) -> tuple[int, Any, Fixed]:
        """Return (position, value, answers) of the pair that a head prefers among all possible."""
        best: tuple[Any, int] | None = None
        found: tuple[int, Any, Fixed] | None = None
        for j in range(visible(self.model, i)):
            for value, answers in self.executions(layer - 1, j, told):
                rank = _rank(self.model, self.model.score(layer, head, i, j, query, value), j)
                if best is None or rank > best:
                    best, found = rank, (j, value, answers)
        assert found is not None
        return found

    def _first_layer(self, i: int, told: Fixed) -> list[Execution]:
        model, ends = self.model, list[Execution]()
        mine = self.fixed.get(i, told.get(i))
        for bit in (0, 1) if mine is None else (mine,):
            own = model.embed(i, model.alphabet[bit])
            states: list[Execution] = [((), {i: bit} if mine is None else {})]
            for head in range(model.heads):
                after: list[Execution] = []
                for attended, answers in states:
                    asked = dict(answers)
                    for k, want in literals(model, i, bit, head, self.lists):
                        seen = model.embed(k, model.alphabet[want])
                        known = self.fixed.get(k, told.get(k, asked.get(k)))
                        if known is None:
                            after.append(((*attended, seen), {**asked, k: want}))
                            asked[k] = 1 - want
                        elif known == want:
                            after.append(((*attended, seen), asked))
                            break
                states = after
            ends += [(model.act(1, i, own, attended), answers) for attended, answers in states]
        return ends

    def _later(self, layer: int, i: int, told: Fixed) -> list[Execution]:
        model, ends = self.model, list[Execution]()
        for own, first in self.executions(layer - 1, i, told):
            states: list[Execution] = [((), first)]
            for head in range(model.heads):
                after: list[Execution] = []
                open_: list[Execution] = states
                while open_:
                    attended, answers = open_.pop()
                    _, value, wanted = self.first_possible(layer, head, i, own, {**told, **answers})
                    for bits in product((0, 1), repeat=len(wanted)):
                        given = dict(zip(wanted, bits, strict=True))
                        if given == wanted:
                            after.append(((*attended, value), {**answers, **given}))
                        else:
                            open_.append((attended, {**answers, **given}))
                states = after
            ends += [(model.act(layer, i, own, attended), answers) for attended, answers in states]
        return ends
