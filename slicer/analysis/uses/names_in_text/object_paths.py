"""Repository objects that a call names by a dotted path: `mock.patch("pkg.mod.name")`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ....errors import SourceError
from ....repo.repository import Module
from ...names.mapper_names import MappedName
from ...values.abstract_values import ClassValue, Instance, ModuleValue, Value
from ..use_records import PATHS, ListedUse, MappedUse
from ..use_walk import Walk
from .name_patterns import all_texts_of

_REPLACING = frozenset({"patch", "setattr", "delattr"})
"""Functions and methods that replace or remove an object."""
_READING = frozenset({"from_object", "config_from_object"})
"""Methods that read all attributes of an object."""


def visit_object_path(walk: Walk, node: ast.Call) -> None:
    """Keep the named object, with all of its members if the call reads them."""
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[given, *_]) if (
            called in _REPLACING | _READING or _patches(node.func)
        ):
            is_read = called in _READING and isinstance(node.func, ast.Attribute)
            for path in all_texts_of(given, walk.scope) or ():
                values = _see_path(walk, path.replace(":", "."), node.lineno)
                if called in _READING:
                    _see_all(walk, values, node.lineno)
            if is_read:
                _see_all(walk, walk.values(given) or (), node.lineno)
        case _:
            return


def _see_path(walk: Walk, path: str, line: int) -> Iterable[Value]:
    """Keep the object with that path, and return its values."""
    for found, rest in _resolve_path(walk, path):
        walk.flags.add(PATHS)
        if isinstance(found, Module):
            return [ModuleValue(found, walk.module)]
        walk.use(MappedUse(found.module, found.name, line))
        values = walk.inference.global_values(found.module, found.name)
        owners = [v for v in values or () if isinstance(v, (ClassValue, Instance))]
        for name in rest[:1]:
            walk.member(frozenset[Value](owners), name, "value", line)
        return owners
    return ()


def _see_all(walk: Walk, values: Iterable[Value], line: int) -> None:
    """Record that all members of the values are read."""
    owners = [v for v in values if isinstance(v, (ClassValue, Instance, ModuleValue))]
    if owners:
        walk.use(ListedUse(frozenset[Value](owners), line))


def _patches(func: ast.expr) -> bool:
    """Whether the function is another form of `mock.patch`."""
    match func:
        case ast.Attribute(
            value=ast.Name(id="patch") | ast.Attribute(attr="patch"), attr="dict" | "multiple"
        ):
            return True
        case _:
            return False


def _resolve_path(walk: Walk, path: str) -> Iterator[tuple[MappedName | Module, list[str]]]:
    """Yield the module or name with the longest matching path, and the remaining names."""
    parts = path.split(".")
    if not all(part.isidentifier() for part in parts):
        return
    for end in range(len(parts), 0, -1):
        try:
            found = walk.inference.repository.find_module(".".join(parts[:end]), walk.module)
        except SourceError:
            return
        if isinstance(found, Module):
            named = MappedName(found, parts[end]) if end < len(parts) else found
            yield named, parts[end + 1 :]
            return
