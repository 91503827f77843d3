"""Generate tokens with a RASP program, one at a time: copy the prompt backwards, then stop.

Run it with ``python examples/rasp_decode.py [PROMPT]``.  The program runs under causal attention;
appending a token computes only what is new.
"""

import sys

from rasp import aggregate, indices, select, tokens, where
from rasp.evaluate.incremental import decode


def main(prompt: str = "stressed|") -> None:
    """Decode until the program says ``.``."""
    upto = select(indices, indices, "<=")
    bar = select(tokens, "|", "==") & upto
    at_bar = aggregate(bar, indices, -1)
    mirrored = 2 * at_bar - indices - 1  # the position to copy: as far before the bar as after it
    copied = aggregate(select(indices, mirrored, "=="), tokens, ".")
    following = where(at_bar < 0, ".", copied)
    print("".join(decode(following, prompt, stop=".")))


if __name__ == "__main__":
    main(*sys.argv[1:])
