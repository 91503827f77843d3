import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from languages import LanguageError, language
from languages.sensitivity import TruthTable, truth_table


def brute(n, values):
    """Sensitivities and certificate sizes from the definitions."""

    def flip(x, mask):
        return values[x ^ mask]

    sens = [sum(values[x] != flip(x, 1 << j) for j in range(n)) for x in range(2**n)]
    cert = []
    for x in range(2**n):
        for size in range(n + 1):
            if any(
                all(
                    values[y] == values[x]
                    for y in range(2**n)
                    if all((y ^ x) >> j & 1 == 0 for j in fixed)
                )
                for fixed in itertools.combinations(range(n), size)
            ):
                cert.append(size)
                break
    return max(sens), Fraction(sum(sens), 2**n), max(cert)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(0, 2**16 - 1))
def test_all_measures_agree_with_their_definitions(n, code) -> None:
    values = [bool(code >> x & 1) for x in range(2**n)]
    table = TruthTable.of_values(n, np.array(values))
    assert (
        table.sensitivity(),
        table.average_sensitivity(),
        table.certificate_complexity(),
    ) == brute(n, values)


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("parity", 12, (12, Fraction(12), 12)),
        ("first", 8, (1, Fraction(1), 1)),
        ("ones", 8, (8, Fraction(16, 256), 8)),
        ("majority", 7, (4, Fraction(2 * 4 * 35, 128), 4)),
    ],
)
def test_known_languages(name, n, expected) -> None:
    table = truth_table(language(name), n)
    assert (
        table.sensitivity(),
        table.average_sensitivity(),
        table.certificate_complexity(),
    ) == expected


def test_parity_of_18_bits_is_everywhere_sensitive() -> None:
    table = truth_table(language("parity"), 18)
    assert table.sensitivity() == 18
    with pytest.raises(LanguageError, match="n <= 24"):
        truth_table(language("parity"), 25)
    with pytest.raises(LanguageError, match="two"):
        truth_table(language("dyck2"), 4)
