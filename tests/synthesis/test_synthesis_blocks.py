"""The encodings that only refute, against brute force over all lists and against each other."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from pysat.solvers import Solver

from synthesis import blocks, closing, halves
from synthesis.checker.verify import CertificateError, clauses_of
from synthesis.formula import Formula
from synthesis.peeling import lists_over
from synthesis.spec import Labels, Spec, SpecError

Cells = list[int]


def refuted(formula: Formula) -> bool:
    with Solver(name="cadical195", bootstrap_with=formula.canonical().clauses) as solver:
        return not solver.solve()


def symmetric_functions(n: int) -> Iterator[tuple[str, Labels]]:
    """Yield all answers that depend on the last bit and the number of 1s before it, 1 as last."""
    words = list(product(range(2), repeat=n))
    for count_to_answer in product((False, True), repeat=n):
        if not count_to_answer[0]:  # the opposite answers need the same lists
            yield str(count_to_answer), {w: count_to_answer[sum(w[:-1])] for w in words}


VIEWS: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "as defined": lambda m, j: tuple(range(m if j == closing.OUTSIDE else j)),
    "no outside list": lambda m, j: () if j == closing.OUTSIDE else tuple(range(j)),
    "hardly any list": lambda m, j: (0,) if j == m - 1 > 0 else (),
}
"""What list j sees; with poorer lists some functions do not close, already at this size."""


def systems(m: int, view: Callable[[int, int], tuple[int, ...]], kept: range) -> Iterator[Cells]:
    """Yield the cells of every choice of lists, as sets of words of the m-cube."""
    cube = list(product(range(2), repeat=m))

    def sets(j: int, fixed: dict[int, int]) -> list[Cells]:
        every = lists_over(view(m, j), positive=False)
        return [[_as_set(cube, {**cell, **fixed}) for cell in cells] for cells in every]

    choices = [sets(j, {j: own}) for j in kept for own in range(2)] + [sets(closing.OUTSIDE, {})]
    for chosen in product(*choices):
        yield [cell for cells in chosen for cell in cells]


def _as_set(cube: list[tuple[int, ...]], cell: dict[int, int]) -> int:
    return sum(1 << k for k, w in enumerate(cube) if all(w[i] == v for i, v in cell.items()))


def closes(cells: Cells, yes: int, everything: int) -> bool:
    """Take cells of one answer until nothing is left or nothing can be taken."""
    left, before = everything, 0
    while left != before:
        before = left
        for cell in cells:
            if left & cell & yes in (0, left & cell):
                left &= ~cell
    return left == 0


ENCODERS: dict[str, Callable[[Spec, Labels], Formula]] = {
    "halves": halves.encode,
    "blocks": blocks.encode,
}


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n", [3, 4, 5])
def test_all_symmetric_functions_against_every_choice_of_lists(
    n: int, view: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    m, spec = n - 2, Spec("parity", n, 2, 1, None)
    monkeypatch.setattr(closing, "seen_by", lambda _, j: VIEWS[view](m, j))
    cube = list(product(range(2), repeat=m))
    if name == "halves":
        choices = list(systems(m, VIEWS[view], range(m)))
    else:  # only the last list is kept, and pairs of words that differ in its own bit
        pairs = [_as_set(cube, dict(enumerate(w))) for w in product(range(2), repeat=m - 1)]
        choices = [cells + pairs for cells in systems(m, VIEWS[view], range(m - 1, m))]
    answers = set()
    for function, labels in symmetric_functions(n):
        sets = [sum(1 << k for k, x in enumerate(cube) if labels[*x, v, 1]) for v in range(2)]
        exists = any(closes(cells, yes, (1 << len(cube)) - 1) for yes in sets for cells in choices)
        assert refuted(ENCODERS[name](spec, labels)) is not exists, function
        answers.add(exists)
    assert answers == ({True, False} if n == 5 and view == "hardly any list" else {True})


@pytest.mark.slow
def test_of_the_symmetric_functions_of_seven_bits_only_parity_is_refuted_either_way() -> None:
    spec = Spec("parity", 7, 2, 1, None)
    parity = str(tuple(k % 2 == 1 for k in range(7)))
    alone = [
        name for name, labels in symmetric_functions(7) if refuted(blocks.encode(spec, labels))
    ]
    assert alone == [parity]
    assert refuted(halves.encode(spec))
    assert refuted(closing.encode(spec))
    assert not refuted(halves.encode(Spec("mod3", 7, 2, 1, None)))


def test_premises_are_verified_not_assumed() -> None:
    with pytest.raises(SpecError, match="symmetric"):
        blocks.encode(Spec("first", 5, 2, 1, None))
    with pytest.raises(CertificateError, match="not symmetric"):
        clauses_of(Spec("first", 5, 2, 1, None).as_json(), "blocks", None)
    for wrong in (Spec("parity", 5, 2, 1, None, "full"), Spec("parity", 2, 2, 1, None)):
        with pytest.raises(SpecError, match="causal attention, n >= 3"):
            blocks.encode(wrong)
        with pytest.raises(CertificateError, match="causal, n >= 3"):
            clauses_of(wrong.as_json(), "blocks", None)
    # one half suffices for PARITY (equal up to negation), MOD3 at 8 and MAJORITY (complements)
    for name, n, count in [("parity", 6, 1), ("mod3", 8, 1), ("majority", 6, 1), ("mod3", 7, 2)]:
        labels = Spec(name, n, 2, 1, None).labels()
        assert len(blocks.halves_of(labels, n - 2)) == count
