import numpy as np
import pytest

from figures import (
    influence_constants,
    influence_constructions,
    influence_dyck,
    influence_knee,
    influence_log_n,
    influence_p0,
    influence_profile,
    influence_rank,
    influence_worst,
)

MODULES = (
    influence_constants, influence_constructions, influence_dyck, influence_knee, influence_log_n,
    influence_p0, influence_profile, influence_rank, influence_worst,
)  # fmt: skip


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.ID)
def test_numbers_are_the_same_twice_and_are_json(module: object) -> None:
    import json

    first, second = (module.data(quick=True).to_json() for _ in range(2))  # type: ignore[attr-defined]
    assert json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def test_measured_below_certified_below_a_priori() -> None:
    d = influence_constants.data(quick=True)
    assert np.all(d.measured < d.certified)
    assert np.all(d.certified < d.apriori)
    assert d.apriori[2] > 100 * d.certified[2]


def test_the_knee_separates_flat_from_falling() -> None:
    for s in influence_knee.data(quick=True).series:
        assert np.all(s.influence <= s.certified * (1 + 1e-12))
        far = s.n > 100 * s.knee
        np.testing.assert_allclose(s.influence[far] * s.n[far], 2 * s.knee, rtol=2e-2)
        near = s.n < s.knee / 100
        np.testing.assert_allclose(s.influence[near], 2, rtol=2e-2)


def test_log_n_exponents_follow_the_law() -> None:
    d = influence_log_n.data(quick=True)
    np.testing.assert_allclose(d.exponent, np.minimum(2 * d.scale - 1, 0), atol=2e-2)


def test_worst_is_above_the_mean() -> None:
    for s in influence_worst.data(quick=True).series:
        assert np.all(s.worst > s.mean)


def test_floors_rise_to_one_bit() -> None:
    d = influence_dyck.data(quick=True)
    assert d.trained is None
    assert np.all(np.diff(d.floor, axis=1) > 0)
    assert np.all(d.excess < d.blind_excess)
