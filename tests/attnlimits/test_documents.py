"""What the documents say is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from attnlimits.boundary import OUR_PACKAGES
from attnlimits.cli import COMMANDS

ROOT = Path(__file__).parents[2]
KEYS = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text(), re.MULTILINE))


def test_every_cited_key_is_in_the_bibliography() -> None:
    missing = {}
    for package in OUR_PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            cited = set(re.findall(r"\[([a-z]+(?:19|20)\d\d[a-z]?)\]", file.read_text()))
            if cited - KEYS:
                missing[str(file.relative_to(ROOT))] = sorted(cited - KEYS)
    assert missing == {}


def test_every_paper_is_in_the_bibliography() -> None:
    import claims

    papers = [p for p in vars(claims).values() if isinstance(p, claims.Paper)]
    assert len(papers) >= 4
    assert {p.key for p in papers} - {claims.OWN.key} <= KEYS


@pytest.mark.parametrize("readme", ["README.md", "README.ko.md"])
def test_the_readmes_have_both_commands_on_one_line_each(readme: str) -> None:
    lines = (ROOT / readme).read_text().splitlines()
    start = "python3 -m venv .venv && .venv/bin/pip install -c constraints.txt"
    assert f"{start} . && .venv/bin/attnlimits reproduce" in lines
    assert f"{start} -e '.[test]' && .venv/bin/pytest" in lines


@pytest.mark.parametrize("readme", ["README.md", "README.ko.md", "docs/command-line.md"])
def test_every_verb_is_documented(readme: str) -> None:
    text = (ROOT / readme).read_text()
    named = set(re.findall(r"`(?:attnlimits )?([a-z]+)", text))
    assert [verb for verb, _, _ in COMMANDS if verb not in named] == []


@pytest.mark.parametrize(
    "document",
    sorted(p.relative_to(ROOT).as_posix() for p in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))),
)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    path = ROOT / document
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text())
    assert [t for t in targets if not (path.parent / t).exists()] == []


def test_the_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from attnlimits.cli import build\n"
        "build()(['--help'], result_action='return_value')\n"
        "print(sorted({'sympy', 'numpy', 'z3', 'cvc5', 'flint', 'matplotlib', 'pysat', 'torch'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")
    for verb, _, _ in COMMANDS:
        assert verb in done.stdout


def test_one_can_decide_an_inequality_of_ones_own() -> None:
    example = ROOT / "examples" / "own_inequality.py"
    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=True
    )
    assert "PROVED by smt: z3, cvc5" in done.stdout
    assert "REFUTED: {'n': '1', 'u': '1/2'}" in done.stdout
    assert "verified again: PROVED" in done.stdout
