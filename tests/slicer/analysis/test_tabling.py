"""Answers that lead to one another: least fixed points, and what they cost."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.analysis.values.abstract_values import External, Values
from slicefunc.slicer.analysis.values.fixpoint import MAX_VALUES, Fixpoint
from slicefunc.slicer.analysis.values.tabling import Table

Graph = Mapping[int, tuple[int, ...]]


class Reach:
    """What each node of a graph reaches, asked recursively."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.table = Table[frozenset[int]](frozenset(), operator.ne)
        self.computed = Counter[int]()

    def of(self, node: int) -> frozenset[int]:
        return self.table.solve(node, lambda: self._compute(node))

    def _compute(self, node: int) -> frozenset[int]:
        self.computed[node] += 1
        return frozenset({node}).union(*(self.of(each) for each in self.graph[node]))


CIRCLES: Graph = {
    0: (1, 5),
    1: (2,),
    2: (3, 1),
    3: (4, 0),
    4: (2, 6),
    5: (3, 4),
    6: (7,),
    7: (6,),
}


@pytest.mark.parametrize("first", CIRCLES)
def test_answers_do_not_depend_on_which_question_is_asked_first(first: int) -> None:
    reach = Reach(CIRCLES)
    reach.of(first)
    assert {node: reach.of(node) for node in CIRCLES} == {
        node: frozenset({6, 7}) if node > 5 else frozenset(CIRCLES) for node in CIRCLES
    }


def test_a_question_outside_of_circles_is_answered_once() -> None:
    reach = Reach({0: (1, 2), 1: (0, 3), 2: (3,), 3: (4,), 4: ()})
    reach.of(0)
    reach.of(3)
    assert (reach.computed[2], reach.computed[3], reach.computed[4]) == (1, 1, 1)


def test_circles_in_circles_are_gone_through_few_times() -> None:
    size = 60
    graph = {
        node: (*((node + 1,) if node + 1 < size else ()), *range(node)) for node in range(size)
    }
    reach = Reach(graph)
    assert reach.of(0) == frozenset(graph)
    assert max(reach.computed.values()) <= 3
    assert reach.of(size - 1) == frozenset(graph)
    assert max(reach.computed.values()) <= 3


def test_an_exception_leaves_no_question_open() -> None:
    table = Table[int](0, operator.ne)

    def fail() -> int:
        table.solve("inner", lambda: table.solve("outer", int))
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - raised just above
        table.solve("outer", fail)
    assert table.solve("outer", lambda: 2) == 2
    assert table.solve("inner", lambda: 3) == 3


NODES = st.integers(0, MAX_VALUES + 3)


@given(st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=16), st.permutations(range(16)))
def test_values_are_those_of_all_that_is_reached_and_unknown_once_they_are_many(
    graph: dict[int, list[int]], order: list[int]
) -> None:
    table = Fixpoint()

    def reached(node: int) -> frozenset[int]:
        found = {node}
        for _ in range(16):
            found.update(each for known in [*found] for each in graph.get(known, ()))
        return frozenset(found)

    def values(node: int) -> Values:
        return table.solve(node, lambda: computed(node))

    def computed(node: int) -> Values:
        assert table.is_solving
        parts = [values(each) for each in graph.get(node, ())]
        if any(part is None for part in parts):
            return None
        return frozenset({External(str(node))}).union(*(part for part in parts if part))

    for node in order:
        expected = frozenset(External(str(each)) for each in reached(node))
        assert values(node) == (expected if len(expected) <= MAX_VALUES else None)
        assert not table.is_solving
