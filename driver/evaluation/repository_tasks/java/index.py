"""Which type of the repository a simple name means in a Java file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .source import JavaFile, base_name, members_of, name_of, names_of_member, walk

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, eq=False)
class JavaType:
    """A top-level type of the repository; an index has one object for each."""

    file: JavaFile
    node: Node

    @property
    def full_name(self) -> str:
        """Return its name with its package."""
        return self.file.full_name(self.node)

    @property
    def label(self) -> str:
        """Return where it is, as `path::name`."""
        return f"{self.file.path}::{name_of(self.node)}"

    @property
    def members(self) -> Mapping[str, tuple[Node, ...]]:
        """Return its members by name; overloads share one."""
        found: dict[str, list[Node]] = {}
        for node in members_of(self.node):
            for name in names_of_member(node):
                found.setdefault(name, []).append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}


class JavaIndex:
    """The top-level types of some files."""

    def __init__(self, files: Iterable[JavaFile]) -> None:
        """Take the files."""
        self._files = tuple(files)

    @cached_property
    def types(self) -> Mapping[str, JavaType]:
        """Return the types by their full names."""
        found = (JavaType(file, node) for file in self._files for node in file.types)
        return {each.full_name: each for each in found}

    @cached_property
    def _packages(self) -> Mapping[str, Mapping[str, JavaType]]:
        found: dict[str, dict[str, JavaType]] = {}
        for each in self.types.values():
            found.setdefault(each.file.package, {})[name_of(each.node)] = each
        return found

    def visible(self, file: JavaFile) -> dict[str, JavaType]:
        """Return the types that simple names mean in a file; an import hides a neighbour.

        A nested type that is imported means the top-level type around it.
        """
        found: dict[str, JavaType] = {}
        for each in file.imports:
            if each.is_wildcard and not each.is_static:
                found |= self._packages.get(each.name, {})
        found |= self._packages.get(file.package, {})
        for each in file.imports:
            if not each.is_wildcard and not each.is_static:
                simple, owner = each.name.rpartition(".")[2], self._around(each.name)
                found.pop(simple, None)
                if owner is not None:
                    found[simple] = owner
        return found

    def static_names(self, file: JavaFile) -> dict[str, JavaType]:
        """Return the types whose members a file imports, by the members' names."""
        found: dict[str, JavaType] = {}
        for each in file.imports:
            owner = self._around(each.name) if each.is_static else None
            if owner is not None:
                name = each.name.rpartition(".")[2]
                found |= dict.fromkeys(owner.members if each.is_wildcard else (name,), owner)
        return found

    def inherited(self, type_: JavaType) -> dict[str, JavaType]:
        """Return the members of a type's supertypes in the repository, with their types."""
        found: dict[str, JavaType] = {}
        seen, left = {type_.full_name}, list(self._supertypes(type_))
        while left:
            each = left.pop(0)
            if each.full_name not in seen:
                seen.add(each.full_name)
                found = dict.fromkeys(each.members, each) | found
                left += self._supertypes(each)
        return found

    def _supertypes(self, type_: JavaType) -> Iterator[JavaType]:
        known = self.visible(type_.file)
        heads = ("superclass", "super_interfaces", "extends_interfaces")
        for head in type_.node.children:
            if head.type in heads:
                names = (base_name(each) for each in walk(head))
                yield from (known[name] for name in names if name in known)

    def _around(self, name: str) -> JavaType | None:
        """Return the type of a full name, or the one that the name lies in."""
        while name:
            if name in self.types:
                return self.types[name]
            name = name.rpartition(".")[0]
        return None
