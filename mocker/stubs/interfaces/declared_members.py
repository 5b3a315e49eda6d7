"""Declared classes: their bases, and their members."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .stub_reader import Found, Reader, scope_of

Kind = Literal["method", "class method", "static method", "property", "value"]
_MOST = 64
"""The most base classes that are followed."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_HARMLESS = frozenset(
    "overload override final abstractmethod type_check_only deprecated staticmethod classmethod"
    " contextmanager asynccontextmanager property cached_property".split()
)
"""Decorators that keep the signature of a function."""


@dataclass(frozen=True, slots=True)
class Member:
    """The declarations of one name in a class."""

    owner: Found
    """The class that declares it."""
    name: str
    kind: Kind
    nodes: tuple[ast.stmt, ...]

    @property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """Return its definitions, if it is a function."""
        return tuple(node for node in self.nodes if isinstance(node, _FUNCTIONS))


def bases_of(reader: Reader, found: Found) -> tuple[Found | None, ...]:
    """Return the bases of a class; `None` for unknown ones."""
    cls = found.cls
    if cls is None:
        return ()
    plain = [base.value if isinstance(base, ast.Subscript) else base for base in cls.bases]
    return tuple(reader.beyond.meaning(found.module, base) for base in plain)


def line_of(reader: Reader, found: Found) -> tuple[Found, ...]:
    """Return a class and its ancestors, nearest first; unread ones have no nodes."""
    if found.path in reader.lines:
        return reader.lines[found.path]
    line: dict[str, Found] = {}
    todo = [found]
    while todo and len(line) < _MOST:
        each = todo.pop(0)
        if each.path not in line:
            line[each.path] = each
            todo += [base for base in bases_of(reader, each) if base]
    reader.lines[found.path] = tuple(line.values())
    return reader.lines[found.path]


def is_exception(reader: Reader, found: Found) -> bool:
    """Whether a class is an exception."""
    return any(exception_named(each) for each in line_of(reader, found))


def exception_named(found: Found) -> type[BaseException] | None:
    """Return the builtin exception that this is, if any."""
    value = getattr(builtins, found.name, None) if found.module == "builtins" else None
    return value if isinstance(value, type) and issubclass(value, BaseException) else None


def derives_from_unread(reader: Reader, found: Found, *paths: str) -> bool:
    """Whether a class derives from one of these unread classes."""
    return any(each.path in paths for each in line_of(reader, found) if each.cls is None)


def members_of(found: Found) -> Iterator[Member]:
    """Yield the members that a class itself declares."""
    cls = found.cls
    if cls is None:
        return
    scope, _ = scope_of(cls.body)
    for name, nodes in scope.items():
        kind = _kind(nodes)
        if kind:
            yield Member(found, name, kind, nodes)


def _kind(nodes: tuple[ast.stmt, ...]) -> Kind | None:
    match nodes[0]:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            names = decorators_of(nodes[0])
            if names & {"property", "cached_property"}:
                return "property"
            if "staticmethod" in names:
                return "static method"
            return "class method" if "classmethod" in names else "method"
        case ast.Assign() | ast.AnnAssign():
            return "value"
        case _:
            return None


def decorators_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return the last components of a function's decorator names."""
    found: set[str] = set()
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        found.add(getattr(target, "attr", getattr(target, "id", "?")))
    return frozenset(found)


def preserves_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether all decorators keep the function's signature."""
    return decorators_of(node) <= _HARMLESS
