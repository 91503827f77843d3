import json

import numpy as np
import pytest
from hard_models import random_table

from attention.constructions.trees import parity_tree
from attention.json import to_json
from attention.tabulate import tabulate
from attnlimits.boundary import DIFFERS, EXPECTED, MISUSE, run
from attnlimits.commands.fool import app as fool
from attnlimits.commands.reduce import app as reduce
from restrictions.certificate import verify_file


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    table = random_table(24, 2, 1, 6, np.random.default_rng(0), spread=10**5)
    path.write_text(json.dumps(to_json(table)))
    return path


def test_fool_writes_a_certificate_that_verifies(model, tmp_path, capsys) -> None:
    target = tmp_path / "c.json"
    code = run(
        fool,
        [
            str(model),
            "--seconds",
            "1",
            "--enough",
            "6",
            "--certificate",
            str(target),
            "--format",
            "json",
        ],
    )
    assert code == EXPECTED
    found = json.loads(capsys.readouterr().out)
    assert found["found"]
    assert len(found["differ_at"]) == 1
    assert "always" in verify_file(target)
    assert int(found["subcube"]["counts"]["errors"]) * 2 == int(found["subcube"]["counts"]["words"])


def test_fool_reports_a_proof_that_there_is_nothing_to_find(tmp_path, capsys) -> None:
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(to_json(tabulate(parity_tree(2, 1)))))
    assert run(fool, [str(path), "--seconds", "0.5"]) == DIFFERS
    assert "no pair exists" in capsys.readouterr().out


@pytest.mark.parametrize("method", ["greedy", "moser-tardos", "search"])
def test_reduce_ends_in_a_verified_constant(model, method, tmp_path, capsys) -> None:
    target = tmp_path / "c.json"
    code = run(
        reduce,
        [
            str(model),
            "--k",
            "3",
            "--method",
            method,
            "--seconds",
            "0.5",
            "--no-theory",
            "--certificate",
            str(target),
            "--format",
            "json",
        ],
    )
    assert code == EXPECTED
    found = json.loads(capsys.readouterr().out)
    assert found["free"] + len(found["fixed"]) == 24
    assert "always" in verify_file(target)


@pytest.mark.parametrize(
    "arguments",
    [
        ["/nonexistent/model.json"],
        ["{model}", "--language", "palindromes"],
        ["{model}", "--language", "dyck1"],
    ],
)
def test_mistakes_of_the_caller_exit_with_2(model, arguments, capsys) -> None:
    assert run(fool, [a.format(model=model) for a in arguments]) == MISUSE
    assert "error:" in capsys.readouterr().err
