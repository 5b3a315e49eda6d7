"""The name under which a script carries a module: as what needs it imports it.

A file of a folder without `__init__.py` does not say by itself what it is called.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from ...slicer import Repository
from ...slicer.model import Slice

_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def carried_name(repository: Repository, sliced: Slice, path: str) -> str:
    """The name of a file's module in the script; its own where the script does not carry it.

    Args:
        repository: where the slice is from.
        sliced: the slice.
        path: of the file.
    """
    return _carried(sliced.source).get(path) or repository.module_name(path)


def in_script(repository: Repository, sliced: Slice, path: str, text: str) -> str:
    """An expression that is written in a file's module, for who stands at the end of the script.

    Args:
        repository: where the slice is from.
        sliced: the slice.
        path: of the file.
        text: begins with a name of that module.
    """
    if text.partition(".")[0] in _bound(sliced.source):
        return text
    name = carried_name(repository, sliced, path)
    return f'__import__("importlib").import_module({name!r}).{text}'


@lru_cache(maxsize=4)
def _bound(script: str) -> frozenset[str]:
    """Names that the script itself binds, outside of functions and classes."""
    found: set[str] = set()
    todo: list[ast.AST] = [ast.parse(script)]
    for node in todo:  # which grows
        if isinstance(node, _SCOPES):
            found.add(getattr(node, "name", ""))
            continue
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=given):
                found.add((given or name).partition(".")[0])
            case _:
                pass
        todo += ast.iter_child_nodes(node)
    return frozenset(found)


@lru_cache(maxsize=4)
def _carried(script: str) -> dict[str, str]:
    """Path of each file that the script carries → the first name under which it does."""
    found = re.findall(r"^'([\w.]+)': \('([^'\n]+)', (?:True|False), \(", script, re.MULTILINE)
    return {path: name for name, path in reversed(found)}
