"""A first RASP program in Python: histogram, its sizes, its picture, a check of its meaning.

Run it with ``python examples/rasp_first.py [WORD]``; it writes ``histogram.svg``.
"""

import sys
from pathlib import Path

from rasp import select, selector_width, tokens
from rasp.analysis.report import analyse
from rasp.draw.files import write_scene
from rasp.draw.flow import flow_scene
from rasp.syntax.render import program_text
from rasp.verify import compare


def main(word: str = "hello") -> None:
    """Print values, program text, layers and heads, and the outcome of a comparison."""
    histogram = selector_width(select(tokens, tokens, "==")).named("histogram")
    print(f"histogram({word!r}) = {histogram(word)}")
    print(program_text(histogram.node, "histogram"), end="")
    print(analyse(histogram).text(), end="")
    outcome = compare(histogram, lambda w: [w.count(token) for token in w], "abc", up_to=6)
    print(outcome.text(), end="")
    write_scene(flow_scene(histogram, word), Path("histogram.svg"))


if __name__ == "__main__":
    main(*sys.argv[1:])
