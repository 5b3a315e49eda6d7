"""What a file in Java, JavaScript, Go or Rust defines and imports, from its syntax alone.

Python has records of its own: there the slicer's analysis knows more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..retrieval.chunks import chunks_of, definition_name
from ..retrieval.languages import Language, language_of, parser_of
from ..retrieval.words import words_of
from .file_records import LONGEST_SNIPPET, Definition, FileRecord, Snippet
from .syntax_imports import imports_of, module_of

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENT = re.compile(r"^\s*(/\*\*?|\*/|\*|//[/!]?)\s?|\s*\*/\s*$")


def is_python(path: str) -> bool:
    """Whether a file is in Python."""
    return other_language(path) is None


def quoted_summary(definition: Definition) -> str:
    """Return the first line of a docstring, as the language writes it."""
    return (
        f'"""{definition.summary}"""' if is_python(definition.path) else f"// {definition.summary}"
    )


def other_language(path: str) -> Language | None:
    """Return the language of a file that has records by its syntax; `None` for Python."""
    found = language_of(path)
    return None if found is None or found.name == "python" else found


def syntax_record(path: str, content: bytes, language: Language) -> FileRecord:
    """Return what a file defines and imports."""
    text = content.decode("utf-8", "replace")
    nodes = DefinitionNodes(path, content, language)
    definitions = tuple(each.definition for each in nodes.found)
    return FileRecord(
        path,
        module_of(path, text, language),
        definitions,
        tuple(_snippets(path, content, language)),
        tuple(dict.fromkeys(imports_of(text, language))),
        (),
    )


@dataclass(frozen=True, slots=True)
class DefinitionNode:
    """A definition, and its node."""

    definition: Definition
    node: Node


class DefinitionNodes:
    """The definitions of a file with their nodes, in source order."""

    def __init__(self, path: str, content: bytes, language: Language) -> None:
        self._path = path
        self._lines = content.decode("utf-8", "replace").split("\n")
        self._language = language
        tree = parser_of(language.name).parse(content)
        self.found = list(self._definitions(tree.root_node.children, ""))

    def _definitions(self, nodes: Sequence[Node], owner: str) -> Iterator[DefinitionNode]:
        language = self._language
        for node in nodes:
            inner = node
            if node.type in language.wrappers:
                kinds = language.functions | language.classes
                inner = next((each for each in node.children if each.type in kinds), node)
            if inner.type in language.bodies:
                yield from self._definitions(inner.children, owner)
            elif inner.type in language.functions:
                yield self._found(node, inner, owner, is_class=False)
            elif inner.type == "impl_item":  # in Rust it adds to a type of another place
                yield from self._definitions(inner.children, definition_name(inner))
            elif inner.type in language.classes:
                found = self._found(node, inner, owner, is_class=True)
                yield found
                yield from self._definitions(inner.children, found.definition.qualname)

    def _found(self, node: Node, inner: Node, owner: str, *, is_class: bool) -> DefinitionNode:
        name = definition_name(inner)
        qualname = f"{owner}.{name}" if owner else name
        first, last = node.start_point[0] + 1, inner.end_point[0] + 1
        kind = "class" if is_class else "method" if "." in qualname else "function"
        header = _header(node, inner)
        definition = Definition(
            self._path, qualname, kind, first, last, header, self._comment(first)
        )
        return DefinitionNode(definition, inner)

    def _comment(self, first: int) -> str:
        """Return the comment above a line, without its marks."""
        above: list[str] = []
        for line in reversed(self._lines[: first - 1]):
            if not line.strip().startswith(("//", "/*", "*")):
                break
            above.append(_COMMENT.sub("", _COMMENT.sub("", line)).strip())
            if line.strip().startswith("/*"):
                break
        return "\n".join(reversed(above)).strip()


def _header(node: Node, inner: Node) -> str:
    """Return annotations, a line each, and what stands before the body on one line."""
    whole = (node.text or b"").decode("utf-8", "replace")
    body = inner.child_by_field_name("body")
    if body is None:  # the one type of a declaration in Go has its body further in
        body = next((e for e in inner.children if e.child_by_field_name("type")), None)
        body = body and body.child_by_field_name("type")
        if body is not None:
            kind = (body.text or b"").decode("utf-8", "replace").partition("{")[0]
            size = len(whole.encode()[: body.start_byte - node.start_byte].decode())
            return " ".join((whole[:size] + kind).split())
        return " ".join(whole.rstrip(" ;").split())
    marks: list[str] = []
    start = node.start_byte
    for each in (
        n for child in inner.children if child.type == "modifiers" for n in child.children
    ):
        if "annotation" in each.type:
            marks.append(" ".join((each.text or b"").decode("utf-8", "replace").split()))
            start = each.end_byte
    head = whole.encode()[start - node.start_byte : body.start_byte - node.start_byte]
    return "\n".join([*marks, " ".join(head.decode("utf-8", "replace").split())])


def _snippets(path: str, content: bytes, language: Language) -> Iterator[Snippet]:
    lines = content.decode("utf-8", "replace").split("\n")
    chunks = chunks_of(path, content, language)
    for chunk, following in zip_longest(chunks, chunks[1:]):
        last = chunk.last
        if chunk.kind == "class" and following is not None:  # its members have their own
            last = min(last, max(chunk.first, following.first - 1))
        kind = "statements" if chunk.kind == "block" else chunk.kind
        if kind == "function" and "." in chunk.name:
            kind = "method"
        for first in range(chunk.first, last + 1, LONGEST_SNIPPET):
            end = min(last, first + LONGEST_SNIPPET - 1)
            text = "\n".join(lines[first - 1 : end])
            counts = Counter(words_of(f"{path} {chunk.name} {text}"))
            yield Snippet(path, first, end, chunk.name, kind, counts)


def outline_by_syntax(definition: Definition, content: bytes, language: Language) -> str:
    """Return a class without the bodies of its methods."""
    chunks = chunks_of(definition.path, content, language)
    same = (each for each in chunks if each.kind == "class" and each.first == definition.first)
    return next(each.text for each in same)
