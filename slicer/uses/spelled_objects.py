"""Objects of the repository that a call is told by their path: `mock.patch("pkg.mod.name")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..errors import SourceError
from ..mapped_names import Mapped
from ..repository import Module
from ..values import ClassValue, Instance, ModuleValue, Value
from .records import ListedUse, MappedUse
from .walk import Walk

_REPLACING = frozenset({"patch", "setattr", "delattr"})
"""Functions and methods that put something in the place of an object, or take it away."""
_READING = frozenset({"from_object", "config_from_object"})
"""Methods that read all attributes of an object."""


def see_spelled_object(walk: Walk, node: ast.Call) -> None:
    """The object is kept, and all that it has where the call reads that."""
    match node:
        case ast.Call(
            func=ast.Name(id=called) | ast.Attribute(attr=called),
            args=[ast.Constant(value=str(path)), *_],
        ) if called in _REPLACING | _READING:
            for found in _named(walk, path):
                if isinstance(found, Mapped):
                    walk.use(MappedUse(found.module, found.name, node.lineno))
                    values = walk.inference.global_values(found.module, found.name)
                    held = [v for v in values or () if isinstance(v, (ClassValue, Instance))]
                else:
                    held = [ModuleValue(found, walk.module)]
                if called in _READING and held:
                    walk.use(ListedUse(frozenset[Value](held), node.lineno))
        case ast.Call(func=ast.Attribute(attr=called), args=[given, *_]) if called in _READING:
            values = walk.values(given) or ()
            held = [v for v in values if isinstance(v, (ClassValue, Instance, ModuleValue))]
            if held:
                walk.use(ListedUse(frozenset[Value](held), node.lineno))
        case _:
            return


def _named(walk: Walk, path: str) -> Iterator[Mapped | Module]:
    """What of the repository has that path: a module, or a name in the longest one."""
    parts = path.split(".")
    if not all(part.isidentifier() for part in parts):
        return
    for end in range(len(parts), 0, -1):
        try:
            found = walk.inference.repository.find_module(".".join(parts[:end]), walk.module)
        except SourceError:
            return
        if isinstance(found, Module):
            yield Mapped(found, parts[end]) if end < len(parts) else found
            return
