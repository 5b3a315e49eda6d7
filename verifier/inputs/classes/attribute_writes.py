"""The names, attributes and contents that a node writes to."""

from __future__ import annotations

import ast

_WRITERS = frozenset(
    "append extend add insert update setdefault pop popitem remove discard clear put push "
    "appendleft popleft sort reverse".split()
)


def written_place(node: ast.AST) -> str:
    """Return `name` or `name.attribute`; empty if the node writes to neither."""
    match node:
        case ast.Attribute(value=ast.Name(), ctx=ast.Store()):
            return ast.unparse(node)
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            pass
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _WRITERS:
            pass
        case _:
            return ""
    match value:
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return ast.unparse(value)
        case _:
            return ""


def writes_self(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method writes to `self`, or to the contents of its attributes."""
    if not node.args.args:
        return False
    own = f"{node.args.args[0].arg}."
    return any(written_place(each).startswith(own) for each in ast.walk(node))


def is_mutator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether users change an instance by calling the method or by assigning an item."""
    if node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return False
    return node.name == "__setitem__" or (not node.name.startswith("_") and writes_self(node))
