"""Find a two-layer, one-head transformer for PARITY of five bits; refute six; find a failure.

Run ``python examples/synth_five_bits.py``.
"""

import numpy as np

from attention.hard import trace
from languages.registry import language
from synthesis.decision import Found, Impossible, decide
from synthesis.failing import find_failure
from synthesis.spec import Spec


def main() -> None:
    """Run the example."""
    five = decide(Spec("parity", 5, layers=2, heads=1, alphabet=2), seconds=60)
    assert isinstance(five, Found)
    model = five.witness.machine.as_tables()
    print("five bits: found, right on", five.witness.spec.words(), "words")
    print("on 10110 the positions attend to", trace(model, "10110").attended)

    four = decide(Spec("parity", 4, layers=1, heads=2), seconds=60)
    assert isinstance(four, Impossible)
    assert four.certificate is not None
    print("one layer, two heads, four bits: impossible,", four.certificate.sizes)

    failure = find_failure(model, language("majority"), rng=np.random.default_rng(0))
    print("as a machine for MAJORITY it fails:", failure)


if __name__ == "__main__":
    main()
