"""Optional imports: without the module, the code takes a fallback branch of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from ...slicer.syntax.nodes import children
from ..contacts import Border, is_below

_Import = ast.Import | ast.ImportFrom
_FAILURES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "RuntimeError"})


def has_fallback(border: Border, module: str) -> bool:
    """Whether each import of a module stands in a `try` whose handler provides a fallback.

    A handler that only passes, raises, or binds `None` provides none.
    """
    paths = sorted({d.path for d in border.sliced.manifest.definitions})
    sources = [border.repository.source(path) for path in paths]
    top = module.partition(".")[0]
    importing = [source for source in sources if top in source.text]
    if not any("except" in source.text for source in importing):
        return False
    found = [
        guarded
        for source in importing
        for node, guarded in _imports(source.tree)
        if _names(node, module)
    ]
    return bool(found) and all(found)


def is_handled(tree: ast.Module, line: int) -> bool:
    """Whether a failing import on a line is handled or suppressed."""
    return any(node.lineno == line for node in _handled(tree))


@lru_cache(maxsize=64)
def _handled(tree: ast.Module) -> tuple[_Import, ...]:
    return tuple(_handled_below(tree, handled=False))


def _handled_below(node: ast.AST, *, handled: bool) -> Iterator[_Import]:
    if isinstance(node, _Import):
        if handled:
            yield node
    elif isinstance(node, (ast.Try, ast.With)):
        goes_on = handled or (
            any(map(_suppresses, node.items))
            if isinstance(node, ast.With)
            else any(_catches(h) and not _raises(h) for h in node.handlers)
        )
        for inner in node.body:
            yield from _handled_below(inner, handled=goes_on)
        for inner in children(node):
            if inner not in node.body:
                yield from _handled_below(inner, handled=handled)
    elif not isinstance(node, ast.expr):
        for inner in children(node):
            yield from _handled_below(inner, handled=handled)


def _suppresses(item: ast.withitem) -> bool:
    match item.context_expr:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=named):
            return any(getattr(name, "id", "") in _FAILURES for name in named)
        case _:
            return False


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(statement, ast.Raise) for statement in handler.body)


@lru_cache(maxsize=64)
def _imports(tree: ast.Module) -> tuple[tuple[_Import, bool], ...]:
    """Return each import of a file, and whether it has a fallback."""
    return tuple(_below(tree, guarded=False))


def _below(node: ast.AST, *, guarded: bool) -> Iterator[tuple[_Import, bool]]:
    if isinstance(node, _Import):
        yield node, guarded
    elif isinstance(node, ast.Try):
        inside = guarded or any(_provides(handler) for handler in node.handlers)
        for inner in node.body:
            yield from _below(inner, guarded=inside)
        for inner in (*node.handlers, *node.orelse, *node.finalbody):
            yield from _below(inner, guarded=guarded)
    elif not isinstance(node, ast.expr):
        for inner in children(node):
            yield from _below(inner, guarded=guarded)


def _names(node: _Import, module: str) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and is_below(module, node.module or "?")
    return any(is_below(module, alias.name) for alias in node.names)


def _catches(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(name is None or getattr(name, "id", "") in _FAILURES for name in names)


def _provides(handler: ast.ExceptHandler) -> bool:
    if not _catches(handler):
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
