"""The page in a real browser: nothing overflows, nothing stays unrendered, nothing complains."""

from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest

from attnlimits.boundary import run
from attnlimits.cli import build
from attnlimits.decisions import Decisions
from attnlimits.report import page
from attnlimits.store import Result
from claims import Certificate, collect

pytestmark = pytest.mark.skipif(
    not chromium.PROGRAM, reason="needs Chromium (Debian package chromium)"
)


@pytest.fixture(scope="module")
def tab() -> Iterator[chromium.Browser]:
    with chromium.browser() as started:
        yield started


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    options = ("--out", str(out), "--package", "sample_claims")
    assert run(build(), ["check", *options]) == 0
    assert run(build(), ["figures", "reduction-chernoff", "--quick", "--out", str(out)]) == 0
    assert run(build(), ["report", *options]) == 0
    return out / "report.html"


@pytest.fixture(scope="module")
def full_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of all claims, made from their stored certificates."""
    claims = collect("proofs")
    folder = Path(__file__).parents[2] / "certificates" / "claims"
    results = {
        path.stem: Result(Certificate.from_json(path.read_text()), 0.0)
        for path in sorted(folder.glob("*.json"))
    }
    certified = {i: c for i, c in claims.items() if i in results}
    path = tmp_path_factory.mktemp("full") / "report.html"
    path.write_text(page(Decisions(certified, claims, results), []))
    return path


LEFT_OVER = r"""
(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent;
    if (/\$|\\[a-zA-Z]+/.test(text) && !walker.currentNode.parentElement.closest("code, style")) {
      found.push(text.slice(0, 80));
    }
  }
  document.querySelectorAll("merror, .unrendered").forEach(e => found.push(e.textContent));
  return found;
})()
"""
INVISIBLE = r"""
[...document.querySelectorAll("math")].filter(
  m => m.checkVisibility() && m.getBoundingClientRect().width < 1).length
"""
WIDE = r"""
[...document.querySelectorAll("body *")].filter(e => {
  const box = e.getBoundingClientRect();
  if (box.width === 0 || box.right <= innerWidth + 1) return false;
  for (let p = e.parentElement; p; p = p.parentElement) {
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(p).overflowX)) return false;
  }
  return true;
}).map(e => e.tagName + "." + e.className).slice(0, 5)
"""
CONTRAST = r"""
(() => {
  const luminance = c => {
    const [r, g, b] = c.match(/[\d.]+/g).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const found = [];
  document.querySelectorAll(".chip, p, dd, a, h1, h2, code").forEach(e => {
    let p = e;
    while (p && getComputedStyle(p).backgroundColor === "rgba(0, 0, 0, 0)") p = p.parentElement;
    const back = p ? getComputedStyle(p).backgroundColor : "rgb(255, 255, 255)";
    const value = ratio(getComputedStyle(e).color, back);
    if (value < 4.5) found.push(e.tagName + "." + e.className + " " + value.toFixed(2));
  });
  return found.slice(0, 5);
})()
"""


def faults(tab: chromium.Browser, path: Path, width: int, scheme: str) -> list[object]:
    """Return all that is wrong with a page at a width and in a colour scheme."""
    tab.open(path, width=width, scheme=scheme)
    assert tab.evaluate("innerWidth") == width
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found: list[object] = []
    wide = tab.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"scrolls sideways to {wide}")
    if tab.evaluate(INVISIBLE):
        found.append("invisible formulas")
    found += tab.evaluate(WIDE) + tab.evaluate(LEFT_OVER) + tab.evaluate(CONTRAST)
    found += tab.complaints()
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    if (background == "rgb(20, 24, 30)") != (scheme == "dark"):
        found.append(f"background {background}")
    return found


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
)
def test_the_page_is_whole(tab: chromium.Browser, report: Path, width: int, scheme: str) -> None:
    assert faults(tab, report, width, scheme) == []
    assert tab.evaluate("document.querySelectorAll('math').length") > 5


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_of_all_claims_is_whole(
    tab: chromium.Browser, full_report: Path, width: int, scheme: str
) -> None:
    assert faults(tab, full_report, width, scheme) == []
    assert tab.evaluate("document.querySelectorAll('article').length") > 100
    assert tab.evaluate("document.querySelectorAll('svg.graph .node').length") > 20


def test_planted_faults_are_seen(tab: chromium.Browser, report: Path, tmp_path: Path) -> None:
    html = report.read_text()
    broken = tmp_path / "broken.html"
    planted = (
        "<p>left $x$ over</p><math><merror><mi>?</mi></merror></math>"
        "<div class='wide' style='width: 5000px'>wide</div>"
        "<p style='color: #777; background: #888'>pale</p>"
        "<script>console.error('planted')</script>"
    )
    broken.write_text(html.replace("<main>", "<main>" + planted))
    tab.open(broken, width=390, scheme="light")
    assert tab.evaluate("document.documentElement.scrollWidth") > 390
    assert "DIV.wide" in tab.evaluate(WIDE)
    assert len(tab.evaluate(LEFT_OVER)) == 2
    assert tab.evaluate(CONTRAST) != []
    assert any("planted" in c for c in tab.complaints())
