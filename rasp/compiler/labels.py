"""Names of s-ops in a compiled model: given ones, else their text, each once.

Main definitions: :class:`Labels`.
"""

from collections.abc import Mapping
from typing import final

from rasp.graph import Node, SOpNode
from rasp.syntax.render import NoTextError, describe_node, program_text


@final
class Labels:
    """Digest to label, unique, the same for the same node."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = dict(names)
        self._labels: dict[int, str] = {}
        self._taken: dict[str, int] = {}

    def __call__(self, node: Node) -> str:
        """Return the label of a node."""
        found = self._labels.get(node.digest)
        if found is None:
            text = describe_node(node, self._names)
            again = self._taken[text] = self._taken.get(text, 0) + 1
            found = text if again == 1 else f"{text} ({again})"
            self._labels[node.digest] = found
        return found

    def text(self, outputs: Mapping[str, SOpNode]) -> str:
        """Return the program as text, or nothing if it holds Python functions."""
        try:
            return "".join(program_text(node, name) for name, node in outputs.items())
        except NoTextError:
            return ""
