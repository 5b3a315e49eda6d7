"""Classes that may stand in for a class, or that have certain members."""

from __future__ import annotations

import ast

from ....analysis.names.word_mentions import MAX_PARSED, top_classes
from ....analysis.scopes.definitions import ClassInfo
from ....analysis.values.abstract_values import ClassValue
from .repository_search import Search

MAX_SUBCLASSES = 5


def is_protocol(cls: ClassInfo) -> bool:
    """Whether the class is a protocol."""
    return any(ast.unparse(base).split("[")[0].endswith("Protocol") for base in cls.node.bases)


def subclasses(search: Search, cls: ClassInfo) -> tuple[ClassInfo, ...]:
    """Return all subclasses in the repository, if they are few."""
    known = search.subclasses.get(cls)
    if known is None:
        known = search.subclasses[cls] = _find_below(search, cls)
    return known


def _find_below(search: Search, cls: ClassInfo) -> tuple[ClassInfo, ...]:
    found: dict[ClassInfo, None] = {}
    queue = [cls]
    while queue:
        base = queue.pop(0)
        for module in search.mentions.modules(search.mentions.files_with_base(base.node.name)):
            for other in top_classes(module):
                if other not in found and other is not cls and _is_base(search, base, other):
                    found[other] = None
                    queue.append(other)
        if len(found) > MAX_SUBCLASSES:
            return ()
    return tuple(found)


def _is_base(search: Search, base: ClassInfo, cls: ClassInfo) -> bool:
    return any(
        isinstance(value, ClassValue) and value.cls.node is base.node
        for node in cls.node.bases
        for value in search.evaluate(
            node.value if isinstance(node, ast.Subscript) else node, cls.enclosing
        ) or ()
    )  # fmt: skip


def implementing(search: Search, protocol: ClassInfo) -> list[ClassInfo]:
    """Return the classes that have all public members of a protocol, if they are few."""
    names = [name for name in protocol.table if not name.startswith("__")]
    found = [
        cls for cls in with_members(search, names, names)
        if cls is not protocol and not is_protocol(cls)
    ]  # fmt: skip
    return found if len(found) <= MAX_SUBCLASSES else []


def with_members(search: Search, distinctive: list[str], names: list[str]) -> list[ClassInfo]:
    """Return the classes with all of the members, from files that mention the distinctive ones."""
    paths = search.mentions.files(distinctive)
    if len(paths) > MAX_PARSED:
        return []  # a name in so many files says nothing
    return [
        cls
        for module in search.mentions.modules(paths)
        for cls in top_classes(module)
        if all(search.has(cls, name) for name in names)
    ]
