"""Functions that a call may run: names are followed to the methods and lambdas that they hold.

After `add = table.append`, the call `add(1)` runs a method of `table`. So does `partial(add, 1)()`,
and so does `function(1)` in a function that receives `add` as `function`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..inference import Inference
from ..scopes.definitions import ClassInfo, FunctionInfo, Scope, comprehension_scope
from ..values.abstract_values import ClassValue, External, Value
from .root_objects import RootObjects


@dataclass(frozen=True, slots=True)
class BoundArgument:
    """An argument expression with the scope in which it is evaluated."""

    value: ast.expr
    scope: Scope


@dataclass(frozen=True, slots=True)
class Callee:
    """A called expression, with arguments that are bound to it."""

    node: ast.expr
    scope: Scope
    bound: tuple[BoundArgument, ...] = ()
    """Arguments bound by `functools.partial`."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call."""

    positional: tuple[BoundArgument, ...] = ()
    named: tuple[tuple[str, BoundArgument], ...] = ()
    anyhow: tuple[BoundArgument, ...] = ()
    """Arguments that may reach any of the parameters."""

    def of(self, name: str, args: ast.arguments, shift: int) -> Iterator[BoundArgument]:
        """Yield the arguments that may reach a parameter; the first `shift` parameters are bound
        otherwise.

        Yield none for `**names`, which is a new dictionary in each call.
        """
        yield from self.anyhow
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        if args.vararg is not None and args.vararg.arg == name:
            yield from self.positional[max(len(order) - shift, 0) :]
        elif args.kwarg is None or args.kwarg.arg != name:
            yield from (given for keyword, given in self.named if keyword == name)
            if name in order and 0 <= order.index(name) - shift < len(self.positional):
                yield self.positional[order.index(name) - shift]

    def texts(self) -> Iterator[str]:
        """Yield the string literals among the arguments."""
        for given in (*self.positional, *(item for _, item in self.named)):
            if isinstance(given.value, ast.Constant) and isinstance(given.value.value, str):
                yield given.value.value


def arguments_of(node: ast.Call, scope: Scope, callee: Callee) -> Arguments:
    """Return the arguments of a call."""
    return Arguments(
        (*callee.bound, *(BoundArgument(argument, scope) for argument in node.args)),
        tuple((k.arg or "", BoundArgument(k.value, scope)) for k in node.keywords),
    )


class CallTargets:
    """Resolution of callees for one repository."""

    def __init__(self, inference: Inference, roots: RootObjects) -> None:
        self.inference = inference
        self.roots = roots

    def called_expressions(  # noqa: C901 - a case for each kind of expression
        self, node: ast.expr, scope: Scope, visited: set[ast.expr] | None = None
    ) -> Iterator[Callee]:
        """Yield the expressions that are called where this one is called; each is followed once."""
        visited = set() if visited is None else visited
        if node in visited:
            return
        visited.add(node)
        match node:
            case ast.Name(id=name):
                yield from self._named(node, name, scope, visited)
            case ast.IfExp(body=body, orelse=orelse):
                yield from self.called_expressions(body, scope, visited)
                yield from self.called_expressions(orelse, scope, visited)
            case ast.BoolOp(values=parts):
                for part in parts:
                    yield from self.called_expressions(part, scope, visited)
            case ast.NamedExpr(value=value):
                yield from self.called_expressions(value, scope, visited)
            case ast.Subscript(value=ast.Name(id=name)):
                yield Callee(node, scope)
                for item in self.roots.assigned(name, scope):
                    for value in _shown(item.value):
                        yield from self.called_expressions(value, item.scope, visited)
            case ast.Call(
                func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(attr)), *_]
            ):
                found = ast.copy_location(ast.Attribute(owner, attr, ast.Load()), node)
                yield Callee(found, scope)
            case ast.Call(func=func, args=[first, *rest]) if self._is_partial(func, scope):
                given = tuple(BoundArgument(argument, scope) for argument in rest)
                for callee in self.called_expressions(first, scope, visited):
                    yield replace(callee, bound=(*callee.bound, *given))
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                yield Callee(node, scope)
                for item in self.roots.assigned(name, scope):
                    if not item.is_item and isinstance(item.value, ast.Name):  # one of several
                        found = ast.Attribute(item.value, attr, ast.Load())
                        yield Callee(ast.copy_location(found, node), item.scope)
            case _:
                yield Callee(node, scope)

    def _named(
        self, node: ast.Name, name: str, scope: Scope, visited: set[ast.expr]
    ) -> Iterator[Callee]:
        found = [item for item in self.roots.assigned(name, scope) if not item.is_item]
        if not found or self.roots.is_defined(name, scope):
            yield Callee(node, scope)
        for item in found:
            yield from self.called_expressions(item.value, item.scope, visited)
        for item in self.roots.assigned(name, scope):
            if item.is_item:  # one of several: `for each in callbacks: each()`
                for value, place in self._items(item.value, item.scope):
                    yield from self.called_expressions(value, place, visited)

    def _items(self, node: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
        """Yield the item expressions of a comprehension, or of a named one, with their scopes."""
        match node:
            case ast.Name(id=name):
                for item in self.roots.assigned(name, scope):
                    if not (item.is_item or isinstance(item.value, ast.Name)):
                        yield from self._items(item.value, item.scope)
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                yield part, comprehension_scope(node, scope)
            case _:
                return

    def _is_partial(self, func: ast.expr, scope: Scope) -> bool:
        values = self.inference.evaluate(func, scope)
        return values == frozenset[Value]({External("functools.partial")})

    def shift(self, callee: Callee, function: FunctionInfo) -> int:
        """Return the number of leading parameters that the call does not supply: 1 for `self`."""
        kinds = {getattr(d, "id", "") for d in function.node.decorator_list}
        if function.owner is None or "staticmethod" in kinds:
            return 0
        if "classmethod" in kinds or not isinstance(callee.node, ast.Attribute):
            return 1
        values = self.inference.evaluate(callee.node.value, callee.scope)
        is_class = bool(values) and all(isinstance(v, ClassValue) for v in values or ())
        return 0 if is_class and not self._is_of_metaclass(function.owner) else 1

    def _is_of_metaclass(self, owner: ClassInfo) -> bool:
        return self.inference.is_metaclass(owner)


def _shown(value: ast.expr) -> Iterator[ast.expr]:
    """Yield the values of a display."""
    match value:
        case ast.Dict(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from parts
        case _:
            return
