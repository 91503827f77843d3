import pytest
from hypothesis import given
from hypothesis import strategies as st

from restrictions.packing import PackedRows

SIZES = st.sampled_from([3, 2**20, 2**62, 2**63 - 1, 2**63, 2**64, 2**130])


@given(st.data(), st.integers(1, 4), st.integers(0, 5))
def test_packed_products_are_exact_at_any_size(data, rows, columns) -> None:
    sizes = [data.draw(SIZES) for _ in range(2)]
    entry, factor = (st.integers(-size, size) for size in sizes)
    matrix = [[data.draw(entry) for _ in range(columns)] for _ in range(rows)]
    x = [data.draw(factor) for _ in range(rows)]
    packed = PackedRows(matrix)
    expected = [sum(a * row[t] for a, row in zip(x, matrix, strict=True)) for t in range(columns)]
    assert packed.times(x) == expected
    assert packed.times([-a for a in x]) == [-entry for entry in expected]


@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 2**127 - 1, 2**127])
def test_slots_are_wide_enough_at_the_edge(size) -> None:
    packed = PackedRows([[size, -size, 0, size]])
    for sign in (1, -1):
        assert packed.times([sign]) == [sign * size, -sign * size, 0, sign * size]
