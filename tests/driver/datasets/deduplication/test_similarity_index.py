"""The indexes find what comparing every pair finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.driver.datasets.deduplication.similarity_index import (
    LEAST_OVERLAP,
    OverlapIndex,
    SimilarityIndex,
    shingle_sets,
)

SETS = st.lists(st.frozensets(st.integers(0, 14), min_size=1), min_size=1, max_size=12)
SIMILARITIES = st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.8, 1.0])


def _arrays(texts: list[frozenset[int]]) -> list[np.ndarray]:
    return [np.array(sorted(each), np.uint64) for each in texts]


@settings(max_examples=60)
@given(SETS, SIMILARITIES)
def test_the_most_similar_is_that_of_all_pairs(texts: list[frozenset[int]], least: float) -> None:
    *others, asked = shingle_sets(_arrays(texts))
    index = SimilarityIndex(least)
    for other in others:
        index.add(other)
    pairs = [
        (place, len(each & texts[-1]) / len(each | texts[-1]))
        for place, each in enumerate(texts[:-1])
    ]
    similar = [pair for pair in pairs if pair[1] >= least]
    assert index.most_similar(asked) == max(similar, key=lambda pair: pair[1], default=None)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(LEAST_OVERLAP - 3, 60)), min_size=2, max_size=6
    ),
    SIMILARITIES,
)
def test_the_largest_overlap_is_that_of_all_pairs(
    ranges: list[tuple[int, int]], least: float
) -> None:
    texts = [frozenset(range(first, first + count)) for first, count in ranges]
    *fragments, asked = shingle_sets(_arrays(texts))
    pairs = [
        (place, len(each & texts[-1]) / min(len(each), len(texts[-1])))
        for place, each in enumerate(texts[:-1])
        if min(len(each), len(texts[-1])) >= LEAST_OVERLAP
    ]
    similar = [pair for pair in pairs if pair[1] >= least]
    expected = max(similar, key=lambda pair: pair[1], default=None)
    assert OverlapIndex(least, fragments).largest_overlap(asked) == expected


def test_there_may_be_no_texts() -> None:
    assert shingle_sets([]) == []
