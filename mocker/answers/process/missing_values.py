"""The effects of a value that is `None` because a setting is absent.

A program tests optional settings, or goes on with `None`. Without a required one it cannot go on:
it raises, exits, reads an attribute or item of the value, or passes it to a library.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Literal

from ....slicer.syntax.nodes import defaults_of
from ...source.kept_code import Function, KeptCode, KeptStatement

Absence = Literal["handled", "unnoticed", "fatal"]
"""Whether the slice tests for the value, tolerates its absence, or fails without it."""

_TOLERANT = frozenset(
    {"bool", "str", "repr", "print", "type", "isinstance", "format", "callable", "hash", "id",
     "filter", "hasattr", "getattr", "setattr", "dict", "vars"}
)  # fmt: skip
"""Builtins that accept `None` as they accept a text."""
_LOGGING = frozenset({"debug", "info", "warning", "error", "critical", "exception", "log"})
_EXITS = frozenset({"exit", "quit", "_exit", "abort", "fail"})
_CATCHING = frozenset({"KeyError", "LookupError", "Exception", "BaseException"})


def absence(code: KeptCode, kept: KeptStatement, node: ast.AST) -> Absence:
    """Return the effect of a node's value being `None`."""
    return _worst(_fates(code, kept, node, set()))


def absence_tested(code: KeptCode, kept: KeptStatement, test: ast.Compare) -> Absence:
    """Return the effect of a missing key on a test for it."""
    is_true = isinstance(test.ops[0], ast.NotIn)
    return _of_test(test, code.parents(kept.node), is_true_when_missing=is_true) or "handled"


def catches_missing(code: KeptCode, kept: KeptStatement, node: ast.AST) -> bool:
    """Whether a handler around the node catches a missing key, and goes on."""
    above = code.parents(kept.node)
    inner, outer = node, above.get(id(node))
    while outer is not None:
        if isinstance(outer, ast.Try) and any(inner is each for each in outer.body):
            for handler in outer.handlers:
                if _caught(handler) & _CATCHING or handler.type is None:
                    return not _stops(handler.body)
        inner, outer = outer, above.get(id(outer))
    return False


def _caught(handler: ast.ExceptHandler) -> set[str]:
    return {node.id for node in ast.walk(handler.type or handler) if isinstance(node, ast.Name)}


def _worst(fates: Iterator[Absence]) -> Absence:
    """Return `handled` if any use tests for absence, else the worst effect."""
    worst: Absence = "unnoticed"
    for each in fates:
        if each == "handled":
            return each  # whatever happens elsewhere
        worst = "fatal" if each == "fatal" else worst
    return worst


def _fates(  # noqa: C901 - a case for each kind of node
    code: KeptCode, kept: KeptStatement, node: ast.AST, visited: set[int]
) -> Iterator[Absence]:
    if id(node) in visited:
        return
    visited.add(id(node))
    above = code.parents(kept.node)
    parent = above.get(id(node))
    tested = _of_test(node, above, is_true_when_missing=False)
    if tested is not None:
        yield tested
        return
    match parent:
        case ast.BoolOp(op=ast.Or(), values=[*_, last]) if last is not node:
            yield "handled"
        case ast.BoolOp() | ast.IfExp() | ast.Await() | ast.NamedExpr():
            yield from _fates(code, kept, parent, visited)
            if isinstance(parent, ast.NamedExpr):
                yield from _of_name(code, kept, parent.target.id, visited)
        case ast.Attribute() | ast.Subscript(value=ast.expr()) if parent.value is node:
            yield "fatal"
        case ast.BinOp(op=ast.Mod(), right=right) if right is node:
            yield "unnoticed"
        case ast.BinOp() | ast.UnaryOp() | ast.Starred() | ast.For() | ast.comprehension():
            yield "fatal"
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _of_target(code, kept, target, visited)
        case ast.AnnAssign(target=target):
            yield from _of_target(code, kept, target, visited)
        case ast.Call():
            yield from _of_argument(code, kept, parent, node, visited)
        case ast.keyword():
            call = above.get(id(parent))
            if isinstance(call, ast.Call):
                yield from _of_argument(code, kept, call, parent, visited)
        case ast.Return() if isinstance(kept.node, Function):
            for where, call in code.calls_by_name.get(kept.node.name, ()):
                yield from _fates(code, where, call, visited)
        case ast.arguments():
            owner = above.get(id(parent))
            for name in _defaulted(parent, node):
                yield from _of_name(code, kept, name, visited, owner)
        case ast.Dict():
            yield from _of_item(code, parent, node, visited)
        case _:
            yield "unnoticed"


def _of_target(
    code: KeptCode, kept: KeptStatement, target: ast.AST, visited: set[int]
) -> Iterator[Absence]:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield from _of_name(code, kept, name, visited)
        case ast.Subscript(value=value) if code.dotted(value, kept.path) == "os.environ":
            yield "fatal"
        case _:
            yield "unnoticed"


def _of_name(
    code: KeptCode,
    kept: KeptStatement,
    name: str,
    visited: set[int],
    function: ast.AST | None = None,
) -> Iterator[Absence]:
    """Yield the effects at all reads of a name; for a local one, in its function only."""
    is_local = isinstance(kept.node, Function) and name in code.assigned_in(kept.node)
    for where, use in code.uses.get(name, ()):
        is_same = where.node is kept.node
        if (is_local or function is not None) and isinstance(use, ast.Name) and not is_same:
            continue
        yield from _fates(code, where, use, visited)


def _of_argument(
    code: KeptCode, kept: KeptStatement, call: ast.Call, given: ast.AST, visited: set[int]
) -> Iterator[Absence]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if given is call.func:
        yield "fatal"
        return
    called = code.called_by_name.get(name, ())
    for function in called:
        parameter = _parameter(function, call, given)
        for where, use in code.uses.get(parameter, ()):
            if where.node is function.node and isinstance(use, ast.Name):
                yield from _fates(code, where, use, visited)
    if not called:
        is_builtin = isinstance(call.func, ast.Name) and name in _TOLERANT
        is_reading = code.dotted(call.func, kept.path) in ("os.environ.get", "os.getenv")
        is_soft = is_builtin or is_reading or name in _LOGGING or name in ("get", "append", "add")
        yield "unnoticed" if is_soft else "fatal"


def _parameter(kept: KeptStatement, call: ast.Call, given: ast.AST) -> str:
    """Return the parameter that receives an argument; "" if unknown."""
    if isinstance(given, ast.keyword):
        return given.arg or ""
    function = kept.node
    if not isinstance(function, Function):
        return ""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if kept.owner and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    at = next((i for i, each in enumerate(call.args) if each is given), len(names))
    return names[at] if at < len(names) else ""


def _defaulted(arguments: ast.arguments, node: ast.AST) -> Iterator[str]:
    """Yield the parameter whose default the node is."""
    yield from (arg.arg for arg, default in defaults_of(arguments) if default is node)


def _of_item(
    code: KeptCode, display: ast.Dict, node: ast.AST, visited: set[int]
) -> Iterator[Absence]:
    """Yield the effects for a dict item, wherever the slice subscripts by its key."""
    keys = [key for key, value in zip(display.keys, display.values, strict=True) if value is node]
    for kept, use in code.nodes(ast.Subscript):
        match use:
            case ast.Subscript(slice=ast.Constant(value=str(text)), ctx=ast.Load()):
                if any(isinstance(key, ast.Constant) and key.value == text for key in keys):
                    yield from _fates(code, kept, use, visited)
            case _:
                continue


# ----------------------------------------------------------------------------- tests


def _of_test(
    node: ast.AST, above: dict[int, ast.AST], *, is_true_when_missing: bool
) -> Absence | None:
    """Return the effect of a test of the node; `None` if it is not tested."""
    parent = above.get(id(node))
    flipped = not is_true_when_missing
    match parent:
        case ast.UnaryOp(op=ast.Not()):
            return _of_test(parent, above, is_true_when_missing=flipped) or "handled"
        case ast.Compare(left=left, ops=[operator], comparators=[other]):
            is_none = isinstance(other, ast.Constant) and not other.value
            match operator:
                case ast.Is() | ast.Eq() if is_none:
                    is_true_when_missing = True
                case ast.IsNot() | ast.NotEq() if is_none:
                    is_true_when_missing = False
                case ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot():
                    is_true_when_missing = isinstance(operator, (ast.NotEq, ast.IsNot))
                case ast.In() | ast.NotIn() if left is node:
                    is_true_when_missing = isinstance(operator, ast.NotIn)
                case _:
                    return "fatal"
            return _of_test(parent, above, is_true_when_missing=is_true_when_missing) or "handled"
        case ast.BoolOp(op=ast.And()) if parent.values[-1] is not node:
            return _of_test(parent, above, is_true_when_missing=is_true_when_missing) or "handled"
        case ast.BoolOp():
            return _of_test(parent, above, is_true_when_missing=is_true_when_missing)
        case ast.Call(func=ast.Name(id="bool" | "all" | "any"), args=[first]) if first is node:
            return _of_test(parent, above, is_true_when_missing=is_true_when_missing) or "handled"
        case ast.IfExp(test=test) | ast.While(test=test) if test is node:
            return "handled"
        case ast.comprehension(iter=values) if values is not node:
            return "handled"
        case ast.Assert(test=test) if test is node:
            return "handled" if is_true_when_missing else "fatal"
        case ast.If(test=test) if test is node:
            taken, other = parent.body, parent.orelse
            if not is_true_when_missing:
                taken, other = other, taken
            stops = _stops(taken) or (not taken and _stops(_following(parent, above)))
            return "fatal" if stops and not _stops(other) else "handled"
        case _:
            return None


def _stops(body: Sequence[ast.stmt]) -> bool:
    """Whether running the statements raises an error or exits the program."""
    for statement in body:
        match statement:
            case ast.Raise():
                return True
            case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) if (
                name in _EXITS
            ):
                return True
            case _:
                continue
    return False


def _following(node: ast.If, above: dict[int, ast.AST]) -> Sequence[ast.stmt]:
    """Return the statements after an `if` without `else` whose body leaves the block."""
    if not node.body or not isinstance(node.body[-1], (ast.Return, ast.Continue, ast.Break)):
        return ()
    parent = above.get(id(node))
    fields = () if isinstance(parent, (ast.IfExp, ast.Lambda)) else ("body", "orelse", "finalbody")
    for name in fields:
        block: list[ast.stmt] = getattr(parent, name, None) or []
        after = [later for later in block if later.lineno > node.lineno]
        if any(each is node for each in block):
            return after[:1]
    return ()
