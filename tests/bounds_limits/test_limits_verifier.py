"""The verifier accepts what the lemmas prove and refuses everything next to it."""

import ast
import copy
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

import bounds.limits
from bounds.limits.decide import decide as verify
from bounds.limits.verifier import ONE, code, load, tails, wide_leaves
from bounds.limits.verifier_exact import covered_exactly

SCHEMA = "attention-limits/n0/1"


def limit(layers: int, heads: int, n0: int, *stages: dict[str, Any], **more: Any) -> dict[str, Any]:
    part: dict[str, Any] = {"from": n0, "to": None, "stages": list(stages)}
    if "share" in more:
        part["share"] = more.pop("share")
    base = {"schema": SCHEMA, "task": "parity", "layers": layers, "heads": heads, "n0": n0}
    return {**base, "padding": 0, "modulus": 2, "ranges": [part], **more}


def two(s: int, choice: str = "tuples") -> dict[str, Any]:
    return {"kind": "last-two", "s": s, "choice": choice}


def three(w: list[int], s: int, choice: str = "tuples") -> dict[str, Any]:
    return {"kind": "last-three", "w": w, "s": s, "choice": choice}


def both(p: str, narrow: int, w: int) -> dict[str, Any]:
    return {"kind": "two-layers", "p": p, "narrow": narrow, "w": w}


PROVED = [
    limit(1, 1, 3, {"kind": "last"}),
    limit(2, 1, 14, two(4)),
    limit(2, 2, 52, two(12)),
    limit(2, 8, 550, two(119)),
    limit(3, 1, 311, three([9], 6)),
    limit(3, 4, 7813, three([24], 55)),
    limit(3, 1, 265, three([10, 7, 4, 2], 6, "sets")),
    limit(4, 2, 199460, both("261/40000", 14, 7), two(32)),
    limit(
        5,
        1,
        3500928,
        both("2773/250000", 8, 4),
        {"kind": "next-layer", "p": "14781/500000", "w": 10},
        two(16),
    ),
]


@pytest.mark.parametrize("cert", PROVED, ids=lambda c: f"L{c['layers']}H{c['heads']}")
def test_stored_parameters_establish_their_length(cert: dict[str, Any]) -> None:
    assert verify(cert).ok, verify(cert).reasons


@pytest.mark.parametrize(
    ("layers", "heads", "n0", "s"), [(2, 1, 13, 4), (2, 2, 51, 12), (2, 8, 549, 119)]
)
def test_one_length_less_is_refused(layers: int, heads: int, n0: int, s: int) -> None:
    report = verify(limit(layers, heads, n0, two(s)))
    assert not report.ok
    assert "not below 1" in report.reasons[0]


def _altered(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    cert: Any = copy.deepcopy(PROVED[7])
    spot = cert
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return dict(cert)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("heads",), 0),
        (("layers",), 0),
        (("layers",), 5),
        (("n0",), 0),
        (("n0",), 199459),
        (("padding",), -1),
        (("task",), "majority"),
        (("schema",), "something"),
        (("ranges", 0, "from"), 199459),
        (("ranges", 0, "stages", 0, "p"), "1"),
        (("ranges", 0, "stages", 0, "p"), "3/2"),
        (("ranges", 0, "stages", 0, "p"), "0"),
        (("ranges", 0, "stages", 0, "narrow"), 1),
        (("ranges", 0, "stages", 0, "w"), 0),
        (("ranges", 0, "stages", 0, "w"), 5),
        (("ranges", 0, "stages", 1, "s"), 10**6),
        (("ranges", 0, "stages", 1, "s"), 1),
        (("ranges", 0, "stages", 1, "choice"), "anything"),
        (("ranges", 0, "stages", 1, "kind"), "last-three"),
        (("ranges", 0, "stages"), []),
        (("ranges", 0, "to"), 199470),
        (("ranges",), []),
    ],
)
def test_altered_certificates_are_refused(path: tuple[Any, ...], value: Any) -> None:
    assert not verify(_altered(path, value)).ok


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("modulus",), 3, "modulus = 3"),
        (("ranges", 0, "stages", 0, "p"), 0.0001, "write a fraction as text"),
        (("ranges", 0, "stages", 1, "choice"), "anything", "'anything' is a missing field or"),
        (("ranges", 0, "stages"), [{"kind": "last-two"}], "wrong number of layers"),
    ],
)
def test_a_refusal_says_what_is_wrong(path: tuple[Any, ...], value: Any, words: str) -> None:
    assert words in verify(_altered(path, value)).reasons[0]


def test_single_lengths_must_join_the_open_range() -> None:
    exact = {"from": 13, "to": 13, "stages": [{"kind": "two-exactly", "s": 4}]}
    rest = {"from": 14, "to": None, "stages": [two(4)]}
    cert = limit(2, 1, 13)
    assert verify({**cert, "ranges": [exact, rest]}).ok
    assert not verify({**cert, "ranges": [exact, {**rest, "from": 15}]}).ok
    assert not verify({**cert, "ranges": [{**exact, "to": None}]}).ok
    assert not verify({**cert, "n0": 12, "ranges": [{**exact, "from": 12}, rest]}).ok


def test_codes_of_one_literal_list_follow_the_series_by_hand() -> None:
    # tree of one bit, then a literal list: z + (1+z) z/(1-z) = 2z + 2z^2 + 2z^3 + ...
    assert [code([("tree", 1), ("list", 1)], t) for t in range(5)] == [0, 2, 2, 2, 2]


def test_tails_of_one_literal_list_are_geometric() -> None:
    p = Fraction(1, 10)
    q = 2 * p / (1 + p)
    rows = tails([("list", 1)], p, 6)
    for s in range(7):
        exact = q**s * ONE
        assert exact <= rows[s] <= exact + 10


def test_up_to_four_idle_positions_cost_one_bit_at_two_layers_and_one_head() -> None:
    for padding in (1, 2, 3, 4):
        assert any(covered_exactly(14, padding, 1, s) < 1 for s in range(2, 9))
        assert all(covered_exactly(13, padding, 1, s) >= 1 for s in range(2, 9))


def test_mod_three_at_one_layer_matches_the_exact_reach() -> None:
    cert = limit(1, 2, 5, {"kind": "last"}, task="mod", modulus=3)
    assert verify(cert).ok
    assert not verify({**cert, "n0": 4, "ranges": [{**cert["ranges"][0], "from": 4}]}).ok


def test_dyck_needs_an_even_length_and_a_frame() -> None:
    good = limit(2, 1, 80, two(6, "sets"), task="dyck", share="1/8")
    assert verify(good).ok
    for share in ("0", "1/2", "1/80"):
        assert not verify(limit(2, 1, 80, two(6, "sets"), task="dyck", share=share)).ok
    assert not verify(limit(2, 1, 81, two(6, "sets"), task="dyck", share="1/8")).ok


def test_sets_of_positions_beat_tuples() -> None:
    n, s = 540, 115
    assert verify(limit(2, 8, n, two(s, "sets"))).ok
    assert not verify(limit(2, 8, n, two(s, "tuples"))).ok
    assert comb(n - 1, 8) * 40_000 < n**8


@pytest.mark.parametrize("widths", [[7, 10], [], [10, 0], [10, -1], "10", [10.5, 7], [[10], 7]])
def test_widths_must_be_a_falling_row_of_positive_integers(widths: Any) -> None:
    final = {**three([9], 6), "w": widths}
    assert not verify(limit(3, 1, 5000, final)).ok


def test_narrower_widths_discard_more_and_code_less() -> None:
    part = {"from": 265, "to": None}
    cert = limit(3, 1, 265)
    loads = [load(cert, {**part, "stages": [three(w, 6, "sets")]}, 265) for w in ([10, 7], [10, 6])]
    wide = [wide_leaves(1, w, 6, Fraction(263)) for w in ([10, 7], [10, 6])]
    assert wide[0] < wide[1]
    assert loads[0] - 265 * wide[0] > loads[1] - 265 * wide[1]


@pytest.mark.parametrize(
    ("name", "lines", "others"),
    [
        ("verifier", 122, set()),
        ("verifier_exact", 30, {"bounds.limits.verifier"}),
        ("verifier_dyck", 115, {"bounds.limits.verifier"}),
    ],
)
def test_the_verifier_is_small_and_imports_no_search(
    name: str, lines: int, others: set[str]
) -> None:
    source = (Path(bounds.limits.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    imported |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= {"collections.abc", "fractions", "math", "operator", "typing", *others}
    written = {n for n, line in enumerate(source.splitlines(), 1) if line.split("#")[0].strip()}
    for node in ast.walk(tree):  # docstrings are no code
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            written -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    assert len(written) <= lines
