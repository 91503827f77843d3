"""A row of a table from its runs: means, spread over seeds, exact intervals.

Main definitions: :class:`Summary`, :func:`summaries`, :func:`table_text`.

References
----------
Weiss, Goldberg & Yahav (2021), section 5, Tables 1 and 2 [weiss2021].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from rasp.trainer.published import PUBLISHED, Published
from rasp.trainer.result import Result
from rasp.trainer.statistics import CONFIDENCE, interval
from rasp.trainer.tables import VARIANTS, Row, Scale, rows, settings
from rasp.trainer.tasks import TASKS

TABLE1 = ("supervised", "skewed letters", "predicted")
TABLE2 = ("predicted", "one head fewer", "one layer fewer", "one layer fewer, twice the heads")


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """The runs of a row that are finished, by seed."""

    row: Row
    results: tuple[Result, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Layers and heads."""
        return self.results[0].setting.layers, self.results[0].setting.heads

    @property
    def tokens(self) -> tuple[Fraction, ...]:
        """Share of test tokens that are right, by seed."""
        return tuple(result.token_accuracy for result in self.results)

    @property
    def sequences(self) -> tuple[Fraction, ...]:
        """Share of test words without a mistake, by seed."""
        return tuple(result.sequence_accuracy for result in self.results)

    @property
    def attention(self) -> tuple[float, ...]:
        """Attention errors, by seed; none if the model is smaller than the program."""
        found = [result.attention_error for result in self.results]
        return tuple(error for error in found if error is not None)

    @property
    def token_intervals(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Exact intervals of the chance that a random token is right."""
        return tuple(interval(r.probes_right, r.probes) for r in self.results)

    @property
    def sequence_intervals(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Exact intervals of the chance that a random word has no mistake."""
        return tuple(interval(r.sequences_right, r.sequences) for r in self.results)

    @property
    def published(self) -> Published | None:
        """What the paper reports, if we know."""
        return PUBLISHED.get((self.row.task, self.row.variant))

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-compatible data, run by run."""
        published = self.published
        return {
            "task": self.row.task,
            "variant": self.row.variant,
            "layers": self.size[0],
            "heads": self.size[1],
            "distribution": self.results[0].distribution,
            "confidence": str(CONFIDENCE),
            "published": None if published is None else published.text(),
            "runs": [
                {
                    "seed": result.setting.seed,
                    "tokens_right": result.tokens_right,
                    "tokens": result.tokens,
                    "sequences_right": result.sequences_right,
                    "sequences": result.sequences,
                    "probes_right": result.probes_right,
                    "probes": result.probes,
                    "token_interval": [float(end) for end in of_token],
                    "sequence_interval": [float(end) for end in of_word],
                    "attention_error": result.attention_error,
                    "attention_probes_right": result.attention_probes_right,
                    "steps": result.steps,
                    "cpu_seconds": result.cpu_seconds,
                    "versions": dict(result.versions),
                }
                for result, of_token, of_word in zip(
                    self.results, self.token_intervals, self.sequence_intervals, strict=True
                )
            ],
        }


def summaries(
    results: Mapping[str, Result], scale: Scale, *, seeds: Sequence[int]
) -> tuple[Summary, ...]:
    """Return the rows with at least one finished run, in order.

    Parameters
    ----------
    results
        By digest of the setting.
    scale
        Which settings the rows stand for.
    seeds
        Which runs to look for.
    """
    found = []
    for row in rows(scale):
        digests = [setting.digest() for setting in settings(row, scale, seeds=tuple(seeds))]
        mine = tuple(results[digest] for digest in digests if digest in results)
        if mine:
            found.append(Summary(row, mine))
    return tuple(found)


def percent(share: Fraction | float) -> str:
    """Return a share in percent with two decimals, 100 only if nothing is wrong.

    Examples
    --------
    >>> percent(Fraction(1)), percent(Fraction(99999, 100000)), percent(Fraction(412, 1000))
    ('100', '99.99', '41.20')
    """
    if share == 1:
        return "100"
    return f"{int(share * 10_000) / 100:.2f}"


def spread(shares: Sequence[Fraction]) -> str:
    """Return the mean in percent, with the lowest and highest if there are several.

    Examples
    --------
    >>> spread([Fraction(1), Fraction(98, 100)])
    '99.00 (98.00..100)'
    """
    mean = percent(sum(shares, Fraction(0)) / len(shares))
    if len(shares) == 1:
        return mean
    return f"{mean} ({percent(min(shares))}..{percent(max(shares))})"


def _line(summary: Summary) -> list[str]:
    layers, heads = summary.size
    low = min(pair[0] for pair in summary.token_intervals)
    high = max(pair[1] for pair in summary.token_intervals)
    errors = summary.attention
    published = summary.published
    return [
        summary.row.task,
        summary.row.variant,
        f"{layers},{heads}",
        spread(summary.tokens),
        f"[{percent(low)}, {percent(high)}]",
        spread(summary.sequences),
        f"{sum(errors) / len(errors):.3f}" if errors else "",
        str(len(summary.results)),
        published.text() if published else "",
    ]


HEADER = [
    "task", "variant", "L,H", "tokens %", "99 % interval", "whole words %", "attention",
    "seeds", "paper",
]  # fmt: skip

FOOT = (
    "tokens: mean over seeds (lowest..highest) on the test words.  99 % interval: exact, for the\n"
    "chance that a random token is right; it covers the interval of every seed.  attention: mean\n"
    "squared distance of a row from the program's selector.  paper: as the review quotes it;\n"
    "* recalled.\n"
)


def table_text(found: Sequence[Summary], number: int) -> str:
    """Return Table 1 or 2 for people."""
    variants = TABLE1 if number == 1 else TABLE2
    shown = [summary for summary in found if summary.row.variant in variants]
    order = {name: place for place, name in enumerate(TASKS)}
    shown.sort(key=lambda s: (order[s.row.task], VARIANTS.index(s.row.variant)))
    lines = [HEADER, *(_line(summary) for summary in shown)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return f"Table {number}\n" + "\n".join(text) + "\n\n" + FOOT
