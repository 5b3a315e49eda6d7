"""A file with holes where copies of a target stand: in functions, statements and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from .chunks import chunks_of, definition_name
from .code_views import is_comment, without_block_comments
from .languages import Language, language_of, parser_of
from .target_guard import HiddenTarget

if TYPE_CHECKING:
    from tree_sitter import Node

_HOLE = re.compile(r"^[ \t]*\.\.\.[ \t]*$", re.M)


def without_copies(path: str, text: str, target: HiddenTarget) -> str:
    """Return a file without the copies of a target; heads of functions stay.

    What holds a hole stays, since the target itself belongs there.
    """
    language = language_of(path)
    if language is None or not (
        target.is_copied_in(path, text, "" if path == target.path else target.name)
        or target.is_class_in(path, text)
    ):
        return text
    text = _without_comments(path, text, target, language)
    data = text.encode("utf-8", "surrogateescape")
    while True:
        made = _with_more_holes(path, data, target, language)
        if made is None:
            break
        data = made
    text = data.decode("utf-8", "surrogateescape")
    lines = _lines(text)
    blocks = (each for each in chunks_of(path, data, language) if each.kind == "block")
    for each in reversed([*blocks]):
        if not _HOLE.search(each.text) and target.is_copied_in(path, each.text):
            lines[each.first - 1 : each.last] = [f"{_empty(language)}\n"]
    return "".join(lines)


def _without_comments(path: str, text: str, target: HiddenTarget, language: Language) -> str:
    def is_copy(comment: str) -> bool:
        return target.is_copied_in(path, comment) or target.is_class_in(path, comment)

    is_python = language.name == "python"
    if not is_python:
        text = without_block_comments(text, is_copy)
    kept: list[str] = []
    for is_run, run in groupby(_lines(text), lambda line: is_comment(line, is_python=is_python)):
        lines = list(run)
        kept += [] if is_run and is_copy("".join(lines)) else lines
    return "".join(kept)


def _with_more_holes(
    path: str, data: bytes, target: HiddenTarget, language: Language
) -> bytes | None:
    """Return a file with holes for its last copy, or for a class; `None` if there is none."""
    root = parser_of(language.name).parse(data).root_node
    found: list[tuple[int, int]] = []
    places = sorted(_writable(path, root, target, language), reverse=True)
    for first, last, name, is_of_copy in places:
        if data[first:last].strip() in (b"pass", b"{}", b"..."):
            continue
        start = data.rfind(b"\n", 0, first) + 1
        body = data[first if data[start:first].strip() else start : last]
        text = body.decode("utf-8", "surrogateescape")
        if _HOLE.search(text):
            continue
        if is_of_copy:  # all of a class at once, since the rest of it is no copy
            found = [each for each in found if each[1] > last]
            found.append((first, last))
        elif not found and target.is_copied_in(path, text, name):
            found.append((first, last))
            break
    for first, last in found:
        data = data[:first] + _empty(language, braced=True).encode() + data[last:]
    return data if found else None


def _writable(
    path: str, root: Node, target: HiddenTarget, language: Language
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield where bodies of functions and other statements of classes stand.

    The name of a function follows, if that counts, and whether it is in a copy of a class.
    """
    left = [(root, False)]
    while left:
        node, is_of_copy = left.pop()
        is_class = node.type in language.classes
        if is_class and not is_of_copy:
            text = (node.text or b"").decode("utf-8", "surrogateescape")
            is_of_copy = target.is_class_in(path, text)
        left += [(each, is_of_copy) for each in node.children]
        body = node.child_by_field_name("body")
        if body is None:
            continue
        counts = node.type in language.functions and path != target.path
        name = definition_name(node).rpartition(".")[2] if counts else ""
        for first, last in _written(node, body, language):
            yield first, last, name, is_of_copy


def _written(node: Node, body: Node, language: Language) -> Iterator[tuple[int, int]]:
    if node.type in language.functions:
        if language.name != "python":
            yield body.start_byte, body.end_byte
        elif body.children:  # its docstring too: a model may be shown the target without one
            yield body.children[0].start_byte, body.children[-1].end_byte
    elif node.type in language.classes and language.name == "python":
        kinds = language.functions | language.classes | language.wrappers
        members = _without_docstring(body.children)
        for is_other, run in groupby(members, lambda each: each.type not in kinds):
            nodes = [each for each in run if each.type != "comment"]
            if is_other and nodes:
                yield nodes[0].start_byte, nodes[-1].end_byte


def _without_docstring(nodes: Sequence[Node]) -> Sequence[Node]:
    first = nodes[0] if nodes else None
    if first is not None and first.type == "expression_statement" and len(nodes) > 1:
        inner = first.children
        return nodes[1:] if len(inner) == 1 and inner[0].type == "string" else nodes
    return nodes


def _empty(language: Language, *, braced: bool = False) -> str:
    if language.name == "python":
        return "pass"
    return "{}" if braced else ""


def _lines(text: str) -> list[str]:
    """Return the lines of a text as a parser counts them: a line feed ends each."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
