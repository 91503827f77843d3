"""``attnlimits rasp``: run, explore, analyse, draw and check RASP programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit

if TYPE_CHECKING:
    from rasp.interpret.events import Event
    from rasp.interpret.session import Session

app = cyclopts.App(name="rasp", help="Run, explore, analyse, draw and check RASP programs.")
for _name, _function, _help in (
    ("analyse", "analyse", "Count layers and heads."),
    ("draw", "draw_flow", "Draw layers and heads, or a selector's matrix."),
    ("check", "check", "Compare an s-op with another or with a Python function."),
    ("restrict", "restrict", "Say whether an s-op survives restricted attention."),
    ("lint", "lint", "Find traps, undefined names and type clashes."),
    ("format", "format_file", "Write a program in the one style."),
):
    app.command(f"attnlimits.commands.rasp_study:{_function}", name=_name, help=_help)
for _name, _function, _help in (
    ("compile", "compile_file", "Compile an s-op to transformer weights."),
    ("verify", "verify_model", "Compare a compiled model with its program."),
):
    app.command(f"attnlimits.commands.rasp_compile:{_function}", name=_name, help=_help)
for _name, _function, _help in (
    ("export", "export_model", "Write a compiled model for PyTorch, ONNX or Hugging Face."),
    ("decompile", "decompile_model", "Read a compiled model back to a program."),
):
    app.command(f"attnlimits.commands.rasp_export:{_function}", name=_name, help=_help)
app.command(
    "attnlimits.commands.rasp_train:train",
    name="train",
    help="Train an encoder to mimic a program.",
)
for _name, _help in (
    ("table1", "Trained models of the size that programs need."),
    ("table2", "Trained models of smaller sizes."),
):
    app.command(f"attnlimits.commands.rasp_tables:{_name}", name=_name, help=_help)
for _name, _help in (
    ("restricted", "Trained models under windows, strides and low rank."),
    ("lengths", "A trained and a compiled histogram at longer lengths."),
):
    app.command(f"attnlimits.commands.rasp_sweeps:{_name}", name=_name, help=_help)

Compat: TypeAlias = Annotated[
    Literal["exact", "floats"],
    cyclopts.Parameter(help="Means as exact fractions, or as the authors' floats."),
]
Strict: TypeAlias = Annotated[
    bool, cyclopts.Parameter(negative=(), help="Refuse extensions of the authors' grammar.")
]


@app.default
def code(
    *,
    c: Annotated[str | None, cyclopts.Parameter(name="-c")] = None,
    compat: Compat = "exact",
    strict: Strict = False,
    format: Format = "text",  # noqa: A002
) -> int:
    """Run the statements given with -c, or start the prompt.

    Parameters
    ----------
    c
        Statements to run.
    compat
        Exact fractions or floats.
    strict
        Refuse extensions.
    format
        Text or JSON.
    """
    from attnlimits.commands.rasp_terminal import new_session

    if c is None:
        return repl(compat=compat, strict=strict)
    return _play(new_session(compat, strict=strict), c, "<command line>", format)


@app.command
def repl(*, compat: Compat = "exact", strict: Strict = False) -> int:
    """Start the prompt; ``:help`` explains it, ``exit`` leaves it.

    Parameters
    ----------
    compat
        Exact fractions or floats.
    strict
        Refuse extensions.
    """
    from attnlimits.commands.rasp_terminal import new_session
    from attnlimits.commands.rasp_terminal import repl as prompt

    return prompt(new_session(compat, strict=strict))


@app.command(name="run")
def run_file(
    file: Path | None = None,
    *,
    model: Path | None = None,
    runtime: Literal["exact", "float32", "float64"] = "exact",
    input: Annotated[str | None, cyclopts.Parameter(name="--input")] = None,  # noqa: A002
    compat: Compat = "exact",
    strict: Strict = False,
    json: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    format: Format = "text",  # noqa: A002
) -> int:
    """Run a file, exit 1 if one of its statements fails; or run a compiled model.

    Parameters
    ----------
    file
        A RASP program.
    model
        Folder or file that compile wrote; run it on --input instead of a program.
    runtime
        Of the model: exact (average-hard attention in rationals) or softmax in floats.
    input
        Running example instead of "hello".
    compat
        Exact fractions or floats.
    strict
        Refuse extensions.
    json
        The same as --format json.
    format
        Text or JSON.
    """
    shape: Format = "json" if json else format
    if model is not None:
        from attnlimits.commands.rasp_compile import run_model, word_of

        if file is not None or input is None:
            raise UsageError("a model is run without a file, on --input WORD")
        if not input:
            raise UsageError("--input is empty: a model reads words of at least 1 token")
        return run_model(model, word_of(input), runtime, shape)
    if file is None:
        raise UsageError("nothing to run: give a FILE, or --model MODEL --input WORD")
    from dataclasses import replace

    from attnlimits.commands.rasp_terminal import new_session

    session = new_session(compat, strict=strict)
    if input is not None:
        if not input:
            raise UsageError("--input is empty: every program needs an input token")
        session.settings = replace(session.settings, sop_example=input, selector_example=input)
    return _play(session, file.read_text(encoding="utf-8"), str(file), shape)


def _play(session: "Session", text: str, name: str, format: Format) -> int:  # noqa: A002
    from attnlimits.commands.rasp_terminal import show

    failed = False
    events = []
    for event in session.run(text, name):
        failed = failed or event.error is not None
        if format == "json":
            events.append(event_data(event))
        else:
            show(event)
    if format == "json":
        emit(events, "", "json")
    return DIFFERS if failed else EXPECTED


def event_data(event: "Event") -> dict[str, Any]:
    """Return an event as JSON data: its kind, text, name, and place if it is a mistake."""
    from rasp.interpret.values import Evaluated
    from rasp.sequences import sequence_kind

    data: dict[str, Any] = {"kind": event.kind, "text": event.text, "name": event.name}
    if isinstance(event.value, Evaluated):
        data["values"], data["input"] = event.value.values, list(event.value.input)
        data["type"] = "matrix" if event.value.matrix else sequence_kind(event.value.values)
        if event.value.matrix:
            n = len(data["input"])
            data["values"] = [[row >> key & 1 for key in range(n)] for row in event.value.values]
    if event.error is not None:
        data["message"] = event.error.message
        data["hint"] = event.error.hint
        if event.error.span is not None:
            data["line"], data["column"] = event.error.span.line, event.error.span.column
    return data
