"""Whether a plain function has to be called inside a running event loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....mocker.source.kept_code import KeptCode

_INSIDE = frozenset({"create_task", "get_running_loop", "ensure_future"})
"""Functions that only work inside a running loop."""
_OUTSIDE = frozenset({"run_until_complete", "run_forever"})
"""Functions that run a loop of their own, as `asyncio.run` does."""


def needs_loop(code: KeptCode) -> bool:
    """Whether plain functions of the slice start tasks while nothing in it starts a loop."""
    nodes = [kept.node for kept in code.statements]
    everywhere = (each for node in nodes for each in ast.walk(node))
    if any(_starts_loop(each) for each in everywhere):
        return False
    return any(_called(each) in _INSIDE for node in nodes for each in _plain(node))


def _plain(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its descendants outside coroutines."""
    if not isinstance(node, ast.AsyncFunctionDef):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _plain(child)


def _starts_loop(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run")):
            return True
        case _:
            return _called(node) in _OUTSIDE


def _called(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name
        case _:
            return ""
