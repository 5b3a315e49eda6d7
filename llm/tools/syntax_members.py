"""Members of a class in Java, JavaScript, Go or Rust, with those of the classes that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..retrieval.languages import language_of
from .class_members import Member
from .file_records import Definition
from .syntax_records import DefinitionNode, DefinitionNodes, other_language

if TYPE_CHECKING:
    from tree_sitter import Node

_FIELDS = frozenset({"field_declaration", "field_definition", "enum_constant", "enum_variant"})
_BASES = re.compile(r"\b(?:extends|implements)\b(.*)", re.S)
_GENERIC = re.compile(r"<[^<>]*>")
_LONGEST_FIELD = 100


class SyntaxMembers:
    """A class with its members, and those of the classes that its head names."""

    outside_bases: tuple[str, ...]
    """Names of base classes that the repository does not define."""
    constructor: str | None = None
    """Nothing makes one here."""

    def __init__(
        self,
        definition: Definition,
        definitions: Sequence[Definition],
        read: Callable[[str], bytes],
    ) -> None:
        """Take the class, all definitions of the repository, and what reads a file."""
        self.definition = definition
        self._definitions = definitions
        self._read = read
        found, outside = _ancestors(definition, definitions)
        self.bases = found
        self.outside_bases = outside

    @property
    def base_labels(self) -> list[str]:
        """The names of its bases in the repository, as tools take them."""
        return [each.label for each in self.bases]

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """All members: its own in source order, then inherited ones that it does not override."""
        found: dict[tuple[str, str, tuple[str, ...]], Member] = {}
        for owner in (self.definition, *self.bases):
            known = set(found)
            for member in _own_members(owner, self._definitions, self._read):
                key = member.name, member.kind, _parameter_types(member)
                if key not in known:
                    found.setdefault(key, member)
        return tuple(found.values())

    def named(self, name: str) -> Member | None:
        """Return the member of that name; `None` for none in the repository.

        Where it has several forms, the first one has the heads of all.
        """
        named = [each for each in self.members if each.name == name]
        found = [each for each in named if each.kind != "attribute"] or named[:1]
        if not found:
            return None
        return replace(found[0], signature="\n".join(each.signature for each in found))


def _parameter_types(member: Member) -> tuple[str, ...]:
    """Return what tells apart the forms of a method in Java; elsewhere a name has one."""
    if not member.path.endswith(".java"):
        return ()
    inner = _without_generics(member.signature.rpartition("\n")[2]).partition("(")[2]
    parts = [part.split() for part in inner.partition(")")[0].split(",")]
    return tuple(
        " ".join(word for word in words[:-1] if word != "final" and not word.startswith("@"))
        for words in parts
    )


def _without_generics(text: str) -> str:
    plain = text
    while plain != (plain := _GENERIC.sub("", plain)):
        pass
    return plain


def _ancestors(
    definition: Definition, definitions: Sequence[Definition]
) -> tuple[tuple[Definition, ...], tuple[str, ...]]:
    """Return the classes that a class names as its bases, and so on; and names of unknown ones."""
    found: dict[str, Definition] = {}
    outside: list[str] = []
    left = [definition]
    while left:
        for name in base_names(left.pop(0).signature):
            known = [
                each for each in definitions if each.kind == "class" and each.name == name
                and language_of(each.path) is language_of(definition.path)
            ]  # fmt: skip
            if len(known) != 1:
                outside.append(name)
            elif known[0].label not in found and known[0] != definition:
                found[known[0].label] = known[0]
                left.append(known[0])
    return tuple(found.values()), tuple(dict.fromkeys(outside))


def base_names(signature: str) -> list[str]:
    """Return the last parts of the names that a head extends or implements."""
    listed = _BASES.search(_without_generics(signature))
    words = re.split(r"[\s,]+|\b(?:implements|extends|permits)\b", listed[1]) if listed else []
    return [word.rpartition(".")[2] for word in words if word]


def _own_members(
    owner: Definition, definitions: Sequence[Definition], read: Callable[[str], bytes]
) -> Iterator[Member]:
    language = other_language(owner.path)
    if language is None:
        return
    walk = DefinitionNodes(owner.path, read(owner.path), language)
    for found in walk.found:
        if found.definition.label == owner.label:
            yield from _fields(found, owner)
    folder = owner.path.rpartition("/")[0]
    for each in definitions:
        is_near = each.path == owner.path or (  # methods that stand in other files
            (language.name == "go" and each.path.rpartition("/")[0] == folder)
            or (language.name == "rust" and each.path.endswith(".rs"))
        )
        if is_near and each.qualname == f"{owner.qualname}.{each.name}":
            kind = "class" if each.kind == "class" else "method"
            yield Member(
                each.name, kind, each.signature, each.summary, each.path, owner.qualname,
                each.first, each.last,
            )  # fmt: skip


def _fields(found: DefinitionNode, owner: Definition) -> Iterator[Member]:
    left = list(found.node.children)
    while left:
        node = left.pop(0)
        if node.type in _FIELDS:
            text = " ".join((node.text or b"").decode("utf-8", "replace").split()).rstrip(" ;,")
            name = _field_name(node)
            first, last = node.start_point[0] + 1, node.end_point[0] + 1
            shown = text if len(text) <= _LONGEST_FIELD else f"{text[:_LONGEST_FIELD]}…"
            yield Member(name, "attribute", shown, "", owner.path, owner.qualname, first, last)
        elif node.type.endswith(("_body", "_list", "declarations", "_spec", "_type")):
            left = [*node.children, *left]


def _field_name(node: Node) -> str:
    holder = node.child_by_field_name("declarator") or node
    found = holder.child_by_field_name("name") or holder.child_by_field_name("property")
    return (found.text or b"").decode("utf-8", "replace") if found else ""
