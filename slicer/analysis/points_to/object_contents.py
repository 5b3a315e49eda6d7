"""Contents of objects: constructor arguments, and values stored in them later.

After `holder = Holder(STATE)`, a method that changes `self.box` of the holder changes `STATE` if
the constructor stores its argument there. Chains of holders and names may have any length.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator

from ...repo.repository import Module
from ...syntax.builtin_models import READERS
from ...syntax.memo import memo
from ...syntax.nodes import children
from ..inference.function_texts import results
from ..scopes.assignments import is_copy
from ..scopes.definitions import ClassInfo, FunctionInfo, Scope
from ..values.abstract_values import ClassValue, FunctionValue, Instance, Parameter, ordered
from ..values.derivations import FilteredRule, Rule, SubQuestion
from .root_model import ParameterContents, Root, RootQueries

ANY = "*"
"""Wildcard that matches any attribute or item."""
ITSELF = "="
"""Suffix of an attribute's name that selects its container alone, without the container's contents.

A copy that the class makes (`self.rules = list(self.RULES)`) is then no part of the original.
"""
_CONSTRUCTORS = ("__init__", "__new__")
Stores = dict[str, tuple[tuple[str, ast.expr], ...]]
"""Name → the expressions stored in its object, each with the attribute that receives it."""


class ObjectContents:
    """Contents of objects in one repository, as roots."""

    def __init__(self, roots: RootQueries) -> None:
        self._roots = roots
        self._inference = roots.inference

    def of(self, node: ast.AST, field: str, scope: Scope) -> Rule[Root]:
        """Yield the contents of an attribute of the expression's value, transitively."""
        place: Hashable = node
        if isinstance(node, ast.Name):
            place = (scope.lookup(node.id) or self._roots.module_scope(scope.module), node.id)
        if not self._roots.visit((place, field, scope)):
            return
        match node:
            case ast.Name(id=name):
                yield self._of_name(node, name, field, scope)
            case ast.Call():
                yield self._of_call(node, field, scope)
            case ast.Attribute(value=value, attr=attr):
                yield self.of(value, attr, scope)
                for module in self._roots.modules_of(value, scope):
                    name = ast.copy_location(ast.Name(attr, ast.Load()), node)
                    yield self.of(name, field, self._roots.module_scope(module))
            case ast.Subscript(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                yield self.of(value, ANY if isinstance(node, ast.Subscript) else field, scope)
            case ast.NamedExpr(value=value):
                yield self.of(value, field, scope)
            case ast.IfExp(body=body, orelse=orelse):
                yield self.of(body, field, scope)
                yield self.of(orelse, field, scope)
            case ast.BoolOp(values=parts):
                for part in parts:
                    yield self.of(part, field, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                yield self.below(parts, scope)
            case ast.Dict(values=parts):
                yield self.below(parts, scope)
            case _:
                return

    def below(self, parts: Iterable[ast.expr], scope: Scope, field: str = ANY) -> Rule[Root]:
        """Yield the objects of the expressions, with contents unless `field` ends in `ITSELF`."""
        for part in parts:
            yield self._roots.rule(part, scope)
            if not field.endswith(ITSELF):
                yield self.of(part, ANY, scope)

    def _of_name(self, node: ast.Name, name: str, field: str, scope: Scope) -> Rule[Root]:
        holder = scope.lookup(name)
        if holder is not None and any(isinstance(b.node, ast.arg) for b in holder.binders[name]):
            yield self._roots.parameter_contents(Parameter(holder, name), field)
            for value in ordered(self._inference.evaluate(node, scope)):
                if isinstance(value, Instance):
                    yield self._of_class(value.cls, field, None, scope)
        for item in self._roots.assigned(name, scope):
            if item.is_item:
                yield self.of(item.value, ANY, item.scope)
            elif isinstance(item.value, ast.Call):
                if self._roots.visit((item.value, field, item.scope)):
                    yield self._of_call(item.value, field, item.scope, name)
            else:
                yield self.of(item.value, field, item.scope)
        for place in self._places(name, scope, holder):
            for attr, value in _stores(place.module, place.node).get(name, ()):
                if field.endswith(ITSELF) and self._is_copied(value, place):
                    continue
                if ANY in (attr, field) or attr == field.removesuffix(ITSELF):
                    yield self.below([value], place, field)

    def _places(self, name: str, scope: Scope, holder: Scope | None) -> list[Scope]:
        """Return the scopes in which something may be stored in the object of a name."""
        if holder is not None:
            return [holder]
        found = self._roots.resolve(scope.module, name)
        module = found[0] if found else scope.module
        modules = [module] if module is scope.module else [scope.module, module]
        places = [self._roots.module_scope(each) for each in modules]
        return places if scope.parent is None else [*places, scope]

    # ------------------------------------------------------------------ calls

    def _of_call(self, call: ast.Call, field: str, scope: Scope, rebound: str = "") -> Rule[Root]:
        """Yield the contents of a call's result, which includes those of an argument that it is
        bound back to.

        An example is `node = wrapped(node)`.
        """
        values = ordered(self._inference.evaluate(call.func, scope))
        ours = [value for value in values if isinstance(value, (ClassValue, FunctionValue))]
        for value in ours:
            if isinstance(value, ClassValue):
                yield self._of_class(value.cls, field, call, scope)
            else:
                yield self._of_result(value.function, field, call, scope)
        if not ours:
            given = [
                each
                for each in _all(call)[1 if _allocates(call) else 0 :]
                if not (rebound and isinstance(each, ast.Name) and each.id == rebound)
            ]
            yield FilteredRule(self.below(given, scope), self._roots.is_variable)
            if isinstance(call.func, ast.Attribute) and not _allocates(call):
                yield self.of(call.func.value, ANY, scope)

    def _of_class(
        self, cls: ClassInfo, field: str, call: ast.Call | None, scope: Scope
    ) -> Rule[Root]:
        """Yield the contents of the class's instances, or of those that the given call creates."""
        constructors = [f for name in _CONSTRUCTORS for f in self._inference.methods(cls, name)]
        attribute = field.removesuffix(ITSELF)
        for owner in self._inference.mro(cls):
            assigned = owner.self_assignments
            for name in sorted(assigned) if field == ANY else [attribute]:
                for value, place in assigned.get(name, ()):
                    if isinstance(value, ast.Pass) and call is not None:  # a part of something
                        yield self.below(_all(call), scope)
                    if field != attribute and self._is_copied(value, place):
                        continue
                    if isinstance(value, ast.expr):
                        found = yield self._stored(value, place, field)
                        yield found.closed
                        for root in found.opened:
                            yield self._constructor_contents(root, constructors, call, scope, field)
            for unit in owner.table.get(attribute, ()):
                value = getattr(unit.sole, "value", None)
                if isinstance(value, ast.expr):
                    found = yield self._stored(value, owner.scope, field)
                    yield found.closed
                    yield from found.opened
                for node in unit.nodes:
                    if isinstance(node, ast.FunctionDef):
                        yield self._of_property(cls, node, owner, call, scope)
        names = {*self._inference.assigned_attributes(cls), *self._inference.member_names(cls)}
        if call is not None and constructors and attribute not in names:
            yield self.below(_all(call), scope)  # stored by `setattr`, or from `**options`
        if call is not None and not constructors:
            for value in self._field_arguments(cls, field, call):
                yield self.below([value], scope)

    def _field_arguments(self, cls: ClassInfo, field: str, call: ast.Call) -> Iterator[ast.expr]:
        """Yield the arguments of a generated constructor that a field may hold."""
        attribute = field.removesuffix(ITSELF)
        fields = list(self._inference.declared_fields(cls))
        named = [(k.arg or ANY, k.value) for k in call.keywords]
        positional = [*zip([*fields, *[ANY] * len(call.args)], call.args, strict=False)]
        for name, value in (*positional, *named):
            if ANY in (name, field) or name == attribute or attribute not in fields:
                yield value

    def _is_copied(self, value: ast.AST, place: Scope) -> bool:
        """Whether an expression copies a container: `list(x)`, or `x.copy()` of a library."""
        match value:
            case ast.Call(func=ast.Attribute(attr="copy") as func, args=[]):
                found = self._inference.evaluate(func, place)
                return not any(isinstance(each, FunctionValue) for each in found or ())
            case ast.expr():
                return is_copy(value)
            case _:
                return False

    def _of_property(
        self, cls: ClassInfo, node: ast.FunctionDef, owner: ClassInfo, call: ast.Call | None,
        scope: Scope,
    ) -> Rule[Root]:  # fmt: skip
        """Yield the contents of a property's value, or of a method's result."""
        place = self._inference.function_scope(FunctionInfo(owner.module, node, owner.scope, owner))
        for result in results(node)[0]:
            found = yield self._stored(result, place)
            yield found.closed
            for root in found.opened:
                if (
                    not isinstance(root, (tuple, Parameter))
                    and root.parameter.name == _first(node.args)
                    and self._roots.visit((cls, root.field, call))
                ):
                    yield self._of_class(cls, root.field, call, scope)

    def _stored(self, value: ast.expr, place: Scope, field: str = ANY) -> SubQuestion[Root]:
        """Return a subquery for a stored value's contents, in terms of the method's parameters."""
        key = ("stored", value, place, field.endswith(ITSELF))
        return SubQuestion(key, lambda: self.below([value], place, field))

    def _constructor_contents(
        self, root: Root, constructors: list[FunctionInfo], call: ast.Call | None, scope: Scope,
        field: str,
    ) -> Rule[Root]:  # fmt: skip
        """Yield what a constructor stores, with arguments substituted for its parameters."""
        if isinstance(root, tuple):
            return
        parameter = self._roots.parameter_of(root)
        if call is None or parameter.scope.node.__class__ is ast.Lambda:
            return
        made = next((f for f in constructors if f.node is parameter.scope.node), None)
        if made is not None and parameter.name == _first(made.node.args):
            return
        if made is None and getattr(parameter.scope.node, "name", "") not in _CONSTRUCTORS:
            return  # another method, called later, stores it
        given = _arguments(call, made.node.args, parameter.name, 1) if made else _all(call)
        yield self._passed_objects(root, given, scope, field)

    def _of_result(
        self, function: FunctionInfo, field: str, call: ast.Call, scope: Scope
    ) -> Rule[Root]:
        """Yield the contents of a function's result."""
        place = self._inference.function_scope(function)
        skip = int(function.owner is not None and isinstance(call.func, ast.Attribute))
        passed: dict[str, list[ast.expr]] = {}
        if skip:
            passed[_first(function.node.args)] = [getattr(call.func, "value", call.func)]
        for result in results(function.node)[0]:
            key = ("result", result, field, place)
            found = yield SubQuestion(key, lambda node=result: self.of(node, field, place))
            yield found.closed
            for root in found.opened:
                if isinstance(root, tuple):
                    continue
                parameter = self._roots.parameter_of(root)
                if parameter.scope is not place:
                    yield root
                    continue
                if parameter.name not in passed:
                    given = _arguments(call, function.node.args, parameter.name, skip)
                    passed[parameter.name] = given
                yield self._passed_objects(root, passed[parameter.name], scope)

    def _passed_objects(
        self,
        root: Parameter | ParameterContents,
        given: Iterable[ast.expr],
        scope: Scope,
        field: str = ANY,
    ) -> Rule[Root]:
        """Yield the objects that a call passes for a parameter, or for its contents."""
        for each in given:
            if isinstance(root, Parameter):
                yield self.below([each], scope, field)
            else:
                yield self.of(each, root.field, scope)


def _allocates(call: ast.Call) -> bool:
    """Whether the call creates a bare instance of its first argument: `object.__new__(cls)`."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "__new__" and bool(call.args)


def _first(args: ast.arguments) -> str:
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    return names[0] if names else ""


def _all(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _arguments(call: ast.Call, args: ast.arguments, name: str, skip: int) -> list[ast.expr]:
    """Return the arguments that may reach the parameter of that name; all if some are unpacked."""
    order = [arg.arg for arg in (*args.posonlyargs, *args.args)][skip:]
    is_unpacked = any(isinstance(arg, ast.Starred) for arg in call.args)
    if is_unpacked or any(keyword.arg is None for keyword in call.keywords):
        return _all(call)
    if name not in order and name not in {arg.arg for arg in args.kwonlyargs}:
        return _all(call)  # `*rest`, `**options`
    found = [keyword.value for keyword in call.keywords if keyword.arg == name]
    position = order.index(name) if name in order else len(call.args)
    return [*found, *call.args[position : position + 1]]


def _running(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes that run with the statements, without functions and classes."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _NESTED):
            stack.extend(children(node))


_BODIES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _table(node: ast.expr) -> str:
    """Return the name at the base of nested subscripts: `table` for `table[key][-1]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@memo
def _stores(module: Module, body: ast.AST) -> Stores:
    """Return what the statements of a module or function store in objects, keyed by name."""
    found: dict[str, list[tuple[str, ast.expr]]] = {}
    statements = body.body if isinstance(body, _BODIES) else []
    for node in _running(statements):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    match target:
                        case ast.Attribute(value=ast.Name(id=name), attr=attr):
                            found.setdefault(name, []).append((attr, value))
                        case ast.Subscript() if name := _table(target):
                            found.setdefault(name, []).append((ANY, value))
                        case _:
                            continue
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if name := _table(owner):
                if method not in READERS and not _allocates(node):
                    values = [*node.args, *(keyword.value for keyword in node.keywords)]
                    found.setdefault(name, []).extend((ANY, value) for value in values)
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), _, value]):
                found.setdefault(name, []).append((ANY, value))
            case _:
                continue
    return {name: tuple(values) for name, values in found.items()}
