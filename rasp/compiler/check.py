"""What cannot be compiled: every part of a program that stands against it, with the reason.

The passes stop at the first thing they cannot do.  When they did, this one goes through all
s-ops, arguments first, and asks each for its values and, where a head is needed, for its forms.
A part that only fails because of another one is not listed.

Main definitions: :func:`findings_of`.
"""

from collections.abc import Callable, Mapping

from rasp.compiler.encode import Encoder
from rasp.compiler.findings import Finding, NotHere
from rasp.compiler.outputs import read_out
from rasp.graph import Aggregate, SOpNode, Width, ancestors


def findings_of(outputs: Mapping[str, SOpNode], encoder: Encoder) -> tuple[Finding, ...]:
    """Return what is wrong with each part of a program, causes only.

    Parameters
    ----------
    outputs
        Name to s-op, lowered.
    encoder
        With a stream that nobody else uses.
    """
    found: list[Finding] = []
    below: dict[int, frozenset[str]] = {}  # reasons of a node and of all it is made from

    def ask(node: SOpNode, question: Callable[..., object], *args: object) -> None:
        try:
            question(*args)
        except NotHere as reason:
            if str(reason) not in below[node.digest]:
                below[node.digest] |= {str(reason)}
                found.append(Finding(encoder.label(node), str(reason)))

    for node in ancestors(tuple(outputs.values())):
        below[node.digest] = frozenset().union(*(below[p.digest] for p in node.parents))
        if isinstance(node, SOpNode):
            before = len(found)
            ask(node, encoder.values.domain, node)
            if len(found) == before and isinstance(node, (Aggregate, Width)):
                ask(node, _head, node, encoder)
    if not found:
        for name, node in outputs.items():
            ask(node, _output, name, node, encoder)
    return tuple(found)


def _output(name: str, node: SOpNode, encoder: Encoder) -> None:
    read_out(name, node, encoder, encoder.depth)()


def _head(node: Aggregate | Width, encoder: Encoder) -> None:
    if isinstance(node, Width):
        encoder.attention.share(node)
    elif encoder.marked(node):
        encoder.flags(node).get()
    else:
        encoder.number(node).get()
