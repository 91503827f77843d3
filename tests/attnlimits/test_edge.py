"""The RASP prompt starts without the argument parser and behaves as it does with it."""

import subprocess
import sys

import pytest

from attnlimits.cli import starts_prompt

SESSION = "a = 1;\nb = indices + a;\nb;\n:names\nexit\n"


def transcript(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "attnlimits", "rasp", *arguments],
        input=SESSION, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_one_prompt_with_and_without_the_parser() -> None:
    short = transcript()
    assert "b = indices" not in short
    assert "[1, 2, 3, 4, 5] (ints)" in short
    assert transcript("repl", "--compat", "exact") == short


def test_no_argument_parser_is_loaded_for_the_prompt() -> None:
    code = (
        "import sys; sys.argv = ['attnlimits', 'rasp']\n"
        "from attnlimits.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as stop:\n"
        "    print(stop.code, 'cyclopts' in sys.modules, 'numpy' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="exit\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("0 False False\n")


@pytest.mark.parametrize("arguments", [[], ["rasp", "-c", "1;"], ["rasp", "--help"], ["repl"]])
def test_everything_else_is_parsed(arguments: list[str]) -> None:
    assert not starts_prompt(arguments)
