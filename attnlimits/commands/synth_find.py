"""``attnlimits synth find``: look for a machine by local search, which refutes nothing."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attnlimits.boundary import DIFFERS, EXPECTED, Format, UsageError, emit, note

if TYPE_CHECKING:
    from synthesis.local import Outcome
    from synthesis.spec import Spec


def find(
    language: str,
    n: int,
    *,
    layers: int = 1,
    heads: int = 1,
    alphabet: str = "2",
    variant: Literal["causal", "full"] = "causal",
    steps: int = 30_000,
    restarts: int = 10,
    seed: int = 0,
    out: Path | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Look for a machine by simulated annealing; exit 1 if none was found.

    Parameters
    ----------
    language, n, layers, heads, alphabet, variant
        As in `synth decide`: one layer, or two layers with one head.
    steps
        Changes of a ranking to try before starting anew.
    restarts
        How often to start.
    seed
        Of the random changes; start k uses seed + k.
    out
        Folder for the machine.
    format
        Text or JSON.
    """
    from attnlimits.commands.synth import spec_of
    from synthesis.certificate import Witness, save

    if steps < 1 or restarts < 1:
        raise UsageError(f"--steps {steps} --restarts {restarts}: give at least 1 of each")
    spec = spec_of(language, n, layers, heads, alphabet, variant, "leftmost")
    fewest = spec.words()
    for k in range(restarts):
        done = _anneal(spec, steps, seed + k)
        fewest = min(fewest, done.left)
        if done.machine is not None:
            data = {"answer": "found", "words": spec.words(), "seed": seed + k, "steps": done.steps}
            text = f"found: right on all {spec.words()} words (seed {seed + k}, step {done.steps})"
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                data["file"] = str(save(Witness(spec, done.machine), out))
                text += f"\n{data['file']}"
            emit({"spec": spec.as_json(), **data}, text, format)
            return EXPECTED
        note(f"start {k + 1} of {restarts}: {done.left} words left")
    data = {"answer": "unknown", "left": fewest}
    text = f"unknown: {fewest} words left at best, which proves nothing"
    emit({"spec": spec.as_json(), **data}, text, format)
    return DIFFERS


def _anneal(spec: "Spec", steps: int, seed: int) -> "Outcome":
    import numpy as np

    from synthesis.local import search
    from synthesis.local_heads import search_heads

    way = search_heads if spec.layers == 1 else search
    return way(spec, steps=steps, rng=np.random.default_rng(seed))
