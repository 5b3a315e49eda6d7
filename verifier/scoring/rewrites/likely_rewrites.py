"""Differences that right candidates are likely to have: reordered calls, lists for iterators.

Recording stand-ins see these, although nobody promised the order in which a function asks others,
nor whether they get an iterator or a list of the same items, nor which of two faulty arguments is
reported first. Differences elsewhere are not excused.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import cast

from ....slicer.syntax.scopes import bound_inside
from ...mutation.mutated_block import Block

_Edit = tuple[ast.AST, str]
_ITERATORS = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})
_CALLS = re.compile(r"\.calls\b")
"""Matches the list of calls that a recording stand-in received."""


_MIRRORED: dict[type[ast.cmpop], str] = {
    ast.Lt: ">", ast.Gt: "<", ast.LtE: ">=", ast.GtE: "<=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


def in_another_order(block: Block) -> str | None:
    """Return the block with independent calls and checks swapped; `None` without such."""
    turned = list(_turned(block))
    return block.edited(turned) if turned else None


def with_lists(block: Block) -> str | None:
    """Return the block with lists in place of iterators that it passes on; `None` without such.

    Builtins are excluded, since they differ: `any` consumes no more than it needs.
    """
    edits: list[_Edit] = [
        (each, f"list({block.source(each)})")
        for node in ast.walk(block.tree)
        if isinstance(node, ast.Call)
        and not (isinstance(node.func, ast.Name) and node.func.id in vars(builtins))
        for each in (*node.args, *(keyword.value for keyword in node.keywords))
        if _is_iterator(each)
    ]
    outer = [e for e in edits if not any(e is not o and _is_inside(e[0], o[0]) for o in edits)]
    return block.edited(outer) if outer else None


def _is_iterator(node: ast.expr) -> bool:
    match node:
        case ast.GeneratorExp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _ITERATORS
        case _:
            return False


def _is_inside(node: ast.AST, other: ast.AST) -> bool:
    return any(each is node for each in ast.walk(other))


def is_of_calls(path: str) -> bool:
    """Whether a path in an observation is a stand-in's recording of calls."""
    return _CALLS.search(path) is not None


def is_excused(path: str) -> bool:
    """Whether a path in an observation is a recording of calls, or the exception."""
    return is_of_calls(path) or path.startswith("exception")


def is_of_what_was_done(path: str) -> bool:
    """Whether a path in an observation is a change that the call made."""
    return path.startswith(("argument ", "global "))


def _turned(block: Block) -> Iterator[_Edit]:
    """Yield edits that swap neighbouring calls and checks, none inside another."""
    own = _own_names(block)
    statements = list(_turned_statements(block, own))
    yield from statements
    taken = {id(inner) for node, _ in statements for inner in ast.walk(node)}
    for node in ast.walk(block.tree):
        if isinstance(node, ast.Compare) and id(node) not in taken:
            mirrored = _mirrored(node, block, own)
            if mirrored:
                taken |= {id(inner) for inner in ast.walk(node)}
                yield node, mirrored


def _turned_statements(block: Block, own: frozenset[str]) -> Iterator[_Edit]:
    for node in ast.walk(block.tree):
        body: object = getattr(node, "body", None)
        statements = cast("list[ast.stmt]", body) if isinstance(body, list) else []
        at = 0
        while at + 1 < len(statements):
            first, second = statements[at], statements[at + 1]
            if _is_independent(first, second, own):
                yield first, block.source(second)
                yield second, block.source(first)
                at += 1
            at += 1


def _mirrored(node: ast.Compare, block: Block, own: frozenset[str]) -> str:
    """Return a comparison of two calls with its sides swapped; empty if it is none."""
    right = node.comparators[0]
    sign = _MIRRORED.get(type(node.ops[0]))
    if sign is None or len(node.ops) > 1 or not (_has_call(node.left) and _has_call(right)):
        return ""
    if _is_shared(node.left, right, own):
        return ""
    return f"({block.source(right)}) {sign} ({block.source(node.left)})"


def _is_independent(first: ast.stmt, second: ast.stmt, own: frozenset[str]) -> bool:
    """Whether neither of two statements depends on the other.

    Both bind a name to a call's result, or both raise for faults of different things.
    """
    match first, second:
        case (
            ast.Assign(targets=[ast.Name(id=one)], value=left),
            ast.Assign(targets=[ast.Name(id=other)], value=right),
        ):
            has_calls = _has_call(left) and _has_call(right)
            # a statement may read what it rebinds: `text = cleaned(text)`
            needs_other = _mentions(left, other) or _mentions(right, one)
            return has_calls and one != other and not needs_other
        case (
            ast.If(test=left, body=[ast.Raise()], orelse=[]),
            ast.If(test=right, body=[ast.Raise()], orelse=[]),
        ):
            binds = any(isinstance(n, ast.NamedExpr) for v in (left, right) for n in ast.walk(v))
            return not binds and not _is_shared(left, right, own)
        case _:
            return False


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Call) for n in ast.walk(node))


def _is_shared(one: ast.AST, other: ast.AST, own: frozenset[str]) -> bool:
    """Whether both nodes read the same variable. Functions and modules do not count."""
    return bool(_read_variables(one, own) & _read_variables(other, own))


def _read_variables(node: ast.AST, own: frozenset[str]) -> set[str]:
    """Return the function's variables that a node reads: `self.rows` differs from `self.size`."""
    found: set[str] = set()
    pending = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name | ast.Attribute) and _root(each) in own:
            found.add(ast.unparse(each))
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            pending += [each.func.value, *each.args, *(k.value for k in each.keywords)]
        else:
            pending += ast.iter_child_nodes(each)
    return found


def _root(node: ast.expr) -> str:
    """Return the name at the root of an attribute."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _own_names(block: Block) -> frozenset[str]:
    """Return the parameters and local variables of the function."""
    return frozenset[str]().union(*map(bound_inside, block.functions))
