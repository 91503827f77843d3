"""What cannot be compiled is refused with reasons; the parts of the compiler on their own."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasp import aggregate, best, indices, select, selector_width, tokens, tokens_float, tokens_int
from rasp.compiler import NotCompilableError, SettingError, check_program, compile_program
from rasp.compiler.domains import Means
from rasp.compiler.findings import NotHere
from rasp.compiler.selections import cubes
from rasp.compiler.tables import combine, leaf
from rasp.evaluate.engine import matrix
from rasp.graph import And, Best, Not, Select, SelectorNode
from rasp.interpret.library import library_text
from rasp.interpret.session import Session
from rasp.sops import SOp

SAME = select(tokens, tokens, "==")
MEAN = aggregate(SAME, indices)


def reasons(program: SOp, **setting: object) -> list[str]:
    options = {"vocabulary": "ab", "length": 60, **setting}
    with pytest.raises(NotCompilableError) as refusal:
        compile_program(program, **options)  # type: ignore[arg-type]
    found = check_program(program, **options)  # type: ignore[arg-type]
    assert [str(f) for f in refusal.value.findings] == [str(f) for f in found]
    for finding in found:
        assert str(finding) in str(refusal.value)
    return [finding.reason for finding in found]


def test_comparing_means_of_long_words_is_refused() -> None:
    assert reasons(selector_width(select(MEAN, MEAN, "<")), length=100) == [
        "it takes too many values to list them"
    ]


def test_every_reason_is_listed() -> None:
    nested = best(SAME, indices).node
    inside = aggregate(SAME, tokens_float) * 2
    wrong = SOp(selector_width(SAME).node.__class__(And(nested, Not(nested))))
    program = wrong + inside + aggregate(select(MEAN, MEAN, "<="), tokens_int)
    found = reasons(program, vocabulary="01", length=200)
    assert len(found) >= 3
    assert any("best" in reason for reason in found)
    assert any("floats" in reason for reason in found)


def test_a_mean_with_a_default_that_is_no_number_is_refused() -> None:
    assert "default" in reasons(aggregate(select(tokens, tokens, "<"), indices, "none"))[0]


def test_best_inside_other_selectors_is_refused() -> None:
    inner = Best(SAME.node, indices.node, indices.node)
    program = SOp(selector_width(SAME).node.__class__(Not(inner)))
    assert any("best" in reason for reason in reasons(program))


def test_casts_that_no_symbol_survives_are_refused() -> None:
    assert "cast" in reasons(tokens_int + 1)[0]


def test_absurd_sizes_are_refused_before_any_work() -> None:
    for setting in (
        {"length": 0}, {"length": 10**9}, {"length": 2.5}, {"vocabulary": ""},
        {"vocabulary": "aa"}, {"vocabulary": range(10**6)}, {"vocabulary": [None]},
        {"vocabulary": ["a", float("inf")]}, {"vocabulary": [float("nan")]}, {"vocabulary": 5},
    ):  # fmt: skip
        with pytest.raises(SettingError):
            compile_program(tokens, **{"vocabulary": "ab", "length": 4, **setting})  # type: ignore[arg-type]


def test_a_program_of_many_numbers_at_once_is_refused_not_guessed() -> None:
    means = [aggregate(select(tokens, letter, "=="), indices) for letter in "abcd"]
    assert reasons(means[0] * means[1], vocabulary="abcd", length=200)


def test_models_without_bos_say_why_they_have_more_layers() -> None:
    session = Session()
    list(session.run(library_text("paper_examples")))
    node = session.console.variables["hist_nobos"].node
    model = compile_program(node, vocabulary="ab", length=5, bos=False)
    assert model.depth == 2
    assert any("symbol and position" in note for note in model.notes)
    assert compile_program(tokens, vocabulary="ab", length=5).notes == ()


def selectors() -> st.SearchStrategy[SelectorNode]:
    sides = st.sampled_from([tokens.node, (tokens + "x").node])
    one: st.SearchStrategy[SelectorNode] = st.builds(
        Select, sides, sides, st.sampled_from(["==", "!=", "<", ">="])
    )
    return st.recursive(
        one, lambda s: st.builds(And, s, s) | st.builds(Not, s) | st.builds(_or, s, s), max_leaves=5
    )


def _or(left: SelectorNode, right: SelectorNode) -> SelectorNode:
    return Not(And(Not(left), Not(right)))


@given(selector=selectors())
def test_cubes_are_disjoint_and_make_up_the_selector(selector: SelectorNode) -> None:
    word = ["a", "ax", "axx", "b"]
    total = np.zeros((4, 4), int)
    for cube in cubes(selector):
        part = np.ones((4, 4), bool)
        for literal in cube:
            part &= np.array(matrix(Select(literal.keys, literal.queries, literal.op), word))
        total += part
    assert (total == np.array(matrix(selector, word)).astype(int)).all()


@given(
    low=st.integers(-3, 0), high=st.integers(1, 4), most=st.integers(1, 7), top=st.fractions(-3, 4)
)
def test_margins_separate_a_cut_from_all_other_means(
    low: int, high: int, most: int, top: Fraction
) -> None:
    cut = top.limit_denominator(5)
    means = Means(Fraction(low), Fraction(high), Fraction(1), Fraction(low), most)
    listed = means.listed(10_000)
    assert listed is not None
    assert all(value == cut or abs(value - cut) >= means.margin(cut) for value in listed)


def test_tables_refuse_to_explode() -> None:
    wide = [leaf(digest, range(200)) for digest in range(3)]
    with pytest.raises(NotHere, match="cells"):
        combine("+", lambda a, b: a + b, [combine("+", lambda a, b: a + b, wide[:2]), wide[2]])


def test_findings_name_unnamed_parts_by_their_text_and_causes_once() -> None:
    program = aggregate(SAME, tokens_float) * 2
    assert "s-op" in program.name
    (finding,) = check_program(program + 1, vocabulary="01", length=9)
    assert finding.part == "aggregate(select(tokens_str, tokens_str, ==), tokens_float)…"
    assert check_program((program + 1).named("twice"), vocabulary="01", length=9) == (finding,)
    with pytest.raises(NotCompilableError, match=r"^cannot compile aggregate\("):
        compile_program(program, vocabulary="01", length=9)


def test_means_of_means_compile_as_far_as_documented() -> None:
    up_to, before = select(indices, indices, "<="), select(indices, indices, "<")
    second = aggregate(up_to, MEAN)
    third = aggregate(SAME, second)

    def compiled(program: SOp, length: int, *, bos: bool = True) -> bool:
        return not check_program(program, vocabulary="ab", length=length, bos=bos)

    for linear in (second, third, third * 2 + second):
        assert compiled(linear, 50)
        assert compiled(linear, 50, bos=False)
    assert compiled(second > 1, 12)
    assert not compiled(second > 1, 13)
    assert not compiled(third > 1, 4)
    assert compiled(aggregate(before, MEAN), 50)
    assert compiled(aggregate(before, MEAN), 12, bos=False)
    assert not compiled(aggregate(before, MEAN), 13, bos=False)
    assert not compiled(aggregate(before, aggregate(before, indices)), 4, bos=False)


def test_too_many_values_are_refused_with_their_number() -> None:
    symbols = [str(number) for number in range(3000)]
    assert reasons(tokens_int * 10 + indices, vocabulary=symbols, length=15) == [
        "it takes 30005 values: at most 20000"
    ]
