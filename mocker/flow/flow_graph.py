"""The data-flow graph of a slice: where values flow, and what is done with them.

A node stands for the possible values of one expression or variable. Queries follow sets of nodes
along edge labels, like the states of an automaton. After Andersen's inclusion graphs (PhD thesis,
1994), solved on demand from one root (Heintze and Tardieu, PLDI 2001).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

Node = int
Label = tuple[Hashable, ...]
"""`("attr", name)`; `("key", constant)`; `("sub",)` for an unknown key, `("sub", "text")` for an
unknown text; `("item",)` for what iteration yields; `("own key",)` for a key of a mapping itself;
`("value",)` for the values of a mapping; `("call", place, arguments, keywords)` with the nodes of
the arguments; `("parse", format, …)` for the result of a parser."""
_PARTNERS = {
    "key": ("sub", "item", "value"),
    "item": ("key", "own key", "sub"),
    "value": ("key", "sub"),
    "sub": ("key", "item", "value", "sub"),
}
"""Kind of the label taken → the kinds of other labels that may match it."""
TAKERS = {
    "key": ("sub", "item", "value"),
    "item": ("key", "sub"),
    "own key": ("item",),
    "value": ("key", "sub"),
    "sub": ("key", "item", "value", "sub"),
}
"""Kind of the label stored under → the kinds of other labels that it may match."""
FactKind = Literal[
    "compare", "truth", "type", "convert", "length", "unpack", "isinstance", "match", "optional",
    "sliced", "argument", "caught", "class", "awaited", "entered",
    "stored", "class object",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A use of a value, which the value must support."""

    kind: FactKind
    value: object = None
    """Depends on the kind: (operator, other operand's node) of a comparison; the wanted outcome of
    a truth test; the name of a type; a number of parts; a pattern; the node of the key that is
    stored or deleted."""
    result: Node | None = None
    """The node of its result, where it matters."""
    is_weak: bool = False
    """Whether it lies on a path that is not taken when all goes well."""


@dataclass(slots=True)
class Graph:
    """The data-flow graph of one slice; built once, then read-only."""

    size: int = 0
    flows: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    """Node → the nodes that its values flow to."""
    sources: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    """The flows in reverse."""
    edges: dict[Node, dict[Label, Node]] = field(default_factory=dict[Node, dict[Label, Node]])
    """Node → label → the node taken out of its values; each call has its own label."""
    pairs: set[tuple[Node, Node]] = field(default_factory=set[tuple[Node, Node]])
    """All flows, to add each only once."""
    takes: dict[Node, tuple[Node, Label]] = field(default_factory=dict[Node, tuple[Node, Label]])
    """The edges in reverse."""
    keys: dict[Node, list[tuple[Node, Node]]] = field(
        default_factory=dict[Node, list[tuple[Node, Node]]]
    )
    """Node → (node of a non-literal key, node taken out with it)."""
    stores: dict[Node, list[tuple[Node, Label]]] = field(
        default_factory=dict[Node, list[tuple[Node, Label]]]
    )
    """Node → (container, label under which its values are stored)."""
    contents: dict[Node, list[tuple[Label, Node]]] = field(
        default_factory=dict[Node, list[tuple[Label, Node]]]
    )
    """The stores in reverse."""
    containers: dict[str, dict[Label, set[Node]]] = field(
        default_factory=dict[str, dict[Label, set[Node]]]
    )
    """Kind of a label → label → the containers with something stored under it."""
    givers: dict[Label, dict[Node, list[Node]]] = field(
        default_factory=dict[Label, dict[Node, list[Node]]]
    )
    """Results of `giving` since the last store."""
    facts: dict[Node, list[Fact]] = field(default_factory=dict[Node, list[Fact]])
    constants: dict[Node, object] = field(default_factory=dict[Node, object])
    roots: dict[str, Node] = field(default_factory=dict[str, Node])
    """Dotted outside name → its node."""
    named: dict[Hashable, Node] = field(default_factory=dict[Hashable, Node])
    """Nodes of variables, parameters, results and attributes, by their identity."""

    is_weak: bool = False
    """Whether nodes taken now lie on a path that is not taken when all goes well."""
    weak: set[Node] = field(default_factory=set[Node])
    """Nodes taken only on such paths."""
    attempted: set[Node] = field(default_factory=set[Node])
    """Parameters of functions called where an exception is caught."""

    def new(self) -> Node:
        """Return a new node without facts."""
        self.size += 1
        return self.size

    def at(self, key: Hashable) -> Node:
        """Return the node of a variable, attribute, parameter or result."""
        node = self.named.get(key)
        if node is None:
            node = self.named[key] = self.new()
        return node

    def root(self, name: str) -> Node:
        """Return the node of an outside name."""
        node = self.roots.get(name)
        if node is None:
            node = self.roots[name] = self.new()
        return node

    def flow(self, source: Node, target: Node) -> None:
        """Let the values of the source flow to the target."""
        if source != target and (source, target) not in self.pairs:
            self.pairs.add((source, target))
            self.flows.setdefault(source, []).append(target)
            self.sources.setdefault(target, []).append(source)

    def take(self, source: Node, label: Label) -> Node:
        """Return the node behind a label."""
        table = self.edges.setdefault(source, {})
        node = table.get(label)
        if node is None:
            node = table[label] = self.new()
            self.takes[node] = (source, label)
            if self.is_weak:
                self.weak.add(node)
        elif not self.is_weak:
            self.weak.discard(node)
        return node

    def take_by(self, source: Node, key: Node) -> Node:
        """Return the node behind a key that is itself a node."""
        node = self.new()
        if self.is_weak:
            self.weak.add(node)
        self.keys.setdefault(source, []).append((key, node))
        return node

    def store(self, source: Node, container: Node, label: Label) -> None:
        """Store values in a container."""
        self.stores.setdefault(source, []).append((container, label))
        self.contents.setdefault(container, []).append((label, source))
        self.containers.setdefault(str(label[0]), {}).setdefault(label, set()).add(container)
        self.givers.clear()

    def giving(self, taken: Label) -> dict[Node, list[Node]]:
        """Return the containers that may give a value under a label, with the stored nodes.

        Most containers of a large slice hold nothing under a given label. Starting from the label
        avoids a look into each of them for every take.
        """
        known = self.givers.get(taken)
        if known is None:
            found: set[Node] = set()
            for kind in _PARTNERS.get(str(taken[0]), ()):
                for put, containers in self.containers.get(kind, {}).items():
                    if labels_match(put, taken):
                        found |= containers
            found |= self.containers.get(str(taken[0]), {}).get(taken, set())
            known = self.givers[taken] = {
                container: [s for put, s in self.contents[container] if labels_match(put, taken)]
                for container in found
            }
        return known

    def constant(self, value: object) -> Node:
        """Return a node that holds one constant."""
        node = self.new()
        self.constants[node] = value
        return node

    def add_use(self, node: Node, fact: Fact) -> None:
        """Add a fact to a node."""
        self.facts.setdefault(node, []).append(fact)


def labels_match(put: Label, taken: Label) -> bool:
    """Whether a value stored under one label may be taken by another."""
    if put == taken:
        return True
    kinds = (put[0], taken[0])
    if "sub" in kinds:
        return set(kinds) <= {"sub", "key", "item", "value"}
    match put, taken:
        case (("item",), ("key", int())) | (("key", int()), ("item",)):
            return True
        case (("own key",), ("item",)):
            return True
        case (("value",), ("key", _)) | (("key", _), ("value",)):
            return True
        case _:
            return False
