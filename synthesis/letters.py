"""Machines of the uniform variant: letters, preorders and tables shared by all positions.

Main definitions: `UniformMachine`, `from_uniform`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from attention.hard import TableTransformer
from synthesis.formula import Name
from synthesis.spec import Spec, Word


@final
@dataclass(frozen=True, slots=True)
class UniformMachine:
    """A transformer for every length up to ``spec.n``.

    Parameters
    ----------
    spec
        A cell of the uniform variant.
    letters
        Letter of (position, symbol).
    scores
        Score of a letter for (layer, head, own letter): larger is better, equal means a tie.
    rows
        Letter after (layer, own letter, attended letters).
    accept
        The letters that accept when read at the last position.
    """

    spec: Spec
    letters: Mapping[tuple[int, int], int]
    scores: Mapping[tuple[int, int, int], tuple[int, ...]]
    rows: Mapping[tuple[int, int, tuple[int, ...]], int]
    accept: frozenset[int]

    def run(self, word: Word) -> bool:
        """Return whether the machine accepts the word (symbol indices)."""
        below = [self.letters[i, symbol] for i, symbol in enumerate(word)]
        for layer in range(1, self.spec.layers + 1):
            above = []
            for own in below:
                seen = []
                for head in range(self.spec.heads):
                    score = self.scores[layer, head, own]
                    best = max(score[v] for v in below)
                    winners = [v for v in below if score[v] == best]
                    seen.append(winners[0 if self.spec.ties == "leftmost" else -1])
                above.append(self.rows[layer, own, tuple(seen)])
            below = above
        return below[-1] in self.accept

    def mistakes(self, limit: int | None = None) -> list[Word]:
        """Return the words of the cell that the machine gets wrong, at most ``limit`` of them."""
        labels = self.spec.labels()
        return [word for word, answer in labels.items() if self.run(word) != answer][:limit]

    def as_tables(self, n: int | None = None) -> TableTransformer:
        """Return the machine at length ``n`` (default: its largest) for the other tools."""
        size, length = self.spec.alphabet or 0, n or self.spec.n
        alphabet = self.spec.target.alphabet
        layers, heads = range(1, self.spec.layers + 1), range(self.spec.heads)
        acts = []
        for layer in layers:
            act = np.zeros((1, *(size,) * (1 + self.spec.heads)), dtype=np.int64)
            for own, *seen in product(range(size), repeat=1 + self.spec.heads):
                act[(0, own, *seen)] = self.rows[layer, own, tuple(seen)]
            acts.append(act)
        return TableTransformer(
            n=length,
            alphabet=alphabet,
            embedding=[[self.letters[i, x] for x in range(len(alphabet))] for i in range(length)],
            scores=[
                [[[[list(self.scores[k, h, z])] for z in range(size)]] for h in heads]
                for k in layers
            ],
            acts=acts,
            outputs=tuple(s in self.accept for s in range(size)),
            ties=self.spec.ties,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the machine as plain sorted data."""
        return {
            "letters": [[*key, value] for key, value in sorted(self.letters.items())],
            "scores": [[*key, list(value)] for key, value in sorted(self.scores.items())],
            "rows": [[k, z, list(a), value] for (k, z, a), value in sorted(self.rows.items())],
            "accept": sorted(self.accept),
        }

    @staticmethod
    def from_json(spec: Spec, data: Mapping[str, Any]) -> "UniformMachine":
        """Read a machine written by `as_json`."""
        return UniformMachine(
            spec,
            {(i, x): value for i, x, value in data["letters"]},
            {(k, h, z): tuple(score) for k, h, z, score in data["scores"]},
            {(k, z, tuple(seen)): value for k, z, seen, value in data["rows"]},
            frozenset(data["accept"]),
        )


def from_uniform(spec: Spec, true: frozenset[Name]) -> UniformMachine:
    """Read a machine off the uniform encoding's true variables."""
    size = range(spec.alphabet or 0)
    symbols = range(len(spec.target.alphabet))

    def first(*name: object) -> int:
        return next(s for s in size if (*name, s) in true)

    keys = list(product(range(1, spec.layers + 1), range(spec.heads), size))
    return UniformMachine(
        spec,
        letters={(i, x): first("letter", i, x) for i, x in product(range(spec.n), symbols)},
        # the score of v is the number of letters it is at least as good as
        scores={
            key: tuple(sum(("least", *key, v, w) in true for w in size) for v in size)
            for key in keys
        },
        rows={
            (k, own, tuple(seen)): first("table", k, own, tuple(seen))
            for k in range(1, spec.layers + 1)
            for own, *seen in product(size, repeat=1 + spec.heads)
        },
        accept=frozenset(s for s in size if ("accept", s) in true),
    )
