"""Whether a slice uses a name that its stub modules do not define."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...slicer.syntax.nodes import walk
from ..contacts import StubModule, is_below

if TYPE_CHECKING:
    from ...slicer.model import Slice

_UNIVERSAL = re.compile(
    r"\b(Stub|StubClass|PlainStub|StubError|stub_getattr|declared|declared_method|Held|Given"
    r"|Entered|Iterated|Streamed)\b"
)
"""Names defined by the universal stand-in."""
_BY_NAME = frozenset(
    f"builtins.{name}" for name in ("getattr", "hasattr", "setattr", "vars", "eval", "exec")
)
"""Builtins that can read any name of a module."""
_FIRST = re.compile(r"\.(\w+)")


def need_more(sliced: Slice, modules: Sequence[StubModule]) -> bool:
    """Whether open modules need the universal stand-in, for names that they do not define.

    If one of the modules already builds on it, all of them get it.
    """
    if not any(module.is_open for module in modules):
        return False
    if any(_UNIVERSAL.search(module.text) for module in modules):
        return True
    names = {name for reference in sliced.references for name in reference.names}
    if not names.isdisjoint(_BY_NAME):
        return True
    defined = {name for module in modules for name in _defined(module)}
    served = {module.name for module in modules}
    return not all(_is_defined(name, served, defined) for name in names)


def _is_defined(name: str, served: set[str], defined: set[str]) -> bool:
    """Whether a name lies outside the stub modules, or is defined by one."""
    fitting = [module for module in served if is_below(name, module)]
    if not fitting:
        return True
    module = max(fitting, key=len)
    member = _FIRST.match(name, len(module))
    return name == module or (member is not None and f"{module}.{member[1]}" in defined)


def _defined(module: StubModule) -> Iterator[str]:
    """Yield the dotted names that a module binds at its top level."""
    yield from (module.name[:at] for at, sign in enumerate(module.name) if sign == ".")
    for statement in ast.parse(module.text).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield f"{module.name}.{name}"
            case _:
                for node in walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        yield f"{module.name}.{node.id}"
