"""What a session does beyond the transcripts: errors, recovery, limits, loads, the reader."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnlimits.commands.rasp_terminal import read_file, repl
from rasp.interpret.library import library_text
from rasp.interpret.session import Session

SLOW = pytest.mark.slow
PIECES = [
    *("a", "=", ";", "(", ")", "[", "]", "{", "}", "def ", "for ", " in ", "1", '"s"', ","),
    *("select(", "aggregate(", "full_s", "indices", " and ", "not ", "==", "\n", "return "),
    *(" if ", " else ", "+", "*", "^", "%", "range(", "len(", "set ", "example ", "#", ":"),
]


def texts(code: str, session: Session | None = None) -> str:
    return "".join(event.text for event in (session or Session()).run(code))


def test_a_forgotten_semicolon_costs_one_message() -> None:
    assert texts("a = 3\nb = 4;") == (
        "\t!! antlr exception: missing ';' at 'b' \t-- ignoring input\n    value: b =  4\n"
    )


def test_errors_point_at_their_place() -> None:
    (event,) = Session().run("x = 1 +\n  indcies;", "demo.rasp")
    assert event.note == (
        "demo.rasp:2:3: Undefined variable: indcies\n"
        "      indcies;\n"
        "      ^^^^^^^\n"
        "    hint: did you mean indices?\n"
    )


def test_an_error_inside_a_function_points_into_the_function() -> None:
    session = Session()
    events = list(session.run("def f(x) {\n  return x + y;\n}\nf(1);", "demo.rasp"))
    assert events[-1].note.startswith("demo.rasp:2:14: Undefined variable: y\n")


@pytest.mark.parametrize(
    "bomb",
    [
        '"a" * 1000000000;',
        "[1] * 1000000000;",
        "2 ^ 100000000000;",
        "range(1000000000000);",
        '"%999999999d" % 1;',
        'a = "aa"; for i in range(100) { a = a + a; }',
        "a = 3; for i in range(100) { a = a * a; }",
        "a = indices + 2; for i in range(100) { a = a * a; }",
        "a = [1]; for i in range(100) { a = a + a; }",
        "def f(x) { return f(x); } f(1);",
        "(" * 100_000,
        "[" * 5_000 + "]" * 5_000 + ";",
        "- " * 50_000 + "1;",
        "not " * 3_000 + "indices;",
        "a = [1]; for i in range(30000) { a = [a]; } a;",
        "9" * 10_000 + ";",
        "x = (indices + 1) / 3; for i in range(60) { x = x * x; } x;",
        "x = (indices + 1) / 3; for i in range(60) { x = x + 1 / x; } x;",
        "x = (indices / 2) * 10 ^ 400; x; [x];",
        "x = 1; for i in range(20) { x = x * 10 ^ 300; } x;",
        "a = [1]; for i in range(60) { a = [a, a]; } a; a + 1; len(3); indices(a);",
        "a = [1]; for i in range(60) { a = [a, a]; } def f(x) { return indices; } f(a); {1: 2}[a];",
        pytest.param("for i in range(1000000) { for j in range(1000000) { a = i; } }", marks=SLOW),
        pytest.param("[[j for j in range(999999)] for i in range(999999)];", marks=SLOW),
        pytest.param("def f(x) { return 1 if x < 1 else f(x-1) + f(x-1); } f(99);", marks=SLOW),
    ],
)
def test_bombs_end_in_a_message_or_a_value(bomb: str) -> None:
    for event in Session().run(bomb):
        assert event.text


def test_long_chains_are_no_recursion() -> None:
    assert texts("1" + "+1" * 20_000 + ";") == "    value: out =  20001\n"


def test_out_is_the_last_statement_not_the_last_subexpression() -> None:
    assert texts('indices + 10;\nout("ab");').endswith("\t =  [10, 11] (ints)\n")


def test_naming_a_value_leaves_other_names_alone() -> None:
    assert "s-op: indices" in texts("a = indices; [indices];")


def test_inputs_that_compare_equal_are_told_apart() -> None:
    assert texts("tokens_asis([1,0]);\ntokens_asis([True,False]);") == (
        "\t =  [1, 0] (ints)\n\t =  [T, F] (bools)\n"
    )


def test_functions_see_later_changes_of_what_they_use() -> None:
    assert texts("x = 1; def f() { return x; } x = 5; f();").endswith("value: out =  5\n")


def test_strict_refuses_extensions() -> None:
    for code in ("a = 1; b = 2;", "[1,2,];", "1 != 2;", 'e"\\n";'):
        (event,) = Session(strict=True).run(code)
        assert event.kind == "syntax", code
        assert all(event.error is None for event in Session().run(code)), code


def test_floats_are_the_authors_when_asked() -> None:
    code = "x = aggregate(full_s, 0.1 + 0 * indices);\n(x == 0.1)(range(10));"
    assert texts(code).endswith("[T]*10 (bools)\n")
    assert texts(code, Session(exact=False)).endswith("[F]*10 (bools)\n")


def test_loading_shows_the_last_value_of_each_name(tmp_path: Path) -> None:
    (tmp_path / "one.rasp").write_text("a = 1;\nb = 2;\n_c = 3;\na = 4;\n")
    (tmp_path / "self.rasp").write_text('load "self";\n')
    session = Session(read=lambda file: (tmp_path / f"{file}.rasp").read_text())
    assert texts('load "one";', session) == "    value: b =  2\n    value: a =  4\n"
    assert "Undefined variable: _c" in texts("_c;", session)
    assert "self.rasp loads itself" in texts('load "self";', session)


def test_packaged_programs_can_be_loaded() -> None:
    assert read_file("paper_examples") == library_text("paper_examples")


def test_the_prompt_reads_a_definition_with_a_comment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = "def f(a) { # note\n  return a;\n}\nf(3);\n:names\nexit\n"
    assert repl(Session(), lines=io.StringIO(lines)) == 0
    out = capsys.readouterr().out
    assert "console function: f(a)" in out
    assert "value: out =  3" in out
    assert "select_next_identical" in out


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=30,
    ).map("".join)
    | st.text(max_size=40)
)
def test_no_text_breaks_a_session(code: str) -> None:
    session = Session()
    list(session.run(code))
    if not session.finished:
        assert texts("1 + 1;", session) == "    value: out =  2\n"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("a, b = 1;", "runtime"),
        ("a, b = indices;", "runtime"),
        ("a, b = [1, 2, 3];", "reject"),
        ('tokens_int("1a");', "runtime"),
        ('indices("");', "reject"),
        ("indices(3);", "reject"),
        ("indices();", "reject"),
        ("full_s + 1;", "reject"),
        ("full_s and indices;", "reject"),
        ("-full_s;", "runtime"),
        ("indicator(3);", "reject"),
        ("aggregate(full_s, full_s);", "reject"),
        ("aggregate(full_s, indices, tokens);", "reject"),
        ("aggregate(full_s, tokens);", "runtime"),
        ("aggregate(select(indices, indices - 1, ==), tokens);", "reject"),
        ("1 / indices if indices > 0 else 0;", "runtime"),
        ("indices if indices > 2 else tokens;", "reject"),
        ('tokens in "ab";', "reject"),
        ("for i in indices { a = i; }", "reject"),
        ("draw(full_s);", "reject"),
        ("3(4);", "unsupported"),
        ("def f(indices) { return 1; } f(2);", "reject"),
        ("max = 3;", "reject"),
        ("def f(a) { length = a; return length; } f(2);", "value"),
        ("aggregate(full_s);", "syntax"),
        ("range();", "syntax"),
        ("def f(a) { a = 1; }", "syntax"),
        ("for i in [1] { }", "syntax"),
        ("load 3;", "syntax"),
    ],
)
def test_families_of_errors(code: str, kind: str) -> None:
    assert list(Session().run(code))[-1].kind == kind


def test_an_error_names_the_input_that_was_given() -> None:
    assert "'a'" in texts('tokens_int("1a");')


def test_names_of_intermediate_results() -> None:
    shown = texts(
        "[indices + 1, not indices, -indices, round(indices), indices and True, indicator(indices),"
        ' tokens[0], indices in [1, 2], "a" in tokens, max(indices, 2)];'
    )
    names = [line.split("s-op: ")[1] for line in shown.splitlines() if "s-op: " in line]
    assert names == [
        "( indices + 1 )",
        "( not indices )",
        "( - indices )",
        "( round indices )",
        "( indices and True)",
        "I(indices)",
        "tokens[0]",
        "indices in [1, 2]",
        "( s-op > 0 )",
        "max(indices , 2)",
    ]
