"""Cases that call a special method through an operator, a statement or a builtin function.

`cache[key] = value` becomes `cache.__setitem__(key, value)`, so that the target is called by its
name, which is what is observed. A case that names the method itself stays as it is written.
"""

from __future__ import annotations

import ast

from ....slicer.graph.language_tables import COMPARISONS, OPERATORS, UNARY

_BINARY = {method: operator for operator, (method, _) in OPERATORS.items()}
_UNARY = {method: operator for operator, method in UNARY.items()}
_COMPARED = {method: sign for sign, (method, _) in COMPARISONS.items() if method != "__contains__"}
_FUNCTIONS = frozenset(
    "len repr str bytes bool int float complex hash iter next reversed abs round format dir "
    "divmod".split()
)
"""Builtins that call the special method of their name."""


def by_name(case: ast.FunctionDef | ast.AsyncFunctionDef, qualname: str) -> None:
    """Replace operator syntax by calls of the special method, in place.

    Args:
        case: the function.
        qualname: the target's qualified name.
    """
    owner, _, name = qualname.rpartition(".")
    is_special = name.startswith("__") and name.endswith("__")
    named = {node.attr for node in ast.walk(case) if isinstance(node, ast.Attribute)}
    if owner and is_special and name not in named:
        _ByName(name, _bound_in(case)).visit(case)
        ast.fix_missing_locations(case)


def _bound_in(case: ast.AST) -> frozenset[str]:
    names = (node for node in ast.walk(case) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if isinstance(node.ctx, ast.Store))


class _ByName(ast.NodeTransformer):
    def __init__(self, name: str, bound: frozenset[str]) -> None:
        self._name = name
        self._bound = bound

    def _call(self, place: ast.AST, receiver: ast.expr, *arguments: ast.expr) -> ast.Call:
        method = ast.Attribute(receiver, self._name, ast.Load())
        return ast.copy_location(ast.Call(method, list(arguments), []), place)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node.func:
            case ast.Call() as receiver if self._name == "__call__":
                node.func = ast.Attribute(receiver, self._name, ast.Load())
            case ast.Name(id=known) as receiver if (
                self._name == "__call__" and known in self._bound
            ):
                node.func = ast.Attribute(receiver, self._name, ast.Load())
            case ast.Name(id=known) if (
                known in _FUNCTIONS and self._name == f"__{known}__" and node.args
            ):
                return self._call(node, *node.args)
            case _:
                pass
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if self._name == "__getitem__" and isinstance(node.ctx, ast.Load):
            return self._call(node, node.value, _key(node.slice))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript() as place] if self._name == "__setitem__":
                call = self._call(node, place.value, _key(place.slice), node.value)
                return ast.copy_location(ast.Expr(call), node)
            case _:
                return node

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript() as place] if self._name == "__delitem__":
                call = self._call(node, place.value, _key(place.slice))
                return ast.copy_location(ast.Expr(call), node)
            case _:
                return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, _BINARY.get(self._name, ())):
            return self._call(node, node.left, node.right)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, _UNARY.get(self._name, ())):
            return self._call(node, node.operand)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(ops=[op], comparators=[other]):
                if isinstance(op, _COMPARED.get(self._name, ())):
                    return self._call(node, node.left, other)
                if isinstance(op, ast.In) and self._name == "__contains__":
                    return self._call(node, other, node.left)
            case _:
                pass
        return node


def _key(node: ast.expr) -> ast.expr:
    """Return the content of the brackets, as an argument."""
    match node:
        case ast.Slice():
            ends = [each or ast.Constant(None) for each in (node.lower, node.upper, node.step)]
            return ast.Call(ast.Name("slice", ast.Load()), ends, [])
        case ast.Tuple(elts=items):
            return ast.Tuple([_key(item) for item in items], ast.Load())
        case _:
            return node
