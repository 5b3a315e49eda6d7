"""Follows values along the graph: from a place, or a parameter, to a tree of uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from .flow_graph import TAKERS, Fact, Graph, Label, Node, labels_match

Nodes = frozenset[Node]
_TOKEN = re.compile(r"\.(\w+|\*)|\((?:'[^']*')?\)|\[(?:'[^']*')?\]")
_DEPTHS = (14, 9, 7, 5)
_MAX_USES = 1500
"""The largest tree of uses; a value with more is followed less deep, to see each kind."""


@dataclass(slots=True)
class FlowQuery:
    """Queries of one graph; results are cached."""

    graph: Graph
    assumed: dict[Node, object] = field(default_factory=dict[Node, object])
    """Assumed values of parameters that serve as keys."""
    libraries: frozenset[str] | None = None
    """Top-level names of the installed libraries; `None` if any may be."""
    shapes: dict[object, object] = field(default_factory=dict[object, object])
    """Cache of the shapes inferred from uses, for their callers."""
    _reached: dict[Nodes, Nodes] = field(default_factory=dict[Nodes, Nodes])
    _origins: dict[Node, Nodes] = field(default_factory=dict[Node, Nodes])
    _used: dict[Nodes, Uses] = field(default_factory=dict[Nodes, "Uses"])
    _constants: dict[Node, tuple[object, ...]] = field(
        default_factory=dict[Node, tuple[object, ...]]
    )
    _labels: dict[Node, tuple[Label, ...]] = field(default_factory=dict[Node, tuple[Label, ...]])
    _taken: dict[Nodes, dict[str, dict[Label, list[Node]]]] = field(
        default_factory=dict[Nodes, dict[str, dict[Label, list[Node]]]]
    )
    """Containers → kind of a label → label → the nodes taken out of them under it."""
    _visiting: set[Node] = field(default_factory=set[Node])
    _left: int = 0
    """The remaining size of the tree being built."""

    # ------------------------------------------------------------------ forwards

    def reachable_nodes(self, start: Iterable[Node]) -> Nodes:
        """Return all nodes that the values of the given nodes flow to."""
        key = frozenset(start)
        known = self._reached.get(key)
        if known is None:
            self._reached[key] = key  # for containers that hold themselves
            known = self._reached[key] = self._reach(key)
        return known

    def _reach(self, start: Nodes) -> Nodes:
        graph = self.graph
        found = set(start)
        stack = sorted(start)
        while stack:
            node = stack.pop()
            following = list(graph.flows.get(node, ()))
            for container, label in graph.stores.get(node, ()):
                following += self._given(self.reachable_nodes((container,)), label)
            for other in following:
                if other not in found:
                    found.add(other)
                    stack.append(other)
        return frozenset(found)

    def _given(self, holders: Nodes, put: Label) -> Iterator[Node]:
        """Yield the nodes taken out of these containers that may be what was stored."""
        table = self._taken.get(holders)
        if table is None:
            table = self._taken[holders] = {}
            for holder in holders:
                for label, target in self.outgoing_edges(holder):
                    table.setdefault(str(label[0]), {}).setdefault(label, []).append(target)
        kind = str(put[0])
        yield from table.get(kind, {}).get(put, ())
        for other in TAKERS.get(kind, ()):
            for label, targets in table.get(other, {}).items():
                if label != put and labels_match(put, label):
                    yield from targets

    def outgoing_edges(self, node: Node) -> Iterator[tuple[Label, Node]]:
        """Yield the edges of one node, including those with non-literal keys."""
        yield from self.graph.edges.get(node, {}).items()
        for key, target in self.graph.keys.get(node, ()):
            known = self._labels.get(target)
            if known is None:
                known = self._labels[target] = self._labels_of(node, key, target)
            for label in known:
                yield label, target

    def _labels_of(self, node: Node, key: Node, target: Node) -> tuple[Label, ...]:
        """Return the labels that a non-literal key may stand for."""
        values = self.constants(key)
        if values:
            return tuple(("key", value) for value in values)
        if self._is_own_key(key, node):
            return (("value",),)
        return (("sub", "text") if self._is_text(key, target) else ("sub",),)

    def _is_own_key(self, key: Node, container: Node) -> bool:
        """Whether a key comes from iteration over the container: one of its own keys."""
        takes = (self.graph.takes.get(origin) for origin in self.origins(key))
        sources = [take[0] for take in takes if take is not None and take[1] == ("item",)]
        own = self.origins(container)
        return any(self.origins(source) & own for source in sources)

    def _is_text(self, key: Node, target: Node) -> bool:
        """Whether an unknown key is a text: as facts state, or as its item suggests.

        A parameter without facts counts as a text if the item behind it is a record.
        """
        facts = [fact for node in self.origins(key) for fact in self.graph.facts.get(node, ())]
        types = {fact.value for fact in facts if fact.kind == "type"}
        if types:
            return types <= {"str", "text"}
        is_parameter = any(fact.value == ("key",) for fact in facts if fact.kind == "argument")
        below = self.graph.edges.get(target, {})
        return is_parameter and any(b[0] == "key" and isinstance(b[1], str) for b in below)

    # ------------------------------------------------------------------ backwards

    def constants(self, node: Node) -> tuple[object, ...]:
        """Return the constants that a node may hold, in textual order."""
        known = self._constants.get(node)
        if known is not None:
            return known
        found: dict[object, object] = {}
        origins = self.origins(node)
        for origin in sorted(o for o in origins if o in self.graph.constants or o in self.assumed):
            value = self.graph.constants.get(origin, self.assumed.get(origin, ...))
            if isinstance(value, (str, int, float, bytes)) or value is None:
                found[type(value), value] = value
        known = self._constants[node] = tuple(found.values())
        return known

    def contents(self, node: Node) -> tuple[object, ...]:
        """Return the constants in a container, or the characters of a text."""
        found: list[object] = []
        for origin in sorted(self.origins(node)):
            text = self.graph.constants.get(origin)
            found += text if isinstance(text, str) else ""
            is_mapping = self._is_mapping(origin)
            for label, source in self.graph.contents.get(origin, ()):
                if label[0] in ("key", "item"):
                    found += [label[1]] if is_mapping else self.constants(source)
        return tuple(dict.fromkeys(value for value in found if value.__hash__ is not None))

    def _is_mapping(self, node: Node) -> bool:
        return any(
            label[0] == "key" and isinstance(label[1], str)
            for label, _ in self.graph.contents.get(node, ())
        )

    def entries(self, node: Node) -> dict[str, tuple[object, ...]]:
        """Return the literal entries of a mapping in the slice."""
        return {
            label[1]: self.constants(source)
            for origin in sorted(self.origins(node))
            for label, source in self.graph.contents.get(origin, ())
            if label[0] == "key" and isinstance(label[1], str)
        }

    def origins(self, node: Node) -> Nodes:
        """Return all nodes whose values may flow to this one."""
        known = self._origins.get(node)
        if known is not None:
            return known
        if node in self._visiting:
            return frozenset((node,))
        self._visiting.add(node)
        graph = self.graph
        found = {node}
        stack = [node]
        while stack:
            item = stack.pop()
            before = list(graph.sources.get(item, ()))
            taken = graph.takes.get(item)
            if taken is not None:
                giving = graph.giving(taken[1])
                for holder in self.origins(taken[0]) & giving.keys() if giving else ():
                    before += giving[holder]
            for other in before:
                if other not in found:
                    found.add(other)
                    stack.append(other)
        self._visiting.discard(node)
        known = self._origins[node] = frozenset(found)
        return known

    # ------------------------------------------------------------------ places

    def places(self, pattern: str) -> Nodes:
        """Return the nodes at a dotted path with `()`, `[]` and `*`.

        `('text')` is a call whose first argument may be that text, `['text']` an item of that key.
        """
        first, *_ = re.split(r"[.(\[]", pattern, maxsplit=1)
        tokens = [found[0] for found in _TOKEN.finditer(pattern, len(first))]
        found: set[Node] = set()
        for name, node in sorted(self.graph.roots.items()):
            parts = name.split(".")
            given = [f".{part}" for part in parts[1:]]
            if parts[0] != first or len(given) > len(tokens):
                continue
            if all(token in (part, ".*") for part, token in zip(given, tokens, strict=False)):
                found |= self._walk(node, tokens[len(given) :])
        return frozenset(found)

    def _walk(self, node: Node, tokens: list[str]) -> Nodes:
        nodes = self.reachable_nodes((node,))
        for token in tokens:
            nodes = self.reachable_nodes(
                target
                for item in nodes
                for label, target in self.outgoing_edges(item)
                if self._is_step(label, token)
            )
        return nodes

    def _is_step(self, label: Label, step: str) -> bool:
        wanted = step[2:-2]
        match label[0]:
            case "attr":
                return step in (".*", f".{label[1]}")
            case "call":
                positional = cast("tuple[Node, ...]", label[2])
                given = self.constants(positional[0]) if wanted and positional else ()
                return step == "()" or (step.startswith("('") and wanted in given)
            case "key" | "sub" | "item" | "value":
                return step == "[]" or (step.startswith("['") and label == ("key", wanted))
            case _:
                return False

    # ------------------------------------------------------------------ uses

    def uses(self, nodes: Iterable[Node]) -> Uses:
        """Return the uses of the nodes' values, and of the values taken out of them."""
        start = self.reachable_nodes(nodes)
        known = self._used.get(start)
        if known is None:
            known = self._used[start] = self._found(start)
        return known

    def _found(self, start: Nodes) -> Uses:
        found = NO_USES
        for depth in _DEPTHS:
            self._left = _MAX_USES
            found = self._uses(start, (), depth)
            if self._left >= 0:
                break
        return found

    def _uses(self, nodes: Nodes, around: tuple[Nodes, ...], depth: int) -> Uses:
        self._left -= 1
        if not nodes or nodes in around or len(around) > depth or self._left < 0:
            return NO_USES
        facts: list[Fact] = []
        below: dict[Label, set[Node]] = {}
        for node in sorted(nodes):
            facts += self.graph.facts.get(node, ())
            for label, target in self.outgoing_edges(node):
                below.setdefault(label, set()).add(target)
        return Uses(
            tuple(facts),
            {
                label: replace(
                    self._uses(self.reachable_nodes(targets), (*around, nodes), depth),
                    is_weak=targets <= self.graph.weak,
                )
                for label, targets in below.items()
            },
            self,
            attempts=tuple(sorted(nodes & self.graph.attempted)),
        )

    def preferred_outcome(self, fact: Fact) -> bool | None:
        """Return which outcome of a test lets the slice go on; `None` if both do."""
        if fact.result is None:
            return None
        for node in sorted(self.reachable_nodes((fact.result,))):
            for other in self.graph.facts.get(node, ()):
                if other.kind == "truth" and isinstance(other.value, bool):
                    return other.value
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Uses:
    """A tree of uses: of a value, and of the values taken out of it."""

    facts: tuple[Fact, ...]
    below: dict[Label, Uses]
    follower: FlowQuery | None = None
    is_weak: bool = False
    """Whether it is taken only off the path that is taken when all goes well."""
    attempts: tuple[Node, ...] = ()
    """Parameters that receive the value where failure is caught, perhaps one after another."""

    def __bool__(self) -> bool:
        return bool(self.facts or self.below)


NO_USES = Uses((), {})
