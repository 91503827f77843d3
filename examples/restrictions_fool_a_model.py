"""Build a hard-attention model, reduce it, fool it, and check the certificate.

Run ``python examples/restrictions_fool_a_model.py``; it takes a few seconds.
"""

import json
import tempfile
from pathlib import Path

import numpy as np

from attention.families import sinusoidal
from attention.json import to_json
from languages import language
from restrictions.certificate import certificate, verify_file, write
from restrictions.fooling import FoolingPair, fool
from restrictions.reduction import reduce_layers


def main() -> None:
    """Run the whole path on a random two-layer model of 96 positions."""
    rng = np.random.default_rng(0)
    model = sinusoidal(96, 2, 1, rng=np.random.default_rng(2))

    reduced = reduce_layers(model, k=4, rng=rng)
    for step in reduced.steps:
        print(step.text())
    print(f"then {reduced.last_layer} more inputs make the output constant: {reduced.output}")

    pair = fool(model, language("parity"), seconds=3, rng=rng, enough=6)
    if not isinstance(pair, FoolingPair) or pair.subcube is None:
        print("no certified subcube within the budget")
        return
    rho = pair.subcube.restriction
    print(
        f"the search needs {96 - rho.dimension} fixed inputs; both words are answered "
        f"{pair.output}:"
    )
    print("  even:", "".join(map(str, pair.first)))
    print("  odd: ", "".join(map(str, pair.second)))

    witness = {
        "first": list(pair.first),
        "second": list(pair.second),
        "output": pair.output,
        "same_activation": pair.same_activation,
    }
    data = certificate(
        model, rho, {"output": pair.output}, witness=witness, language=language("parity")
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        write(data, path)
        (Path(folder) / "model.json").write_text(json.dumps(to_json(model)))
        print("checked:", verify_file(path))


if __name__ == "__main__":
    main()
