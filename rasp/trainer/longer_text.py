"""What was found at longer lengths, for people.

Main definitions: :func:`lengths_text`, :func:`failing_length`.
"""

from collections.abc import Iterable, Sequence

from rasp.trainer.leak import leaking_length
from rasp.trainer.lengths import Point
from rasp.trainer.longer import Found


def failing_length(points: Iterable[Point]) -> int | None:
    """Return the least length from which on fewer than half of the words are right.

    ``None`` if that does not come.
    """
    shares: dict[int, tuple[int, int]] = {}
    for point in points:
        right, words = shares.get(point.length, (0, 0))
        shares[point.length] = right + point.trained, words + point.words
    failing = None
    for length in sorted(shares, reverse=True):
        right, words = shares[length]
        if 2 * right >= words:
            break
        failing = length
    return failing


def lengths_text(found: Sequence[Found]) -> str:
    """Return tables: shares of right words, certain lengths, deciding symbols."""
    lines = ["words right, in percent: trained, its attention read as argmax, compiled"]
    lines.append("task         variant      seed  " + "length:")
    for one in found:
        lengths = sorted({point.length for point in one.points})
        cells = []
        for length in lengths:
            here = [point for point in one.points if point.length == length]
            words = sum(point.words for point in here)
            shares = [
                round(100 * sum(getattr(point, name) for point in here) / words)
                for name in ("trained", "hard", "compiled")
            ]
            cells.append(f"{length}: {shares[0]}/{shares[1]}/{shares[2]}")
        lines.append(f"{one.task:<12} {one.variant:<12} {one.seed:>4}  " + "  ".join(cells))
    certain = [one for one in found if one.limits]
    if certain:
        lines += ["", "counts of one letter: lengths"]
        lines.append(
            "variant      seed  count  half wrong  right at  wrong for good from  every word leaks"
        )
        lines += [row for one in certain for row in _certain(one)]
    decisive = [(one, word) for one in found for word in one.decided]
    if decisive:
        lines += ["", "read as argmax: symbols that decide the last answer, and what is right"]
        for one, word in decisive:
            symbols = ", ".join(f"{i + 1}={symbol}" for i, symbol in word.fixed) or "none"
            lines.append(
                f"{one.task:<12} {one.variant:<12} {one.seed:>4}  length {word.length}: "
                f"{symbols} -> {word.answer}; right: {word.truths[0]} or {word.truths[1]}"
            )
    return "\n".join(lines) + "\n"


def _certain(one: Found) -> Iterable[str]:
    for count in sorted({limit.count for limit in one.limits}):
        limits = [limit for limit in one.limits if limit.count == count]
        failing = failing_length(point for point in one.points if point.case == count)
        wrong = [limit.wrong for limit in limits if limit.wrong is not None]
        leak = "" if one.ratio is None else str(leaking_length(one.ratio, count))
        right = f"{min(x.right for x in limits)}..{max(x.right for x in limits)}"
        good = f"{min(wrong)}..{max(wrong)}" if wrong else "never certain"
        yield (
            f"{one.variant:<12} {one.seed:>4}{count:>7}{failing or '-':>12}{right:>10}"
            f"{good:>21}{leak:>18}"
        )
