import numpy as np
import pytest
from hard_models import random_dot, random_table

from attention.constructions.trees import needle, parity_tree
from attention.families import sinusoidal
from attention.hard import ModelError, evaluate, trace
from languages import LanguageError, PredicateLanguage, language
from restrictions.certificate import certificate, counts
from restrictions.checker import check
from restrictions.counting import CountingError, members_in
from restrictions.fooling import FoolingPair, NoPairFound, fool
from restrictions.grounds import member_of
from restrictions.restriction import Restriction


def replay(model, name, pair) -> None:
    """The pair is confirmed by running the model, by the definition, on both words."""
    lang = language(name)
    assert lang.contains(pair.first)
    assert not lang.contains(pair.second)
    assert evaluate(model, pair.first) == evaluate(model, pair.second) == pair.output
    ends = [trace(model, word).activations[-1][-1] for word in (pair.first, pair.second)]
    assert (ends[0] == ends[1]) == pair.same_activation


@pytest.mark.parametrize(("n", "layers", "heads"), [(16, 1, 2), (24, 2, 1), (16, 2, 2), (12, 3, 1)])
@pytest.mark.parametrize("family", ["table", "dot"])
def test_parity_is_fooled_one_bit_apart(n, layers, heads, family) -> None:
    rng = np.random.default_rng(n + layers + heads)
    if family == "table":
        model = random_table(n, layers, heads, 5, rng, spread=10**5)
    else:
        model = random_dot(n, layers, heads, rng, d=4)
    pair = fool(model, language("parity"), seconds=0.5, rng=rng, enough=4)
    assert isinstance(pair, FoolingPair)
    replay(model, "parity", pair)
    assert sum(a != b for a, b in zip(pair.first, pair.second, strict=True)) == 1
    assert pair.same_activation or pair.subcube is None


@pytest.mark.parametrize("name", ["dyck1", "dyck2"])
def test_brackets_are_fooled_between_fixed_ends(name) -> None:
    lang, rng = language(name), np.random.default_rng(1)
    model = random_table(30, 2, 1, 8, rng, symbols="".join(lang.alphabet), spread=10**5)
    pair = fool(model, lang, seconds=0.5, rng=rng, enough=14, ends=True)
    assert isinstance(pair, FoolingPair)
    replay(model, name, pair)
    for word in (pair.first, pair.second):
        assert word[:6] == ("(",) * 6
        assert word[-6:] == (")",) * 6
    for n, other in ((10, "parity"), (9, name)):
        with pytest.raises(LanguageError, match="bracket"):
            member_of(language(other), n, ends=True, rng=rng)


@pytest.mark.parametrize("name", ["dyck1", "dyck2", "majority", "ones", "mod3"])
def test_other_languages_are_fooled_inside_a_certified_subcube(name) -> None:
    lang, rng = language(name), np.random.default_rng(7)
    model = random_table(24, 2, 1, 8, rng, symbols="".join(lang.alphabet), spread=10**5)
    pair = fool(model, lang, seconds=1, rng=rng, enough=8)
    assert isinstance(pair, FoolingPair)
    replay(model, name, pair)
    assert pair.subcube is not None
    rho = pair.subcube.restriction
    assert rho.contains(pair.first)
    data = certificate(model, rho, {"output": pair.output}, language=lang)
    assert check(data).free == rho.dimension
    members = int(counts(lang, rho, pair.output)["members"])
    if rho.size <= 2**16:
        assert members == sum(lang.contains(w) for w in rho.completions())


def test_a_language_given_as_a_predicate_is_fooled() -> None:
    lang = PredicateLanguage(
        "palindromes", ("0", "1"), lambda w: w == w[::-1], examples=(tuple("01100110" * 3),)
    )
    rng = np.random.default_rng(2)
    model = random_table(24, 2, 1, 6, rng, spread=10**5)
    pair = fool(model, lang, seconds=1, rng=rng, enough=8)
    assert isinstance(pair, FoolingPair)
    assert lang.contains(pair.first)
    assert not lang.contains(pair.second)
    assert evaluate(model, pair.first) == evaluate(model, pair.second) == pair.output
    assert pair.subcube is not None
    assert counts(lang, pair.subcube.restriction, pair.output) is None
    small = Restriction.free("01", 6).fix({0: "1"})
    assert members_in(lang, small) == 4
    with pytest.raises(CountingError, match="predicate"):
        members_in(lang, Restriction.free("01", 24))
    with pytest.raises(LanguageError, match="give examples"):
        fool(random_table(40, 1, 1, 2, rng), lang, rng=rng)


def test_needle_at_512_is_found_as_a_rare_case() -> None:
    target = ["01"[b] for b in np.random.default_rng(3).integers(0, 2, 512)]
    model = needle(9, 1, target)
    pair = fool(model, language("parity"), seconds=20, rng=np.random.default_rng(0))
    assert isinstance(pair, FoolingPair)
    assert pair.method == "rare case"
    assert tuple(target) in (pair.first, pair.second)


def test_an_exact_parity_machine_is_never_fooled_and_a_proof_says_so() -> None:
    found = fool(parity_tree(2, 2), language("parity"), seconds=0.5, rng=np.random.default_rng(0))
    assert isinstance(found, NoPairFound)
    assert found.proved
    for layers, heads in ((3, 2), (6, 1), (3, 3)):
        found = fool(
            parity_tree(layers, heads), language("parity"), seconds=1, rng=np.random.default_rng(0)
        )
        assert isinstance(found, NoPairFound)
        assert found.proved
        assert "diagrams" in found.reason
    longer = parity_tree(2, 2, n=10)  # one bit is never looked at
    pair = fool(longer, language("parity"), seconds=2, rng=np.random.default_rng(0))
    assert isinstance(pair, FoolingPair)
    replay(longer, "parity", pair)


def test_models_that_cannot_read_the_language_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ModelError, match="does not read"):
        fool(random_table(4, 1, 1, 2, rng), language("dyck1"), rng=rng)
    brackets = random_table(5, 1, 1, 2, rng, symbols="()")
    with pytest.raises(LanguageError, match="no member"):
        fool(brackets, language("dyck1"), rng=rng)


@pytest.mark.slow
def test_long_inputs_meet_the_published_dimensions() -> None:
    model = sinusoidal(1024, 2, 1, rng=np.random.default_rng(1))
    pair = fool(model, language("parity"), seconds=8, rng=np.random.default_rng(0), enough=8)
    assert isinstance(pair, FoolingPair)
    assert pair.subcube is not None
    assert 1024 - pair.subcube.restriction.dimension <= 8
