"""What the claims about RASP rest on: programs, specifications, the words they range over."""

from claims import collect
from proofs.weiss2021 import dyck
from proofs.weiss2021.programs import dyck_prefixes, dyck_program
from proofs.weiss2021.restricted import Cut
from rasp.profiles import Profile

CLAIMS = collect("proofs.weiss2021")


def test_every_label_is_there() -> None:
    labels = {label for claim in CLAIMS.values() for label in claim.labels}
    assert {"R1", "R5", "R6"} <= labels


def test_a_wrong_program_would_be_caught() -> None:
    cases = [case for case in dyck._words() if case[0] == 2]
    wrong = sum(dyck_program(1)(word) != dyck_prefixes(word, 2) for _, word in cases)
    assert wrong > len(cases) // 2


def test_canonical_words_number_their_kinds_in_order() -> None:
    assert list(dyck._growth(3)) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]


def test_an_unrestricted_program_survives() -> None:
    assert Cut("reverse", Profile("full")).survives()
