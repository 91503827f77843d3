"""From a program to its transformer, on one page.

1. :mod:`~rasp.compiler.lower` rewrites the program into what heads do best.
2. :mod:`~rasp.compiler.values` finds the values every s-op can take, exactly.
3. :mod:`~rasp.compiler.schedule` gives every head its layer.
4. :mod:`~rasp.compiler.outputs` asks for the outputs; :mod:`~rasp.compiler.encode` answers: it
   chooses forms, :mod:`~rasp.compiler.attend` makes heads, :mod:`~rasp.compiler.feedforward`
   hidden units, for what is asked and nothing else.
5. :mod:`~rasp.compiler.check` lists what stands against it, if something does.
6. :mod:`~rasp.compiler.assemble` gives directions coordinates and writes the weights.

Main definitions: :func:`compile_program`, :func:`check_program`.

References
----------
Weiss, Goldberg & Yahav (2021), sections 3 and 4 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from rasp.compiler.assemble import assemble
from rasp.compiler.check import findings_of
from rasp.compiler.encode import Encoder
from rasp.compiler.findings import Finding, NotCompilableError, NotHere
from rasp.compiler.labels import Labels
from rasp.compiler.lower import lower
from rasp.compiler.notes import notes_of
from rasp.compiler.outputs import read_out
from rasp.compiler.schedule import predicted, schedule
from rasp.compiler.setting import setting_of
from rasp.compiler.stream import Stream
from rasp.compiler.values import Values
from rasp.graph import SOpNode
from rasp.sops import SOp
from rasp.weights.model import CompiledModel

Program: TypeAlias = SOp | SOpNode | Mapping[str, SOp]
"""One output, or several by name."""


def compile_program(
    program: Program,
    *,
    vocabulary: Sequence[Any],
    length: int,
    bos: bool = True,
    causal: bool = False,
    name: str = "",
    names: Mapping[int, str] | None = None,
) -> CompiledModel:
    """Compile a program to exact transformer weights.

    Parameters
    ----------
    program
        An s-op, or several by name; each becomes an output of the model.
    vocabulary
        The symbols that words are made of; a string is read character by character.
    length
        Longest word, in symbols, from 1.
    bos
        Whether the model puts a row for BOS before the word.  Without it counting takes two
        heads, and empty rows take heads of their own to be noticed.
    causal
        Whether rows see only themselves and what is before them.  Every selector is then cut
        down to that, as by :func:`rasp.profiles.restricted`.
    name
        Of the model; by default that of the first output.
    names
        Digest to name, for labels.

    Returns
    -------
    CompiledModel
        Which, on every word over the vocabulary up to the length on which the program does not
        fail, gives the program's outputs.

    Raises
    ------
    NotCompilableError
        With everything that stands against compiling it.
    SettingError
        If the vocabulary or the length is no good.

    Notes
    -----
    Deterministic.  Exact: no float occurs.

    Examples
    --------
    >>> from rasp import aggregate, indices, length, select, tokens
    >>> from rasp.weights.run import run
    >>> reverse = aggregate(select(indices, length - 1 - indices, "=="), tokens)
    >>> model = compile_program(reverse.named("reverse"), vocabulary="abc", length=5)
    >>> model.depth, run(model, ["abc"]).output()
    (2, [['c', 'b', 'a']])
    """
    setting = setting_of(vocabulary, length, bos=bos, causal=causal)
    sources = _outputs(program, name)
    title = name or next(iter(sources))
    values = Values(setting)
    roots = {output: lower(node, values) for output, node in sources.items()}
    label = Labels({**(names or {}), **{n.digest: o for o, n in roots.items()}}, plain=bos)
    encoder = _encoder(roots, values, label)
    try:
        plans = [read_out(o, node, encoder, encoder.depth) for o, node in roots.items()]
        outputs = [plan() for plan in plans]
    except NotHere as reason:
        plain = _plain(program, name, roots, names, bos=bos)
        found = findings_of(roots, _encoder(roots, Values(setting), plain))
        shown = plain(next(iter(roots.values()))) if len(roots) == 1 else title
        raise NotCompilableError(shown, found or (Finding(shown, str(reason)),)) from None
    expected = predicted(list(sources.values()))
    return assemble(
        title,
        encoder.stream,
        outputs,
        setting,
        predicted=expected,
        program=label.text(sources),
        notes=notes_of(encoder.stream, encoder.later, expected, bos=bos),
    )


def check_program(
    program: Program,
    *,
    vocabulary: Sequence[Any],
    length: int,
    bos: bool = True,
    causal: bool = False,
    names: Mapping[int, str] | None = None,
) -> tuple[Finding, ...]:
    r"""Return everything that stands against compiling a program; nothing if it compiles.

    Parameters are those of :func:`compile_program`.

    Examples
    --------
    >>> from rasp import indices, select, tokens, aggregate
    >>> mean = aggregate(select(tokens, tokens, "=="), indices)
    >>> nested = aggregate(select(mean, mean, "<"), mean)
    >>> print(*check_program(nested.named("nested"), vocabulary="ab", length=100), sep="\n")
    nested: it takes too many values to list them
    """
    setting = setting_of(vocabulary, length, bos=bos, causal=causal)
    values = Values(setting)
    roots = {o: lower(node, values) for o, node in _outputs(program, "").items()}
    plain = _plain(program, "", roots, names, bos=bos)
    return findings_of(roots, _encoder(roots, Values(setting), plain))


def _plain(
    program: Program,
    name: str,
    roots: Mapping[str, SOpNode],
    names: Mapping[int, str] | None,
    *,
    bos: bool,
) -> Labels:
    """Return labels for people: an output that nobody named is its own text."""
    named = name or isinstance(program, Mapping)
    named = named or (isinstance(program, SOp) and program.name.isidentifier())
    given = {node.digest: output for output, node in roots.items()} if named else {}
    return Labels({**(names or {}), **given}, plain=bos)


def _encoder(roots: Mapping[str, SOpNode], values: Values, label: Labels) -> Encoder:
    layers = schedule(list(roots.values())).layers
    return Encoder(values, layers, Stream(), label)


def _outputs(program: Program, name: str) -> dict[str, SOpNode]:
    if isinstance(program, SOp):
        own = "output" if program.name == SOp(program.node).name else program.name
        return {name or own: program.node}
    if isinstance(program, SOpNode):
        return {name or "output": program}
    if not program:
        raise NotCompilableError(name or "nothing", (Finding("outputs", "there are none"),))
    return {output: sop.node for output, sop in program.items()}
