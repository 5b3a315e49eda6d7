"""Pass@k, against what it means."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.pass_at_k import pass_at_k


@pytest.mark.parametrize("samples", range(1, 8))
def test_it_is_the_share_of_all_subsets_in_which_a_sample_passes(samples: int) -> None:
    for passed in range(samples + 1):
        for k in range(1, samples + 1):
            subsets = list(combinations(range(samples), k))
            share = sum(min(subset) < passed for subset in subsets) / len(subsets)
            assert pass_at_k(samples, passed, k) == pytest.approx(share, abs=1e-12)


@given(st.data(), st.integers(1, 2000))
def test_it_is_one_less_a_quotient_of_binomials(data: st.DataObject, samples: int) -> None:
    passed = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    whole = comb(samples, k)
    exact = (whole - comb(samples - passed, k)) / whole
    assert pass_at_k(samples, passed, k) == pytest.approx(exact, abs=1e-9)


def test_fewer_samples_than_k_are_refused() -> None:
    with pytest.raises(ValueError, match="k = 3 of 2"):
        pass_at_k(2, 1, 3)
