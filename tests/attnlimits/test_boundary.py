import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import cyclopts
import numpy as np
import pytest

from attnlimits import boundary
from attnlimits.boundary import emit, run
from claims import ClaimError, Verdict


def app_that(action: Callable[[], object]) -> cyclopts.App:
    app = cyclopts.App(name="t")
    app.default(action)
    return app


def raising(error: BaseException) -> cyclopts.App:
    def action() -> None:
        raise error

    return app_that(action)


def test_a_callers_mistake_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(ClaimError("no such claim\n'a.b'")), []) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "error: no such claim 'a.b'\n"


def test_a_bug_keeps_its_traceback() -> None:
    with pytest.raises(ValueError, match="bug"):
        run(raising(ValueError("bug")), [])
    with pytest.raises(TypeError):
        run(raising(TypeError("bug")), [])


def test_ctrl_c_is_a_clean_message_and_code_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(KeyboardInterrupt()), []) == 130
    assert "whole" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app_that(lambda: (tmp_path / "absent.json").read_text()), []) == 2
    assert "absent.json: No such file" in capsys.readouterr().err


def test_a_file_that_is_not_json_is_a_callers_mistake() -> None:
    assert run(app_that(lambda: json.loads("{")), []) == 2


def test_the_verbs_exit_code_is_passed_on() -> None:
    assert run(app_that(lambda: 1), []) == 1
    assert run(app_that(lambda: None), []) == 0


def test_unknown_options_are_code_2() -> None:
    with pytest.raises(SystemExit) as stop:
        run(app_that(lambda: None), ["--nonsense"])
    assert stop.value.code == 2


def test_emit_sorts_keys_and_converts(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"b": Fraction(1, 3), "a": np.arange(2), "v": Verdict.PROVED, "s": {2, 1}}
    emit(value, "text", "json")
    out = capsys.readouterr().out
    assert json.loads(out) == {"a": [0, 1], "b": "1/3", "s": [1, 2], "v": "PROVED"}
    assert out.index('"a"') < out.index('"b"') < out.index('"s"')
    emit(value, lambda: "hello", "text")
    assert capsys.readouterr().out == "hello\n"


def test_emit_refuses_nan_and_unknown_kinds() -> None:
    with pytest.raises(ValueError, match="JSON"):
        emit(float("nan"), "", "json")
    with pytest.raises(TypeError, match="no form"):
        emit(object(), "", "json")


def test_progress_is_silent_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with boundary.progress("deciding", 3) as advance:
        advance("one")
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = (
        "import cyclopts, sys; from attnlimits.boundary import *\n"
        "app = cyclopts.App(); app.default(lambda: emit(0, 'x' * 10**6, 'text'))\n"
        "sys.exit(run(app, []))"
    )
    shell = f'"{sys.executable}" -c "{code}" | head -c 1'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout == "x"
    assert done.stderr == ""


def test_sigterm_is_a_clean_message_and_code_143() -> None:
    script = (
        "import os, signal, sys\n"
        "import cyclopts\n"
        "from attnlimits.boundary import heed_termination, run\n"
        "app = cyclopts.App()\n"
        "app.default(lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
        "heed_termination()\n"
        "sys.exit(run(app, []))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 143
    assert "whole" in ended.stderr
    assert "Traceback" not in ended.stderr
