r"""Turn claim texts (Markdown paragraphs with LaTeX between dollars) into HTML with MathML.

The subset of Markdown is what proof texts use: paragraphs, bullet and numbered lists, ``code``,
*emphasis*, **strong**, ``$...$`` and ``$$...$$``.  A formula that cannot be rendered stays visible
as code with the class ``unrendered``.

Main definitions: :func:`mathml`, :func:`inline`, :func:`blocks`.
"""

import re
from html import escape

from latex2mathml import exceptions
from latex2mathml.converter import convert

_UNREADABLE = tuple(
    kind
    for _, kind in sorted(vars(exceptions).items())
    if isinstance(kind, type) and issubclass(kind, Exception)
)

# the converter marks these operators as identifiers, which loses their spacing
_OPERATORS = re.compile(
    r"<mi>(&#x0(?:27F9|27F8|27FA|21D2|21D0|21D4|21A6|29F5|223C|2A7D|2A7E|27F6);)</mi>"
)
_FENCES = re.compile(r"<mi>(&#x0(?:2308|2309|230A|230B);)</mi>")
_PIECES = re.compile(r"(\$\$.+?\$\$|\$[^$]+\$|`[^`]+`)", re.DOTALL)
_BULLET = re.compile(r"(?:[-*]|\d+[.)])\s+")


class FormulaError(ValueError):
    """A formula that cannot be turned into MathML."""


def mathml(latex: str, *, display: bool = False) -> str:
    r"""Return a formula as a MathML element.

    Parameters
    ----------
    latex
        LaTeX without dollar signs.
    display
        Whether it stands on a line of its own.

    Raises
    ------
    FormulaError
        If the formula has unbalanced parts or a command that is not known.

    Examples
    --------
    >>> mathml("x").endswith("<mrow><mi>x</mi></mrow></math>")
    True
    >>> mathml(r"\nonsense")
    Traceback (most recent call last):
    ...
    attnlimits.report.formulas.FormulaError: cannot render '\\nonsense'
    """
    try:
        element = convert(latex, display="block" if display else "inline")
    except _UNREADABLE as error:
        raise FormulaError(f"cannot render {latex!r}: {type(error).__name__}") from error
    if "\\" in element:
        raise FormulaError(f"cannot render {latex!r}")
    element = _OPERATORS.sub(r"<mo>\1</mo>", element)
    return _FENCES.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', element)


def formula(latex: str, *, display: bool = False) -> str:
    """Return a formula as MathML, or as visible code if it cannot be rendered."""
    try:
        return mathml(latex, display=display)
    except FormulaError:
        return f'<code class="unrendered">{escape(latex)}</code>'


def inline(text: str) -> str:
    """Return one paragraph's text as HTML.

    Examples
    --------
    >>> inline("a *b* & `c`")
    'a <em>b</em> &amp; <code>c</code>'
    """
    parts = []
    for piece in _PIECES.split(text):
        if piece.startswith("$$") and len(piece) > 4:
            parts.append(_display(piece[2:-2]))
        elif piece.startswith("$") and len(piece) > 2:
            parts.append(formula(piece[1:-1]))
        elif piece.startswith("`") and len(piece) > 2:
            parts.append(f"<code>{escape(piece[1:-1])}</code>")
        else:
            parts.append(_emphasis(escape(piece)))
    return "".join(parts)


def blocks(text: str) -> str:
    """Return Markdown paragraphs and lists as HTML."""
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.strip().splitlines()]
        if not any(lines):
            continue
        items = _items(lines)
        if items:
            tag = "ol" if lines[0][0].isdigit() else "ul"
            entries = "".join(f"<li>{inline(item)}</li>" for item in items)
            found.append(f"<{tag}>{entries}</{tag}>")
        else:
            found.append(f"<p>{inline(' '.join(lines))}</p>")
    return "\n".join(found)


def _items(lines: list[str]) -> list[str]:
    if not _BULLET.match(lines[0]):
        return []
    items: list[str] = []
    for line in lines:
        if _BULLET.match(line):
            items.append(_BULLET.sub("", line, count=1))
        else:
            items[-1] += " " + line
    return items


def _display(latex: str) -> str:
    return f'<span class="formula">{formula(latex.strip(), display=True)}</span>'


def _emphasis(text: str) -> str:
    text = re.sub(r"\*\*(\S(?:[^*]*\S)?)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])", r"<em>\1</em>", text)
