"""Modules that importing the kept text loads, in order: imports that run at module level."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ...analysis.names.name_resolution import ImportedModule, ImportedName, Names
from ...closure.kept_definitions import KeptModule
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.nodes import children


def load_edges(kept: KeptModule, names: Names) -> tuple[str, ...]:
    """Return the names of the modules that the kept text imports while it loads, in order."""
    found: dict[str, None] = {}
    for unit in kept.module.units:
        if unit.index in kept.units:
            for node in _running_imports(unit):
                for name in _imported(kept, unit, node, names):
                    found.setdefault(name)
    return tuple(found)


@lru_cache(maxsize=65536)
def _running_imports(unit: Unit) -> tuple[ast.Import | ast.ImportFrom, ...]:
    return tuple(_find_imports(unit)) if unit.kind not in ("function", "variable") else ()


def _find_imports(unit: Unit) -> Iterator[ast.Import | ast.ImportFrom]:
    stack: list[ast.AST] = list(reversed(unit.nodes))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)):
            stack.extend(reversed(list(children(node))))


def _imported(
    kept: KeptModule, unit: Unit, node: ast.Import | ast.ImportFrom, names: Names
) -> Iterator[str]:
    aliases = kept.aliases.get(unit.index)
    if isinstance(node, ast.ImportFrom):
        base = kept.module.resolve_relative(node.level, node.module)
        if base and isinstance(names.repository.find_module(base, kept.module), Module):
            yield base
    for alias in node.names:
        bound = alias.asname or alias.name
        if aliases is not None and bound not in aliases:
            continue
        match names.imported(kept.module, node, alias):
            case ImportedModule(module=found):
                yield found.name
            case ImportedName(module=found):
                yield found.name
            case _:
                continue


def reaches(start: str, goal: str, edges: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether loading `start` loads `goal`; parents of a loaded module load with it."""
    seen: set[str] = set()
    stack = [start]
    while stack:
        name = stack.pop()
        if name == goal:
            return True
        if name in seen:
            continue
        seen.add(name)
        stack.extend(edges.get(name, ()))
        parent = name.rpartition(".")[0]
        if parent:
            stack.append(parent)
    return False
