"""Papers, and places in them.

The key of a :class:`Paper` is its key in ``references.bib`` and the name of its folder under
``proofs/``; a :class:`Source` is a place in a paper, as a reader would look it up.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A publication or a document.

    Examples
    --------
    >>> Paper("hahn2020", "M. Hahn", "Theoretical Limitations", 2020).at("5.1").where
    '5.1'
    """

    key: str
    authors: str
    title: str
    year: int
    venue: str = ""

    def at(self, where: str) -> "Source":
        """Return the place ``where`` (section, equation, lemma) in this paper."""
        return Source(self, where)


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a paper."""

    paper: Paper
    where: str

    def __str__(self) -> str:
        return f"{self.paper.authors} ({self.paper.year}), {self.where}"


HAHN = Paper(
    "hahn2020",
    "Hahn",
    "Theoretical Limitations of Self-Attention in Neural Sequence Models",
    2020,
    "TACL 8:156-171",
)
WEISS = Paper(
    "weiss2021", "Weiss, Goldberg & Yahav", "Thinking Like Transformers", 2021, "ICML 2021"
)
REVIEW_HAHN = Paper(
    "review-hahn2020",
    "Review of Hahn (2020)",
    "Korean review of Hahn (2020)",
    2024,
    "seed document",
)
REVIEW_WEISS = Paper(
    "review-weiss2021",
    "Review of Weiss et al. (2021)",
    "Korean review of Weiss, Goldberg & Yahav (2021)",
    2024,
    "seed document",
)
OWN = Paper("attention-limits", "attention-limits", "Our own derivation", 2026)
