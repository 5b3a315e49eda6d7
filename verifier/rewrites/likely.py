"""Independent calls in the other order: a right candidate is likely to make them so.

A stand-in that records sees it, though nobody promised the order in which a function asks others
for what it needs. What the other order changes elsewhere is not excused: then it matters.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import cast

from ..mutation.block import Block

_Edit = tuple[ast.AST, str]
_CALLS = re.compile(r"\.calls\b")
"""Where a stand-in that records keeps what was asked of it."""


def in_another_order(block: Block) -> str | None:
    """The block with neighbouring, independent calls in the other order; `None` without such."""
    turned = list(_turned(block))
    return block.edited(turned) if turned else None


def is_of_calls(path: str) -> bool:
    """Whether a place of an observation is what a stand-in has recorded of calls."""
    return _CALLS.search(path) is not None


def _turned(block: Block) -> Iterator[_Edit]:
    """Neighbouring assignments of calls, each in the place of the other."""
    for node in ast.walk(block.tree):
        body: object = getattr(node, "body", None)
        statements = cast("list[ast.stmt]", body) if isinstance(body, list) else []
        at = 0
        while at + 1 < len(statements):
            first, second = statements[at], statements[at + 1]
            if _is_independent(first, second):
                yield first, block.source(second)
                yield second, block.source(first)
                at += 1
            at += 1


def _is_independent(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether both bind one name to what a call gives, and neither mentions the other's."""
    match first, second:
        case (
            ast.Assign(targets=[ast.Name(id=one)], value=left),
            ast.Assign(targets=[ast.Name(id=other)], value=right),
        ):
            has_calls = all(
                any(isinstance(n, ast.Call) for n in ast.walk(v)) for v in (left, right)
            )
            mentioned = {
                n.id for value in (left, right) for n in ast.walk(value) if isinstance(n, ast.Name)
            }
            return has_calls and one != other and not {one, other} & mentioned
        case _:
            return False
