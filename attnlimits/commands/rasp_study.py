"""``attnlimits rasp analyse|draw|check|restrict|lint|format``: study programs without a prompt."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit
from attnlimits.commands.rasp import Compat

if TYPE_CHECKING:
    from rasp.interpret.session import Session
    from rasp.sops import SOp


def load_sop(file: str, name: str, *, example: list[str] | None = None) -> "tuple[SOp, Session]":
    """Return the s-op ``name`` that ``file`` (a path or a packaged program) defines.

    Definitions are evaluated on ``example`` instead of "hello", which casts may not read.
    """
    from attnlimits.commands.rasp_terminal import new_session, read_file
    from rasp.sops import SOp

    session = new_session(example=example)
    broken = [e for e in session.run(read_file(file), file) if e.error is not None]
    value = session.console.variables.get(name)
    if isinstance(value, SOp):
        return value, session
    for event in broken:
        sys.stderr.write(event.note)
    variables = session.console.variables.items()
    known = sorted(n for n, v in variables if isinstance(v, SOp) and n not in ("tokens", "out"))
    raise UsageError(f"{file} defines no s-op {name!r}; it defines {', '.join(known) or 'none'}")


def analyse(
    file: str,
    names: Annotated[tuple[str, ...], cyclopts.Parameter(negative=())] = (),
    *,
    example: str = "hello",
    format: Format = "text",  # noqa: A002
) -> int:
    """Count layers and heads: by the paper's rule, with sharing, and at the optimum.

    Parameters
    ----------
    file
        A RASP program, or the name of one that comes with this package.
    names
        S-ops to analyse; all that the file defines if none.
    example
        The word on which examples of the file are evaluated; definitions that fail on it stand.
    format
        Text or JSON.
    """
    from rasp.analysis.report import analyse as count

    if not example:
        raise UsageError("--example is empty: every program needs an input token")
    chosen = names or defined_sops(file, example=list(example))
    if not chosen:
        raise UsageError(f"{file} defines no s-op")
    reports = []
    for name in chosen:
        sop, session = load_sop(file, name, example=list(example))
        reports.append(count(sop, names=session.names))
    emit([r.data() for r in reports], lambda: "\n".join(r.text() for r in reports), format)
    return EXPECTED


def defined_sops(file: str, *, example: list[str] | None = None) -> tuple[str, ...]:
    """Return the names of the s-ops that ``file`` defines and exports, in order."""
    from attnlimits.commands.rasp_terminal import new_session, read_file
    from rasp.sops import SOp

    session = new_session(example=example)
    for _ in session.run(read_file(file), file):
        pass
    variables = session.console.variables.items()
    hidden = ("tokens", "out")
    return tuple(
        name
        for name, value in variables
        if isinstance(value, SOp) and name not in hidden and not name.startswith("_")
    )


def check(
    file: str,
    name: str,
    *,
    against: str,
    alphabet: str,
    up_to: int = 0,
    random: int = 0,
    length: int = 50,
    seed: int = 0,
    compat: Compat = "exact",
    format: Format = "text",  # noqa: A002
) -> int:
    """Compare an s-op with another or with a Python function; exit 1 if they differ.

    Parameters
    ----------
    file
        A RASP program, or the name of one that comes with this package.
    name
        The s-op to check.
    against
        ``python:module.function`` (from the tuple of tokens to a list of values) or ``FILE:NAME``.
    alphabet
        The tokens, one character each.
    up_to
        Compare on all words up to this length.
    random
        Compare on that many random words.
    length
        Longest random word.
    seed
        Of the random words.
    compat
        Exact fractions or floats.
    format
        Text or JSON.
    """
    import numpy as np

    from rasp.verify import compare, compare_random

    if not alphabet:
        raise UsageError("--alphabet is empty: give the tokens")
    sop, _ = load_sop(file, name, example=list(alphabet))
    other = _specification(against, list(alphabet))
    exact = compat == "exact"
    if not up_to and not random:
        raise UsageError("say how much to compare: --up-to LENGTH, or --random SAMPLES, or both")
    outcomes = []
    if up_to:
        outcomes.append(compare(sop, other, alphabet, up_to=up_to, exact=exact))
    if random and all(outcome.equal for outcome in outcomes):
        rng = np.random.default_rng(seed)
        outcomes.append(
            compare_random(
                sop, other, alphabet, samples=random, longest=length, rng=rng, exact=exact
            )
        )
    emit(outcomes, lambda: "".join(outcome.text() for outcome in outcomes), format)
    return EXPECTED if all(outcome.equal for outcome in outcomes) else DIFFERS


def _specification(text: str, example: list[str]) -> Any:
    kind, _, rest = text.rpartition(":")
    if not kind:
        raise UsageError(f"{text!r} is neither python:module.function nor FILE:NAME")
    if kind != "python":
        return load_sop(kind, rest, example=example)[0]
    from importlib import import_module

    module, _, function = rest.rpartition(".")
    try:
        found = getattr(import_module(module), function, None)
    except (ImportError, ValueError) as error:
        raise UsageError(f"cannot import {module!r}: {error}") from None
    if not callable(found):
        raise UsageError(f"{module!r} has no function {function!r}")
    return found


def draw_flow(
    file: str,
    name: str,
    *,
    input: Annotated[str, cyclopts.Parameter(name="--input")] = "hello",  # noqa: A002
    out: Path | None = None,
) -> int:
    """Draw layers and heads of an s-op, or the matrix of a selector, on an input.

    Parameters
    ----------
    file
        A RASP program, or the name of one that comes with this package.
    name
        The s-op or selector to draw.
    input
        The example, one character per token.
    out
        File to write, ending in .svg, .pdf or .png; NAME.svg if not given.
    """
    from attnlimits.commands.rasp_terminal import new_session, read_file
    from rasp.draw.files import write_scene
    from rasp.draw.flow import flow_scene
    from rasp.draw.matrix import matrix_scene
    from rasp.sops import Selector

    if not input:
        raise UsageError("--input is empty: every program needs an input token")
    session = new_session(example=list(input))
    for _ in session.run(read_file(file), file):
        pass
    value = session.console.variables.get(name)
    if isinstance(value, Selector):
        scene = matrix_scene(value, input)
    else:
        sop, session = load_sop(file, name, example=list(input))
        scene = flow_scene(sop, input, names=session.names)
    path = out or Path(f"{name}.svg")
    write_scene(scene, path)
    sys.stderr.write(f"drawn to {path}\n")
    return EXPECTED


def restrict(
    file: str,
    name: str,
    *,
    alphabet: str,
    up_to: int = 5,
    window: int = 0,
    block: int = 0,
    strided: int = 0,
    causal: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    format: Format = "text",  # noqa: A002
) -> int:
    """Say whether an s-op survives restricted attention; exit 1 if it does not.

    Parameters
    ----------
    file
        A RASP program, or the name of one that comes with this package.
    name
        The s-op.
    alphabet
        The tokens, one character each.
    up_to
        Longest inputs tried.
    window
        Keys at this distance at most.
    block
        Keys of the same block of this size.
    strided
        Keys at multiples of this distance, and the window of it.
    causal
        No later keys.
    format
        Text or JSON.
    """
    from rasp.profiles import Profile, highest_rank, survives

    if not alphabet:
        raise UsageError("--alphabet is empty: give the tokens")
    sop, _ = load_sop(file, name, example=list(alphabet))
    sized = {"window": window, "block": block, "strided": strided}
    profiles = [Profile(kind, size) for kind, size in sized.items() if size]
    if causal:
        profiles.append(Profile("causal"))
    if not profiles:
        raise UsageError("give a restriction: --causal, --window, --block or --strided")
    outcomes = {str(profile): survives(sop, profile, alphabet, up_to=up_to) for profile in profiles}
    rank = highest_rank(sop, alphabet, up_to=min(up_to, 5))

    def text() -> str:
        lines = [f"{profile}: {outcome.text()}" for profile, outcome in outcomes.items()]
        shown = "".join(map(str, rank.input))
        return "".join(lines) + f"highest rank of a selector: {rank.rank} (on {shown!r})\n"

    data = {"profiles": outcomes, "rank": rank.rank, "rank_input": list(rank.input)}
    emit(data, text, format)
    return EXPECTED if all(outcome.equal for outcome in outcomes.values()) else DIFFERS


def lint(file: Path, *, format: Format = "text") -> int:  # noqa: A002
    """Find precedence traps, undefined names and type clashes without running on any input.

    Parameters
    ----------
    file
        A RASP program.
    format
        Text or JSON.
    """
    from attnlimits.commands.rasp_terminal import read_file
    from rasp.checks.program import check_source
    from rasp.syntax.lexer import Source

    text = file.read_text(encoding="utf-8")
    found = check_source(text, str(file), read=read_file)
    source = Source(text, str(file))
    emit(found, lambda: "".join(f.text(source) for f in found) or "nothing to remark\n", format)
    return DIFFERS if found else EXPECTED


def format_file(
    file: Path,
    *,
    write: Annotated[bool, cyclopts.Parameter(negative=())] = False,
    check: Annotated[bool, cyclopts.Parameter(negative=())] = False,
) -> int:
    """Print a program in the one style; exit 1 with --check if it is not in it.

    Parameters
    ----------
    file
        A RASP program without syntax errors.
    write
        Change the file instead of printing.
    check
        Only say whether it is formatted.
    """
    from rasp.syntax.format import format_source

    text = file.read_text(encoding="utf-8")
    neat = format_source(text)
    if check:
        return EXPECTED if neat == text else DIFFERS
    if write:
        file.write_text(neat, encoding="utf-8")
    else:
        sys.stdout.write(neat)
    return EXPECTED
