"""The analysis of one program, for people and as data.

Main definitions: :class:`Analysis`, :func:`analyse`.

References
----------
Weiss, Goldberg & Yahav (2021), sections 3.4 and 4 [weiss2021].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from rasp.analysis.heads import Problem, problem_of
from rasp.analysis.optimal import Optimum, narrowest
from rasp.graph import ancestors
from rasp.sops import SOp
from rasp.syntax.render import describe_node


@final
@dataclass(frozen=True, slots=True)
class Analysis:
    """Layers and heads three ways.

    Attributes
    ----------
    written
        Heads per layer by the paper's rule: earliest layers, one head per selector written.
    shared
        The same with equal subexpressions computed once.
    optimum
        Least depth, then least greatest width, with its certificates.
    """

    name: str
    nodes: int
    written: tuple[int, ...]
    shared: tuple[int, ...]
    problem: Problem
    optimum: Optimum
    names: Mapping[int, str]

    @property
    def layers(self) -> int:
        """Number of layers, the same by every rule."""
        return len(self.written)

    @property
    def width(self) -> int:
        """Greatest number of heads in a layer by the paper's rule."""
        return max(self.written, default=0)

    def listing(self) -> list[dict[str, Any]]:
        """Return, for the optimal schedule, each layer's heads and what they compute."""
        layers: list[dict[str, Any]] = []
        for layer in range(1, self.layers + 1):
            heads: dict[Any, dict[str, Any]] = {}
            for operation, at in zip(self.problem.operations, self.optimum.layers, strict=True):
                if at != layer:
                    continue
                head = heads.setdefault(
                    operation.head,
                    {
                        "selector": describe_node(operation.selector, self.names),
                        "computes": [],
                    },
                )
                text = describe_node(operation.node, self.names)
                if text not in head["computes"]:
                    head["computes"].append(text)
            layers.append({"layer": layer, "heads": list(heads.values())})
        return layers

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-compatible data."""
        crowding = self.optimum.crowding
        certificate: dict[str, Any] = {"chain": list(self.optimum.chain)}
        if crowding is not None:
            certificate["crowding"] = {
                "first": crowding.first,
                "last": crowding.last,
                "selectors": crowding.selectors,
            }
        elif self.optimum.width > 1:
            certificate["refutation"] = [list(clause) for clause in self.optimum.proof]
        return {
            "name": self.name,
            "nodes": self.nodes,
            "layers": self.layers,
            "width": self.width,
            "heads": {
                "written": list(self.written),
                "shared": list(self.shared),
                "optimal": list(self.optimum.heads),
            },
            "listing": self.listing(),
            "critical_path": self.critical_path(),
            "certificate": certificate,
        }

    def critical_path(self) -> list[str]:
        """Return the chain of operations that makes the program as deep as it is."""
        operations = self.problem.operations
        return [describe_node(operations[i].node, self.names) for i in self.optimum.chain]

    def text(self) -> str:
        """Return a page for people."""
        optimum = self.optimum
        lines = [
            f"{self.name}: {self.layers} layers, {self.width} heads at most ({self.nodes} nodes)",
            f"  heads per layer, as written      {list(self.written)}",
            f"  heads per layer, shared          {list(self.shared)}",
            f"  heads per layer, least width     {list(optimum.heads)}",
        ]
        for layer in self.listing():
            lines.append(f"  layer {layer['layer']}")
            for number, head in enumerate(layer["heads"], 1):
                lines.append(f"    head {number}: {head['selector']}")
                lines.extend(f"      -> {text}" for text in head["computes"])
        if optimum.chain:
            lines.append("  no fewer layers: " + " -> ".join(self.critical_path()))
        crowding = optimum.crowding
        if crowding is not None and crowding.bound > 1:
            lines.append(
                f"  no fewer heads: {crowding.selectors} selectors must be used in layers "
                f"{crowding.first} to {crowding.last}"
            )
        elif crowding is None and optimum.width > 1:
            lines.append(f"  no fewer heads: refutation of {len(optimum.proof)} clauses, checked")
        return "\n".join(lines) + "\n"


def analyse(sop: SOp, *, names: Mapping[int, str] | None = None) -> Analysis:
    """Analyse an s-op.

    Parameters
    ----------
    sop
        The program.
    names
        Digest to name, for the listing.

    Notes
    -----
    Deterministic.  The certificates are checked before they are returned.

    Examples
    --------
    >>> from rasp import select, selector_width, tokens
    >>> analyse(selector_width(select(tokens, tokens, "==")).named("hist")).written
    (2,)
    """
    written = problem_of(sop.node, "written")
    shared = problem_of(sop.node, "shared")
    optimum = narrowest(shared)
    assert optimum.verify(shared)
    return Analysis(
        sop.name,
        sum(1 for _ in ancestors((sop.node,))),
        written.heads(written.earliest),
        shared.heads(shared.earliest),
        shared,
        optimum,
        dict(names or {}),
    )
