"""The parts of an expression that no variation may change.

Names of modules, classes and members say what something is, and another text in their place means
nothing. The duration of a sleep shows nothing, and each trial would wait for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ....slicer.syntax.nodes import walk
from .raising_expressions import CALLS

_IMPORTERS = frozenset({"__import__", "import_module"})


def fixed_nodes(nodes: Iterable[ast.AST]) -> frozenset[int]:
    """Return the ids of those that must not change, among all nodes of a tree."""
    found: set[int] = set()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _IMPORTERS:
                found.update(map(id, walk(node)))
            case ast.Call(func=ast.Name(id="type"), args=[name, bases, ast.Dict() as members]):
                found.update(map(id, (name, bases, members, *members.keys)))
                for key, value in zip(members.keys, members.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "__repr__":
                        found.update(map(id, walk(value)))
            case ast.Call(func=ast.Name(id="setattr" | "getattr"), args=[_, name, *_]):
                found.add(id(name))
            case ast.Call(func=ast.Name(id="sleep") | ast.Attribute(attr="sleep")):
                given = (*node.args[:1], *(keyword.value for keyword in node.keywords))
                found.update(id(each) for each in given if _is_number(each))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[noted]
            ) if kept == CALLS:
                found.update(map(id, walk(noted)))  # what a stand-in records of a call
            case ast.JoinedStr():
                found.update(map(id, walk(node)))
            case _:
                pass
    return frozenset(found)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
