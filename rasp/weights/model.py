"""A compiled program: exact transformer weights with the meaning of every coordinate.

The model is data.  Two runtimes evaluate it: :mod:`rasp.weights.exact` with average-hard attention
in rationals, :mod:`rasp.weights.floating` with softmax in floats; :mod:`rasp.weights.store` and
:mod:`rasp.weights.export` hold the file forms.

Rows: a word ``w`` of ``n`` symbols has the rows ``w[0] .. w[n-1]``, after a row for BOS if the
vocabulary has it.  Row ``r`` starts as ``token_embedding[id] + position_embedding[r]``.

Main definitions: :class:`CompiledModel`.

References
----------
Weiss, Goldberg & Yahav (2021), Section 3 [weiss2021].
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, final

from rasp.errors import MalformedModelError, WordError
from rasp.weights.matrix import Matrix
from rasp.weights.parts import Head, Layer
from rasp.weights.readout import Direction, Readout
from rasp.weights.vocabulary import Vocabulary

Place = tuple[int, str]
"""Layer (0 for the embedding) and head name, ``feed_forward`` or ``embedding``."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class CompiledModel:
    """The weights of a program, exact.

    Attributes
    ----------
    name
        Of the program.
    vocabulary
        Symbols and whether there is a row for BOS.
    length
        Longest word the model reads, at least 1, in symbols.
    causal
        Whether row ``i`` sees rows ``j <= i`` only.
    width
        Coordinates of a residual row.
    token_embedding
        Shape (vocabulary.size, width); the row of PAD is zero.
    position_embedding
        Shape (length + bos, width); row 0 belongs to BOS if there is one.
    layers
        From the bottom.
    readouts
        One or more outputs, read after the last layer.
    basis
        Meanings of coordinates; several per coordinate at different stages.
    places
        S-op label to where it is computed.
    predicted
        Layers and heads per layer that the analysis of the program needs, if known.
    program
        Text of the program, for people; no runtime reads it.
    notes
        Why layers or heads differ from ``predicted``, a sentence each.

    Examples
    --------
    >>> from rasp.weights.examples import copy_model
    >>> model = copy_model("ab", length=3)
    >>> model.depth, model.width, model.parameters()
    (0, 2, {'dense': 12, 'nonzero': 2})
    """

    name: str
    vocabulary: Vocabulary
    length: int
    causal: bool
    width: int
    token_embedding: Matrix
    position_embedding: Matrix
    layers: tuple[Layer, ...]
    readouts: tuple[Readout, ...]
    basis: tuple[Direction, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    predicted: tuple[int, tuple[int, ...]] | None = None
    program: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", tuple(self.layers))
        object.__setattr__(self, "readouts", tuple(self.readouts))
        object.__setattr__(self, "basis", tuple(self.basis))
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))
        if type(self.length) is not int or self.length < 1:
            raise MalformedModelError(f"length {self.length!r}: use an integer from 1")
        self._check_shapes()
        self._check_names()

    def _check_shapes(self) -> None:
        rows = self.length + self.vocabulary.bos
        for matrix, expected, what in (
            (self.token_embedding, (self.vocabulary.size, self.width), "token embedding"),
            (self.position_embedding, (rows, self.width), "position embedding"),
        ):
            if matrix.shape != expected:
                raise MalformedModelError(f"the {what} has shape {matrix.shape}, not {expected}")
        if (self.token_embedding.rows == self.vocabulary.pad).any():
            raise MalformedModelError("the embedding of PAD must be zero")
        for number, layer in enumerate(self.layers, 1):
            widths = {head.width for head in layer.heads}
            if layer.feed_forward is not None:
                widths.add(layer.feed_forward.width)
            if widths != {self.width}:
                raise MalformedModelError(
                    f"parts of layer {number} have the widths {sorted(widths)}, "
                    f"the model {self.width}"
                )

    def _check_names(self) -> None:
        heads = [head.name for _, head in self.heads()]
        outputs = [readout.name for readout in self.readouts]
        for names, what in ((heads, "head"), (outputs, "readout")):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise MalformedModelError(f"two {what}s have the name {twice[0]!r}")
        if not outputs:
            raise MalformedModelError("a model without a readout computes nothing: give one")
        stages = 2 * self.depth
        for direction in self.basis:
            if direction.index >= self.width or direction.dies > stages:
                raise MalformedModelError(
                    f"direction {direction.index} of {direction.label} is outside width "
                    f"{self.width} or stage {stages}"
                )
        for readout in self.readouts:
            used = [*readout.directions, readout.none_direction]
            if any(d is not None and not 0 <= d < self.width for d in used):
                raise MalformedModelError(
                    f"readout {readout.name} reads a coordinate outside width {self.width}"
                )
        known = {*heads, "feed_forward", "embedding"}
        for label, (layer, part) in self.places.items():
            if part not in known or not 0 <= layer <= self.depth:
                raise MalformedModelError(f"place {(layer, part)} of {label} does not exist")

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return len(self.layers)

    @property
    def bos(self) -> bool:
        """Whether row 0 belongs to BOS."""
        return self.vocabulary.bos

    def heads(self) -> Iterator[tuple[int, Head]]:
        """Yield every head with the number of its layer, from 1."""
        for number, layer in enumerate(self.layers, 1):
            for head in layer.heads:
                yield number, head

    def matrices(self) -> Iterator[tuple[str, Matrix]]:
        """Yield every weight matrix with its name in files, in a fixed order."""
        yield "token_embedding", self.token_embedding
        yield "position_embedding", self.position_embedding
        for number, layer in enumerate(self.layers):
            for place, head in enumerate(layer.heads):
                for name, matrix in head.matrices.items():
                    yield f"layers.{number}.heads.{place}.{name}", matrix
            if layer.feed_forward is not None:
                for name, matrix in layer.feed_forward.matrices.items():
                    yield f"layers.{number}.feed_forward.{name}", matrix

    def parameters(self) -> dict[str, int]:
        """Return how many weights there are, dense and nonzero, embeddings included."""
        sizes = [(m.shape[0] * m.shape[1], m.nonzeros) for _, m in self.matrices()]
        return {"dense": sum(d for d, _ in sizes), "nonzero": sum(n for _, n in sizes)}

    def encode(self, word: Sequence[Any]) -> list[int]:
        """Return the ids of a word, after BOS if the model has it.

        Raises
        ------
        WordError
            If the word is empty, longer than ``length``, or has an unknown symbol.
        """
        if isinstance(word, Collection) and len(word) > self.length:
            raise WordError(
                f"the word has {len(word)} symbols: this model reads at most {self.length} "
                "(compile with a greater length)"
            )
        return self.vocabulary.encode(word)

    def readout(self, name: str | None = None) -> Readout:
        """Return a readout by name; without one, the first."""
        for readout in self.readouts:
            if name is None or readout.name == name:
                return readout
        names = ", ".join(r.name for r in self.readouts)
        raise MalformedModelError(f"no output {name!r}: the model has {names}")

    def coordinates(self, label: str) -> tuple[Direction, ...]:
        """Return the directions that belong to an s-op, by stage, then coordinate."""
        found = [d for d in self.basis if d.label == label]
        return tuple(sorted(found, key=lambda d: (d.born, d.index)))
