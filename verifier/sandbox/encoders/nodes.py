"""The graph of an encoded value, its canonical order, and its text.

Every object becomes one node, whatever the number of references and cycles. Sets and dictionaries
are ordered by content alone: entries that are no plain text are ordered by colour refinement
(Weisfeiler and Leman, 1968). Nodes with several references, and deeply nested ones, are written
once under `shared` and referred to by number.
"""

from __future__ import annotations

import builtins
from hashlib import blake2b

try:
    from _json import encode_basestring_ascii as quoted
except ImportError:
    from json.encoder import py_encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from ..raw import Raw

    Child: TypeAlias = "str | Node"
    Fields: TypeAlias = Sequence[tuple[str, str]]

__builtins__ = dict(vars(builtins))

NEST = 16
"""Nodes nested deeper than this are written under `shared`."""

_ROUNDS = 16


class Group:
    """Children of a node under one name.

    `shape` is `node` (one child), `nodes`, `set` (unordered), `named` (pairs of text and child),
    `pairs` (pairs of children) or `dict` (unordered pairs).
    """

    __slots__ = ("entries", "name", "shape")

    def __init__(self, name: str, shape: str, entries: Raw) -> None:
        self.name = name
        self.shape = shape
        self.entries = entries


class Node:
    """One object: its kind, plain fields as JSON texts, and groups of children.

    A child is a node, or JSON text for a value that is written in place.
    """

    __slots__ = ("colour", "depth", "drives", "groups", "kind", "number", "scalars", "uses")

    def __init__(self, kind: str, scalars: Raw = (), groups: Raw = ()) -> None:
        self.kind = kind
        self.scalars = scalars
        self.groups = groups
        self.uses = 0
        self.colour = b""
        self.number = -1
        self.depth = 0
        self.drives = False


class Remembered:
    """An object as it was described: a node whose groups hold its parts, or a text."""

    __slots__ = ("child", "parts", "value")

    def __init__(self, value: Raw, child: Child, parts: list[Raw]) -> None:
        self.value = value
        self.child = child
        self.parts = parts
        """The objects that it refers to, without plain values."""


def copied(child: Child) -> Child:
    """Return a copy of a description that can be written; the original stays as it is."""
    if isinstance(child, str):
        return child
    groups = [Group(g.name, g.shape, [_copied_entry(e) for e in g.entries]) for g in child.groups]
    return Node(child.kind, child.scalars, groups)


def _copied_entry(entry: Raw) -> Raw:
    return copied(entry) if type(entry) is Node else entry


def quoted_name(text: str) -> str:
    """Return a foreign name as JSON; lone surrogates, as in file names, are escaped."""
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    return quoted(text)


def field(name: str, value: Raw) -> tuple[str, str]:
    """Return a plain field: a trusted text, number, or boolean."""
    if type(value) is str:
        return (name, quoted_name(value))
    if value is True or value is False:
        return (name, "true" if value else "false")
    return (name, int.__repr__(value))


def leaf(kind: str, *fields: tuple[str, str]) -> str:
    """Return a node without children as text."""
    body = "".join(f',"{name}":{text}' for name, text in fields)
    return f'{{"kind":"{kind}"{body}}}'


def put_in_order(nodes: list[Node]) -> None:
    """Sort sets and dictionaries by content."""
    loose = [g for n in nodes for g in n.groups if g.shape in ("set", "dict")]
    if any(type(_key(g, entry)) is Node for g in loose for entry in g.entries):
        _refine(nodes)
    for group in loose:
        keys = {position: _sort_text(_key(group, e)) for position, e in enumerate(group.entries)}
        group.entries = [group.entries[position] for position in sorted(keys, key=keys.__getitem__)]


def _key(group: Group, entry: Raw) -> Child:
    return entry if group.shape == "set" else entry[0]


def _sort_text(child: Child) -> tuple[int, str]:
    return (0, child) if isinstance(child, str) else (1, child.colour.hex())


def _refine(nodes: list[Node]) -> None:
    distinct = 0
    for _ in range(_ROUNDS):
        colours = [_next_colour(node) for node in nodes]
        for position, colour in enumerate(colours):
            nodes[position].colour = colour
        found = len(set(colours))
        if found == distinct:
            return
        distinct = found


def _next_colour(node: Node) -> bytes:
    parts = [node.kind.encode(), *(f"{name}={text}".encode() for name, text in node.scalars)]
    for group in node.groups:
        entries = [_entry_colour(entry) for entry in group.entries]
        if group.shape in ("set", "dict"):
            entries.sort()
        parts.append(group.name.encode())
        parts.extend(entries)
    return blake2b(b"\x00".join(parts), digest_size=16).digest()


def _entry_colour(entry: Raw) -> bytes:
    if isinstance(entry, Node):
        return entry.colour.hex().encode()
    if isinstance(entry, str):
        return entry.encode()
    return b"\x01".join(map(_entry_colour, entry))


class Writer:
    """Writes nodes as canonical JSON; one writer for each text."""

    def __init__(self) -> None:
        self._shared: list[Node] = []

    def text(self, child: Child, level: int = 0) -> str:
        """Return a child as JSON; shared and deep nodes are deferred and referred to."""
        if isinstance(child, str):
            return child
        if child.uses > 1 or level > NEST:
            if child.number < 0:
                child.number = len(self._shared)
                self._shared.append(child)
            return f'{{"kind":"ref","to":{child.number}}}'
        return self._body(child, level)

    def shared(self) -> str:
        """Return the deferred nodes as JSON, by number."""
        written: list[str] = []
        while len(written) < len(self._shared):  # grows meanwhile
            written.append(self._body(self._shared[len(written)], 0))
        return "[" + ",".join(written) + "]"

    def _body(self, node: Node, level: int) -> str:
        parts = [f'"kind":"{node.kind}"']
        parts.extend([f'"{name}":{text}' for name, text in node.scalars])
        parts.extend([f'"{g.name}":{self._group(g, level + 1)}' for g in node.groups])
        return "{" + ",".join(parts) + "}"

    def _group(self, group: Group, level: int) -> str:
        if group.shape == "node":
            return self.text(group.entries[0], level)
        if group.shape in ("nodes", "set"):
            return "[" + ",".join([self.text(child, level) for child in group.entries]) + "]"
        return (
            "[" + ",".join([self._pair(entry, group.shape, level) for entry in group.entries]) + "]"
        )

    def _pair(self, entry: Raw, shape: str, level: int) -> str:
        first = quoted_name(entry[0]) if shape == "named" else self.text(entry[0], level)
        return f"[{first},{self.text(entry[1], level)}]"
