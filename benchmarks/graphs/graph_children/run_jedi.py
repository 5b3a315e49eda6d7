"""jedi by name: each call's function is asked for its definition."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from typing import Any

import jedi
from common import answer


def edges_of(case: dict[str, Any]) -> list[tuple[str, str]]:
    """Edges from the definition around a call to what jedi says is called."""
    folder = case["folder"]
    project = jedi.Project(folder, smart_sys_path=False, added_sys_path=[folder])
    edges = []
    for name in _all_files(folder):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        script = jedi.Script(text, path=path, project=project)
        module = name[:-3].replace(os.sep, ".").removesuffix(".__init__")
        for caller, line, column in _calls(ast.parse(text), module):
            edges += [(caller, target) for target in _targets(script, line, column)]
    return edges


def _all_files(folder: str) -> Iterator[str]:
    for base, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.relpath(os.path.join(base, name), folder)


def _calls(tree: ast.Module, module: str) -> Iterator[tuple[str, int, int]]:
    stack = [(tree, module)]
    while stack:
        node, scope = stack.pop()
        for child in ast.iter_child_nodes(node):
            inner = scope
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = f"{scope}.{child.name}"
            if isinstance(child, ast.Call):
                function = child.func
                if isinstance(function, ast.Name):
                    yield scope, function.lineno, function.col_offset
                elif isinstance(function, ast.Attribute):
                    column = function.end_col_offset - len(function.attr)
                    yield scope, function.end_lineno, column
            stack.append((child, inner))


def _targets(script: jedi.Script, line: int, column: int) -> Iterator[str]:
    try:
        names = script.infer(line, column)
    except Exception:  # noqa: BLE001 - a crash on one call is a missing edge
        return
    for name in names:
        full = name.full_name
        if not full:
            continue
        if full.startswith("builtins."):
            if full.count(".") == 1:
                yield "<builtin>." + full.partition(".")[2]
            continue
        if name.type == "class":
            for method in name.defined_names():
                if method.name == "__init__":
                    yield f"{full}.__init__"
        elif name.type == "function":
            yield full


answer(edges_of)
