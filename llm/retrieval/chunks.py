"""Chunks: the pieces of a file that retrieval returns, cut along the syntax.

A chunk is a function or method, a class without the bodies of its methods, or consecutive other
statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .languages import Language, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_BLOCK = 40
"""Lines after which a block of statements is cut."""
_WORD = re.compile(r"[^\W\d]\w*")
_IDENTIFIER = re.compile(rb"[^\W\d]\w*")
_PARAMETERS = re.compile(rb"[<\[].*[>\]]", re.S)
"""Parameters of a generic type."""
_NAME_FIELDS = ("name", "type", "trait")

Kind = Literal["function", "class", "block"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of a file."""

    path: str
    first: int
    """First line, counted from 1, decorators included."""
    last: int
    kind: Kind
    name: str
    """Qualified name of what it defines; empty for a block."""
    text: str
    """Its text; for a class, with `...` for the bodies of methods."""

    @property
    def label(self) -> str:
        """Return where it is."""
        return f"{self.path}:{self.first}-{self.last}"

    @property
    def symbols(self) -> frozenset[str]:
        """Return the identifiers in it: those that it defines, and those that it uses."""
        return frozenset(_WORD.findall(self.text))


def chunks_of(path: str, content: bytes, language: Language) -> tuple[Chunk, ...]:
    """Return the chunks of a file, in its order."""
    tree = parser_of(language.name).parse(content)
    cutter = _Cutter(path, _lines(content), language)
    return tuple(cutter.chunks(tree.root_node.children, ""))


@dataclass(frozen=True, slots=True)
class _Cutter:
    path: str
    lines: Sequence[bytes]
    language: Language

    def chunks(self, nodes: Sequence[Node], owner: str) -> Iterator[Chunk]:
        """Yield the chunks of consecutive nodes below the definition `owner`."""
        group: tuple[int, int] | None = None
        for node in nodes:
            inner = self._unwrapped(node)
            is_definition = inner.type in self.language.functions | self.language.classes
            first, last = node.start_point[0] + 1, _last_line(node)
            if group and (is_definition or last - group[0] >= LONGEST_BLOCK):
                yield from self._block(*group, owner)
                group = None
            if is_definition:
                yield from self._definition(node, inner, owner)
            elif node.is_named:
                group = (group[0] if group else first, last)
        if group:
            yield from self._block(*group, owner)

    def _unwrapped(self, node: Node) -> Node:
        """Return the definition in a node with decorators or `export`."""
        if node.type in self.language.wrappers:
            kinds = self.language.functions | self.language.classes
            return next((each for each in node.children if each.type in kinds), node)
        return node

    def _definition(self, node: Node, inner: Node, owner: str) -> Iterator[Chunk]:
        name = f"{owner}.{definition_name(inner)}" if owner else definition_name(inner)
        first, last = node.start_point[0] + 1, _last_line(node)
        if inner.type in self.language.functions:
            yield Chunk(self.path, first, last, "function", name, self._text(first, last))
            return
        members = [
            member
            for body in inner.children
            if body.type in self.language.bodies
            for member in self._members(body)
        ]
        yield Chunk(self.path, first, last, "class", name, self._outline(node, members))
        for member in members:
            found = self._unwrapped(member)
            if found.type in self.language.functions | self.language.classes:
                yield from self._definition(member, found, name)

    def _members(self, body: Node) -> Iterator[Node]:
        """Yield the members of a class; those of an enum stand in a further body."""
        for each in body.children:
            if each.type in self.language.bodies:
                yield from self._members(each)
            else:
                yield each

    def _outline(self, node: Node, members: Sequence[Node]) -> str:
        """Return a class without the bodies of its functions and inner classes."""
        skipped: set[int] = set()
        kinds = self.language.functions | self.language.classes
        for member in members:
            inner = self._unwrapped(member)
            body = inner.child_by_field_name("body") if inner.type in kinds else None
            if body is not None:
                skipped |= set(range(_head_end(inner, body) + 1, _last_line(body) + 1))
        first, last = node.start_point[0] + 1, _last_line(node)
        kept = (line for line in range(first, last + 1) if line not in skipped)
        return b"".join(self.lines[line - 1] for line in kept).decode("utf-8", "replace")

    def _block(self, first: int, last: int, owner: str) -> Iterator[Chunk]:
        text = self._text(first, last)
        if text.strip():
            yield Chunk(self.path, first, last, "block", owner, text)

    def _text(self, first: int, last: int) -> str:
        return b"".join(self.lines[first - 1 : last]).decode("utf-8", "replace")


def _lines(content: bytes) -> list[bytes]:
    """Return the lines of a file as the parser counts them: a line feed ends each."""
    return [line + b"\n" for line in content.split(b"\n")]


def _head_end(node: Node, body: Node) -> int:
    """Return the last line of a function's head: a brace or a colon ends it."""
    before = [each for each in node.children if each.end_byte <= body.start_byte]
    colons = [each.end_point[0] + 1 for each in before if each.type == ":"]
    return colons[-1] if colons else body.start_point[0] + 1


def definition_name(node: Node) -> str:
    """Return the name of a definition, after its receiver in Go; empty for none."""
    for field in _NAME_FIELDS:
        found = node.child_by_field_name(field)
        if found is not None and found.text is not None:
            receiver = node.child_by_field_name("receiver")  # of a method in Go
            owner = _PARAMETERS.sub(b"", receiver.text) if receiver and receiver.text else b""
            owners = _IDENTIFIER.findall(owner)
            name = _PARAMETERS.sub(b"", found.text).decode("utf-8", "replace")
            return f"{owners[-1].decode('utf-8', 'replace')}.{name}" if owners else name
    named = (each for each in node.named_children if each.child_by_field_name("name"))
    inner = next(named, None)  # the one type of a declaration in Go
    return definition_name(inner) if inner is not None else ""


def _last_line(node: Node) -> int:
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1
