"""The name under which a script carries a module: as its importers name it.

A file in a folder without `__init__.py` does not determine its own name.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from ...slicer import Repository
from ...slicer.model import Slice
from ...slicer.syntax.scopes import bound_in

_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def carried_name(repository: Repository, sliced: Slice, path: str) -> str:
    """Return the name of a file's module in the script; its own name if it is not carried.

    Args:
        repository: the slice's repository.
        sliced: the slice.
        path: path of the file.
    """
    return _carried(sliced.source).get(path) or repository.module_name(path)


def in_script(repository: Repository, sliced: Slice, path: str, text: str) -> str:
    """Return an expression of a file's module as written at the end of the script.

    Args:
        repository: the slice's repository.
        sliced: the slice.
        path: path of the file.
        text: expression that begins with a name of that module.
    """
    if text.partition(".")[0] in _bound(sliced.source):
        return text
    name = carried_name(repository, sliced, path)
    return f'__import__("importlib").import_module({name!r}).{text}'


@lru_cache(maxsize=4)
def _bound(script: str) -> frozenset[str]:
    """Return names that the script itself binds at its top level."""
    return bound_in(ast.parse(script).body)


@lru_cache(maxsize=4)
def _carried(script: str) -> dict[str, str]:
    """Map the path of each carried file to its first name."""
    found = re.findall(r"^'([\w.]+)': \('([^'\n]+)', (?:True|False), \(", script, re.MULTILINE)
    return {path: name for name, path in reversed(found)}
