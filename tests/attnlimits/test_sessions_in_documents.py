"""The sessions shown in the documents print what they say."""

import re
import shlex
from pathlib import Path

import pytest

from attnlimits.boundary import run
from attnlimits.cli import build

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "README.ko.md", "docs/command-line.md")


def sessions() -> dict[str, str]:
    """Return the expected output by command; outputs that are shortened by ... are left out."""
    found = {}
    for document in DOCUMENTS:
        for block in re.findall(r"```\n(\$ .*?)```", (ROOT / document).read_text(), re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                if "..." not in output.replace("k=10..", ""):
                    found[command.removeprefix(".venv/bin/")] = output
    return found


def marked(command: str) -> object:
    slow = [pytest.mark.slow] if " check " in command else []  # starts worker processes
    return pytest.param(command, marks=slow)


@pytest.mark.parametrize("command", [marked(c) for c in sessions()])
def test_the_session_is_real(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "attnlimits"
    run(build(), arguments)
    out, err = capsys.readouterr()
    assert out + err == sessions()[command]


def test_there_are_sessions() -> None:
    assert len(sessions()) >= 4
