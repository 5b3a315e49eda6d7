"""Imports that the code itself can do without: the branch that it takes then is its own."""

from __future__ import annotations

import ast

from .model import Border, is_below

_FAILURES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "RuntimeError"})


def has_fallback(border: Border, module: str) -> bool:
    """Whether each import of a module stands in a `try` whose handler provides something else.

    A handler that only passes, raises, or binds `None` provides nothing.
    """
    paths = sorted({d.path for d in border.sliced.manifest.definitions})
    sources = [border.repository.source(path) for path in paths]
    top = module.partition(".")[0]
    importing = [source for source in sources if top in source.text]
    if not any("except" in source.text for source in importing):
        return False
    found = [verdict for source in importing for verdict in _imports(source.tree, module)]
    return bool(found) and all(found)


def _imports(tree: ast.AST, module: str, *, guarded: bool = False) -> list[bool]:
    """For each import of the module below a node: whether there is something else."""
    if isinstance(tree, (ast.Import, ast.ImportFrom)):
        return [guarded] if _names(tree, module) else []
    if isinstance(tree, ast.Try):
        inside = guarded or any(_provides(handler) for handler in tree.handlers)
        rest = [*tree.handlers, *tree.orelse, *tree.finalbody]
        return [
            *(v for node in tree.body for v in _imports(node, module, guarded=inside)),
            *(v for node in rest for v in _imports(node, module, guarded=guarded)),
        ]
    return [
        verdict
        for node in ast.iter_child_nodes(tree)
        for verdict in _imports(node, module, guarded=guarded)
    ]


def _names(node: ast.Import | ast.ImportFrom, module: str) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and is_below(module, node.module or "?")
    return any(is_below(module, alias.name) for alias in node.names)


def _provides(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    if not any(name is None or getattr(name, "id", "") in _FAILURES for name in names):
        return False
    for statement in handler.body:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.ClassDef() | ast.FunctionDef():
                return True
            case ast.Assign(value=ast.Constant()) | ast.AnnAssign():
                continue
            case ast.Assign():
                return True
            case _:
                continue
    return False
