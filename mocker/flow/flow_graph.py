"""The flow of values through a slice, as a graph: where values go, and what is done with them.

A node stands for the values that one expression or variable may have. It is followed like the
states of an automaton: a set of nodes at a time, along the labels of its edges. After
Andersen's inclusion graphs (PhD thesis, 1994), solved on demand from one root (Heintze and
Tardieu, PLDI 2001).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

Node = int
Label = tuple[Hashable, ...]
"""`("attr", name)`, `("key", constant)`, `("sub",)` for a key that is not known, or
`("sub", "text")` for one that is some text, `("item",)` for what iterating gives, `("own key",)`
for what stands as a key of a mapping, `("value",)` for the values of a mapping, `("call", place,
arguments, keywords)` with the nodes of what is given, `("parse", format, …)` for what a parser
makes of it."""
_PARTNERS = {
    "key": ("sub", "item", "value"),
    "item": ("key", "own key", "sub"),
    "value": ("key", "sub"),
    "sub": ("key", "item", "value", "sub"),
}
"""Kind of the label that is taken → the kinds of other labels that may fit it."""
TAKERS = {
    "key": ("sub", "item", "value"),
    "item": ("key", "sub"),
    "own key": ("item",),
    "value": ("key", "sub"),
    "sub": ("key", "item", "value", "sub"),
}
"""Kind of the label that something is put in under → the kinds of other labels that it may fit."""
FactKind = Literal[
    "compare", "truth", "type", "convert", "length", "unpack", "isinstance", "match", "optional",
    "sliced", "argument", "caught", "class", "awaited", "entered",
    "stored", "class object",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is done with a value, and that the value must bear."""

    kind: FactKind
    value: object = None
    """Depends on the kind: (operator, other operand's node) of a comparison; the wanted outcome of
    a truth test; the name of a type; a number of parts; a pattern; the node of the key under which
    something is put in, or taken away."""
    result: Node | None = None
    """What comes of it, where it matters."""
    is_weak: bool = False
    """It stands where the slice does not come when all goes well."""


@dataclass(slots=True)
class Graph:
    """The flow of one slice; built once, then only read."""

    size: int = 0
    flows: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    """Node → those that get its values."""
    sources: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    """The flows backwards."""
    edges: dict[Node, dict[Label, Node]] = field(default_factory=dict[Node, dict[Label, Node]])
    """Node → label → what is taken out of its values; each call has a label of its own."""
    pairs: set[tuple[Node, Node]] = field(default_factory=set[tuple[Node, Node]])
    """All flows, to have each once."""
    takes: dict[Node, tuple[Node, Label]] = field(default_factory=dict[Node, tuple[Node, Label]])
    """The edges backwards."""
    keys: dict[Node, list[tuple[Node, Node]]] = field(
        default_factory=dict[Node, list[tuple[Node, Node]]]
    )
    """Node → (node of a key that is no literal, what is taken out with it)."""
    stores: dict[Node, list[tuple[Node, Label]]] = field(
        default_factory=dict[Node, list[tuple[Node, Label]]]
    )
    """Node → (container, label under which its values are put in)."""
    held: dict[Node, list[tuple[Label, Node]]] = field(
        default_factory=dict[Node, list[tuple[Label, Node]]]
    )
    """The stores backwards."""
    containers: dict[str, dict[Label, set[Node]]] = field(
        default_factory=dict[str, dict[Label, set[Node]]]
    )
    """Kind of a label → label → the containers that something is put into under it."""
    givers: dict[Label, dict[Node, list[Node]]] = field(
        default_factory=dict[Label, dict[Node, list[Node]]]
    )
    """What `giving` has worked out since the last store."""
    facts: dict[Node, list[Fact]] = field(default_factory=dict[Node, list[Fact]])
    constants: dict[Node, object] = field(default_factory=dict[Node, object])
    roots: dict[str, Node] = field(default_factory=dict[str, Node])
    """Dotted outside name → its node."""
    named: dict[Hashable, Node] = field(default_factory=dict[Hashable, Node])
    """Variables, parameters, results and attributes, by what they are."""

    is_weak: bool = False
    """What is taken out now is taken where the slice does not come when all goes well."""
    weak: set[Node] = field(default_factory=set[Node])
    """What is taken out at such places only."""
    attempted: set[Node] = field(default_factory=set[Node])
    """Parameters of functions that are called where an exception is caught."""

    def new(self) -> Node:
        """A node of which nothing is known yet."""
        self.size += 1
        return self.size

    def at(self, key: Hashable) -> Node:
        """The node of a variable, attribute, parameter or result."""
        node = self.named.get(key)
        if node is None:
            node = self.named[key] = self.new()
        return node

    def root(self, name: str) -> Node:
        """The node of an outside name."""
        node = self.roots.get(name)
        if node is None:
            node = self.roots[name] = self.new()
        return node

    def flow(self, source: Node, target: Node) -> None:
        """Values of the source are values of the target, too."""
        if source != target and (source, target) not in self.pairs:
            self.pairs.add((source, target))
            self.flows.setdefault(source, []).append(target)
            self.sources.setdefault(target, []).append(source)

    def take(self, source: Node, label: Label) -> Node:
        """What lies behind a label."""
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
        """What lies behind a key that is known only by where it comes from."""
        node = self.new()
        if self.is_weak:
            self.weak.add(node)
        self.keys.setdefault(source, []).append((key, node))
        return node

    def store(self, source: Node, container: Node, label: Label) -> None:
        """Put values into a container."""
        self.stores.setdefault(source, []).append((container, label))
        self.held.setdefault(container, []).append((label, source))
        self.containers.setdefault(str(label[0]), {}).setdefault(label, set()).add(container)
        self.givers.clear()

    def giving(self, taken: Label) -> dict[Node, list[Node]]:
        """Each container that may give something under a label, and what was put in for that.

        Most containers of a large slice hold nothing under a given label: to start from the label
        spares looking into each of them, once for every place that takes something out.
        """
        known = self.givers.get(taken)
        if known is None:
            found: set[Node] = set()
            for kind in _PARTNERS.get(str(taken[0]), ()):
                for put, containers in self.containers.get(kind, {}).items():
                    if fits(put, taken):
                        found |= containers
            found |= self.containers.get(str(taken[0]), {}).get(taken, set())
            known = self.givers[taken] = {
                container: [s for put, s in self.held[container] if fits(put, taken)]
                for container in found
            }
        return known

    def constant(self, value: object) -> Node:
        """A node that holds one constant."""
        node = self.new()
        self.constants[node] = value
        return node

    def add_use(self, node: Node, fact: Fact) -> None:
        """Something is done with the values of a node."""
        self.facts.setdefault(node, []).append(fact)


def fits(put: Label, taken: Label) -> bool:
    """Whether what is put under one label may be what is taken by another."""
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
