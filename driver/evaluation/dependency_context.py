"""The dependency context of R2E: the top-level statements that a function needs, whole.

Where our slice keeps the members of a class that the function reaches, this keeps the class.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...slicer import Repository, slice_function


def dependency_context(
    repository: Repository,
    target: str,
    file_with_hole: str,
    shown: Callable[[str, str], str] = lambda _path, text: text,
) -> str:
    """Return the statements that a target needs, by file, those of its own file last.

    Args:
        repository: the repository.
        target: `path::qualname`.
        file_with_hole: text of the target's file with a hole for its body.
        shown: returns what may be shown of another file, by its path and text.

    Raises:
        SliceFuncError: there is no slice of the target.
    """
    own, _, qualname = target.partition("::")
    sliced = slice_function(repository, target, emit="modules")
    needed: dict[str, set[str | int]] = {}
    for each in sliced.manifest.definitions:
        place: str | int = each.first_line if each.kind == "statement" else each.qualname
        needed.setdefault(each.path, set()).add(place)
    needed.setdefault(own, set()).add(qualname)
    parts = [
        f"# {path}\n{text}"
        for path in sorted(needed, key=lambda path: (path == own, path))
        if (
            text := _statements(
                file_with_hole if path == own else shown(path, repository.text(path)),
                {str(name).partition(".")[0] for name in needed[path]},
            )
        )
    ]
    return "\n\n".join(parts)


def _statements(text: str, names: set[str]) -> str:
    """Return the top-level statements of a text that bind one of the names, and its imports."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    for node in ast.parse(text).body:
        is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        if is_import or not names.isdisjoint(_bound(node)):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            kept.append("".join(lines[first - 1 : node.end_lineno]).rstrip("\n") + "\n")
    return "".join(kept)


def _bound(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case _:
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            return {each.id for each in stored if isinstance(each.ctx, ast.Store)}
