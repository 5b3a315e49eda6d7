"""The dependency graph: definitions as nodes, with edges of six kinds.

An edge leads from the dependent definition to its dependency: `f calls g`, `f uses X`, `C inherits
B`. `f decorates d` says that `d` decorates `f`; `X initialises g` says that the initialiser of `X`
needs `g`. Only `mutates` is not a dependency: `f mutates X` says that `f` changes `X` in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .facts import EdgeKind, NodeKind
from .name_references import references
from .open_calls import OpenCall
from .solver.calls.call_edges import Calls

if TYPE_CHECKING:
    import networkx as nx

EDGE_KINDS: tuple[EdgeKind, ...] = (
    "calls",
    "uses",
    "inherits",
    "decorates",
    "initialises",
    "mutates",
)


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """A definition, or a name from outside the repository."""

    id: str
    """Dotted name, as `package.module.Class.method`."""
    kind: NodeKind
    path: str | None = None
    qualname: str | None = None
    line: int | None = None
    """First line, decorators included."""


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A dependency of one definition on another."""

    source: str
    target: str
    kind: EdgeKind
    line: int
    """Line of its first occurrence in the source's file."""
    inferred_by: str | None = None
    """The library that found it, if the graph's own analysis leaves the call open."""


@dataclass(frozen=True)
class CallGraph:
    """The call graph and the dependency graph of a repository."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    skipped: tuple[str, ...] = ()
    """Files that do not parse, with the reason."""
    open_calls: tuple[OpenCall, ...] = ()
    """Calls with an unknown callee."""

    def reachable(self, starts: tuple[str, ...]) -> CallGraph:
        """Return the part of the graph that these nodes need, directly or not."""
        outgoing: dict[str, list[str]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.source, []).append(edge.target)
        seen = dict.fromkeys(starts)
        stack = list(starts)
        while stack:
            for target in outgoing.get(stack.pop(), ()):
                if target not in seen:
                    seen[target] = None
                    stack.append(target)
        return CallGraph(
            tuple(node for node in self.nodes if node.id in seen),
            tuple(edge for edge in self.edges if edge.source in seen),
            self.skipped,
            tuple(call for call in self.open_calls if call.caller in seen),
        )

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Return a networkx graph with node attributes `kind`, `path`, `qualname` and `line`.

        Parallel edges are keyed by their kind and have the attributes `kind` and `line`, and
        `inferred_by` where a library found them.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for node in self.nodes:
            graph.add_node(
                node.id, kind=node.kind, path=node.path, qualname=node.qualname, line=node.line
            )
        for edge in self.edges:
            attributes = {} if edge.inferred_by is None else {"inferred_by": edge.inferred_by}
            graph.add_edge(
                edge.source,
                edge.target,
                key=edge.kind,
                kind=edge.kind,
                line=edge.line,
                **attributes,
            )
        return graph


def build_graph(
    calls: Calls, skipped: tuple[str, ...], opened: tuple[OpenCall, ...] = ()
) -> CallGraph:
    """Assemble nodes and edges, sorted."""
    program = calls.program
    nodes: dict[str, Node] = {}
    for index, (module, facts) in enumerate(program.definitions):
        name = program.definition_name(index)
        known = nodes.get(name)
        if known is None or known.kind == "variable":
            path = program.modules[module].facts.path
            nodes[name] = Node(name, facts.kind, path, facts.qualname or None, facts.line)
    found: dict[tuple[str, str, EdgeKind], int] = {}

    def add(source: str, target: str, kind: EdgeKind, line: int) -> None:
        key = (source, target, kind)
        found[key] = min(line, found.get(key, line))

    for (caller, callee), line in calls.edges.items():
        if caller < 0:
            continue
        target = callee if isinstance(callee, str) else program.definition_name(callee)
        if target not in nodes:
            nodes[target] = Node(target, "external")
        add(program.definition_name(caller), target, "calls", line)
    for source, target, kind, line in references(calls):
        if (source, target, "calls") not in found and source != target:
            add(source, target, kind, line)
    edges = sorted(Edge(s, t, kind, line) for (s, t, kind), line in found.items())
    for edge in edges:
        if edge.target not in nodes:
            nodes[edge.target] = Node(edge.target, "external")
    listed = tuple(sorted(nodes.values(), key=lambda n: n.id))
    return CallGraph(listed, tuple(edges), skipped, opened)
