"""A class in words without a model: its head, its members' heads, and their docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def skeleton(node: ast.ClassDef, path: str) -> str:
    """Return the description of a class: its name, bases, fields and methods."""
    return "\n".join(_lines(node, path)) + "\n"


def _lines(node: ast.ClassDef, path: str) -> Iterator[str]:
    bases = ", ".join(map(ast.unparse, node.bases))
    yield f"The class `{node.name}` of `{path}`{f' derives from {bases}' if bases else ''}."
    for decorator in node.decorator_list:
        yield f"It is decorated with `{ast.unparse(decorator)}`."
    docstring = ast.get_docstring(node)
    if docstring:
        yield docstring
    for each in node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield f"- `{name}: {ast.unparse(annotation)}`"
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield f"- `{name}`"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _method(each)
            case _:
                continue


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorators = "".join(f"@{ast.unparse(each)} " for each in node.decorator_list)
    head = f"- `{decorators}{word} {node.name}({ast.unparse(node.args)}){returned}`"
    docstring = ast.get_docstring(node)
    return f"{head}: {' '.join(docstring.split())}" if docstring else head
