"""``attnlimits synth``: which small hard-attention transformers decide a language."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit, note

if TYPE_CHECKING:
    from synthesis.spec import Spec

app = cyclopts.App(
    name="synth",
    help="Search for a hard-attention transformer of a given size, or refute it; find failures.",
)

app.command(
    "attnlimits.commands.synth_table:table",
    name="table",
    help="Sizes that exist and sizes that are refuted, beside constructions and RASP programs.",
)

app.command(
    "attnlimits.commands.synth_find:find",
    name="find",
    help="Look for a machine by local search, which refutes nothing.",
)

app.command(
    "attnlimits.commands.synth_export:export",
    name="export",
    help="A stored refutation as DIMACS and LRAT, for other solvers and checkers.",
)

Variant = Literal["causal", "full", "uniform"]
Encoded = Literal[
    "order", "level", "symmetric", "apart", "closing", "cells", "halves", "blocks", "uniform",
    "relabelled",
]  # fmt: skip
Alphabet = Annotated[str, cyclopts.Parameter(help="Hidden symbols: a number, or 'any'.")]


@app.command
def decide(
    language: str,
    n: int,
    *,
    layers: int = 1,
    heads: int = 1,
    alphabet: Alphabet = "2",
    variant: Variant = "causal",
    ties: Literal["leftmost", "rightmost"] = "leftmost",
    encoding: Encoded | None = None,
    seconds: float = 300.0,
    solver: tuple[str, ...] = ("cadical195",),
    certify: bool = True,
    second_opinion: bool = False,
    expect: Literal["found", "impossible"] | None = None,
    cores: int | None = None,
    slice_seconds: Annotated[float, cyclopts.Parameter(name="--slice")] = 30.0,
    out: Path | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Decide whether some transformer of this size is right on every word of length n.

    Parameters
    ----------
    language
        A language name, e.g. parity, mod3, majority, first, ones, dyck1, dyck2.
    n
        Word length; with --variant uniform all lengths up to n.
    layers, heads
        Size of the transformer.
    alphabet
        Hidden symbols after each layer but the last.
    variant
        Attend to earlier positions, to all others, or position-free scores and tables.
    ties
        Which of equally good positions wins (it matters for uniform only).
    encoding
        Another encoding than the fastest one.
    seconds
        Time limit of the solvers; they are killed when it ends.
    solver
        One or several solvers that race.
    certify
        Whether a refutation must come with a proof; some solvers give none.
    second_opinion
        Also ask z3 about the same clauses.
    expect
        Exit 1 if the answer is another one.
    cores
        With --out: solvers at once; the number of processors by default.
    slice_seconds
        With --out: what a part of the search gets before it is cut in two.
    out
        Folder for the machine or the certificate.  Unfinished work is kept there too: the same
        command goes on from it after an interruption.
    format
        Text or JSON.
    """
    import shutil

    from attnlimits.pool import cores as processors
    from synthesis.certificate import save
    from synthesis.conquer import Effort
    from synthesis.decision import Found, Impossible
    from synthesis.decision import decide as search
    from synthesis.opinion import z3_agrees
    from synthesis.reach import work_folder

    spec = spec_of(language, n, layers, heads, alphabet, variant, ties)
    effort = None
    if out is not None and certify:
        workers = processors() if cores is None else cores
        effort = Effort(work_folder(spec, out), workers, slice_seconds, solver)
    outcome = search(
        spec, seconds=seconds, certify=certify, encoding=encoding, solvers=solver, effort=effort,
        tick=note,
    )  # fmt: skip
    data: dict[str, Any] = {"spec": spec.as_json(), "seconds": round(outcome.seconds, 2)}
    if isinstance(outcome, Found):
        data |= {"answer": "found", "words": spec.words()}
        text = f"found: a transformer that is right on all {spec.words()} words"
        stored: Any = outcome.witness
    elif isinstance(outcome, Impossible) and outcome.certificate is None:
        stored = None
        data |= {"answer": "impossible"}
        text = f"impossible, says {', '.join(solver)} (no proof asked)"
    elif isinstance(outcome, Impossible):
        stored = outcome.certificate
        data |= {"answer": "impossible", **stored.sizes}
        text = (
            f"impossible: {stored.sizes['clauses']} clauses refuted, "
            f"proof of {stored.sizes['lemmas']} lemmas"
        )
        if second_opinion:
            data["z3"] = z3_agrees(spec, stored.encoding, stored.words, seconds=seconds)
            text += f"; z3 {'agrees' if data['z3'] else 'gave no answer'}"
    else:
        stored = None
        data |= {"answer": "unknown"}
        text = f"unknown: not settled in {seconds:g} s"
        if effort is not None:
            text += f"; what is finished is kept in {effort.folder}"
    if out is not None and stored is not None:
        out.mkdir(parents=True, exist_ok=True)
        data["file"] = str(save(stored, out))
        if effort is not None:
            shutil.rmtree(effort.folder, ignore_errors=True)
        text += f"\n{data['file']}"
    emit(data, text, format)
    wanted = {expect} if expect else {"found", "impossible"}
    return EXPECTED if data["answer"] in wanted else DIFFERS


@app.command
def reach(
    language: str,
    *,
    layers: int = 1,
    heads: int = 1,
    alphabet: Alphabet = "2",
    variant: Variant = "causal",
    ties: Literal["leftmost", "rightmost"] = "leftmost",
    up_to: int = 8,
    seconds: float = 300.0,
    cores: int | None = None,
    out: Path | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Climb the length: the largest one that some transformer of this size decides.

    Parameters
    ----------
    language, layers, heads, alphabet, variant, ties
        As in `decide`.
    up_to
        Largest length tried, at least 1.
    seconds
        Time limit of each length.
    out
        Folder of certificates; lengths with a valid one there are not searched again, and an
        interrupted one goes on from what is finished.
    cores
        With --out: solvers at once; the number of processors by default.
    format
        Text or JSON.
    """
    from attnlimits.pool import cores as processors
    from synthesis.reach import reach as climb

    spec = spec_of(language, 1, layers, heads, alphabet, variant, ties)
    if up_to < 1:
        raise UsageError(f"--up-to {up_to}: try at least length 1")
    step = 2 if language.startswith("dyck") else 1
    start = 2 if step == 2 or alphabet == "any" else 1
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    done = climb(
        spec, range(start, up_to + 1, step), seconds=seconds, folder=out, tick=note,
        workers=processors() if cores is None else cores,
    )  # fmt: skip
    data = {
        "found": done.found,
        "impossible": done.impossible,
        "undecided": done.undecided,
        "reach": done.summary,
    }
    emit(data, f"{language}: n {done.summary}", format)
    return DIFFERS if done.undecided else EXPECTED


@app.command
def fail(
    model: Path,
    *,
    language: str,
    seconds: float = 60.0,
    seed: int = 0,
    way: tuple[Literal["flips", "brute", "sat"], ...] = ("flips", "brute", "sat"),
    expect: Literal["fails", "right"] | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Find the word on which a transformer fails a language, or prove that there is none.

    Parameters
    ----------
    model
        A transformer as JSON (attention.json), or a machine written by `decide --out`.
    language
        What it should decide.
    seconds
        Time limit of the solver.
    seed
        For the random words.
    way
        Which ways to try, in order.
    expect
        Exit 1 if the answer is another one.
    format
        Text or JSON.
    """
    import numpy as np

    from languages.registry import language as named
    from synthesis.failing import Failure, NeverFails, find_failure

    outcome = find_failure(
        _model(model),
        named(language),
        rng=np.random.default_rng(seed),
        seconds=seconds,
        ways=way,
        tick=lambda used: note(f"{used:.0f} s"),
    )
    data: dict[str, Any]
    if isinstance(outcome, Failure):
        says = "accepts" if outcome.says else "rejects"
        word = "".join(outcome.word)
        data = {"answer": "fails", "word": word, "says": outcome.says, "way": outcome.way}
        text = f"fails: it {says} {word} (found by {outcome.way}, evaluated again)"
    elif isinstance(outcome, NeverFails):
        data = {"answer": "right", "way": outcome.way, "detail": outcome.detail}
        text = f"right on every word ({outcome.way}: {outcome.detail})"
    else:
        data = {"answer": "unknown", "detail": outcome.detail, "tried": outcome.tried}
        text = f"unknown: {outcome.tried} words tried; {outcome.detail}"
    emit(data, text, format)
    wanted = {expect} if expect else {"fails", "right"}
    return EXPECTED if data["answer"] in wanted else DIFFERS


@app.command
def check(*files: Path, format: Format = "text") -> int:  # noqa: A002
    """Re-check stored machines and certificates without search.

    Parameters
    ----------
    files
        Certificates written by `decide --out` or `reach --out`.
    format
        Text or JSON.
    """
    from synthesis.checker.verify import CertificateError
    from synthesis.recheck import verify_sentence

    if not files:
        raise UsageError("name at least one certificate file")
    rows = {}
    for path in files:
        try:
            rows[str(path)] = {"valid": True, "says": verify_sentence(path)}
        except CertificateError as bad:
            rows[str(path)] = {"valid": False, "says": str(bad)}
    emit(rows, lambda: "\n".join(f"{p}: {r['says']}" for p, r in sorted(rows.items())), format)
    return EXPECTED if all(r["valid"] for r in rows.values()) else DIFFERS


def spec_of(
    language: str, n: int, layers: int, heads: int, alphabet: str, variant: Variant, ties: Any
) -> "Spec":
    """Return the cell that the caller's words name."""
    from synthesis.spec import Spec

    if alphabet != "any" and not alphabet.isdigit():
        raise UsageError(f"--alphabet {alphabet}: give a number of symbols, or 'any'")
    size = None if alphabet == "any" else int(alphabet)
    return Spec(language.strip().lower(), n, layers, heads, size, variant, ties)


def _model(path: Path) -> Any:
    import json

    from attention.json import from_json
    from synthesis.checker.verify import SCHEMA
    from synthesis.recheck import read_machine

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        raise UsageError(f"{path} is not JSON: {problem}") from None
    if isinstance(data, dict) and data.get("schema") == SCHEMA:
        return read_machine(data)
    return from_json(data)
