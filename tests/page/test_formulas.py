import pytest

from attnlimits.report.formulas import FormulaError, blocks, formula, inline, mathml


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{2^c}{k} \le \eta",
        r"\left\lceil{\frac{k}{2}}\right\rceil",
        r"a \;\Longrightarrow\; b",
        r"\binom{n}{k} \bmod 2",
        r"\begin{cases} a & \text{for}\: x > 0 \\ b & \text{otherwise} \end{cases}",
        r"C' \ge (1-2\eta)\,C n",
        r"\Pr[X] \le e^{-\delta^2 q n/3}",
    ],
)
def test_what_claims_use_is_rendered(latex: str) -> None:
    element = mathml(latex)
    assert element.startswith("<math")
    assert "\\" not in element
    assert "<merror" not in element


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\unknown", r"x^", r"\left( x", r"a^b^c"])
def test_what_cannot_be_rendered_is_refused_and_stays_visible(latex: str) -> None:
    with pytest.raises(FormulaError, match="cannot render"):
        mathml(latex)
    assert 'class="unrendered"' in formula(latex)


def test_inline_marks_up_and_escapes() -> None:
    assert inline("`a<b` & **c** *d*") == (
        "<code>a&lt;b</code> &amp; <strong>c</strong> <em>d</em>"
    )
    assert "*" in inline("2 * 3 * 4")
    assert inline("between $x$ and $y$").count("<math") == 2
    assert "$" not in inline("a $x < y$ b")
    assert "<script" not in inline("<script>")


def test_paragraphs_and_lists() -> None:
    html = blocks("One $x$\nstill one.\n\n- a\n  more a\n- b\n\n1. c\n2. d\n\n$$x^2$$")
    assert html.count("<p>") == 2
    assert "<ul><li>a more a</li><li>b</li></ul>" in html
    assert "<ol><li>c</li><li>d</li></ol>" in html
    assert 'display="block"' in html
    assert blocks("") == ""
