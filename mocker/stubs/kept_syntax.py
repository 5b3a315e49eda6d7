"""The syntax of a slice's kept code: statements, class bodies without what was cut away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..contacts import Border, Contact, is_below


def kept_files(border: Border) -> tuple[str, ...]:
    """Return the repository's files that the slice keeps something of, sorted."""
    return tuple(sorted({d.path for d in border.sliced.manifest.definitions}))


def kept_syntax_nodes(border: Border, path: str) -> Iterator[ast.AST]:
    """Yield all nodes of the kept definitions in a file, outer before inner."""
    found = [d for d in border.sliced.manifest.definitions if d.path == path]
    first_lines = {d.first_line for d in found}
    spans = [(d.first_line, d.last_line) for d in found]
    for statement in border.repository.source(path).tree.body:
        yield from _inside(statement, spans, first_lines, is_top=True)


def _inside(
    node: ast.AST, spans: list[tuple[int, int]], first_lines: set[int], *, is_top: bool
) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt) and is_top:
        first = _first_line(node)
        end = node.end_lineno or node.lineno
        is_kept = any(start <= first and end <= last for start, last in spans)
        # a block may be kept in part
        if not is_kept and not isinstance(node, (ast.If, ast.Try, ast.With)):
            return
    yield node
    for child in ast.iter_child_nodes(node):
        is_member = isinstance(node, ast.ClassDef) and isinstance(
            child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        )
        if is_member and is_top and _first_line(child) not in first_lines:
            continue
        yield from _inside(child, spans, first_lines, is_top=False)


def _first_line(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", ())
    return min([getattr(node, "lineno", 0), *(d.lineno for d in decorators)])


def import_of(border: Border, module: str) -> Contact:
    """Return the slice's first import of a module, or of something below it."""
    for path in kept_files(border):
        for node in kept_syntax_nodes(border, path):
            match node:
                case ast.Import(names=aliases):
                    names = [alias.name for alias in aliases]
                case ast.ImportFrom(level=0, module=str() as source):
                    names = [source]
                case _:
                    continue
            if any(is_below(name, module) for name in names):
                return Contact(module, path, f"<line {node.lineno}>", node.lineno)
    return Contact(module, "", "", 0)
