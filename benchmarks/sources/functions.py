"""The functions and methods of a package, counted by the benchmark itself.

The slicer lists targets too, but a denominator must not come from what is measured.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from .sdist import Sdist, is_measured

T = TypeVar("T")
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions_of(sdist: Sdist, folder: Path) -> tuple[tuple[str, str], ...]:
    """Path and qualified name of each function and method of the package proper, sorted.

    Functions nested in functions are no targets, neither are the methods of classes inside of
    functions, nor what is below `if __name__ == "__main__"`. A name that is defined several times
    counts once.
    """
    found: set[tuple[str, str]] = set()
    for package in sdist.packages:
        for file in sorted((folder / package).rglob("*.py")):
            path = file.relative_to(folder).as_posix()
            if is_measured(path, sdist):
                tree = ast.parse(file.read_bytes())
                found |= {(path, qualname) for qualname, _ in named_functions(tree.body)}
    return tuple(sorted(found))


def module_name(path: str, root: str) -> str:
    """Dotted name under which Python imports a file of the sdist."""
    parts = path.removesuffix(".py").split("/")
    if root != ".":
        parts = parts[len(root.split("/")) :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sample(items: Sequence[T], limit: int | None, seed: str) -> Sequence[T]:
    """That many of the items, drawn with a seed and in their own order; all where none is said."""
    if limit is None or limit >= len(items):
        return items
    chosen = random.Random(seed).sample(range(len(items)), limit)
    return [items[at] for at in sorted(chosen)]


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body, outer ones first; what is in functions stays out."""
    for statement in body:
        yield statement
        if not isinstance(statement, FUNCTION):
            for block in _blocks(statement):
                yield from statements(block)


def named_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """The functions in a module or class body and in its branches, with their qualified names."""
    for statement in body:
        if isinstance(statement, FUNCTION):
            yield prefix + statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            yield from named_functions(statement.body, f"{prefix}{statement.name}.")
        elif not _is_program(statement):
            for block in _blocks(statement):
                yield from named_functions(block, prefix)


def _is_program(statement: ast.stmt) -> bool:
    """Whether this is `if __name__ == "__main__":`, whose functions no importer ever has."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in (
        "__name__ == '__main__'",
        "'__main__' == __name__",
    )


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists inside a compound statement: `if`, `try`, `with`, `for`, `match`."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, [])
    for field in ("handlers", "cases"):
        for part in getattr(statement, field, []):
            yield part.body
