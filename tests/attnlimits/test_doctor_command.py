import json

import pytest

from attnlimits.boundary import OUR_PACKAGES, run
from attnlimits.cli import build
from attnlimits.health import clashes, solvers


def test_this_installation_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(build(), ["doctor", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["amiss"] == []
    assert found["versions"]["sympy"]


def test_every_solver_answers() -> None:
    assert set(solvers().values()) == {"works"}


def test_no_other_distribution_owns_our_names() -> None:
    assert clashes() == {}


def test_a_second_owner_is_found() -> None:
    owners = {name: ["attention-limits"] for name in OUR_PACKAGES}
    owners["figures"] = ["attention-limits", "Figures"]
    assert clashes(owners) == {"figures": "also installed by Figures; uninstall it"}


def test_a_package_from_elsewhere_is_found() -> None:
    assert "imported from" in clashes({}, ["json"])["json"]
    assert clashes({}, ["no_such_package"]) == {"no_such_package": "cannot be imported"}
