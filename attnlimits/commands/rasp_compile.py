"""``attnlimits rasp compile|verify``: programs as transformer weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit, note, progress

if TYPE_CHECKING:
    from rasp.sops import SOp
    from rasp.weights.model import CompiledModel

MODEL_FILE = "model.json"


def compile_file(
    file: str,
    name: str | None = None,
    *,
    vocab: str,
    length: int,
    bos: bool = True,
    causal: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    out: Annotated[Path | None, cyclopts.Parameter(name=("--out", "-o"))] = None,
    machine: Path | None = None,
    accept: str | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Compile an s-op to exact transformer weights; say how large they are.

    Parameters
    ----------
    file
        A RASP program, or the name of one that comes with this package.
    name
        The s-op; may be left out if the file defines only one.
    vocab
        The tokens, one character each; with commas between them, of any length.
    length
        Longest word the model shall read, in tokens.
    bos
        Whether the model has a row of its own before the word, which catches empty selections.
    causal
        Whether a row sees only itself and earlier rows.
    out
        Folder to write model.json into, or a file ending in .json; folders are made as needed.
    machine
        File for the hard-attention machine on words of exactly --length tokens that reduce, fool
        and synth fail read (no BOS, no averages; the verdict is the last value).
    accept
        Output value that the machine accepts, instead of True.
    format
        Text or JSON.
    """
    from attnlimits.commands.rasp_study import defined_sops, load_sop
    from rasp.compiler.pipeline import compile_program
    from rasp.weights.store import save

    symbols = symbols_of(vocab)
    if length < 1:
        raise UsageError(f"--length {length}: a model reads words of at least 1 token")
    if out is not None and out.suffix != ".json" and out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: -o takes a folder, or a file ending in .json")
    example = example_of(symbols, length)
    if name is None:
        known = defined_sops(file, example=example)
        if len(known) != 1:
            raise UsageError(f"{file} defines {', '.join(known)}: say which s-op to compile")
        (name,) = known
    sop, session = load_sop(file, name, example=example)
    with progress(f"compiling {name}", 2) as step:
        model = compile_program(
            sop, vocabulary=symbols, length=length, bos=bos, causal=causal, name=name,
            names=session.names,
        )  # fmt: skip
        step("weights")
        _note_failure(sop, name, example)
        written = None
        if out is not None:
            written = out if out.suffix == ".json" else out / MODEL_FILE
            written.parent.mkdir(parents=True, exist_ok=True)
            save(model, written)
        if machine is not None:
            _write_machine(model, machine, accept)
        step("written")
    data = summary(model) | {"written": None if written is None else str(written)}
    emit(data, lambda: _text(data), format)
    return EXPECTED


def example_of(symbols: Sequence[str], length: int) -> list[str]:
    """Return a word that a model reads, on which definitions are tried.

    Examples
    --------
    >>> example_of("ab", 3)
    ['a', 'b', 'a']
    """
    return [symbols[i % len(symbols)] for i in range(min(length, max(5, len(symbols))))]


def _note_failure(sop: "SOp", name: str, example: Sequence[str]) -> None:
    """Remark that the program fails on a word the model will read."""
    from rasp.errors import RaspError

    try:
        sop(list(example))
    except RaspError as error:
        shown = ",".join(example)
        note(f"note: {name} fails on {shown} ({error.message}): what the model gives there is free")


def _write_machine(model: "CompiledModel", path: Path, accept: str | None) -> None:
    """Write the hard machine, as tables if they are not too large."""
    import contextlib
    import json

    from attention.json import to_json
    from attention.tabulate import tabulate
    from attention.transformer import ModelError
    from rasp.certify.machines import hard_machine

    made: Any = hard_machine(model, accept=True if accept is None else accept)
    with contextlib.suppress(ModelError):  # too large for tables: weights are as good for most
        made = tabulate(made)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(to_json(made), sort_keys=True) + "\n", encoding="utf-8")


def symbols_of(vocab: str) -> list[str]:
    """Return the tokens that ``--vocab`` lists.

    Examples
    --------
    >>> symbols_of("ab"), symbols_of("a,bc"), symbols_of(",")
    (['a', 'b'], ['a', 'bc'], [','])
    """
    symbols = word_of(vocab)
    if not symbols:
        raise UsageError("--vocab is empty: give the tokens, such as --vocab abc or a,b,cd")
    twice = sorted({symbol for symbol in symbols if symbols.count(symbol) > 1})
    if twice:
        raise UsageError(f"--vocab lists {twice[0]!r} twice")
    return symbols


def summary(model: "CompiledModel") -> dict[str, Any]:
    """Return the sizes of a model as JSON data."""
    heads = [len(layer.heads) for layer in model.layers]
    networks = [layer.feed_forward for layer in model.layers]
    return {
        "name": model.name,
        "vocabulary": [str(symbol) for symbol in model.vocabulary.symbols],
        "length": model.length,
        "bos": model.bos,
        "causal": model.causal,
        "layers": model.depth,
        "heads": heads,
        "predicted": None
        if model.predicted is None
        else {"layers": model.predicted[0], "heads": list(model.predicted[1])},
        "notes": list(model.notes),
        "width": model.width,
        "hidden": [0 if network is None else network.hidden for network in networks],
        "key_sizes": [[head.sizes[0] for head in layer.heads] for layer in model.layers],
        "parameters": model.parameters(),
        "places": {label: list(place) for label, place in sorted(model.places.items())},
    }


def _text(data: dict[str, Any]) -> str:
    sizes = data["parameters"]
    lines = [
        f"{data['name']}: words of up to {data['length']} tokens over "
        f"{len(data['vocabulary'])} symbols"
        + (", BOS" if data["bos"] else ", no BOS")
        + (", causal" if data["causal"] else ""),
        f"  layers      {data['layers']}, heads {data['heads']}",
    ]
    if data["predicted"] is not None:
        predicted = data["predicted"]
        lines.append(f"  analysis    {predicted['layers']}, heads {predicted['heads']}")
    lines += [f"              {note}" for note in data["notes"]]
    lines += [
        f"  width       {data['width']}, hidden units {data['hidden']}, "
        f"key sizes {data['key_sizes']}",
        f"  parameters  {sizes['dense']} of which {sizes['nonzero']} are not 0",
    ]
    if data["written"]:
        lines.append(f"  written to  {data['written']}")
    return "\n".join(lines) + "\n"


def load_model(path: Path) -> "CompiledModel":
    """Return the model in a folder or a file; remark on one that could have been changed."""
    from rasp.weights.store import load

    file = path / MODEL_FILE if path.is_dir() else path
    model = load(file)
    if b'"digest"' not in file.read_bytes():
        note(f"note: {file} carries no digest: whether it was changed by hand cannot be told")
    return model


def verify_model(
    model: Path,
    *,
    against: str | None = None,
    samples: int | None = None,
    exhaustive: int = 5000,
    seed: int = 0,
    causal: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    static: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    format: Format = "text",  # noqa: A002
) -> int:
    """Compare a compiled model with its program, exactly and in floats; exit 1 if it is wrong.

    Parameters
    ----------
    model
        Folder or file that compile wrote.
    against
        FILE:NAME of the program; by default the text kept in the model.
    samples
        Random words, beside short words and boundary cases; by default 2000 for words of up to 20
        tokens, fewer for longer ones, at least 100.
    exhaustive
        Try all words if there are at most so many.
    seed
        Of the random words.
    causal
        The program was compiled with --causal: a row sees only itself and earlier rows.
    static
        Also argue, without running words, that separations and thresholds suffice on every word
        of every length (seconds to minutes, by size); that the values are right is tried only.
    format
        Text or JSON.
    """
    import numpy as np

    from rasp.certify.argument import argue
    from rasp.certify.verification import verify

    for option, number in (("samples", samples), ("exhaustive", exhaustive), ("seed", seed)):
        if number is not None and number < 0:
            raise UsageError(f"--{option} {number}: use a number from 0")
    found = load_model(model)
    outcome = verify(
        _programs(found, against),
        found,
        samples=max(100, min(2000, 40_000 // found.length)) if samples is None else samples,
        exhaustive=exhaustive,
        rng=np.random.default_rng(seed),
        runtimes=("float32", "float64"),
        causal=causal,
        prediction=against is None,
    )
    data: dict[str, Any] = {
        "right": outcome.right,
        "scope": outcome.scope,
        "exhaustive": outcome.exhaustive,
        "tried": outcome.tried,
        "skipped": outcome.skipped,
        "wrong": [
            {
                "runtime": wrong.runtime,
                "output": wrong.output,
                "word": list(wrong.word),
                "program": [str(value) for value in wrong.expected],
                "model": [str(value) for value in wrong.found],
            }
            for wrong in outcome.wrong
        ],
        "false": list(outcome.false),
        "errors": [
            {"runtime": e.runtime, "output": e.output, "measured": e.measured, "bound": e.bound}
            for e in outcome.errors
        ],
        "gaps": {name: [str(seen), str(claimed)] for name, (seen, claimed) in outcome.gaps.items()},
    }
    argument = argue(found) if static else None
    if argument is not None:
        data["argument"] = {
            "about": "separations and readability on every word; values are tried only",
            "separations": {
                name: [None if seen is None else str(seen), str(stated)]
                for name, (seen, stated) in argument.separations.items()
            },
            "readable": dict(argument.readable),
            "open": list(argument.open),
            "proved": argument.proved,
        }
    emit(data, outcome.text() + ("" if argument is None else argument.text()), format)
    refuted = argument is not None and argument.separated is False
    return EXPECTED if outcome.right and not refuted else DIFFERS


def _programs(model: "CompiledModel", against: str | None) -> "dict[str, SOp]":
    from attnlimits.commands.rasp_study import load_sop
    from attnlimits.commands.rasp_terminal import new_session
    from rasp.sops import SOp

    example = example_of(list(map(str, model.vocabulary.symbols)), model.length)
    if against is not None:
        file, _, name = against.rpartition(":")
        if not file:
            raise UsageError(f"--against {against!r} is not FILE:NAME")
        return {model.readouts[0].name: load_sop(file, name, example=example)[0]}
    session = new_session(example=example)
    broken = [event for event in session.run(model.program) if event.error is not None]
    found = {}
    for readout in model.readouts:
        value = session.console.variables.get(readout.name)
        if broken or not isinstance(value, SOp):
            raise UsageError(
                f"the model does not hold the text of {readout.name}: give --against FILE:NAME"
            )
        found[readout.name] = value
    return found


def word_of(text: str) -> list[str]:
    """Return the tokens of ``--input``: characters, or what stands between commas.

    Examples
    --------
    >>> word_of("abc"), word_of("a,bc")
    (['a', 'b', 'c'], ['a', 'bc'])
    """
    return [part for part in text.split(",") if part] if "," in text[1:] else list(text)


def run_model(path: Path, word: Sequence[str], runtime: str, format: Format) -> int:  # noqa: A002
    """Run a compiled model on one word and print its outputs as the language shows them."""
    from rasp.sequences import show_sequence
    from rasp.weights.run import run

    model = load_model(path)
    outputs = {
        name: values[0] for name, values in run(model, [word], runtime=runtime).outputs.items()
    }
    shown = "".join(word)
    data = {"input": list(word), "runtime": runtime, "outputs": outputs}
    text = "".join(
        f'{name}("{shown}") = {show_sequence(values)}\n' for name, values in outputs.items()
    )
    emit(data, text, format)
    return EXPECTED
