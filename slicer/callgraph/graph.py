"""The graph: definitions as nodes, and between them edges of six kinds.

An edge leads from the definition that needs to the one that is needed: `f calls g`, `f uses X`,
`C inherits B`; `f decorates d` says that `f` is decorated by `d`, `X initialises g` that the
initialiser of `X` needs `g`. Only `mutates` is no need of its own: `f mutates X` says that `f`
changes `X` in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .calls import Calls
from .facts import EdgeKind, ImportModule, ImportName, NodeKind, Reference
from .open_calls import OpenCall
from .program import Program
from .values import ClassValue, Values

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
    """One definition's need of another."""

    source: str
    target: str
    kind: EdgeKind
    line: int
    """Where it is first seen in the source's file."""
    inferred_by: str | None = None
    """The library that found it where our own analysis leaves the call open."""


@dataclass(frozen=True)
class CallGraph:
    """The call graph and the dependency graph of a repository."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    skipped: tuple[str, ...] = ()
    """Files that do not parse, with the reason."""
    open_calls: tuple[OpenCall, ...] = ()
    """Calls of which it is not known what they call."""

    def reachable(self, starts: tuple[str, ...]) -> CallGraph:
        """The part of the graph that these nodes need, directly or not."""
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
        """The same as a networkx graph: node attributes `kind`, `path`, `qualname` and `line`.

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
    """Put nodes and edges together, sorted."""
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
    for source, target, kind, line in _references(calls):
        if (source, target, "calls") not in found and source != target:
            add(source, target, kind, line)
    edges = sorted(Edge(s, t, kind, line) for (s, t, kind), line in found.items())
    for edge in edges:
        if edge.target not in nodes:
            nodes[edge.target] = Node(edge.target, "external")
    listed = tuple(sorted(nodes.values(), key=lambda n: n.id))
    return CallGraph(listed, tuple(edges), skipped, opened)


def _references(calls: Calls) -> Iterator[tuple[str, str, EdgeKind, int]]:
    program = calls.program
    resolver = _Resolver(calls)
    for index, linked in enumerate(program.modules):
        for reference in linked.facts.references:
            source = program.definition_name(linked.definitions + reference.source)
            target = resolver.target(index, reference)
            if target is not None:
                yield source, target, reference.kind, reference.line
        for source, kind, target in linked.facts.links:
            line = linked.facts.definitions[target].line
            yield (
                program.definition_name(linked.definitions + source),
                program.definition_name(linked.definitions + target),
                kind,
                line,
            )


class _Resolver:
    """Follows names through imports to definitions."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._program: Program = calls.program
        self._values: Values = calls.values
        self._definitions: list[dict[str, int]] = []
        self._classes = {
            linked.definitions + facts.definition: index
            for index, (linked, facts) in enumerate(calls.program.classes)
        }
        for linked in self._program.modules:
            table: dict[str, int] = {}
            for index, facts in enumerate(linked.facts.definitions):
                table[facts.qualname] = linked.definitions + index
            self._definitions.append(table)

    def target(self, module: int, reference: Reference) -> str | None:
        """Name of the definition that a reference reaches."""
        first, *rest = reference.names
        if reference.imported is not None:
            found = self._imported(module, reference.imported, 0)
        else:
            found = self._global(module, first, 0)
        for name in rest:
            if found is None or isinstance(found, str):
                break
            further = self._member(found, name)
            if further is None:
                break
            found = further
        if isinstance(found, str):
            is_listed = reference.kind in ("inherits", "decorates")
            return ".".join([found, *rest]) if is_listed else None
        if found is None:
            return None
        is_module, number = found
        if is_module:
            return self._program.modules[number].facts.name
        return self._program.definition_name(number)

    def _global(self, module: int, name: str, depth: int) -> tuple[bool, int] | str | None:
        """A module (true) or a definition (false), or the dotted name of an external."""
        facts = self._program.modules[module].facts
        if depth > 50:
            return None
        imported = facts.imports.get(name)
        number = self._definitions[module].get(name)
        if number is not None and (imported is None or name not in facts.imports):
            return False, number
        if imported is not None:
            return self._imported(module, imported, depth + 1) or (
                None if number is None else (False, number)
            )
        for origin, level in facts.stars:
            source = self._program.absolute(module, level, origin)
            found = None if source is None else self._program.find(module, source)
            if isinstance(found, int) and self._program.exports(found, name):
                inner = self._global(found, name, depth + 1)
                if inner is not None:
                    return inner
        return None

    def _imported(
        self, module: int, operation: ImportModule | ImportName, depth: int
    ) -> tuple[bool, int] | str | None:
        program = self._program
        if isinstance(operation, ImportModule):
            whole = operation.module if operation.whole else operation.module.partition(".")[0]
            return self._module(module, whole)
        name = program.absolute(module, operation.level, operation.module)
        if name is None:
            return None
        found = program.find(module, name)
        if isinstance(found, int):
            inner = self._global(found, operation.name, depth + 1)
            if inner is not None:
                return inner
        whole = self._module(module, f"{name}.{operation.name}")
        return None if isinstance(whole, str) and found is not None else whole

    def _module(self, importer: int, name: str) -> tuple[bool, int] | str | None:
        found = self._program.find(importer, name)
        if isinstance(found, int):
            return True, found
        return name if found is None else None

    def _member(self, found: tuple[bool, int], name: str) -> tuple[bool, int] | str | None:
        is_module, number = found
        program = self._program
        if is_module:
            facts = program.modules[number].facts
            inner = self._global(number, name, 0)
            if inner is None and facts.is_package:
                below = program.find(number, f"{facts.name}.{name}")
                inner = (True, below) if isinstance(below, int) else None
            return inner
        klass = self._classes.get(number)
        if klass is None:
            return None
        for value_number in self._calls.classes.order(klass):
            value = self._values[value_number]
            if isinstance(value, ClassValue):
                linked, facts = program.classes[value.klass]
                qualname = linked.facts.definitions[facts.definition].qualname
                module = program.definitions[linked.definitions][0]
                inner = self._definitions[module].get(f"{qualname}.{name}")
                if inner is not None:
                    return False, inner
        return None
