"""Statements with what the authors' interpreter prints for them, and what ours prints."""

import json
from itertools import groupby
from pathlib import Path

import pytest

from rasp.interpret.session import Session

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "transcript.jsonl").read_text().splitlines()
]
GROUPS = {name: list(rows) for name, rows in groupby(ROWS, key=lambda row: row["group"])}
EXTENSIONS = {"1!=2;", "[1,2,];"}
INTERNALS = {"set example indices": "example not iterable: indices"}


def played(rows: list[dict[str, str]], *, strict: bool) -> list[tuple[dict[str, str], str, str]]:
    session = Session(strict=strict)
    out = []
    for row in rows:
        events = list(session.run(row["in"]))
        out.append((row, "".join(e.text for e in events), events[-1].kind if events else ""))
    return out


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("strict", [True, False])
def test_transcripts_agree(group: str, strict: bool) -> None:
    for row, text, kind in played(GROUPS[group], strict=strict):
        if row["class"] == "syntax":
            if strict or row["in"] not in EXTENSIONS:
                assert kind == "syntax", row["in"]
                assert text.startswith("\t!! antlr exception: "), row["in"]
                assert text.endswith(" \t-- ignoring input\n"), row["in"]
        elif row["in"] in INTERNALS:
            assert text == f"\t\t!!ignoring input:\n\t {INTERNALS[row['in']]}\n"
        else:
            assert text == row["out"], row["in"]


def test_the_golden_file_holds_all_groups() -> None:
    assert {name: len(rows) for name, rows in GROUPS.items()} == {
        "atoms": 54,
        "collections": 57,
        "repl": 39,
    }
