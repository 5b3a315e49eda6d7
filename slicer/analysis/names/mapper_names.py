"""Classes and tables that an object-relational mapper looks up by name in strings.

`relationship("User")` means the class of that name in any module. `ForeignKey("users.id")` means
the class with that `__tablename__`, or the table that a `Table` call creates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from ...repo.repository import Module
from .word_mentions import Mentions, top_classes


class MappedName(NamedTuple):
    """A module-level name that stands for a mapped class or a table."""

    module: Module
    name: str


class MappedNames:
    """The search for mapped names in one repository, memoised."""

    def __init__(self, mentions: Mentions) -> None:
        self.mentions = mentions
        self._found: dict[tuple[str, str, str, str], MappedName | None] = {}

    def named_class(self, name: str, near: Module) -> MappedName | None:
        """Return the class of that name with bases; ignore qualifiers, and prefer the nearest."""
        return self._once("class", name.rpartition(".")[2], near)

    def table(self, name: str, near: Module) -> MappedName | None:
        """Return the class or table with that table name, declared or as mappers derive it."""
        return self._once("table", name, near)

    def _once(self, kind: str, name: str, near: Module) -> MappedName | None:
        key = (kind, name, near.path, near.name)
        if key not in self._found:
            search = self._classes if kind == "class" else self._tables
            found = sorted(search(name), key=lambda each: _distance(each.module, near))
            best = found[0] if found else None
            if best is not None and best.module.path == near.path:
                best = MappedName(near, best.name)  # under the name that it was imported by
            self._found[key] = best
        return self._found[key]

    def _modules(self, *words: str) -> Iterator[Module]:
        return self.mentions.modules(self.mentions.files(words), limit=None)

    def _classes(self, name: str) -> Iterator[MappedName]:
        for module in self._modules(name, "class"):
            for cls in top_classes(module):
                if cls.node.name == name and cls.node.bases:
                    yield MappedName(module, name)

    def _tables(self, name: str) -> Iterator[MappedName]:
        for module in self._modules(name, "__tablename__"):
            for cls in top_classes(module):
                if _declared(cls.node) == name:
                    yield MappedName(module, cls.node.name)
        for module in self._modules(name, "Table"):
            for unit in module.units:
                if target := _made(unit.node, name):
                    yield MappedName(module, target)
        # Flask-SQLAlchemy names the table of `UserTopic` `user_topic`
        as_class = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
        for module in self._modules(as_class, "class"):
            for cls in top_classes(module):
                if cls.node.name == as_class and cls.node.bases and not _declared(cls.node):
                    yield MappedName(module, as_class)


def _declared(cls: ast.ClassDef) -> str:
    """Return the `__tablename__` that a class declares."""
    for node in cls.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name("__tablename__")], value=ast.Constant(value=value))
                | ast.AnnAssign(target=ast.Name("__tablename__"), value=ast.Constant(value=value))
            ):
                return str(value)
            case _:
                pass
    return ""


def _made(node: ast.stmt, table: str) -> str:
    """Return the name to which a statement binds the table that it creates, or an empty text."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=target)],
            value=ast.Call(
                func=ast.Name("Table") | ast.Attribute(attr="Table"),
                args=[ast.Constant(value=value), *_],
            ),
        ) if value == table:
            return target
        case _:
            return ""


def _distance(module: Module, near: Module) -> tuple[int, str]:
    """Return a sort key: files that share more of their path with `near` first, then by path."""
    pairs = zip(module.path.split("/"), near.path.split("/"), strict=False)
    return -sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)), module.path
