"""Collections in which `None` stands among other items, though collections usually hold one kind.

Only a function that names `None`, or tests items for truth, expects gaps among them.
"""

from __future__ import annotations

import ast

from ..drafts.draft_trees import parsed


def has_gaps(text: str) -> bool:
    """Whether a list or set in an expression has `None` beside texts or numbers."""
    tree = parsed(text) if "None" in text else None
    return tree is not None and any(
        isinstance(node, ast.List | ast.Set)
        and {True, False} <= set(map(_is_none, _plain(node.elts)))
        for node in tree.nodes
    )


def has_empty_keys(text: str) -> bool:
    """Whether a dictionary in an expression has `None` as a value."""
    tree = parsed(text) if "None" in text else None
    return tree is not None and any(
        isinstance(node, ast.Dict) and any(map(_is_none, _plain(node.values)))
        for node in tree.nodes
    )


def handles_none(function: ast.AST) -> bool:
    """Whether a function names `None`, or tests a name for truth."""
    for node in ast.walk(function):
        match node:
            case ast.Constant(value=None) | ast.Call(func=ast.Name(id="filter" | "all" | "any")):
                return True
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if _asks(test):
                return True
            case ast.comprehension(ifs=tests) if any(map(_asks, tests)):
                return True
            case ast.BoolOp(values=values) if any(isinstance(each, ast.Name) for each in values):
                return True
            case _:
                pass
    return False


def _asks(test: ast.expr) -> bool:
    test = test.operand if isinstance(test, ast.UnaryOp) else test
    return isinstance(test, ast.Name)


def _plain(items: list[ast.expr]) -> list[ast.Constant]:
    return [each for each in items if isinstance(each, ast.Constant)]


def _is_none(item: ast.Constant) -> bool:
    return item.value is None
