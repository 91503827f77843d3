"""From a program to its transformer, on one page.

lower -> values -> schedule -> encode (heads and hidden units, on demand) -> assemble.

Main definitions: :func:`compile_program`.

References
----------
Weiss, Goldberg & Yahav (2021), sections 3 and 4 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rasp.compiler.assemble import assemble
from rasp.compiler.encode import Encoder
from rasp.compiler.findings import Finding, NotCompilableError, NotHere
from rasp.compiler.labels import Labels
from rasp.compiler.lower import lower
from rasp.compiler.outputs import read_out
from rasp.compiler.schedule import predicted, schedule
from rasp.compiler.setting import Setting
from rasp.compiler.stream import Stream
from rasp.compiler.values import Values
from rasp.graph import SOpNode
from rasp.sops import SOp
from rasp.weights.model import CompiledModel


def compile_program(
    program: SOp | SOpNode | Mapping[str, SOp],
    *,
    vocabulary: Sequence[Any],
    length: int,
    bos: bool = True,
    causal: bool = False,
    name: str = "",
    names: Mapping[int, str] | None = None,
) -> CompiledModel:
    """Compile a program to exact transformer weights."""
    sources = _outputs(program, name)
    setting = Setting(tuple(vocabulary), length, bos, causal)
    title = name or next(iter(sources))
    roots = {output: lower(node, setting) for output, node in sources.items()}
    values = Values(setting)
    label = Labels({**(names or {}), **{node.digest: o for o, node in roots.items()}}, plain=bos)
    stream = Stream()
    plan = schedule(list(roots.values()))
    encoder = Encoder(values, plan.layers, stream, label)
    findings = []
    made = []
    for output, node in roots.items():
        try:
            made.append(read_out(output, node, encoder, plan.depth)())
        except NotHere as reason:
            findings.append(Finding(output, str(reason)))
    if findings:
        raise NotCompilableError(title, tuple(findings))
    return assemble(
        title,
        stream,
        made,
        setting,
        predicted=predicted(list(sources.values())),
        program=label.text(sources),
    )


def _outputs(program: SOp | SOpNode | Mapping[str, SOp], name: str) -> dict[str, SOpNode]:
    if isinstance(program, SOp):
        return {name or program.name: program.node}
    if isinstance(program, SOpNode):
        return {name or "output": program}
    return {output: sop.node for output, sop in program.items()}
