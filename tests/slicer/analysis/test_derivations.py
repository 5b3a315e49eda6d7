"""Rules that derive members from one another: long chains, cycles, and members left out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import pytest
from slicefunc.slicer.analysis.values.derivations import (
    Derivations,
    FilteredRule,
    Rule,
    SubQuestion,
)

Graph = Mapping[int, tuple[int, ...]]

CIRCLES: Graph = {0: (1, 5), 1: (2,), 2: (3, 1), 3: (4, 0), 4: (2, 6), 5: (3, 4), 6: (7,), 7: (6,)}


class Reach:
    """What each node of a graph reaches: each of its nodes a question, or all of them one."""

    def __init__(self, graph: Graph, *, is_asked: bool) -> None:
        self.graph = graph
        self.is_asked = is_asked
        self.derivations = Derivations[int](bool)

    def of(self, node: int) -> set[int]:
        return set(self.derivations.answer(node, lambda: self.rule(node)))

    def rule(self, node: int) -> Rule[int]:
        if not self.is_asked and not self.derivations.visit(node):
            return
        yield node
        for each in self.graph[node]:
            if self.is_asked:
                yield from (yield SubQuestion(each, lambda each=each: self.rule(each))).members
            else:
                yield self.rule(each)


@pytest.mark.parametrize("is_asked", [True, False])
@pytest.mark.parametrize("first", CIRCLES)
def test_answers_of_a_cycle_do_not_depend_on_who_asks_first(first: int, *, is_asked: bool) -> None:
    reach = Reach(CIRCLES, is_asked=is_asked)
    reach.of(first)
    found = {node: reach.of(node) for node in CIRCLES}
    assert found == {node: {6, 7} if node in (6, 7) else set(CIRCLES) for node in CIRCLES}


@pytest.fixture
def short_stack() -> Iterator[int]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield 1000
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_chain_may_be_longer_than_the_stack_of_python(
    short_stack: int, *, is_asked: bool
) -> None:
    length = 2 * short_stack
    chain = {node: (node + 1,) if node < length else () for node in range(length + 1)}
    assert len(Reach(chain, is_asked=is_asked).of(0)) == length + 1


def test_of_a_rule_only_what_is_wanted_counts_with_what_lies_below_it() -> None:
    derivations = Derivations[int](bool)

    def numbers(first: int, last: int) -> Rule[int]:
        yield first
        if first < last:
            yield numbers(first + 1, last)

    def some() -> Rule[int]:
        yield FilteredRule(numbers(0, 6), lambda number: number % 2 == 0)
        yield FilteredRule(odd_and_even(), lambda number: number > 1)

    def odd_and_even() -> Rule[int]:
        found = yield SubQuestion("numbers", lambda: numbers(0, 3))
        yield found.closed
        yield from found.opened

    assert derivations.answer("some", some) == (0, 2, 4, 6, 3)


def test_an_error_leaves_no_question_open() -> None:
    derivations = Derivations[int](bool)
    is_broken = True

    def inner() -> Rule[int]:
        if is_broken:
            raise LookupError
        yield 1

    def outer() -> Rule[int]:
        found = yield SubQuestion("inner", inner)
        yield found.closed

    with pytest.raises(LookupError):
        derivations.answer("outer", outer)
    is_broken = False
    assert derivations.answer("outer", outer) == (1,)
