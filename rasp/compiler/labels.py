"""Names of s-ops in a compiled model: given ones, else their text, each once.

Main definitions: :class:`Labels`.
"""

from collections.abc import Mapping
from typing import final

from rasp.compiler.selections import FIRST
from rasp.compiler.without_bos import NOTHING, FirstElseRest
from rasp.expand import rebuild
from rasp.graph import Aggregate, And, Node, SOpNode
from rasp.syntax.render import NoTextError, describe_node, program_text


@final
class Labels:
    """Digest to label, unique, the same for the same node.

    ``plain`` says that no node is the compiler's own.
    """

    def __init__(self, names: Mapping[int, str], *, plain: bool = True) -> None:
        self._plain = plain
        self._names = dict(names)
        self._labels: dict[int, str] = {}
        self._taken: dict[str, int] = {}

    def __call__(self, node: Node) -> str:
        """Return the label of a node."""
        found = self._labels.get(node.digest)
        if found is None:
            text = describe_node(node if self._plain else rebuild(node, _readable), self._names)
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


def _readable(node: Node) -> Node:
    """Write the compiler's own nodes as the language would."""
    if isinstance(node, FirstElseRest):
        return And(node.inner, FIRST)
    if isinstance(node, Aggregate) and node.default == NOTHING:
        return Aggregate(node.selector, node.values)
    return node
