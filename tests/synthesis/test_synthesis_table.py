"""The two-sided table: read off certificates, consistent, and its programs and trees run."""

import pytest

from proofs.synthesis import table, two_sided
from proofs.synthesis.table import Size, lines


def test_no_size_both_exists_and_is_refuted() -> None:
    for line in lines():
        for refuted in line.refuted:
            assert not any(size.within(refuted) for size in line.exist), line
        assert line.exist, line
        if line.language == "parity":
            assert any(
                s.within(line.construction) for s in line.exist if s.layers > 1 or line.n < 4
            )


def test_parity_of_six_bits_needs_three_symbols() -> None:
    (line,) = (x for x in lines(["parity"]) if x.n == 6)
    assert line.exist == (Size(1, 5), Size(2, 1, 3), Size(3, 1, 2))
    assert line.refuted == (Size(1, 4), Size(2, 1, 2))


def test_a_certificate_carries_over_by_its_neutral_prefix_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = table.Spec("majority", 7, 2, 1)
    assert [n for n in range(1, 9) if table._carries(spec, n)] == [1, 3, 5, 7]  # 01 is neutral
    unmasked = table.Spec("parity", 6, 2, 1, 2, "full")
    assert [n for n in range(1, 9) if table._carries(unmasked, n)] == [6]
    monkeypatch.setattr(table, "_stored", lambda: [(table.Spec("majority", 7, 2, 1), True)])
    assert [x.n for x in lines(["majority"])] == [7]


def test_programs_and_trees_that_are_wrong_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert two_sided.program_is_right(("dyck2", 4))
    assert two_sided.tree_is_right(("majority", 2, 1, 4))
    sops = two_sided.programs()
    monkeypatch.setattr(
        two_sided, "programs", lambda: {**sops, "parity": sops["mod3"], "mod3": sops["parity"]}
    )
    assert not two_sided.program_is_right(("parity", 3))
    assert not two_sided.program_is_right(("mod3", 3))
