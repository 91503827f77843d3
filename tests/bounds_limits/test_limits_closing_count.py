"""The count over squares excludes closing systems, and never one that exists."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.constructions.closing_systems import nine, seven
from attention.constructions.list_systems import LiteralList, cells, close
from bounds.limits.closing_count import lists_needed, needed, pairs, per_list, weight
from bounds.limits.plan import LimitError

PRICES = st.fractions(0, 4, max_denominator=10)


@settings(deadline=None, max_examples=40)
@given(k=st.integers(2, 4), price=PRICES, data=st.data())
def test_every_order_of_the_points_satisfies_the_identity(
    k: int, price: Fraction, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(1 << k)))
    time = {x: step for step, x in enumerate(order)}
    later = {x: [v for v in range(k) if time[x ^ 1 << v] > time[x]] for x in order}
    double = sum(
        x < (y := x ^ 1 << a ^ 1 << b) and {a, b} <= set(later[x]) & set(later[y])
        for x in order
        for a in range(k)
        for b in range(a)
    )
    left = sum(weight(len(later[x]), price) for x in order)
    assert left - 2 * double == needed(k, price)


@pytest.mark.parametrize("price", [Fraction(0), Fraction(1), Fraction(9, 5)])
@pytest.mark.parametrize(("k", "system"), [(7, seven()), (9, nine())])
def test_no_list_of_a_closing_system_gives_more_than_the_bound(
    k: int, system: tuple[LiteralList, ...], price: Fraction
) -> None:
    rows, time, total = [], {}, Fraction(0)
    for row, cell, _ in close(k, system).order:
        inside = cells(k, system[row])[cell]
        points = [x for x in range(1 << k) if inside >> x & 1]
        rows.append((row, [x for x in points if x not in time]))
        time |= {x: len(rows) for x in rows[-1][1]}
    for row in range(len(system)):
        mine = [points for owner, points in rows if owner == row]
        gain = Fraction(0)
        for points in mine:
            gain += sum(
                weight(sum(time[x ^ 1 << v] > time[x] for v in range(k)), price) for x in points
            )
            gain -= 2 * sum((x ^ y).bit_count() == 2 for x in points for y in points if x < y)
        assert gain <= per_list(k, price)
        total += gain
    assert total >= needed(k, price)  # squares with sinks of different cells are not taken off
    assert len(system) >= lists_needed(k)


def test_what_is_excluded_and_what_is_not() -> None:
    assert [lists_needed(k) for k in (7, 8, 9, 10)] == [7, 11, 16, 25]
    assert lists_needed(10) > 21  # 12 bits
    assert lists_needed(9) <= 19 < len(nine())
    assert all(a <= b for a, b in pairwise(pairs(5, r) for r in range(17)))


@pytest.mark.parametrize(
    "call", [lambda: pairs(0, 0), lambda: pairs(3, 5), lambda: per_list(1, Fraction(1))]
)
def test_wrong_arguments_are_refused(call: object) -> None:
    with pytest.raises(LimitError):
        call()  # type: ignore[operator]


def test_a_negative_price_is_refused() -> None:
    with pytest.raises(LimitError):
        per_list(7, Fraction(-1))
