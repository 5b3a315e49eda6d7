"""Facts of import statements."""

from __future__ import annotations

import ast

from ...facts import ImportModule, ImportName
from ..fact_walk import Walk


def import_modules(walk: Walk, node: ast.Import) -> bool:
    """Record `import a.b`."""
    for alias in node.names:
        target = walk.builder.new()
        operation = ImportModule(target, alias.name, alias.asname is not None)
        name = alias.asname or alias.name.partition(".")[0]
        _bind_import(walk, name, operation, node.lineno)
    return True


def import_names(walk: Walk, node: ast.ImportFrom) -> bool:
    """Record `from a import b`."""
    for alias in node.names:
        if alias.name == "*":
            walk.stars.append((node.module, node.level))
            continue
        operation = ImportName(walk.builder.new(), node.module, node.level, alias.name)
        _bind_import(walk, alias.asname or alias.name, operation, node.lineno)
    return True


def _bind_import(walk: Walk, name: str, operation: ImportModule | ImportName, line: int) -> None:
    builder = walk.builder
    builder.emit(operation)
    scope = builder.scope
    if scope.kind == "function":
        scope.imports[name] = operation
        if isinstance(operation, ImportName):
            builder.refer((name,), line, operation)
    elif scope.kind == "module":
        walk.imports.setdefault(name, operation)
    builder.bind(name, operation.target)
