"""Selections and orders against definitions spelled out with plain sets."""

from itertools import combinations, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from proofs.hahn2020.combinatorics.orders import (
    Order,
    Selecting,
    irredundant,
    letters,
    orders,
    selections,
    union,
)
from proofs.hahn2020.stage2 import selected_inputs, selection

WORDS = st.lists(st.text("abcd", max_size=3), min_size=1, max_size=6)


def naive_selections(words: list[str], k: int) -> list[tuple[int, ...]]:
    """All irredundant k-families whose last member comes as early as possible."""
    sets = [set(word) for word in words]
    families = [
        family
        for family in combinations(range(len(words)), k)
        if all(sets[s] - set().union(*(sets[t] for t in family if t != s)) for s in family)
    ]
    earliest = min((family[-1] for family in families), default=None)
    return [family for family in families if family[-1] == earliest]


@given(words=WORDS, k=st.integers(1, 3))
def test_selections_agree_with_the_definition(words: list[str], k: int) -> None:
    found = selections(Order.of(*("".join(sorted(set(w))) for w in words)), k)
    assert sorted(found) == sorted(naive_selections(words, k))


@given(words=WORDS)
def test_irredundant_means_every_set_has_a_private_member(words: list[str]) -> None:
    sets = [set(word) for word in words]
    private = all(
        any(all(x not in t for j, t in enumerate(sets) if j != i) for x in s)
        for i, s in enumerate(sets)
    )
    assert irredundant(Order.of(*("".join(set(w)) for w in words)).masks) == private


def test_orders_cover_every_order_up_to_renaming() -> None:
    yielded = {o.masks for o in orders(3, 3, 2)}
    allowed = [mask for mask in range(8) if mask.bit_count() <= 2]
    for masks in product(allowed, repeat=3):
        renamed = {
            tuple(sum(1 << p[i] for i in range(3) if mask >> i & 1) for mask in masks)
            for p in permutations(range(3))
        }
        assert renamed & yielded, masks


def test_text_of_an_order_names_its_inputs() -> None:
    assert str(Selecting(Order.of("a", "abc", ""), 3, 2)) == "c=3, k=2, order {a} {a,b,c} {}"
    assert letters(union(Order.of("ac", "b").masks)) == ["a", "b", "c"]


def replayed(claim: selection.Claim) -> tuple[list[str], int, int]:
    """Read a witness back from its text, not from the objects that made it."""
    text = claim.check(claim.statement).witness["case"]
    c, k, order = text.split(", ", 2)
    words = [part.strip("{} ").replace(",", "") for part in order.removeprefix("order").split()]
    return words, int(c[2:]), int(k[2:])


def test_the_witness_against_existence_replays_with_plain_sets() -> None:
    for claim in (selection.AS_STATED, selection.NOWHERE_CONSTANT):
        words, c, k = replayed(claim)
        assert len(words) > c * k
        assert all(len(word) <= c for word in words)
        assert naive_selections(words, k) == []
    assert all(replayed(selection.NOWHERE_CONSTANT)[0])


def test_the_witness_against_equality_replays_with_plain_sets() -> None:
    words, c, k = replayed(selected_inputs.AS_STATED)
    assert all(len(word) <= c for word in words)
    families = naive_selections(words, k)
    assert families
    for family in families:
        prefix = set("".join(words[: family[-1] + 1]))
        assert set("".join(words[s] for s in family)) < prefix
        assert len(prefix) <= c * k


def test_no_shorter_order_refutes_equality() -> None:
    words, _, _ = replayed(selected_inputs.AS_STATED)
    shorter = (
        Selecting(o, c, k)
        for n in range(1, len(words))
        for c in (1, 2, 3)
        for k in (1, 2, 3)
        for o in orders(n, 4, c)
    )
    assert all(selected_inputs.some_selection_covers(case) for case in shorter)


def test_a_bound_that_is_too_small_is_noticed() -> None:
    tight = Selecting(Order.of("ab", "cd"), 2, 2)
    assert selected_inputs.prefix_is_small(tight)
    assert tight.order.union().bit_count() == tight.c * tight.k  # so ck - 1 would fail
    assert selection.exists_or_few_inputs(tight)
    assert not selection.exists_or_few_inputs(Selecting(Order.of("a", "ab"), 1, 2))
