"""``attnlimits synth table``: sizes that exist and sizes that do not, by language and length."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from attnlimits.boundary import EXPECTED, Format, UsageError, emit

if TYPE_CHECKING:
    from proofs.synthesis.table import Line, Size


def table(*languages: str, format: Format = "text") -> int:  # noqa: A002
    """Print both sides: sizes (L, H) with a stored machine, sizes refuted, what works at every n.

    Parameters
    ----------
    languages
        Some of parity, mod3, majority, dyck1, dyck2, first, ones; all by default.
    format
        Text or JSON.
    """
    from proofs.synthesis.table import lines
    from proofs.synthesis.two_sided import LANGUAGES

    names = [name.strip().lower() for name in languages] or list(LANGUAGES)
    for name in names:
        if name not in LANGUAGES:
            raise UsageError(f"no table of {name!r}: choose from {', '.join(LANGUAGES)}")
    found = lines(names)
    emit({"lines": [asdict(line) for line in found]}, lambda: _text(found), format)
    return EXPECTED


def _text(found: "tuple[Line, ...]") -> str:
    rows = [("language", "n", "exist (L, H)", "refuted (L, H)", "every n, H = 1", "RASP (L, H)")]
    rows += [
        (
            line.language,
            str(line.n),
            _sizes(line.exist),
            _sizes(line.refuted),
            str(line.construction),
            f"({line.program.layers}, {line.program.heads}) {line.program.name}",
        )
        for line in found
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _sizes(sizes: "tuple[Size, ...]") -> str:
    return "; ".join(map(str, sizes)) or "-"
