"""Recursive derivation of answers with an explicit stack.

A rule is a generator. It yields members of its answer, further rules whose members it includes, and
queries, whose answers are sent back to it. So chains may be longer than Python's own stack allows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any, Generic, TypeAlias, TypeVar

from .tabling import OpenQuestion, Table

Member = TypeVar("Member", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Answer(Generic[Member]):
    """The members of an answer, in the order in which they were found."""

    members: tuple[Member, ...] = ()
    closed: dict[Member, None] = field(default_factory=dict["Member", None])
    """Members that mean the same in every query; a rule passes them on together."""
    opened: tuple[Member, ...] = ()
    """Members whose meaning depends on the query."""


@dataclass(frozen=True, slots=True)
class SubQuestion(Generic[Member]):
    """A separate query, whose answer is sent back to the rule that yields it."""

    key: Hashable
    rule: Callable[[], Rule[Member]]


@dataclass(frozen=True, slots=True)
class FilteredRule(Generic[Member]):
    """A rule of which only members that pass a test are used."""

    rule: Rule[Member]
    wanted: Callable[[Member], bool]


Given: TypeAlias = (
    "Member | dict[Member, None] | Rule[Member] | FilteredRule[Member] | SubQuestion[Member]"
)
Rule: TypeAlias = "Generator[Given[Member], Answer[Member], None]"
"""Generator of members, single or in sets, and of further rules and queries."""


@dataclass(slots=True)
class _Open(Generic[Member]):
    """A query that is being evaluated."""

    question: SubQuestion[Member]
    begun: OpenQuestion
    running: list[tuple[Rule[Member], tuple[Callable[[Member], bool], ...]]]
    """The stack of rules, each with the tests that its members must pass."""
    members: dict[Member, None] = field(default_factory=dict["Member", None])
    visited: set[Hashable] = field(default_factory=set[Hashable])
    _taken: dict[Hashable, object] = field(default_factory=dict[Hashable, object])
    """Sets that rules have passed on, by identity: a reference to each keeps its id unique."""

    def is_fresh(self, many: dict[Member, None], wanted: Hashable) -> bool:
        """Whether no rule has passed on this set before, under the same tests."""
        key = (id(many), wanted)
        if key in self._taken:
            return False
        self._taken[key] = many
        return True

    def restart(self) -> None:
        """Evaluate the query again from the beginning."""
        self._taken.clear()
        self.running, self.members, self.visited = [(self.question.rule(), ())], {}, set()


class Derivations(Generic[Member]):
    """Memoised answers for one repository."""

    def __init__(self, is_closed: Callable[[Member], bool]) -> None:
        """Start with no answers.

        Args:
            is_closed: whether a member means the same in every query.
        """
        self._is_closed = is_closed
        self._table = Table[Answer[Member]](Answer(), _differ)
        self._visited = set[Hashable]()
        """Places visited by the query that is being evaluated."""

    def visit(self, place: Hashable) -> bool:
        """Whether the place was not visited before in this query."""
        if place in self._visited:
            return False
        self._visited.add(place)
        return True

    def answer(self, key: Hashable, rule: Callable[[], Rule[Member]]) -> tuple[Member, ...]:
        """Return the answer to the query with that key."""
        known = self._table.known(key)
        if known is not None:
            return known.members
        left = [self._begin(SubQuestion(key, rule))]
        try:
            return self._evaluate(left).members
        except BaseException:
            self._table.abandon(left[0].begun)
            raise

    def _evaluate(self, left: list[_Open[Member]]) -> Answer[Member]:
        """Evaluate open queries, the last first, until the first one is answered."""
        sent: Answer[Member] | None = None
        while True:
            subquery = self._followed(left[-1], sent)
            if subquery is not None:
                sent = self._table.known(subquery.key)
                if sent is None:
                    left.append(self._begin(subquery))
                continue
            sent = self._split(left[-1].members)
            if not self._table.finish(left[-1].begun, sent):
                left[-1].restart()
                sent = None
                continue
            left.pop()
            if not left:
                return sent

    def _split(self, members: dict[Member, None]) -> Answer[Member]:
        closed = {member: None for member in members if self._is_closed(member)}
        opened = tuple(member for member in members if member not in closed)
        return Answer(tuple(members), closed, opened)

    def _begin(self, question: SubQuestion[Member]) -> _Open[Member]:
        return _Open(question, self._table.begin(question.key), [(question.rule(), ())])

    def _followed(
        self, question: _Open[Member], sent: Answer[Member] | None
    ) -> SubQuestion[Member] | None:
        """Advance the rules, and return the next subquery, or `None` when they are exhausted."""
        self._visited = question.visited
        running, members = question.running, question.members
        given: Any
        while running:
            rule, wanted = running[-1]
            try:
                # a generator that has just begun only accepts `None`
                given = rule.send(sent)  # pyright: ignore[reportArgumentType]
            except StopIteration:
                running.pop()
                sent = None
                continue
            sent = None
            kind: object = given.__class__
            if kind is GeneratorType:
                running.append((given, wanted))
            elif kind is SubQuestion:
                return given
            elif kind is FilteredRule:
                running.append((given.rule, (*wanted, given.wanted)))
            elif kind is dict:
                if question.is_fresh(given, wanted):
                    members.update(_those(given, wanted) if wanted else given)
            elif all(is_wanted(given) for is_wanted in wanted):
                members.setdefault(given)
        return None


def _differ(before: Answer[Member], after: Answer[Member]) -> bool:
    """Whether the two have different members, ignoring order."""
    return before.closed.keys() != after.closed.keys() or set(before.opened) != set(after.opened)


def _those(
    members: Iterable[Member], wanted: Iterable[Callable[[Member], bool]]
) -> dict[Member, None]:
    return {member: None for member in members if all(each(member) for each in wanted)}
