"""Peel loops: write out the first iteration, in which the value of the counter is known.

`if i == 0 or best > found: best = found` binds `best` before anything reads it, so that its initial
value shows nowhere. Compilers call it loop peeling (Muchnick, "Advanced Compiler Design and
Implementation", 1997, section 17.4).
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Mapping
from typing import cast

from ....slicer.syntax.scopes import bound_inside, declared_in

_LARGEST = 4000
"""Largest loop in nodes, with inner loops peeled: each level doubles them."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_RELATIONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.eq, ast.IsNot: operator.ne,
}  # fmt: skip


def peeled(tree: ast.Module) -> ast.Module:
    """Return the tree with loops over `range` and `enumerate` preceded by a copy of their body.

    Only the order of bindings and reads is preserved; the iterated values are left out.
    """
    if {"range", "enumerate"} & bound_inside(tree) or declared_in(ast.walk(tree)):
        return tree
    return ast.fix_missing_locations(cast("ast.Module", _Peel().visit(copy.deepcopy(tree))))


class _Peel(ast.NodeTransformer):
    """Puts a copy of a loop's body before the loop."""

    def visit_For(self, node: ast.For) -> list[ast.stmt] | ast.stmt:
        self.generic_visit(node)
        found = _counter(node)
        if found is None or _leaves(node.body):
            return node
        name, first, is_sure = found
        if any(_binds(each, name) for each in node.body) or _size(node) > _LARGEST:
            return node
        fold = _Fold(name, first)
        body = [cast("ast.stmt", fold.visit(copy.deepcopy(each))) for each in node.body]
        test = ast.Constant(value=True) if is_sure else node.iter
        once = [ast.Assign([copy.deepcopy(node.target)], ast.Constant(value=None)), *body]
        rest, node.orelse = node.orelse, []  # it always runs, since nothing leaves the loop
        whole = ast.If(test, [*(ast.copy_location(each, node) for each in once), node], [])
        return [ast.copy_location(whole, node), *rest]


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _counter(node: ast.For) -> tuple[str, int, bool] | None:
    """Return name and first value of a loop counter, and whether an iteration is certain."""
    match node.target, node.iter:
        case ast.Name(id=name), ast.Call(func=ast.Name("range"), args=args, keywords=[]):
            bounds = [each.value if isinstance(each, ast.Constant) else None for each in args]
            start = bounds[0] if len(bounds) > 1 else 0
            if type(start) is not int or any(isinstance(each, ast.Starred) for each in args):
                return None
            stop = bounds[0] if len(bounds) == 1 else bounds[1] if len(bounds) == 2 else None
            return name, start, type(stop) is int and stop > start
        case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(
            func=ast.Name("enumerate"), args=[_], keywords=[]
        ):
            return name, 0, False
        case _:
            return None


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a body holds a `break` or `continue` of its own loop."""
    pending: list[ast.AST] = [*body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break | ast.Continue):
            return True
        if isinstance(node, _LOOPS):
            pending += node.orelse
        elif not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    return False


def _binds(statement: ast.stmt, name: str) -> bool:
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return any(node.id == name and not isinstance(node.ctx, ast.Load) for node in names)


class _Fold(ast.NodeTransformer):
    """Evaluates tests of a counter whose value is known."""

    def __init__(self, name: str, value: int) -> None:
        self._name = name
        self._value = value

    def visit(self, node: ast.AST) -> ast.AST:
        """Skip nested functions, which may run in another iteration."""
        return node if isinstance(node, _SCOPES) else cast("ast.AST", super().visit(node))

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        decided = self._decided(node.test)
        if decided is not None:
            node.test = ast.copy_location(ast.Constant(value=decided), node.test)
        return node

    def _decided(self, test: ast.expr) -> bool | None:
        match test:
            case ast.Name(id=self._name):
                return bool(self._value)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                decided = self._decided(inner)
                return None if decided is None else not decided
            case ast.BoolOp(op=op, values=[first, *_]):
                # the operands before are evaluated, so only the first one decides
                decided = self._decided(first)
                return decided if decided is isinstance(op, ast.Or) else None
            case ast.Compare(
                left=ast.Name(id=self._name), ops=[op], comparators=[ast.Constant(value=int() as n)]
            ) if type(op) in _RELATIONS:
                return _RELATIONS[type(op)](self._value, n)
            case _:
                return None
