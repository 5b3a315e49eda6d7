"""Paths of files and qualified names of definitions that a user may pass as targets."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import TargetError
from .file_tree import FileTree
from .units import is_main_test

_INSIDE = "name a .py file by its path in the repository"


def normal_path(tree: FileTree, path: str) -> str:
    """Return a target's path in the repository's own spelling.

    Raises:
        TargetError: it lies outside, or there is no such file.
    """
    given = Path(path)
    full = given if given.is_absolute() else tree.path / given
    if ".." in given.parts or given.is_absolute():
        full = Path(os.path.normpath(full))
    if not full.is_relative_to(tree.path):
        raise TargetError(f"{path}: outside the repository {tree.path}", _INSIDE)
    if not full.exists():
        raise TargetError(f"{path}: no such file in the repository", _nearest(tree, path))
    if not full.is_file():
        raise TargetError(*_no_file(tree, path, full))
    if not full.resolve().is_relative_to(tree.path):
        raise TargetError(
            f"{path}: a link to something outside the repository {tree.path}", _INSIDE
        )
    return full.relative_to(tree.path).as_posix()


def _no_file(tree: FileTree, path: str, full: Path) -> tuple[str, str]:
    """Return what is wrong with a path that is not a file, and what to do."""
    if not full.is_dir() or not full.resolve().is_relative_to(tree.path):
        return f"{path}: not a file", _INSIDE
    folder = full.relative_to(tree.path).as_posix()
    inside = tree.listing("" if folder == "." else folder)
    found = (name for name in inside if name.endswith(".py"))
    files = sorted(found, key=lambda name: (name.startswith("_"), name))[:3]
    named = f", as {', '.join(files)}" if files else ""
    return f"{path}: a folder", f"name a file in it{named}"


def _nearest(tree: FileTree, path: str) -> str:
    import difflib

    files = list(tree.python_files())
    for candidate in _candidate_paths(tree, path):
        if candidate in files:
            return f"did you mean {candidate}?"
    close = difflib.get_close_matches(path, files, n=3, cutoff=0.6)
    name = path.rpartition("/")[2]
    same = [file for file in files if file.rpartition("/")[2] == name]
    names = list(dict.fromkeys([*same[:3], *close]))[:3]
    return f"did you mean {', '.join(names)}?" if names else _INSIDE


def _candidate_paths(tree: FileTree, path: str) -> Iterator[str]:
    """Yield paths that the text may mean: with slashes or `.py`, a module, or from elsewhere."""
    slashed = path.replace("\\", "/")
    yield slashed.removeprefix("./")
    yield f"{slashed}.py"
    yield f"{slashed.replace('.', '/')}.py"
    try:
        below = os.path.relpath(os.path.realpath(slashed), tree.path)
    except ValueError:  # no path at all: a null byte, or a lone surrogate
        return
    yield below.replace(os.sep, "/")


def walk_definitions(
    body: Sequence[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    """Yield functions, classes and methods with qualified names, without nested ones."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield prefix + node.name, node
            case ast.ClassDef():
                yield prefix + node.name, node
                yield from walk_definitions(node.body, f"{prefix}{node.name}.")
            case ast.If() if _is_program(node):
                continue
            case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
                for field in ("body", "handlers", "orelse", "finalbody"):
                    for child in getattr(node, field, ()):
                        inner = child.body if isinstance(child, ast.ExceptHandler) else [child]
                        yield from walk_definitions(inner, prefix)
            case _:
                continue


def _is_program(node: ast.If) -> bool:
    """Whether the statement runs only when the file is the main program."""
    return not node.orelse and is_main_test(node.test)
