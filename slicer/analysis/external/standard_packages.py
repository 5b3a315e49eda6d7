"""Submodules of standard-library packages, and which of them the package imports itself."""

from __future__ import annotations

import ast
import sysconfig
from functools import lru_cache
from pathlib import Path

from ...repo.repository import STDLIB
from ...syntax.nodes import children


def is_standard(name: str) -> bool:
    """Whether a dotted name begins in the standard library."""
    return name.partition(".")[0] in STDLIB


@lru_cache(maxsize=256)
def needs_import(name: str) -> bool:
    """Whether `a.b` is a submodule that importing `a` alone does not load."""
    package, _, last = name.rpartition(".")
    folder = Path(sysconfig.get_path("stdlib"), *package.split("."))
    init = folder / "__init__.py"
    is_there = (folder / f"{last}.py").is_file() or (folder / last / "__init__.py").is_file()
    return is_there and init.is_file() and last not in _bound_in(init, package)


@lru_cache(maxsize=64)
def _bound_in(init: Path, package: str) -> frozenset[str]:
    """Return the names that running the file binds in the package, submodules included."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(init.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += children(node)
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Import(names=aliases):
                found.update(alias.asname or alias.name for alias in aliases)
                found.update(alias.name.removeprefix(f"{package}.") for alias in aliases)
            case ast.ImportFrom(module=base, names=aliases, level=level):
                found.update(alias.asname or alias.name for alias in aliases)
                inside = base or ""
                if not level:
                    inside = inside.removeprefix(f"{package}.") if inside != package else ""
                found.add(inside.partition(".")[0])
            case _:
                continue
    return frozenset(found)
