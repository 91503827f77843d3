"""A right model passes; models with one planted fault each do not."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from rasp import SOp, aggregate, full_s, indices, length, select, selector_width, tokens, tokens_int
from rasp.certify.causal import causal_program
from rasp.certify.variations import single_changes
from rasp.certify.verification import same, verify
from rasp.certify.words import boundary_words, chosen_words
from rasp.compiler.pipeline import compile_program
from rasp.evaluate.engine import evaluate
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.weights.examples import reverse_model
from rasp.weights.matrix import Matrix
from rasp.weights.model import CompiledModel
from rasp.weights.parts import FeedForward, Head, Layer

REVERSE = aggregate(select(indices, length - 1 - indices, "=="), tokens).named("reverse")
HIST = selector_width(select(tokens, tokens, "==")).named("hist")


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def changed(matrix: Matrix, at: int, by: Fraction) -> Matrix:
    values = [value for _, _, value in matrix.entries()]
    values[at] += by
    return Matrix.build(matrix.shape, matrix.rows, matrix.columns, values)


def with_layer(model: CompiledModel, number: int, layer: Layer) -> CompiledModel:
    layers = list(model.layers)
    layers[number] = layer
    return replace(model, layers=tuple(layers))


def with_head(model: CompiledModel, number: int, **parts: object) -> CompiledModel:
    layer = model.layers[number]
    head = replace(layer.heads[0], **parts)  # type: ignore[arg-type]
    return with_layer(model, number, Layer((head, *layer.heads[1:]), layer.feed_forward))


def network(model: CompiledModel, number: int) -> FeedForward:
    found = model.layers[number].feed_forward
    assert found is not None
    return found


def first_head(model: CompiledModel, number: int) -> Head:
    return model.layers[number].heads[0]


@pytest.mark.parametrize("n", [3, 12])
def test_a_right_model_is_right_on_all_words_and_on_chosen_ones(n: int) -> None:
    found = verify(REVERSE, reverse_model("ab", length=n), rng=rng(), exhaustive=20, samples=10)
    assert found.right, found.text()
    assert found.exhaustive == (n == 3)
    assert found.tried > 10
    assert found.gaps["seek"][0] >= found.gaps["seek"][1]
    (errors,) = found.errors
    assert errors.measured <= errors.bound < 0.25


def test_a_changed_weight_is_caught() -> None:
    model = reverse_model("ab", length=6)
    head = first_head(model, 1)
    broken = with_head(model, 1, query=changed(head.query, 0, Fraction(1, 2)))
    found = verify(REVERSE, broken, rng=rng(), exhaustive=200)
    assert not found.right
    assert found.wrong[0].runtime == "exact"
    assert "WRONG" in found.text()


def test_a_moved_threshold_is_caught() -> None:
    model = compile_program(HIST, vocabulary="ab", length=6)
    fed = network(model, 0)
    broken = with_layer(
        model, 0, Layer(model.layers[0].heads, replace(fed, b1=changed(fed.b1, 1, Fraction(1, 9))))
    )
    assert verify(HIST, model, rng=rng()).right
    found = verify(HIST, broken, rng=rng())
    assert not found.right
    assert len(found.wrong[0].word) <= 6


def test_one_slope_for_all_thresholds_is_caught() -> None:
    """The known failure of compilers: steps of slope 100 blur 1/n and 1/(n+1) from n = 10 on."""
    model = reverse_model("ab", length=14)
    fed = network(model, 0)
    entries = {(row, column): max(value, Fraction(-10)) for row, column, value in fed.w1.entries()}
    w1 = Matrix.placed(fed.w1.shape, entries)
    broken = with_layer(model, 0, Layer(model.layers[0].heads, replace(fed, w1=w1)))
    words = ["ab" * 7, "ab" * 4]
    found = verify(REVERSE, broken, words=[tuple(w) for w in words], rng=rng())
    assert not found.right
    assert verify(REVERSE, broken, words=[tuple("abba")], rng=rng()).right


def test_garbage_at_bos_is_caught() -> None:
    model = compile_program(HIST, vocabulary="ab", length=5)
    head = first_head(model, 0)
    begin = model.vocabulary.begin
    entries = {(r, c): v for r, c, v in model.token_embedding.entries()}
    for r, c, v in head.value.entries():
        del c, v
        entries[begin, r] = entries.get((begin, r), Fraction(0)) + 1
        break
    broken = replace(model, token_embedding=Matrix.placed(model.token_embedding.shape, entries))
    assert not verify(HIST, broken, rng=rng()).right


def test_a_separation_that_is_claimed_but_not_kept_is_caught() -> None:
    model = reverse_model("ab", length=5)
    head = first_head(model, 1)
    wide = with_head(model, 1, separation=head.separation * 4)
    found = verify(REVERSE, wide, rng=rng(), exhaustive=100)
    assert found.narrow == ("seek",)
    assert not found.right
    assert "less than 4" in found.text()


def test_the_wrong_program_is_caught_by_a_short_word() -> None:
    found = verify(HIST, compile_program(length.named("n"), vocabulary="ab", length=6), rng=rng())
    assert not found.right
    assert len(found.wrong[0].word) == 2


def test_words_on_which_the_program_fails_are_left_out() -> None:
    inverse = (6 / tokens_int).named("inverse")
    found = verify(inverse, compile_program(inverse, vocabulary="0123", length=2), rng=rng())
    assert found.right
    assert found.skipped == 1 + 7  # the words with a zero
    assert found.tried == 3 + 9


def test_causal_models_are_compared_with_the_causal_program() -> None:
    count = selector_width(full_s).named("count")
    assert evaluate(causal_program(count.node), "aaa") == [1, 2, 3]
    model = compile_program(count, vocabulary="a", length=5, causal=True)
    assert verify(count, model, rng=rng()).right


def test_whole_means_may_differ_in_kind_and_are_counted() -> None:
    share = aggregate(full_s, tokens_int).named("share")
    found = verify(share, compile_program(share, vocabulary="02", length=2), rng=rng())
    assert found.right
    assert found.loose == 2  # one token: the integer itself; the model gives a fraction
    assert "differ in kind" in found.text()


def test_kinds_of_values_are_told_apart() -> None:
    assert same([1, Fraction(1, 3)], [Fraction(1), Fraction(1, 3)])
    assert not same([1], [True])
    assert not same(["1"], [1])
    assert not same([Fraction(1, 3)], [1 / 3 + 1e-6])
    assert same([Fraction(1, 3)], [1 / 3 + 1e-6], 1e-4)


def test_words_cover_the_lengths_where_compilers_go_wrong() -> None:
    scope = chosen_words("()ab", 30, samples=5, rng=rng(), exhaustive=100)
    lengths = {len(word) for word in scope.words}
    assert {1, 2, 29, 30} <= lengths
    assert len(set(scope.words)) == len(scope.words)
    balanced = [w for w in boundary_words("()", 10, rng()) if w.count("(") == w.count(")")]
    assert len(balanced) > 4


def test_random_words_are_new_and_of_every_length() -> None:
    scope = chosen_words("()", 20, samples=300, rng=rng(), exhaustive=100)
    short = {w for w in scope.words if len(w) <= 4}
    assert "300 random words of all lengths" in scope.text
    assert {len(w) for w in scope.words} == set(range(1, 21))
    assert len(scope.words) > 400
    assert all(sum(len(w) == n for w in scope.words) > 5 for n in range(5, 21))
    assert len(short) == 30
    near = set(single_changes("()", 20, rng()))
    assert {("(",) * p + (")",) + ("(",) * (19 - p) for p in range(20)} <= near


def test_a_weight_that_is_wrong_late_in_few_words_is_caught() -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    dyck = session.console.variables["dyck1_ptf"]
    assert isinstance(dyck, SOp)
    model = compile_program(dyck, vocabulary="()", length=20, name="dyck1_ptf")
    query = first_head(model, 1).query
    broken = with_head(model, 1, query=changed(query, 124, Fraction(-1)))
    found = verify(dyck, broken, rng=rng(), samples=2000, runtimes=(), exhaustive=100)
    assert found.wrong
    assert verify(dyck, model, rng=rng(), samples=500, runtimes=(), exhaustive=100).right


def test_what_a_model_says_about_itself_is_compared_with_what_it_does() -> None:
    model = compile_program(REVERSE, vocabulary="ab", length=4, name="reverse")
    right = verify(REVERSE, model, rng=rng(), causal=False, prediction=True)
    assert right.right
    assert not right.false

    def relabelled(named: str, meant: object, **change: object) -> CompiledModel:
        at = next(d for d in model.basis if (d.label, d.value) == (named, meant))
        return replace(
            model,
            basis=tuple(replace(d, **change) if d is at else d for d in model.basis),  # type: ignore[arg-type]
        )

    first = "indicator(indices == 0)"
    number = next(d for d in model.basis if d.label == first).value
    for wrong, what in (
        (
            relabelled("tokens_asis", "a", value="b"),
            "is labelled tokens_asis, 'b', which it is not",
        ),
        (
            relabelled("indicator(indices == 0)", number, label="tokens_asis"),
            "tokens_asis, its value",
        ),
        (relabelled("indices", number, label="indices * indices"), "indices * indices"),
        (replace(model, causal=True), "has a causal mask: the program is meant without"),
        (replace(model, predicted=(1, (1,))), "the analysis gives layers and heads"),
    ):
        found = verify(REVERSE, wrong, rng=rng(), causal=False, prediction=True)
        assert not found.right
        assert what in found.text()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("bos", [False, True])
@pytest.mark.parametrize("name", ["hist_nobos", "sort_bos", "dyck1_ptf"])
def test_right_models_say_nothing_false(name: str, bos: bool, causal: bool) -> None:
    session = Session(read=library_text)
    list(session.run('load "paper_examples";'))
    program = session.console.variables[name]
    assert isinstance(program, SOp)
    symbols = "()" if name == "dyck1_ptf" else "ab"
    model = compile_program(
        program, vocabulary=symbols, length=4, name=name, bos=bos, causal=causal
    )
    found = verify(
        program,
        model,
        rng=rng(),
        causal=causal,
        prediction=True,
        runtimes=(),
        exhaustive=40,
        samples=5,
    )
    assert found.false == ()
