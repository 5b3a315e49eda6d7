"""Query jedi about open calls, and add its answers to the graph."""

from __future__ import annotations

import dataclasses
import importlib.util
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import OptionError
from ...repo.repository import Repository
from ..build_graph import entry_names
from ..dependency_graph import CallGraph, Edge
from ..facts import EdgeKind
from ..open_calls import OpenCall
from .import_guard import installed_only
from .node_positions import Places
from .receiver_answers import Answer, AnsweredCall, Budget, Outcome
from .time_limits import Clock, TimeUpError

if TYPE_CHECKING:
    from .with_jedi import Jedi


@dataclass(frozen=True, slots=True)
class Inference:
    """A graph with inferred edges, and the queries behind them."""

    graph: CallGraph
    asked: tuple[AnsweredCall, ...]
    left_over: tuple[OpenCall, ...]
    """Open calls that were not queried for lack of time."""

    def warnings(self, budget: Budget) -> tuple[str, ...]:
        """Return what the limits have cost, as texts."""
        texts: list[str] = []
        if self.left_over:
            texts.append(
                f"no time to ask about {len(self.left_over)} of"
                f" {len(self.left_over) + len(self.asked)} open calls in {budget.seconds:g} s"
            )
        given_up = sum(query.outcome == "given up" for query in self.asked)
        if given_up:
            texts.append(f"{given_up} questions given up after {budget.seconds_each:g} s each")
        failed = sum(query.outcome == "failed" for query in self.asked)
        if failed:
            texts.append(f"{failed} questions ended in an error of the library")
        return tuple(texts)


def infer_calls(
    repository: Repository,
    graph: CallGraph,
    budget: Budget,
    entries: Sequence[str] | None = None,
) -> Inference:
    """Query jedi about the open calls of a graph.

    Args:
        repository: the repository.
        graph: its whole graph.
        budget: the time limits.
        entries: as for `call_graph`: the graph is then the part that these need, and only calls
            in it are queried.

    Raises:
        OptionError: jedi is not installed.
        TargetError: an entry does not exist.
    """
    check_installed()
    starts = None if entries is None else tuple(
        name for entry in entries for name in entry_names(repository, graph, entry)
    )  # fmt: skip
    from .with_jedi import Jedi

    with installed_only(repository.path), Clock(budget) as clock, Jedi(repository) as jedi:
        return _Questions(repository, graph, jedi, clock).run(starts)


def check_installed() -> None:
    """Check that jedi is installed, without importing it.

    Raises:
        OptionError: it is not.
    """
    if importlib.util.find_spec("jedi") is None:
        raise OptionError("jedi is not installed", "pip install 'slice-func[infer]'")


class _Questions:
    """One run: the queries so far, and the growing graph."""

    def __init__(self, repository: Repository, graph: CallGraph, jedi: Jedi, clock: Clock) -> None:
        self._clock = clock
        self._graph = graph
        self._places = Places(repository, graph)
        self._jedi = jedi
        self._answered: dict[OpenCall, AnsweredCall] = {}

    def run(self, starts: tuple[str, ...] | None) -> Inference:
        """Query all open calls, and those that the answers make reachable."""
        part = self._part(starts)
        while (waiting := self._waiting(part)) and not self._clock.is_over:
            for call in waiting:
                if self._clock.is_over:
                    break
                self._answered[call] = self._ask(call)
            self._graph = _with_edges(self._graph, self._answered.values(), self._places)
            part = self._part(starts)
        answered = sorted(self._answered.values(), key=lambda one: one.call)
        return Inference(part, tuple(answered), tuple(sorted(self._waiting(part))))

    def _part(self, starts: tuple[str, ...] | None) -> CallGraph:
        return self._graph if starts is None else self._graph.reachable(starts)

    def _waiting(self, part: CallGraph) -> list[OpenCall]:
        return [call for call in part.open_calls if call not in self._answered]

    def _ask(self, call: OpenCall) -> AnsweredCall:
        started = time.perf_counter()
        answers: tuple[Answer, ...] = ()
        outcome: Outcome = "unknown"
        try:
            answers = self._clock.limited(lambda: self._jedi.definitions_of_call(call))
            outcome = "answered" if answers else "unknown"
        except TimeUpError:
            outcome = "given up"
        except Exception:  # noqa: BLE001 - a bug of a library costs one answer
            outcome = "failed"
        callees = dict.fromkeys(c for answer in answers for c in self._places.callees(answer))
        seconds = time.perf_counter() - started
        return AnsweredCall(call, outcome, answers, tuple(callees), seconds)


def _with_edges(graph: CallGraph, queries: Iterable[AnsweredCall], places: Places) -> CallGraph:
    """Return the graph with an edge for each callee; answered calls are no longer open."""
    edges = {(edge.source, edge.target, edge.kind): edge for edge in graph.edges}
    answered: set[OpenCall] = set()
    for one in sorted(queries, key=lambda one: one.call):
        if one.answers:
            answered.add(one.call)
        for callee in one.callees:
            kind: EdgeKind = "calls" if places.is_function(callee) else "uses"
            edge = Edge(one.call.caller, callee, kind, one.call.line, "jedi")
            edges.setdefault((edge.source, callee, kind), edge)
    still_open = tuple(call for call in graph.open_calls if call not in answered)
    ordered = sorted(edges.values(), key=lambda e: (e.source, e.target, e.kind))
    return dataclasses.replace(graph, edges=tuple(ordered), open_calls=still_open)
