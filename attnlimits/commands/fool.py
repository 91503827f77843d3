"""``attnlimits fool``: a pair of words that a model answers alike although it should not."""

from pathlib import Path
from typing import Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, emit, note

app = cyclopts.App(
    name="fool",
    help="Find two words of different membership that a model answers alike; exit 1 if none found.",
)


@app.default
def fool(
    model: str,
    *,
    language: str = "parity",
    seconds: float = 20.0,
    seed: int = 0,
    enough: int = 0,
    ends: bool = False,
    certificate: Path | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Fool a hard-attention transformer.

    Parameters
    ----------
    model
        JSON file of a table or dot-product model, or module:function(...) of Python code.
    language
        Name of the language that the model is meant to recognise: parity, dyck1, dyck2, ...
    seconds
        CPU seconds to spend on enlarging the certified subcube.
    seed
        Seed of the random choices.
    enough
        Stop early once at most this many positions are fixed.
    ends
        Bracket languages: hold the first and last fifth of the words as Corollary 2 does.
    certificate
        File to which the certificate is written, for ``attnlimits verify``.
    format
        Text or JSON.
    """
    import numpy as np

    from attention.reference import read_model_or_reference
    from languages import language as language_named
    from restrictions.certificate import certificate as certificate_of
    from restrictions.certificate import counts, write
    from restrictions.fooling import FoolingPair
    from restrictions.fooling import fool as search

    machine, formal = read_model_or_reference(model), language_named(language)
    pair = search(
        machine,
        formal,
        seconds=seconds,
        rng=np.random.default_rng(seed),
        progress=note,
        enough=enough,
        ends=ends,
    )
    if not isinstance(pair, FoolingPair):
        shown = "no pair exists" if pair.proved else "no pair found"
        emit(
            {"found": False, "proved": pair.proved, "reason": pair.reason},
            f"{shown}: {pair.reason}",
            format,
        )
        return DIFFERS
    data: dict[str, Any] = {
        "found": True,
        "method": pair.method,
        "first": _text(pair.first),
        "second": _text(pair.second),
        "differ_at": [i for i, (a, b) in enumerate(zip(*_words(pair), strict=True)) if a != b],
        "output": pair.output,
        "same_activation": pair.same_activation,
        "subcube": None,
    }
    if pair.subcube is not None:
        rho = pair.subcube.restriction
        data["subcube"] = {
            "free": rho.dimension,
            "fixed": {str(i): s for i, s in rho.fixed.items()},
            "counts": counts(formal, rho, pair.output),
            "method": pair.subcube.method,
        }
        if certificate is not None:
            witness = {
                "first": list(pair.first),
                "second": list(pair.second),
                "same_activation": pair.same_activation,
            }
            write(
                certificate_of(
                    machine,
                    rho,
                    {"output": pair.output},
                    witness={**witness, "output": pair.output},
                    language=formal,
                    reference=None if Path(model).exists() else model,
                ),
                certificate,
            )
            note(f"certificate written to {certificate}")
    emit(data, lambda: _report(data, machine.n, formal.name), format)
    return EXPECTED


def _words(pair: Any) -> tuple[Any, Any]:
    return pair.first, pair.second


def _text(word: Any) -> str:
    return "".join(map(str, word))


def _report(data: dict[str, Any], n: int, name: str) -> str:
    lines = [
        f"in {name}:     {data['first']}",
        f"not in {name}: {data['second']}",
        f"they differ at positions {data['differ_at']}; the model answers {data['output']} on both",
    ]
    if data["same_activation"]:
        lines.append("both words end in the same activation: the readout cannot tell them apart")
    cube = data["subcube"]
    if cube is None:
        lines.append(f"found by {data['method']}; no subcube certified")
    else:
        lines.append(
            f"certified: with {n - cube['free']} of {n} positions fixed the answer is always "
            f"{data['output']}"
        )
        if cube["counts"]:
            lines.append(
                f"wrong on exactly {_big(cube['counts']['errors'])} of the "
                f"{_big(cube['counts']['words'])} words of the subcube"
            )
    return "\n".join(lines)


def _big(number: str) -> str:
    value = int(number)
    if value < 10**12:
        return f"{value:,}"
    if value & (value - 1) == 0:
        return f"2^{value.bit_length() - 1}"
    return f"{number[0]}.{number[1:3]}e{len(number) - 1}"
