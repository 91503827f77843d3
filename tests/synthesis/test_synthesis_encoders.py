"""The encoders against enumeration, against each other, and against the checker's clauses."""

from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from attention.hard import evaluate_batch
from languages.registry import language
from synthesis import apart, encodings, level, order, relabelled, symmetric, uniform
from synthesis.checker.meaning import belongs, letters
from synthesis.checker.verify import CertificateError, clauses_of, digest, number
from synthesis.formula import Cnf, Formula
from synthesis.peeling import exact, lists_over, relaxed
from synthesis.spec import Labels, Spec


def solved(formula: Formula) -> tuple[Cnf, list[int] | None]:
    cnf = formula.canonical()
    with Solver(name="cadical195", bootstrap_with=cnf.clauses) as solver:
        return cnf, solver.get_model() if solver.solve() else None


def labelled(n: int, truth: int) -> Labels:
    return {w: bool(truth >> k & 1) for k, w in enumerate(product(range(2), repeat=n))}


def computable_by_enumeration() -> set[int]:
    """Truth tables of one layer, one head, n = 3: every ranking and every table, by brute force."""
    pairs = [(j, v) for j in range(2) for v in range(2)]
    halves = {z: set() for z in range(2)}
    for z, ranking, table in product(range(2), permutations(pairs), range(16)):
        outputs = []
        for word in product(range(2), repeat=2):
            attended = next(p for p in ranking if word[p[0]] == p[1])
            outputs.append(table >> pairs.index(attended) & 1)
        halves[z].add(tuple(outputs))
    tables = set()
    for zero, one in product(halves[0], halves[1]):
        words = product(range(2), repeat=3)
        bits = [(zero, one)[w[2]][2 * w[0] + w[1]] for w in words]
        tables.add(sum(b << k for k, b in enumerate(bits)))
    return tables


def test_all_256_functions_of_three_bits_agree_with_enumeration() -> None:
    truth = computable_by_enumeration()
    assert len(truth) == 196
    spec = Spec("parity", 3, 1, 1)
    for encoder in (order.encode, level.encode, apart.encode):
        found = {t for t in range(256) if solved(encoder(spec, labelled(3, t)))[1] is not None}
        assert found == truth


@settings(max_examples=6, deadline=None)
@given(truth=st.integers(0, 2**16 - 1), full=st.booleans(), symbols=st.sampled_from([2, 3]))
def test_order_and_level_agree_on_random_functions(truth: int, full: bool, symbols: int) -> None:
    spec = Spec("parity", 4, 2, 1, symbols, "full" if full else "causal")
    labels = labelled(4, truth)
    answers = [solved(e(spec, labels))[1] is not None for e in (order.encode, level.encode)]
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_order_and_level_agree_on_a_refuted_two_layer_function() -> None:
    spec = Spec("parity", 6, 2, 1)
    truth = np.random.default_rng(1).integers(0, 2, size=64)  # one of few random ones out of reach
    labels = {w: bool(t) for w, t in zip(spec.inputs(), truth, strict=True)}
    assert solved(level.encode(spec, labels))[1] is None
    assert solved(order.encode(spec, labels))[1] is None


CELLS = [
    (Spec("parity", 1, 1, 1), "level"),
    (Spec("parity", 4, 1, 2), "order"),
    (Spec("dyck1", 4, 1, 1), "level"),
    (Spec("dyck2", 4, 1, 1, 2, "full"), "order"),
    (Spec("mod3", 3, 2, 1, 3), "level"),
    (Spec("mod3", 3, 2, 2, 2, "full"), "order"),
    (Spec("majority", 4, 2, 1, 2, "full"), "level"),
    (Spec("ones", 3, 3, 1, 2), "order"),
    (Spec("majority", 4, 1, 2), "symmetric"),
    (Spec("parity", 1, 1, 1), "symmetric"),
    (Spec("parity", 2, 1, 1), "apart"),
    (Spec("mod3", 4, 1, 3, 2, "full"), "apart"),
    (Spec("dyck2", 4, 1, 2), "apart"),
    (Spec("parity", 2, 2, 1, None), "closing"),
    (Spec("parity", 5, 2, 1, None), "closing"),
    (Spec("parity", 5, 2, 1, None, "full"), "closing"),
    (Spec("parity", 2, 2, 1, None), "halves"),
    (Spec("mod3", 5, 2, 1, None), "halves"),
    (Spec("majority", 5, 2, 1, None, "full"), "halves"),
    (Spec("parity", 3, 2, 1, None), "blocks"),
    (Spec("mod3", 7, 2, 1, None), "blocks"),
    (Spec("majority", 6, 2, 1, None), "blocks"),
    (Spec("mod3", 4, 2, 1, None), "cells"),
    (Spec("first", 3, 2, 1, None, "full"), "cells"),
    (Spec("dyck2", 2, 2, 1, None), "cells"),
    (Spec("parity", 3, 2, 1, 2, "uniform"), "uniform"),
    (Spec("first", 3, 1, 2, 3, "uniform", "rightmost"), "uniform"),
    (Spec("parity", 3, 2, 1, 3, "uniform"), "relabelled"),
    (Spec("mod3", 2, 1, 2, 4, "uniform", "rightmost"), "relabelled"),
]


@pytest.mark.parametrize(("spec", "encoding"), CELLS, ids=lambda c: str(c)[:60])
def test_the_checker_regenerates_the_same_clauses(spec: Spec, encoding: encodings.Encoding) -> None:
    searched = encodings.encode(spec, encoding).canonical()
    names, clauses = number(clauses_of(spec.as_json(), encoding, None))
    assert tuple(clauses) == searched.clauses
    assert digest(names, clauses) == searched.digest()


SATISFIABLE = [
    (Spec("parity", 2, 1, 1), "level"),
    (Spec("parity", 3, 1, 2), "order"),
    (Spec("dyck2", 4, 1, 2), "order"),
    (Spec("majority", 5, 1, 2), "symmetric"),
    (Spec("mod3", 4, 1, 2), "symmetric"),
    (Spec("dyck2", 4, 1, 2), "apart"),
    (Spec("majority", 5, 1, 2), "apart"),
    (Spec("parity", 5, 2, 1), "level"),
    (Spec("parity", 5, 2, 1), "order"),
    (Spec("mod3", 4, 2, 1, 3, "full"), "level"),
    (Spec("mod3", 4, 2, 2, 3), "order"),
    (Spec("parity", 4, 3, 1, 2), "order"),
    (Spec("parity", 2, 2, 1, None), "closing"),
    (Spec("parity", 6, 2, 1, None), "closing"),
    (Spec("parity", 7, 2, 1, None, "full"), "closing"),
    (Spec("mod3", 6, 2, 1, None), "cells"),
    (Spec("majority", 5, 2, 1, None, "full"), "cells"),
    (Spec("dyck1", 6, 2, 1, None), "cells"),
    (Spec("parity", 3, 2, 1, 3, "uniform"), "uniform"),
    (Spec("parity", 2, 1, 2, 3, "uniform", "rightmost"), "uniform"),
    (Spec("parity", 3, 1, 2, 3, "uniform"), "relabelled"),
    (Spec("parity", 3, 2, 1, 3, "uniform"), "relabelled"),
]


@pytest.mark.parametrize(("spec", "encoding"), SATISFIABLE, ids=lambda c: str(c)[:60])
def test_every_model_is_a_machine_that_two_evaluators_find_right(
    spec: Spec, encoding: encodings.Encoding
) -> None:
    cnf, model = solved(encodings.encode(spec, encoding))
    assert model is not None
    machine = encodings.read(spec, encoding, frozenset(cnf.names[v - 1] for v in model if v > 0))
    assert machine.mistakes() == []
    words = np.array([w for w in spec.inputs() if len(w) == spec.n], dtype=np.uint8)
    assert (evaluate_batch(machine.as_tables(), words) == spec.target.members(words)).all()


def test_symmetric_and_order_agree_on_all_symmetric_functions() -> None:
    spec = Spec("parity", 4, 1, 1)
    # an answer for every (number of ones among three, last bit), up to negation
    for truth in range(2**7):
        words = product(range(2), repeat=4)
        labels = {w: bool(truth >> (4 * w[-1] + sum(w[:-1])) & 1) for w in words}
        ways = (symmetric.encode, level.encode, apart.encode)
        assert len({solved(encode(spec, labels))[1] is not None for encode in ways}) == 1


def test_relabelled_and_uniform_agree_on_functions_of_short_words() -> None:
    for layers, heads, size, ties in (
        (1, 1, 2, "leftmost"),
        (1, 1, 3, "rightmost"),
        (2, 1, 2, "leftmost"),
    ):
        spec = Spec("parity", 2, layers, heads, size, "uniform", ties)
        words = list(spec.inputs())
        for truth in range(0, 2 ** len(words), 3):
            labels = {w: bool(truth >> k & 1) for k, w in enumerate(words)}
            answers = [
                solved(e(spec, labels))[1] is not None for e in (uniform.encode, relabelled.encode)
            ]
            assert answers[0] == answers[1]


def test_symmetry_is_demanded_not_assumed() -> None:
    with pytest.raises(ValueError, match="symmetric language"):
        symmetric.encode(Spec("dyck1", 4, 1, 2))
    with pytest.raises(CertificateError, match="not symmetric"):
        clauses_of(Spec("first", 4, 1, 2).as_json(), "symmetric", None)
    with pytest.raises(CertificateError, match="not symmetric"):  # words with a gap
        clauses_of(Spec("parity", 4, 1, 2).as_json(), "symmetric", ["0100", "0010"])


def test_level_count_is_enough_and_one_less_is_not() -> None:
    needed = 0
    for cells in lists_over((0, 1), positive=False):
        for labels in product(range(2), repeat=len(cells)):
            blocks = 1 + sum(a != b for a, b in pairwise(labels))
            swapped = (*labels[:-2], labels[-1], labels[-2])
            other = 1 + sum(a != b for a, b in pairwise(swapped))
            best = min(blocks + (labels[0] != 0), other + (swapped[0] != 0))
            needed = max(needed, best)
    assert needed == level.level_count(2, 2)


@pytest.mark.parametrize(
    "name", ["parity", "mod3", "mod4", "majority", "first", "ones", "dyck1", "dyck2"]
)
def test_the_checkers_own_membership_agrees_with_the_languages(name: str) -> None:
    target = language(name)
    assert letters(name) == len(target.alphabet)
    for n in range(1, 7 if letters(name) == 2 else 5):
        for word in product(range(letters(name)), repeat=n):
            text = [target.alphabet[s] for s in word]
            assert belongs(name, word) == target.contains(text)


def test_peeling_counts_families() -> None:
    assert (exact(3).cases, exact(3).closed) == (96, 88)
    assert relaxed(3).closed >= exact(3).closed
    assert relaxed(2).closed == 2


def test_closing_and_peeling_agree_where_both_are_exact() -> None:
    for m in (1, 2, 3, 4):
        spec = Spec("parity", m + 2, 2, 1, None)
        _, model = solved(encodings.encode(spec, "closing"))
        assert (model is not None) == (m > 3 or exact(m).closed > 0)


def without(group: str):
    return lambda formula: formula.groups.pop(group, None)


def with_units(*literals: tuple[bool, tuple[object, ...]]):
    return lambda formula: [formula.add("fault", literal) for literal in literals]


def flipped(formula: Formula) -> None:
    clause = next(iter(formula.groups["answer"]))
    del formula.groups["answer"][clause]
    formula.add("answer", *((not sign, name) for sign, name in clause))


FAULTS = {
    "no transitivity": (order, without("order")),
    "attention without an order": (order, without("attend")),
    "no answers": (order, without("answer")),
    "one clause flipped": (order, flipped),
    "position 0 always preferred": (order, with_units(
        *((True, ("before", 1, 0, 2, 0, (0, v), (1, w))) for v, w in product(range(2), repeat=2))
    )),
    "a 0 always accepted": (order, with_units(
        *((True, ("accept", 1, 2, 0, ((j, 0),))) for j in range(2))
    )),
    "levels without answers": (level, without("answer")),
    "words never told apart": (apart, without("apart")),
    "heads sorted both ways": (apart, with_units(
        *((False, ("top", 0, own, (1, v))) for own, v in product(range(2), repeat=2))
    )),
    "a level forbidden": (level, with_units(
        *((False, ("rank", 0, j, v, 0)) for j, v in product(range(2), repeat=2))
    )),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_miss_the_196_and_the_digest(fault: str) -> None:
    encoder, spoil = FAULTS[fault]
    spec = Spec("parity", 3, 1, 1)
    found = set()
    for truth in range(256):
        formula = encoder.encode(spec, labelled(3, truth))
        spoil(formula)
        if solved(formula)[1] is not None:
            found.add(truth)
    assert found != computable_by_enumeration()
    spec = Spec("first", 3, 1, 1)  # PARITY happens to forbid that level itself
    formula = encoder.encode(spec)
    spoil(formula)
    name = encoder.__name__.rpartition(".")[2]
    names, clauses = number(clauses_of(spec.as_json(), name, None))
    assert digest(names, clauses) != formula.canonical().digest()


def test_a_level_too_few_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # short lists exist, long ones do not, and some functions vanish
    honest = level.level_count
    monkeypatch.setattr(level, "level_count", lambda p, s: max(2, honest(p, s) - 1))
    spec = Spec("parity", 3, 1, 1)
    found = {t for t in range(256) if solved(level.encode(spec, labelled(3, t)))[1] is not None}
    assert found != computable_by_enumeration()
    names, clauses = number(clauses_of(spec.as_json(), "level", None))
    assert digest(names, clauses) != level.encode(spec).canonical().digest()


def test_absurd_specs_are_refused_with_the_reason() -> None:
    good = Spec("parity", 3, 1, 1)
    for change, reason in [
        ({"n": 0}, "n=0"),
        ({"heads": 0}, "heads=0"),
        ({"layers": 0}, "layers=0"),
        ({"alphabet": 1}, "alphabet=1"),
        ({"language": "prity"}, "unknown language"),
        ({"n": 40}, "fit in memory"),
        ({"variant": "masked"}, "variant="),
        ({"ties": "middle"}, "ties="),
        ({"variant": "uniform", "alphabet": None}, "finite alphabet"),
    ]:
        with pytest.raises(ValueError, match=reason):
            replace(good, **change)
    with pytest.raises(ValueError, match="closing encoding"):
        encodings.choose(Spec("mod3", 1, 2, 1, None))
    with pytest.raises(ValueError, match="for parity"):
        encodings.encode(Spec("mod3", 5, 2, 1, None), "closing")
    with pytest.raises(ValueError, match="symmetric language"):
        encodings.encode(Spec("first", 5, 2, 1, None), "halves")
    with pytest.raises(CertificateError, match="not symmetric"):
        clauses_of(Spec("first", 5, 2, 1, None).as_json(), "halves", None)
    with pytest.raises(ValueError, match="only refutes"):
        encodings.read(Spec("mod3", 5, 2, 1, None), "halves", frozenset())


def test_cells_halves_and_closing_agree_on_parity_and_two_layers_on_nothing_more() -> None:
    assert solved(encodings.encode(Spec("parity", 6, 2, 1, None), "halves"))[1] is not None
    # whatever a small alphabet can do, an unbounded one can
    for name, n in (("mod3", 5), ("majority", 4), ("dyck1", 4)):
        small = solved(encodings.encode(Spec(name, n, 2, 1, 2), "level"))[1]
        assert small is not None
        assert solved(encodings.encode(Spec(name, n, 2, 1, None), "cells"))[1] is not None
