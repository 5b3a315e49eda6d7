"""Query the inference libraries about open calls, and add their answers to the graph."""

from __future__ import annotations

import dataclasses
import importlib.util
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import OptionError
from ...repo.repository import Repository
from ..build_graph import entry_names
from ..dependency_graph import CallGraph, Edge
from ..facts import EdgeKind
from ..open_calls import OpenCall
from .import_guard import installed_only
from .node_positions import Places
from .receiver_answers import Answer, AnsweredCall, Budget, InferenceTool, Outcome, Tool
from .time_limits import Clock, TimeUpError


@dataclass(frozen=True, slots=True)
class Inference:
    """A graph with inferred edges, and the queries behind them."""

    graph: CallGraph
    asked: tuple[AnsweredCall, ...]
    """Every query; a second library is only asked about calls that the first does not know."""
    left_over: tuple[OpenCall, ...]
    """Open calls that a library was not asked about for lack of time."""
    unread: tuple[Tool, ...] = ()
    """Libraries that used up the time while reading the repository."""

    def warnings(self, budget: Budget) -> tuple[str, ...]:
        """Return what the limits have cost, as texts."""
        texts = [f"{tool} had no time to read the repository" for tool in self.unread]
        if self.left_over:
            total = len({*self.left_over, *(asked.call for asked in self.asked)})
            texts.append(
                f"no time to ask about {len(self.left_over)} of {total} open calls"
                f" in {budget.seconds:g} s"
            )
        given_up = sum(asked.outcome == "given up" for asked in self.asked)
        if given_up:
            texts.append(f"{given_up} questions given up after {budget.seconds_each:g} s each")
        failed = sum(asked.outcome == "failed" for asked in self.asked)
        if failed:
            texts.append(f"{failed} questions ended in an error of the library")
        return tuple(texts)


def infer_calls(
    repository: Repository,
    graph: CallGraph,
    tools: Sequence[Tool],
    budget: Budget,
    entries: Sequence[str] | None = None,
) -> Inference:
    """Query libraries about the open calls of a graph.

    Args:
        repository: the repository.
        graph: its whole graph.
        tools: the libraries; a later one is asked about calls that earlier ones do not know.
        budget: the time limits.
        entries: as for `call_graph`: the graph is then the part that these need, and only calls
            in it are queried.

    Raises:
        OptionError: a library is not installed.
        TargetError: an entry does not exist.
    """
    check_installed(tools)
    starts = None if entries is None else [
        name for entry in entries for name in entry_names(repository, graph, entry)
    ]  # fmt: skip
    with installed_only(repository.path), Clock(budget) as clock:
        questions = _Questions(repository, graph, tools, clock)
        try:
            return questions.run(None if starts is None else tuple(starts))
        finally:
            questions.close()


def check_installed(tools: Sequence[Tool]) -> None:
    """Check that the libraries are installed, without importing them.

    Raises:
        OptionError: one is not.
    """
    for tool in tools:
        if importlib.util.find_spec(tool) is None:
            raise OptionError(f"{tool} is not installed", "pip install 'slice-func[infer]'")


class _Questions:
    """One run: the queries so far, and the growing graph."""

    def __init__(
        self, repository: Repository, graph: CallGraph, tools: Sequence[Tool], clock: Clock
    ) -> None:
        self._clock = clock
        self._graph = graph
        self._places = Places(repository, graph)
        self._askers: dict[Tool, InferenceTool] = {
            tool: _asker(tool, repository, graph) for tool in tools
        }
        self._tools = tuple(tools)
        self._asked: dict[tuple[OpenCall, Tool], AnsweredCall] = {}

    def run(self, starts: tuple[str, ...] | None) -> Inference:
        """Query all open calls, and those that the answers make reachable."""
        part = self._part(starts)
        asks = True
        while asks:
            asks = False
            for tool in self._tools:
                if waiting := self._waiting(part, tool):
                    asks = self._ask_all(waiting, tool) or asks
                    self._graph = _with_edges(self._graph, self._asked.values(), self._places)
                    part = self._part(starts)
        left = {call for tool in self._tools for call in self._waiting(part, tool)}
        unread: tuple[Tool, ...] = tuple(tool for tool in self._tools if tool not in self._askers)
        asked = sorted(self._asked.values(), key=lambda one: one.call)
        return Inference(part, tuple(asked), tuple(sorted(left)), unread)

    def close(self) -> None:
        """Remove everything that the libraries keep."""
        for asker in self._askers.values():
            asker.close()

    def _part(self, starts: tuple[str, ...] | None) -> CallGraph:
        return self._graph if starts is None else self._graph.reachable(starts)

    def _waiting(self, part: CallGraph, tool: Tool) -> list[OpenCall]:
        return [call for call in part.open_calls if (call, tool) not in self._asked]

    def _ask_all(self, calls: Sequence[OpenCall], tool: Tool) -> bool:
        """Query calls until the time is up; return whether any could be queried."""
        if self._clock.is_over or not self._prepare(tool):
            return False
        for call in calls:
            if self._clock.is_over or not self._prepare(tool):
                break
            self._asked[call, tool] = self._ask(call, tool, self._askers[tool])
        return True

    def _prepare(self, tool: Tool) -> bool:
        """Whether the library is ready; one that uses up the time for that is dropped."""
        if tool not in self._askers:
            return False
        try:
            self._clock.limited(self._askers[tool].prepare, all_of_it=True)
        except TimeUpError:
            self._askers.pop(tool).close()
            return False
        return True

    def _ask(self, call: OpenCall, tool: Tool, asker: InferenceTool) -> AnsweredCall:
        started = time.perf_counter()
        answers: tuple[Answer, ...] = ()
        outcome: Outcome = "unknown"
        try:
            answers = self._clock.limited(lambda: asker.definitions_of_call(call))
            outcome = "answered" if answers else "unknown"
        except TimeUpError:
            outcome = "given up"
        except Exception:  # noqa: BLE001 - a bug of a library costs one answer
            outcome = "failed"
        if outcome == "given up":
            asker.forget()
        callees = dict.fromkeys(c for answer in answers for c in self._places.callees(answer))
        seconds = time.perf_counter() - started
        return AnsweredCall(call, tool, outcome, answers, tuple(callees), seconds)


def _asker(tool: Tool, repository: Repository, graph: CallGraph) -> InferenceTool:
    if tool == "jedi":
        from .with_jedi import Jedi

        return Jedi(repository)
    from .with_astroid import Astroid

    return Astroid(repository, graph)


def _with_edges(graph: CallGraph, asked: Iterable[AnsweredCall], places: Places) -> CallGraph:
    """Return the graph with an edge for each callee; answered calls are no longer open."""
    edges = {(edge.source, edge.target, edge.kind): edge for edge in graph.edges}
    answered: set[OpenCall] = set()
    for one in sorted(asked, key=lambda one: one.call):
        if one.answers:
            answered.add(one.call)
        for callee in one.callees:
            kind: EdgeKind = "calls" if places.is_function(callee) else "uses"
            edge = Edge(one.call.caller, callee, kind, one.call.line, one.tool)
            edges.setdefault((edge.source, callee, kind), edge)
    still_open = tuple(call for call in graph.open_calls if call not in answered)
    ordered = sorted(edges.values(), key=lambda e: (e.source, e.target, e.kind))
    return dataclasses.replace(graph, edges=tuple(ordered), open_calls=still_open)
