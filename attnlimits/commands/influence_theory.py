"""``attnlimits influence construction`` and ``process``: exact numbers beside the measurements."""

from typing import Annotated, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, UsageError, emit

Flag = cyclopts.Parameter(negative=())


def construction(
    name: Literal["parity", "first"],
    *,
    n: str = "10,30,100,300,1000,3000",
    eps: str = "none,1e-3,1e-5,1e-10,0",
    log_n: Annotated[bool, Flag] = False,
    format: Format = "text",  # noqa: A002
) -> int:
    """Print the cross-entropy of a construction that overcomes the limit, in bits per string.

    Parameters
    ----------
    name
        parity or first (Chiang and Cholak 2022).
    n
        Lengths, up to 10^9 and beyond.
    eps
        Layer norm eps, separated by commas; none for no layer norm.
    log_n
        Scale logits by ln(n + 1).
    format
        Text or JSON.
    """
    from attention.constructions.chiang2022_first import first_cross_entropy
    from attention.constructions.chiang2022_parity import parity_cross_entropy
    from attnlimits.influence_runs import lengths

    cross_entropy = parity_cross_entropy if name == "parity" else first_cross_entropy
    ns = lengths(n)
    rows: list[tuple[float | None, list[float]]] = []
    for part in eps.split(","):
        given = None if part.strip() == "none" else _number(part)
        bits = [cross_entropy(length, eps=given, log_n=log_n) for length in ns]
        rows.append((given, bits))
    lines = ["eps".ljust(10) + "".join(f"{length:>14}" for length in ns)]
    for given, bits in rows:
        head = "none" if given is None else f"{given:g}"
        lines.append(head.ljust(10) + "".join(f"{b:14.9f}" for b in bits))
    table = [{"eps": given, "bits": bits} for given, bits in rows]
    value = {"construction": name, "log_n": log_n, "n": ns, "rows": table}
    emit(value, "\n".join(lines), format)
    return EXPECTED


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--eps {text!r}: write numbers such as 1e-5, or none") from None


def process(
    name: Literal["dyck", "parity"],
    *,
    p: str = "1/4",
    n: str = "10,100,1000",
    format: Format = "text",  # noqa: A002
) -> int:
    """Print the exact cross-entropy limits of Theorem 6 for one of its processes.

    Parameters
    ----------
    name
        dyck (2DYCK) or parity.
    p
        The process's probability, an exact number between 0 and 1.
    n
        Prefix lengths.
    format
        Text or JSON.
    """
    from fractions import Fraction

    from attnlimits.influence_runs import lengths
    from bounds.values import parse
    from languages.dyck_process import DyckProcess
    from languages.next_symbol import entropy_bits
    from languages.parity_process import ParityProcess

    chance = Fraction(parse(p))
    ns = lengths(n)
    if name == "parity":
        parity = ParityProcess(chance)
        last = [entropy_bits(parity.given_last(s)) for s in "01"]
        state = [entropy_bits(parity.in_state(s)) for s in (0, 1)]
        value: dict[str, Any] = {
            "process": name, "p": str(chance),
            "optimal_bits": sum(state) / 2,
            "given_last_symbol_bits": sum(last) / 2,
            "unigram_bits": entropy_bits(parity.unigram()),
        }  # fmt: skip
        text = "\n".join(
            f"{key.removesuffix('_bits').replace('_', ' ')}: {number:.6f} bits"
            for key, number in value.items() if key.endswith("bits")
        )  # fmt: skip
        emit(value, text, format)
        return EXPECTED
    dyck = DyckProcess(chance)
    optimum = dyck.next_symbol_entropy_bits()
    rows = []
    for length in ns:
        hidden = dyck.unbalanced_closing(length) if length <= 2000 else None
        if hidden is None:
            raise UsageError(f"n = {length}: exact laws are computed up to n = 2000")
        rows.append(
            {
                "n": length,
                "P0": float(hidden),
                "excess_bits": float((1 - chance) * hidden),
                "limit_P0": str(dyck.limit("survival", even=length % 2 == 0)),
            }
        )
    stream = str(dyck.limit("stream", even=True)) if chance < Fraction(1, 2) else None
    value = {
        "process": name, "p": str(chance), "optimal_bits": optimum, "stream_P0": stream,
        "rows": rows,
    }  # fmt: skip
    lines = [f"optimum at every prefix: {optimum:.6f} bits; stream P_0: {stream or 'none'}"]
    lines += [
        f"n={r['n']}: P_0 = {r['P0']:.6f} (limit {r['limit_P0']}), excess >= "
        f"{r['excess_bits']:.6f} bits - O(1/n)"
        for r in rows
    ]
    emit(value, "\n".join(lines), format)
    return EXPECTED
