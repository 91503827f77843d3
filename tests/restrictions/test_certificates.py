import copy
import itertools
import json
import subprocess
import sys

import numpy as np
import pytest
from hard_models import as_functions, random_dot, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.hard import TableTransformer, evaluate
from attention.json import digest, from_json, to_json
from languages import language
from restrictions.certificate import certificate, sentence, verify_file, write
from restrictions.certify import Certified, certify
from restrictions.checker import CertificateRejectedError, attainable_outputs, check
from restrictions.fooling import FoolingPair, fool
from restrictions.plainmodel import CertificateFileError, PlainCalls, plain_model, run
from restrictions.propagate import Caps, Propagator
from restrictions.restriction import Restriction

WIDE = Caps(position=100_000, layer=1_000_000)
KINDS = st.tuples(
    st.integers(0, 10**9),
    st.integers(1, 3),
    st.integers(1, 2),
    st.sampled_from(["leftmost", "rightmost"]),
    st.sampled_from(["full", "causal"]),
    st.sampled_from(["table", "dot", "exact dot"]),
)


def build(kind, n):
    seed, layers, heads, ties, mask, family = kind
    rng = np.random.default_rng(seed)
    if family == "table":
        return random_table(n, layers, heads, 4, rng, ties=ties, mask=mask, spread=3)
    grid = 5 if family == "dot" else None
    return random_dot(n, layers, heads, rng, d=3, ties=ties, mask=mask, grid=grid)


@settings(max_examples=15, deadline=None)
@given(KINDS, st.integers(0, 2**32))
def test_plain_models_compute_what_the_models_compute(kind, word_seed) -> None:
    model = build(kind, 4)
    stored = json.loads(json.dumps(to_json(model)))
    twin, plain, calls = from_json(stored), plain_model(stored), PlainCalls(model)
    assert digest(to_json(twin)) == digest(stored)
    rng = np.random.default_rng(word_seed)
    for _ in range(4):
        word = ["01"[b] for b in rng.integers(0, 2, 4)]
        assert evaluate(model, word) == evaluate(twin, word) == run(plain, word) == run(calls, word)


@settings(max_examples=25, deadline=None)
@given(KINDS, st.integers(0, 2**32))
def test_checker_agrees_with_propagation_and_covers_brute_force(kind, seed) -> None:
    n = 5
    model = build(kind, n)
    kinds = np.random.default_rng(seed).integers(0, 3, n)
    choices = [[("0", "1"), ("1",), ("0",)][k] for k in kinds]
    prop = Propagator(model, [("0", "1")] * n)
    true = sum(1 << j for j in range(n) if kinds[j] == 1)
    false = sum(1 << j for j in range(n) if kinds[j] == 2)
    engine = prop.final(prop.setting(true, false), WIDE).outputs
    checker = attainable_outputs(plain_model(to_json(model)), choices)
    assert set(checker) == engine
    assert {evaluate(model, w) for w in itertools.product(*choices)} <= set(checker)


@pytest.fixture(scope="module")
def stored():
    """A certificate of a two-layer table model at n = 32 with its counts and fooling pair."""
    model = random_table(32, 2, 1, 6, np.random.default_rng(3), spread=10**6)
    pair = fool(model, language("parity"), seconds=2, rng=np.random.default_rng(0), enough=6)
    assert isinstance(pair, FoolingPair)
    assert pair.subcube is not None
    assert pair.same_activation
    witness = {
        "first": list(pair.first),
        "second": list(pair.second),
        "output": pair.output,
        "same_activation": True,
    }
    return certificate(
        model,
        pair.subcube.restriction,
        {"output": pair.output},
        witness=witness,
        language=language("parity"),
    )


def test_certificate_holds_after_a_round_trip(stored, tmp_path) -> None:
    path = tmp_path / "c.json"
    write(stored, path)
    assert "always" in verify_file(path)
    free = check(stored).free
    assert stored["counts"]["errors"] == str(2 ** (free - 1))


def flip_output(data):
    data["tree"]["output"] = not data["tree"]["output"]


def change_weight(data):
    data["model"]["scores"][0][0][0][0][0][0] += 1


def change_weight_and_digest(data):
    table = np.array(data["model"]["scores"][1][0])
    data["model"]["scores"][1][0] = (-table).tolist()
    data["model_digest"] = digest(data["model"])


def reverse_ties(data):
    data["model"]["ties"] = "rightmost"


def free_everything(data):
    data["narrowed"] = {}


def other_word(data):
    data["witness"]["second"] = data["witness"]["first"]


def wrong_count(data):
    data["counts"]["errors"] = "7"


def third_symbol(data):
    data["narrowed"]["3"] = ["0", "2"]


def beyond_the_end(data):
    data["narrowed"]["480"] = ["0"]


def wrong_length(data):
    data["n"] = 47


def no_model(data):
    del data["model"]


def other_schema(data):
    data["schema"] = "something"


@pytest.mark.parametrize(
    "tamper",
    [
        flip_output,
        change_weight,
        change_weight_and_digest,
        reverse_ties,
        free_everything,
        other_word,
        wrong_count,
        third_symbol,
        beyond_the_end,
        wrong_length,
        no_model,
        other_schema,
    ],
)
def test_every_tampering_is_rejected(stored, tamper, tmp_path) -> None:
    data = copy.deepcopy(stored)
    tamper(data)
    path = tmp_path / "c.json"
    write(data, path)
    with pytest.raises((CertificateRejectedError, CertificateFileError)):
        verify_file(path)


def test_equal_outputs_are_not_taken_for_equal_final_activations() -> None:
    model = TableTransformer(
        n=2,
        alphabet=("0", "1"),
        embedding=[[0, 1]],
        scores=[[np.zeros((1, 2, 1, 2), int)]],
        acts=[[[[0, 1], [0, 1]]]],  # ends in the first symbol; both values mean "yes"
        outputs=(True, True),
    )
    rho = Restriction.free("01", 2)
    pair = {"first": list("00"), "second": list("10"), "output": True}
    claim = (model, rho, {"output": True})
    assert check(certificate(*claim, witness=pair)).free == 2
    assert check(certificate(*claim, witness=pair | {"same_activation": False})).free == 2
    with pytest.raises(CertificateRejectedError, match="ends in"):
        check(certificate(*claim, witness=pair | {"same_activation": True}))
    alike = pair | {"second": list("01"), "same_activation": True}
    assert "equal final activations" in sentence_of(certificate(*claim, witness=alike))


def sentence_of(data) -> str:
    return sentence(data, check(data))


def test_only_the_tie_order_separates_a_model_from_its_reverse() -> None:
    """Constant scores: leftmost reads position 0, rightmost the last; the same claim fails."""

    def copier(ties):
        return TableTransformer(
            n=5,
            alphabet=("0", "1"),
            embedding=[[0, 1]],
            ties=ties,
            scores=[[np.zeros((1, 2, 1, 2), int)]],
            acts=[[[[0, 1], [0, 1]]]],
            outputs=(False, True),
        )

    rho = Restriction.free("01", 5).fix({0: "1"})
    assert check(certificate(copier("leftmost"), rho, {"output": True})).free == 4
    with pytest.raises(CertificateRejectedError):
        check(certificate(copier("rightmost"), rho, {"output": True}))


def test_planted_needle_inside_a_certified_cube_is_found_by_the_checker() -> None:
    """One completion among 2^46 differs: sampling cannot see it, the checker must."""
    n = 48
    target = np.random.default_rng(1).integers(0, 2, n)

    def needle(planted):
        # the head looks for the leftmost position that differs from the target; none: itself
        scores = np.zeros((1, 3, n, 3), int)
        scores[0, :, :, 0] = 2
        acts = np.zeros((1, 3, 3), int)
        acts[0, :, 2] = 1 if planted else 0
        embedding = np.stack([np.where(target == b, 1, 0) for b in (0, 1)], axis=1)
        embedding[n - 1] = 2
        scores[0, :, n - 1, 2] = 1
        return TableTransformer(
            n=n,
            alphabet=("0", "1"),
            embedding=embedding,
            scores=[[scores]],
            acts=[acts],
            outputs=(False, True),
        )

    rho = Restriction.free("01", n).fix({0: "01"[target[0]]})
    rng = np.random.default_rng(0)
    model = needle(planted=True)
    assert not any(evaluate(model, rho.draw(rng)) for _ in range(300))
    assert check(certificate(needle(planted=False), rho, {"output": False})).free == n - 1
    with pytest.raises(CertificateRejectedError, match="attainable"):
        check(certificate(model, rho, {"output": False}))
    off_target = Restriction.free("01", n).fix({0: "01"[1 - target[0]]})
    assert check(certificate(model, off_target, {"output": False})).free == n - 1


def test_case_tree_proves_dependence_on_few_positions() -> None:
    model = TableTransformer(
        n=4,
        alphabet=("0", "1"),
        embedding=[[0, 1]],
        scores=[[np.tile([[[[9]], [[0]], [[0]], [[0]]]], (1, 2, 1, 2)).reshape(1, 2, 4, 2)]],
        acts=[[[[0, 1], [0, 1]]]],
        outputs=(False, True),
    )
    rho = Restriction.free("01", 4)
    tree = {"split": 0, "branches": [["0", {"output": False}], ["1", {"output": True}]]}
    assert check(certificate(model, rho, tree, depends=[0])).depends == (0,)
    with pytest.raises(CertificateRejectedError, match="lists only"):
        check(certificate(model, rho, tree, depends=[]))
    swapped = {"split": 0, "branches": [["0", {"output": True}], ["1", {"output": False}]]}
    with pytest.raises(CertificateRejectedError):
        check(certificate(model, rho, swapped, depends=[0]))
    missing = {"split": 0, "branches": [["0", {"output": False}]]}
    with pytest.raises(CertificateFileError, match="cover"):
        check(certificate(model, rho, missing, depends=[0]))


def test_checker_runs_where_neither_numpy_nor_the_search_can_be_imported(stored, tmp_path) -> None:
    path = tmp_path / "c.json"
    write(stored, path)
    program = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "attention", "languages", "bounds") or name in (
            "restrictions.propagate", "restrictions.certify", "restrictions.literals"):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Block())
import json
from restrictions.checker import check
print(check(json.load(open({str(path)!r}))).free)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert int(done.stdout) == check(stored).free


def test_two_seeds_agree_with_the_checker_and_tiny_budgets_are_inconclusive() -> None:
    model = random_dot(14, 2, 1, np.random.default_rng(5), d=4)
    for seed in (0, 1):
        found = certify(model, seconds=1, rng=np.random.default_rng(seed), enough=4)
        assert isinstance(found, Certified)
        data = certificate(model, found.restriction, {"output": found.output})
        assert check(data).free == found.restriction.dimension
    assert not isinstance(certify(model, seconds=0, rng=np.random.default_rng(0)), Certified)
    calls = PlainCalls(as_functions(model))
    assert attainable_outputs(calls, found.restriction.choices) == [found.output]
