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


@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize(
    ("name", "expected"),
    [("majority", 11), ("mod3", 20), ("anbn", 20), ("dyck1", 20), ("first", 1)],
)
def test_certificate_complexity_of_languages_at_20_bits(name, expected) -> None:
    assert truth_table(language(name), 20).certificate_complexity() == expected


def test_certificates_are_searched_where_no_closed_form_helps() -> None:
    """A multiplexer: 3 bits choose one of 8 others, so 4 positions force each output."""
    inputs = np.arange(2**13)
    chosen = (inputs >> (3 + (inputs & 7))) & 1
    table = TruthTable.of_values(13, chosen == 1)  # two positions are irrelevant
    assert (table.sensitivity(), table.certificate_complexity()) == (4, 4)
    # an OR of disjoint ANDs: one AND of 4 forces a 1, a 0 in each of 3 forces a 0
    ands = [(inputs >> 4 * k) & 15 == 15 for k in range(3)]
    tribes = TruthTable.of_values(13, ands[0] | ands[1] | ands[2])
    assert tribes.certificate_complexity() == 4
    with pytest.raises(LanguageError, match="steps"):
        tribes.certificate_complexity(steps=3)


def test_parity_of_18_bits_is_everywhere_sensitive() -> None:
    table = truth_table(language("parity"), 18)
    assert table.sensitivity() == 18
    with pytest.raises(LanguageError, match="n <= 24"):
        truth_table(language("parity"), 25)
    with pytest.raises(LanguageError, match="two"):
        truth_table(language("dyck2"), 4)
