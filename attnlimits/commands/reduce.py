"""``attnlimits reduce``: the depth reduction executed on a model, layer by layer."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import cyclopts

from attnlimits.boundary import EXPECTED, Format, emit, note

if TYPE_CHECKING:
    from restrictions.reduction import Reduction, Step

app = cyclopts.App(
    name="reduce",
    help="Fix inputs until a hard-attention model's layers become functions of few inputs.",
)


@app.default
def reduce(
    model: str,
    *,
    k: int | None = None,
    method: Literal["greedy", "moser-tardos", "search"] = "greedy",
    q: float = 0.5,
    seed: int = 0,
    seconds: float = 20.0,
    certificate: Path | None = None,
    theory: bool = True,
    symbols: str | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Reduce the depth of a hard-attention transformer.

    Parameters
    ----------
    model
        JSON file of a table or dot-product model, or module:function(...) of Python code.
    k
        A satisfied head may depend on c k inputs per value; smaller k fixes more.  By default
        each layer takes the first of 4, 2, 1 that stays within reach.
    method
        How Stage 3 is done; "search" skips the stages and enlarges a certified subcube directly.
    q
        Moser-Tardos: probability with which an input is fixed.
    seed
        Seed of the random choices.
    seconds
        CPU seconds for "search".
    certificate
        File to which the certificate of the final subcube is written, for `attnlimits verify`.
    theory
        Also state the paper's k for the share of inputs that the first step kept.
    symbols
        Two symbols, such as "()", to stay within; needed for models that read more than two.
    format
        Text or JSON.
    """
    import numpy as np

    from attention.reference import read_model_or_reference
    from restrictions.certificate import certificate as certificate_of
    from restrictions.certificate import write
    from restrictions.certify import Inconclusive, certify
    from restrictions.reduction import reduce_layers
    from restrictions.restriction import Restriction
    from restrictions.rows import BlowUp

    machine, rng = read_model_or_reference(model), np.random.default_rng(seed)
    ground = None if symbols is None else Restriction.free(tuple(symbols), machine.n)
    data: dict[str, Any] = {"n": machine.n, "method": method, "steps": [], "theory": None}
    if method == "search":
        found = certify(machine, ground=ground, seconds=seconds, rng=rng, progress=note)
        if isinstance(found, Inconclusive):
            emit({**data, "output": None}, f"inconclusive: {found.reason}", format)
            return EXPECTED
        rho, output = found.restriction, found.output
    else:
        try:
            reduced = reduce_layers(machine, ground=ground, k=k, method=method, q=q, rng=rng)
        except BlowUp as large:
            advice = "" if k is None else "; try a smaller --k"
            emit({**data, "output": None}, f"inconclusive: {large}{advice}", format)
            return EXPECTED
        for step in reduced.steps:
            note(step.text())
        rho, output = reduced.restriction, reduced.output
        data["steps"] = [_step(step) for step in reduced.steps]
        data["last_layer"] = reduced.last_layer
        if theory and reduced.steps:
            data["theory"] = _theory(reduced, machine.heads)
    data |= {
        "free": rho.dimension,
        "fixed": {str(i): s for i, s in rho.fixed.items()},
        "output": output,
    }
    if certificate is not None:
        reference = None if Path(model).exists() else model
        write(certificate_of(machine, rho, {"output": output}, reference=reference), certificate)
        note(f"certificate written to {certificate}")
    emit(data, lambda: _report(data), format)
    return EXPECTED


def _step(step: "Step") -> dict[str, Any]:
    return {
        "layer": step.layer,
        "k": step.k,
        "stars_before": step.stars_before,
        "stars_after": step.stars_after,
        "stage1": step.stage1,
        "stage2": step.stage2,
        "stage3": step.stage3,
        "resamples": step.resamples,
        "c_before": step.c_before,
        "c_after": step.c_after,
        "c_bound": str(step.c_bound),
        "leaves": step.leaves,
    }


def _theory(reduced: "Reduction", heads: int) -> dict[str, Any] | None:
    """Return what the paper's proof needs to keep the share that the first step kept."""
    from fractions import Fraction

    from bounds.reduction.optimise import smallest_k

    first = reduced.steps[0]
    kept = Fraction(first.stars_after, first.stars_before)
    if not 0 < kept < 1:
        return None
    needed = smallest_k(c=1, H=heads, C=1, Cprime=kept)
    return {"kept": str(kept), "k": needed.k, "c_out": needed.c_out, "n0": str(needed.n0)}


def _report(data: dict[str, Any]) -> str:
    lines = []
    for s in data["steps"]:
        lines.append(
            f"layer {s['layer']}: {s['stars_before']} -> {s['stars_after']} free inputs "
            f"(Stage 1: {s['stage1']}, Stage 2: {s['stage2']}, Stage 3: {s['stage3']} fixed); "
            f"each activation now depends on <= {s['c_after']} of them"
        )
    if data["theory"]:
        t = data["theory"]
        lines.append(
            f"the paper's proof keeps this share ({t['kept']}) with k = {t['k']}, "
            f"c = {t['c_out']}, from n = {t['n0']} on; here k = {data['steps'][0]['k']}, "
            f"c = {data['steps'][0]['c_after']}, n = {data['n']}"
        )
    lines.append(
        f"constant: with {len(data['fixed'])} of {data['n']} inputs fixed "
        f"the output is always {data['output']}"
    )
    return "\n".join(lines)
