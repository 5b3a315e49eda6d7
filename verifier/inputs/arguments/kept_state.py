"""Whether a target keeps state between calls: a balance, a cache, a shared default.

Such state shows only in a later call.
"""

from __future__ import annotations

import ast

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ....slicer.syntax.nodes import defaults_of
from ....slicer.syntax.scopes import declared_in
from ..classes.attribute_writes import writes_self, written_place


def has_state_between_calls(function: TargetFunction) -> bool:
    """Whether a call may depend on earlier calls."""
    node = function.node
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
        return False  # calling a generator function runs nothing yet
    return _keeps(node) if function.owner is None else _changes_receiver(function)


def takes_values(node: FunctionNode) -> bool:
    """Whether a function is a synchronous generator that uses sent values."""
    dropped = {id(each.value) for each in ast.walk(node) if isinstance(each, ast.Expr)}
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Yield) and id(each) not in dropped for each in ast.walk(node)
    )


def _changes_receiver(function: TargetFunction) -> bool:
    """Whether a method writes to `self`, directly or through another method of its class."""
    node, owner = function.node, function.owner
    if owner is None or not (function.takes_self and node.args.args) or node.name[:2] == "__":
        return False
    own = node.args.args[0].arg
    reads = [n for n in ast.walk(node) if isinstance(n, ast.Attribute)]
    called = {n.attr for n in reads if isinstance(n.value, ast.Name) and n.value.id == own}
    return any(each is node or each.name in called for each in owner.functions if writes_self(each))


def _keeps(node: FunctionNode) -> bool:
    """Whether a function writes to globals or to its mutable defaults."""
    nodes = list(ast.walk(node))
    declared = declared_in(nodes, ast.Global)
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own = {n.arg for n in nodes if isinstance(n, ast.arg)} - set(_shared(node))
    places = {written_place(each).partition(".")[0] for each in nodes} - {""}
    return bool(declared & bound or places - own - (bound - declared))


def _shared(node: FunctionNode) -> list[str]:
    """Return the parameters whose default is one mutable object for all calls."""
    return [arg.arg for arg, value in defaults_of(node.args) if _is_mutable(value)]


def _is_mutable(node: ast.expr) -> bool:
    match node:
        case ast.List() | ast.Dict() | ast.Set():
            return True
        case ast.Call(func=ast.Name(id="dict" | "list" | "set")):
            return True
        case _:
            return False
