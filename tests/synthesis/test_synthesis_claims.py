"""The claims, the table they come from, and the stored certificates."""

import json

import numpy as np
import pytest

from claims import Verdict, collect
from figures import synthesis_certificates
from proofs.synthesis import two_layers
from synthesis.annealing import search, words_left
from synthesis.certificate import cell_name
from synthesis.encodings import choose, encode
from synthesis.opinion import z3_answer
from synthesis.readable import decide_readably
from synthesis.recheck import verify_file
from synthesis.spec import Spec
from synthesis.stored import RIGHTMOST, ROWS, UNIFORM, certified, folder

HEAVY = 150_000  # bytes of packed proof that a default test still checks


def test_every_row_is_a_claim_and_no_two_share_a_name() -> None:
    names = [row.name for row in (*ROWS, *UNIFORM, *RIGHTMOST)]
    assert len(set(names)) == len(names)
    claims = collect("proofs.synthesis")
    assert {f"synthesis.{name}" for name in names} <= set(claims)


def test_the_table_says_what_was_found() -> None:
    table = {row.name: row.summary for row in ROWS}
    assert [table[f"parity.l1h{h}"] for h in (1, 2, 3)] == ["= 2", "= 3", "= 4"]
    assert [table[f"mod3.l1h{h}"] for h in (1, 2, 3)] == ["= 3", "= 4", "= 5"]
    assert [table[f"dyck1.l1h{h}"] for h in (1, 2, 3)] == ["= 2", "= 4", "= 6"]
    assert [table[f"majority.l1h{h}"] for h in (1, 2, 3)] == ["= 3", "= 5", "= 5"]
    assert table["parity.l2h1s2"] == "= 5"
    assert table["parity.l2h1s3"] == table["parity.l2h1any"] == "= 6"
    assert table["parity.l2h1anyfull"] == ">= 9"
    assert (table["mod3.l2h1any"], table["dyck2.l1h3"]) == ("= 7", "= 4")
    assert all(row.exact for row in (*UNIFORM, *RIGHTMOST))
    reach = {row.name: row.found for row in (*UNIFORM, *RIGHTMOST)}
    for size in ("l1h2s3", "l2h1s3"):
        assert reach[f"uniform.{size}"] == reach[f"uniform.rightmost.{size}"] + 1


def test_stored_certificates_are_named_after_their_cells_and_stay_small() -> None:
    files = sorted(folder().glob("*.json"))
    assert len(files) > 100
    for path in files:
        spec = Spec(**json.loads(path.read_text())["spec"])
        assert path.stem.startswith(cell_name(spec))
    assert sum(p.stat().st_size for p in folder().iterdir()) < 15 * 2**20


def test_the_drawn_checking_times_are_those_of_the_stored_certificates() -> None:
    drawn = synthesis_certificates.data()
    assert set(synthesis_certificates.measured()) == set(drawn.cell)
    assert {f"{cell}-impossible" for cell in drawn.cell} == {
        path.stem for path in folder().glob("*-impossible.json")
    }
    assert min(drawn.seconds) > 0
    assert sum(drawn.hints) > 5_000_000


def _size(path) -> int:
    proof = path.with_suffix(".lrat.xz")
    return proof.stat().st_size if proof.exists() else 0


FILES = sorted(folder().glob("*.json"))


@pytest.mark.parametrize(
    "path", [p for p in FILES if _size(p) <= HEAVY and "-peeled" not in p.stem][::8],
    ids=lambda p: p.stem,
)  # fmt: skip
def test_stored_certificates_check(path) -> None:
    assert verify_file(path).verdict in ("found", "impossible")


@pytest.mark.slow
def test_all_stored_certificates_check() -> None:
    for path in FILES:
        expected = "found" if path.stem.endswith("-found") else "impossible"
        assert verify_file(path).verdict == expected


def test_the_power_conjecture_is_refuted_by_a_machine() -> None:
    claim = two_layers.POWER_CONJECTURE
    outcome = claim.check(claim.statement)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.witness["case"] == "L = 2, H = 1, n = 5"


def test_cells_without_a_stored_certificate_are_decided_anew() -> None:
    spec = Spec("mod4", 3, 1, 1)
    assert certified(spec, "found", seconds=60)
    assert not certified(spec, "impossible", seconds=60)


def test_annealing_finds_what_exists_and_peeling_counts_what_is_left() -> None:
    rng = np.random.default_rng(0)
    for spec, cyclic in [
        (Spec("parity", 6, 2, 1, None), False),
        (Spec("parity", 8, 2, 1, None, "full"), False),
        (Spec("parity", 6, 2, 1, None, "full"), True),
    ]:
        found = search(spec, steps=20_000, rng=rng, restarts=3, cyclic=cyclic)
        assert found is not None
        assert found.mistakes() == []
    assert search(Spec("parity", 7, 2, 1, None), steps=2000, rng=rng) is None
    literals = [(0b0101, 0b1010), (0b0011, 0b1100)]
    nothing = {(j, own): ([], [0, 0]) for j in (0, 1) for own in (0, 1)}
    assert words_left(2, nothing, literals) == 4
    with pytest.raises(ValueError, match="full"):
        search(Spec("parity", 6, 2, 1, None), steps=1, rng=rng, cyclic=True)


@pytest.mark.parametrize(
    ("spec", "exists"),
    [
        (Spec("parity", 2, 1, 1), True),
        (Spec("parity", 3, 1, 1), False),
        (Spec("parity", 3, 1, 2), True),
        (Spec("dyck1", 4, 1, 1), False),
        (Spec("parity", 4, 2, 1), True),
    ],
)
def test_the_definition_written_for_z3_agrees(spec: Spec, exists: bool) -> None:
    assert decide_readably(spec, seconds=60) is exists
    assert z3_answer(encode(spec, choose(spec)).canonical(), seconds=60) is exists
