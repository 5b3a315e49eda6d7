"""Classes as they are declared: what they derive from, and what is said of their members."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .stub_reader import Found, Reader, scope_of

Kind = Literal["method", "class method", "static method", "property", "value"]
_MOST = 64
"""Classes above one."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_HARMLESS = frozenset(
    "overload override final abstractmethod type_check_only deprecated staticmethod classmethod"
    " contextmanager asynccontextmanager property cached_property".split()
)
"""Decorators below which a signature stays what it is."""


@dataclass(frozen=True, slots=True)
class Member:
    """What a class says of one name."""

    owner: Found
    """The class that says it."""
    name: str
    kind: Kind
    nodes: tuple[ast.stmt, ...]

    @property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """Its definitions, where it is a function."""
        return tuple(node for node in self.nodes if isinstance(node, _FUNCTIONS))


def bases_of(reader: Reader, found: Found) -> tuple[Found | None, ...]:
    """What a class derives from; `None` for what nobody knows."""
    cls = found.cls
    if cls is None:
        return ()
    plain = [base.value if isinstance(base, ast.Subscript) else base for base in cls.bases]
    return tuple(reader.beyond.meaning(found.module, base) for base in plain)


def line_of(reader: Reader, found: Found) -> tuple[Found, ...]:
    """A class and what is above it, nearest first; what is not read is without nodes."""
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
    """Whether a class can be raised."""
    return any(exception_named(each) for each in line_of(reader, found))


def exception_named(found: Found) -> type[BaseException] | None:
    """The exception of Python itself that this is."""
    value = getattr(builtins, found.name, None) if found.module == "builtins" else None
    return value if isinstance(value, type) and issubclass(value, BaseException) else None


def derives_from_unread(reader: Reader, found: Found, *paths: str) -> bool:
    """Whether a class derives from one of these, which are not read."""
    return any(each.path in paths for each in line_of(reader, found) if each.cls is None)


def members_of(found: Found) -> Iterator[Member]:
    """What a class itself says of its names."""
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
    """Last parts of the names of a function's decorators."""
    found: set[str] = set()
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        found.add(getattr(target, "attr", getattr(target, "id", "?")))
    return frozenset(found)


def preserves_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether no decorator can have changed what a function takes and gives."""
    return decorators_of(node) <= _HARMLESS
