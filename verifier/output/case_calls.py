"""Take a case apart into setup, arguments and call, so that the call can be repeated."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..execution.executors.interface import Case
from ..sandbox.cases.holders import mangled_name, target_node

_Call = ast.Call | ast.Attribute
_BARRIERS = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CaseParts:
    """The parts of a case."""

    name: str
    before: tuple[ast.stmt, ...]
    """Statements before the call."""
    arguments: tuple[tuple[str, ast.expr], ...]
    """Arguments of the call, each with its local name."""
    call: ast.expr
    """The call of the target, or the read of a property, with these names; or the call of its
    result, if called at once."""
    is_async: bool
    is_by_owner: bool
    """Whether the class is called, so that Python calls the target."""
    is_decorated: bool = False
    """Whether the target is called through what a decorator put in its place."""

    @property
    def target(self) -> ast.expr:
        """Return the call of the target itself."""
        return _innermost(self.call)

    def named(self, name: str) -> ast.expr:
        """Return the call with another function name."""
        call = copy.deepcopy(self.call)
        inner = _innermost(call)
        place = inner.func if isinstance(inner, ast.Call) else inner
        if self.is_decorated and isinstance(place, ast.Attribute):
            place = place.value
        if isinstance(place, ast.Name):
            place.id = name
        elif isinstance(place, ast.Attribute):
            place.attr = name
        return call


def _innermost(call: ast.expr) -> ast.expr:
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Call):
        call = call.func
    return call


def split_case(case: Case, qualname: str) -> CaseParts | None:
    """Return the parts of a case; `None` if its call is inside a loop or another repetition.

    Also if other calls of the target come first, since these would call the original.

    Args:
        case: one call of the target.
        qualname: qualified name of the target.
    """
    *outer, function = ast.parse(case.code).body
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    named = [n for n in (*outer, function) if isinstance(n, functions) and n.name == case.name]
    if len(named) != 1:
        return None
    function = named[0]
    if len(_found(list(ast.walk(function)), qualname)[0]) > 1:
        return None
    *_, name = qualname.split(".")
    for position, statement in enumerate(function.body):
        for head in _heads(statement):
            found, is_by_owner = _found(list(_walk(head)), qualname)
            if len(found) == 1:
                before = [*(n for n in outer if n is not function), *function.body[:position]]
                calls = _with_calls_of_result(head, found[0])
                holder = (
                    isinstance(found[0], ast.Call) and target_node(found[0], qualname)
                ) or None
                given = _given(calls, before, name, holder, is_by_owner=is_by_owner)
                is_async = isinstance(function, ast.AsyncFunctionDef)
                return CaseParts(
                    case.name, tuple(before), given, calls[-1], is_async, is_by_owner,
                    is_decorated=holder is not None,
                )  # fmt: skip
    return None


def _heads(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement that are evaluated first and once."""
    match statement:
        case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
            yield value
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            yield value
        case ast.AnnAssign(value=ast.expr() as value):
            yield value
        case ast.For(iter=items) | ast.AsyncFor(iter=items):
            yield items
        case ast.With(items=[first, *_]) | ast.AsyncWith(items=[first, *_]):
            yield first.context_expr
        case _:
            pass


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, _BARRIERS):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child)


def _found(nodes: Sequence[ast.AST], target: str) -> tuple[list[_Call], bool]:
    """Return the calls of the target, and whether they call its class."""
    *_, owner, name = ["", *target.split(".")]
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    names = (name, mangled_name(target))
    found: list[_Call] = [n for n in calls if _called(n) in names]
    found = found or [n for n in calls if target_node(n, target) is not None]
    if found or not owner:
        return found, False
    if name in ("__init__", "__new__"):
        return [n for n in calls if _called(n) == owner], True
    reads = [n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]
    return [n for n in reads if n.attr in names], False


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def _with_calls_of_result(head: ast.expr, call: _Call) -> list[_Call]:
    """Return a call, and the calls made at once of its result."""
    found = [call]
    callers = {id(n.func): n for n in _walk(head) if isinstance(n, ast.Call)}
    while id(found[-1]) in callers:
        found.append(callers[id(found[-1])])
    return found


def _given(
    calls: list[_Call],
    before: list[ast.stmt],
    name: str,
    holder: ast.Name | ast.Attribute | None,
    *,
    is_by_owner: bool,
) -> tuple[tuple[str, ast.expr], ...]:
    """Return the arguments of the calls by name; the calls then use these names."""
    bound = {n.id for s in before for n in ast.walk(s) if isinstance(n, ast.Name)
             and isinstance(n.ctx, ast.Store)}  # fmt: skip
    bound |= {getattr(s, "name", "") for s in before}
    made: dict[str, ast.expr] = {}

    def parameter_for(value: ast.expr, wanted: str) -> ast.expr:
        if _is_unchanging(value):
            return value
        is_local = isinstance(value, ast.Name) and value.id in bound
        label = value.id if isinstance(value, ast.Name) and is_local else wanted
        while (label in made and not is_local) or (label == name and not is_local):
            label += "_"
        made[label] = value
        return ast.Name(label, ast.Load())

    place = holder or (calls[0].func if isinstance(calls[0], ast.Call) else calls[0])
    if isinstance(place, ast.Attribute) and not is_by_owner:
        receiver = place.value
        if not isinstance(receiver, ast.Name) or receiver.id in bound:
            place.value = parameter_for(receiver, "it")
    for call in calls:
        if isinstance(call, ast.Call):
            for number, value in enumerate(call.args):
                if isinstance(value, ast.Starred):
                    value.value = parameter_for(value.value, "rest")
                else:
                    call.args[number] = parameter_for(value, f"argument_{number + 1}")
            for keyword in call.keywords:
                keyword.value = parameter_for(keyword.value, keyword.arg or "named")
    return tuple(made.items())


def _is_unchanging(node: ast.expr) -> bool:
    """Whether an expression is an immutable literal."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_unchanging(operand)
        case ast.BinOp(left=left, right=right):
            return _is_unchanging(left) and _is_unchanging(right)
        case ast.Tuple(elts=items):
            return all(map(_is_unchanging, items))
        case _:
            return False
