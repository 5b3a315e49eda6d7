"""A Java class in words without a model: its head, its members' heads, and their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .source import (
    FIELDS,
    METHODS,
    TYPES,
    JavaFile,
    members_of,
    names_of_member,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_STAR = re.compile(r"^[ \t]*\*+[ \t]?", re.M)


def java_skeleton(file: JavaFile) -> str:
    """Return the description of a file's types: heads, fields that others see, and methods."""
    about = f"`{file.path}` is of the package `{file.package}`." if file.package else ""
    lines = [about, *(line for node in file.types for line in _type(node, ""))]
    return "\n".join(line for line in lines if line) + "\n"


def _type(node: Node, indent: str) -> Iterator[str]:
    yield f"{indent}- `{_head(node)}`{_comment(node)}"
    for each in members_of(node):
        if each.type in TYPES:
            yield from _type(each, f"{indent}  ")
        elif each.type in METHODS:
            yield f"{indent}  - `{_head(each)}`{_comment(each)}"
        elif each.type == "enum_constant":
            yield f"{indent}  - `{text_of(each.child_by_field_name('name'))}`{_comment(each)}"
        elif each.type in FIELDS and not _is_private(each):
            names = ", ".join(names_of_member(each))
            yield f"{indent}  - `{_until(each, 'declarator')} {names}`{_comment(each)}"


def _head(node: Node) -> str:
    """Return a declaration without its body."""
    return _until(node, "body").rstrip(";")


def _until(node: Node, name: str) -> str:
    """Return the text of a node before one of its fields, in one line and without comments."""
    end = node.child_by_field_name(name)
    parts: list[str] = []
    place = node.start_byte
    for each in node.children:
        if end is not None and each.start_byte >= end.start_byte:
            break
        if "comment" not in each.type:
            parts += [" " if each.start_byte > place else "", text_of(each)]
        place = each.end_byte
    return " ".join("".join(parts).split())


def _is_private(node: Node) -> bool:
    return any(each.type == "private" for child in node.children[:1] for each in child.children)


def _comment(node: Node) -> str:
    """Return the documentation comment before a declaration, in one line."""
    before = node.prev_named_sibling
    text = text_of(before) if before is not None and before.type == "block_comment" else ""
    if not text.startswith("/**"):
        return ""
    words = _STAR.sub("", text.removeprefix("/**").removesuffix("*/")).split()
    return f": {' '.join(words)}" if words else ""
