"""Root objects that an expression may denote: module-level objects and function parameters.

An object is identified by the module and name that bind it. Names are followed to their assigned
values, so `same = ITEMS` leads to the list and `row = TABLE["x"]` to the table.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator

from ...repo.repository import Module
from ..inference import Inference
from ..inference.function_texts import decorator_name, results, returned_parameter
from ..names.name_resolution import Bound, FromStar, ImportedModule, ImportedName
from ..scopes.assignments import AssignedExpression, assigned_by, binds_container, is_copy, items_of
from ..scopes.definitions import (
    ClassInfo,
    FunctionInfo,
    FunctionNode,
    Scope,
    module_scope,
    unit_scope,
)
from ..values.abstract_values import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    STR,
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    TupleOf,
    Value,
    Values,
    ordered,
)
from ..values.derivations import Derivations, FilteredRule, Rule, SubQuestion
from .object_contents import ANY, ITSELF, ObjectContents
from .root_model import Object, ParameterContents, Root

_ONE_OF_THEM = frozenset({"max", "min", "next", "iter"})
"""Functions that return an item of an argument."""
_ALL_OF_THEM = frozenset(
    {"enumerate", "zip", "sorted", "reversed", "filter", "list", "tuple", "set"}
)
"""Functions whose results hold the items of their arguments."""
_ITEM_METHODS = frozenset({"get", "pop", "values", "items"})
"""Methods of dictionaries that return what the dictionary holds."""

_CONSTANTS = STR | INT | FLOAT | BOOL | BYTES
_UNCHANGING = (
    "builtins.complex", "datetime.", "decimal.Decimal", "fractions.Fraction", "ipaddress.IP",
    "re.Pattern", "re.compile", "uuid.UUID",
)  # fmt: skip
"""Prefixes of further classes with immutable instances, and of functions that create those."""


class RootObjects:
    """Root objects of expressions in one repository."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.names = inference.names
        self.holdings = ObjectContents(self)
        self._derivations = Derivations[Root](_is_object)
        self._assigned: dict[tuple[Scope, str], tuple[AssignedExpression, ...]] = {}

    # ------------------------------------------------------------------ queries

    def of(self, node: ast.expr, scope: Scope) -> tuple[Root, ...]:
        """Return the objects at the root of an expression such as `a.b[c].d`."""
        return self._derivations.answer(("of", node, scope), lambda: self.rule(node, scope))

    def attribute_contents(self, node: ast.expr, field: str, scope: Scope) -> tuple[Root, ...]:
        """Return the contents of an attribute of the expression's value, transitively."""
        return self._derivations.answer(
            ("held", node, field, scope), lambda: self.holdings.of(node, field, scope)
        )

    def of_container(self, node: ast.expr, scope: Scope) -> tuple[Root, ...]:
        """Return the objects that change when something is stored in the expression's value."""
        if not isinstance(node, ast.Attribute):
            return self.of(node, scope)
        return self._derivations.answer(
            ("container", node, scope), lambda: self._attribute(node, node.attr + ITSELF, scope)
        )

    def repeated_results(self, function: FunctionInfo) -> tuple[Object, ...]:
        """Return the persistent objects that calls of the function may return again and again."""
        query = self._persistent_results_query(function)
        found = self._derivations.answer(query.key, query.rule)
        return tuple(root for root in found if isinstance(root, tuple))

    def _persistent_results_query(self, function: FunctionInfo) -> SubQuestion[Root]:
        key = ("handed", function.module.name, function.node)
        return SubQuestion(key, lambda: self._given_back(function))

    def visit(self, place: Hashable) -> bool:
        """Whether the place was not visited before in this query."""
        return self._derivations.visit(place)

    def parameter_contents(self, parameter: Parameter, field: str) -> Root:
        """Return the root for the contents of a parameter's attribute."""
        return ParameterContents(parameter, field)

    def parameter_of(self, root: Parameter | ParameterContents) -> Parameter:
        """Return the parameter that the root denotes, or belongs to."""
        return root.parameter if isinstance(root, ParameterContents) else root

    def module_scope(self, module: Module) -> Scope:
        """Return the scope of a module."""
        return module_scope(module)

    def modules_of(self, node: ast.expr, scope: Scope) -> list[Module]:
        """Return the modules of the repository that the expression may denote."""
        return _modules(self.inference.evaluate(node, scope))

    def is_variable(self, root: Root) -> bool:
        """Whether the object is neither a function nor a class nor imported."""
        if not isinstance(root, tuple):
            return True
        kinds = {unit.kind for unit in root[0].bindings.get(root[1], ())}
        return kinds.isdisjoint(("function", "class", "import"))

    # ------------------------------------------------------------------ expressions

    def rule(self, node: ast.expr, scope: Scope) -> Rule[Root]:
        """Yield the objects at the root of an expression, as a rule."""
        match node:
            case ast.Attribute():
                yield self._attribute(node, node.attr, scope)
            case ast.Subscript(value=value, slice=key):
                yield self.rule(value, scope)
                yield self._display_items(value, key, scope)
                yield self.holdings.of(value, ANY, scope)
            case ast.NamedExpr(target=value) | ast.Starred(value=value):
                yield self.rule(value, scope)
            case ast.Call(func=ast.Name(id="super")):
                yield from _receiver(scope)
            case ast.Call(func=func, args=args):
                yield self._persistent_results(func, scope)
                if isinstance(func, ast.Attribute) and func.attr in _ITEM_METHODS:
                    yield self._display_items(func.value, args[0] if args else None, scope)
                if not isinstance(func, ast.Name):
                    yield self.rule(func, scope)
                for argument in args[:1] if isinstance(func, ast.Name) else ():
                    yield self.rule(argument, scope)
            case ast.IfExp(body=body, orelse=orelse):
                yield self.rule(body, scope)
                yield self.rule(orelse, scope)
            case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
                for part in parts:
                    yield self.rule(part, scope)
            case ast.Name(id=name):
                yield self._named(name, scope)
            case _:
                return

    def _attribute(self, node: ast.Attribute, field: str, scope: Scope) -> Rule[Root]:
        values = self.inference.evaluate(node.value, scope)
        modules = _modules(values)
        for module in modules:
            yield self._global(module, node.attr)
        if not modules:
            yield self.rule(node.value, scope)
            yield from self._class_containers(values, node.attr)
            yield self.holdings.of(node.value, field, scope)

    def _display_items(
        self,
        table: ast.expr,
        key: ast.expr | None,
        scope: Scope,
    ) -> Rule[Root]:
        """Yield the objects that a named table's display holds, for one key or for all."""
        if not isinstance(table, ast.Name):
            return
        for item in self._bound(table.id, scope):
            for shown, value in items_of(item.value):
                if not (
                    isinstance(key, ast.Constant)
                    and isinstance(shown, ast.Constant)
                    and key.value != shown.value
                ) and self.visit(("shown", value, item.scope)):
                    yield self.rule(value, item.scope)

    def _class_containers(self, values: Values, attr: str) -> Iterator[Object]:
        """Yield the class that holds a list, dictionary or set shared by all of its instances."""
        for owner in ordered(values):
            if isinstance(owner, (Instance, ClassValue)):
                found = self.inference.find_member(owner.cls, attr)
                if (
                    found is not None
                    and attr not in self.inference.assigned_attributes(owner.cls)
                    and all(binds_container(unit.sole) for unit in found[1])
                ):
                    yield from named_class(found[0])

    def _persistent_results(self, func: ast.expr, scope: Scope) -> Rule[Root]:
        """Yield the persistent objects that calls may return again: module-level or memoised ones.

        An object that a function or class memoises is identified by the name of that function or
        class.
        """
        values = self.inference.evaluate(func, scope)
        if values is None and isinstance(func, ast.Name):
            yield from self._wrapped(func.id, scope)
        for value in ordered(values):
            match value:
                case FunctionValue(function=function):
                    found = yield self._persistent_results_query(function)
                    yield found.closed
                case ClassValue(cls=cls) if self._keeps_instances(cls):
                    yield from named_class(cls)
                case _:
                    continue

    def _wrapped(self, name: str, scope: Scope) -> Iterator[Object]:
        """Yield a class or function, by name, that a repository decorator may call only once."""
        found = self.resolve(scope.module, name) if scope.lookup(name) is None else None
        units = found[0].bindings.get(found[1], ()) if found else ()
        if found and any(getattr(node, "decorator_list", ()) for u in units for node in u.nodes):
            yield found

    def _given_back(self, function: FunctionInfo) -> Rule[Root]:
        if is_memoised(function.node) and function.enclosing.parent is None:
            yield (function.module, function.node.name)
        place = self.inference.function_scope(function)
        for result in results(function.node)[0]:
            if is_copy(result):
                continue
            yield FilteredRule(self.rule(result, place), _is_object)

    def _keeps_instances(self, cls: ClassInfo) -> bool:
        """Whether calling the class may return an earlier instance."""
        if self.inference.find_member(cls, "__new__") is not None:
            return True
        decorators = cls.node.decorator_list
        makers = [self.inference.evaluate(decorator, cls.enclosing) for decorator in decorators]
        return any(
            isinstance(value, FunctionValue) and returned_parameter(value.function) is None
            for values in makers
            for value in ordered(values)
        ) or any(
            isinstance(value, ClassValue)
            and self.inference.find_member(value.cls, "__call__") is not None
            for value in ordered(self.inference.metaclass(cls))
        )

    def _named(self, name: str, scope: Scope) -> Rule[Root]:
        holder = scope.lookup(name)
        if holder is None:
            yield self._global(scope.module, name)
            return
        if is_parameter(holder, name) or _is_enclosing_function(holder, scope):
            yield Parameter(holder, name)
        for binder in holder.binders.get(name, ()):
            if isinstance(binder.node, (ast.Import, ast.ImportFrom)):
                yield self._locally_imported(holder.module, binder.node, name)
        yield self._aliased(name, scope)

    def _locally_imported(
        self,
        module: Module,
        node: ast.Import | ast.ImportFrom,
        name: str,
    ) -> Rule[Root]:
        """Yield the objects of a name that a function itself imports."""
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                match self.names.imported(module, node, alias):
                    case ImportedName(module=source, name=origin):
                        yield self._global(source, origin)
                    case _:
                        continue

    def _global(self, module: Module, name: str) -> Rule[Root]:
        found = self.resolve(module, name)
        if found is not None and not self._is_constant(*found):
            yield found
            yield self._aliased(found[1], module_scope(found[0]))

    def _is_constant(self, module: Module, name: str) -> bool:
        """Whether the name's value is immutable.

        Examples are text, numbers, tuples of these, and builtins: `set_on = object.__setattr__`.
        The result of a constructor in place of a number counts, too: `ZERO = Integer(0)`, where
        `Integer` is `int` unless a faster one can be imported.
        """
        values = self.inference.global_values(module, name)
        if not values:
            return False
        if all(_is_unchanging(value) for value in values):
            return True
        made = [item.value for item in self.assigned(name, module_scope(module))]
        return (
            [node.__class__ for node in made] == [ast.Call]
            and not values.isdisjoint(_CONSTANTS)
            and all(isinstance(value, ExternalInstance) and _is_plain(value) for value in values)
        )

    def _aliased(self, name: str, scope: Scope) -> Rule[Root]:
        if self.visit((scope.lookup(name) or module_scope(scope.module), name)):
            yield self._followed(name, scope)

    def _followed(self, name: str, scope: Scope) -> Rule[Root]:
        is_local = scope.lookup(name) is not None
        for item in self.assigned(name, scope):
            if item.is_item:
                yield self.holdings.of(item.value, ANY, item.scope)
            match item.value:
                case ast.Name() | ast.Attribute() | ast.Subscript():
                    yield self.rule(item.value, item.scope)
                case ast.Call(func=ast.Name(id=called), args=args) if called in _ONE_OF_THEM or (
                    item.is_item and called in _ALL_OF_THEM
                ):
                    for argument in args:
                        yield self.rule(argument, item.scope)
                case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() as made if item.is_item:
                    for generator in made.generators:
                        yield self.rule(generator.iter, item.scope)
                case ast.Call(func=ast.Attribute()) as call if item.is_item or not is_local:
                    yield self.rule(call, item.scope)
                case ast.Call(func=func):
                    yield self._persistent_results(func, item.scope)
                case _:
                    continue

    def assigned(self, name: str, scope: Scope) -> tuple[AssignedExpression, ...]:
        """Return the expressions that a name stands for, according to assignments and loops."""
        key = (scope.lookup(name) or module_scope(scope.module), name)
        known = self._assigned.get(key)
        if known is None:
            known = self._assigned[key] = tuple(dict.fromkeys(self._shown(name, scope)))
        return known

    def _shown(self, name: str, scope: Scope) -> Iterator[AssignedExpression]:
        displays: set[str] = set()
        for item in self._bound(name, scope):
            yield item
            if item.is_item and isinstance(item.value, ast.Name) and item.value.id not in displays:
                displays.add(item.value.id)
                for display in self._bound(item.value.id, item.scope):
                    if isinstance(display.value, (ast.Tuple, ast.List, ast.Set)):
                        for value in display.value.elts:  # of a named display
                            yield AssignedExpression(value, display.scope)

    def _bound(self, name: str, scope: Scope) -> Iterator[AssignedExpression]:
        holder = scope.lookup(name)
        if holder is not None:
            for binder in holder.binders.get(name, ()):
                yield from assigned_by(binder, holder)
            return
        found = self.resolve(scope.module, name)
        if found is None:
            return
        module, origin = found
        for unit in module.bindings.get(origin, ()):
            if unit.kind not in ("function", "class", "import", "prelude"):
                for binder in unit_scope(module, unit).binders.get(origin, ()):
                    yield from assigned_by(binder, module_scope(module))

    def is_defined(self, name: str, scope: Scope) -> bool:
        """Whether a parameter, a `def` or a `class` may bind the name, besides assignments."""
        holder = scope.lookup(name)
        if holder is not None:
            binders = holder.binders[name]
            return any(
                isinstance(b.node, ast.arg) or b.kind in ("function", "class") for b in binders
            )
        found = self.resolve(scope.module, name)
        return found is not None and any(
            binder.kind in ("function", "class")
            for unit in found[0].bindings.get(found[1], ())
            for binder in unit_scope(found[0], unit).binders.get(found[1], ())
        )

    def resolve(self, module: Module, name: str) -> Object | None:
        """Return the module and name that bind a global name, with imports followed."""
        met: set[Object] = set()
        while (module, name) not in met:
            met.add((module, name))
            step = self._resolved_once(module, name)
            if step is None or step[1]:
                return step and step[0]
            module, name = step[0]
        return module, name  # an import cycle: another statement binds it there, too

    def _resolved_once(self, module: Module, name: str) -> tuple[Object, bool] | None:
        """Return the next step in resolving the name, and whether it is bound there."""
        match self.names.lookup(module, name):
            case Bound(units=units):
                for unit in units:
                    for binder in unit_scope(module, unit).binders.get(name, ()):
                        if isinstance(binder.node, (ast.Import, ast.ImportFrom)):
                            for alias in binder.node.names:
                                if (alias.asname or alias.name) == name:
                                    return self._imported(module, binder.node, alias)
                            return None
                return (module, name), True
            case FromStar(local=[(_, _, source), *_]):
                return (source, name), False
            case _:
                return None

    def _imported(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias
    ) -> tuple[Object, bool] | None:
        match self.names.imported(module, node, alias):
            case ImportedName(module=source, name=name):
                return (source, name), False
            case ImportedModule():
                return None
            case _:
                return (module, alias.asname or alias.name), True


def _is_unchanging(value: Value) -> bool:
    """Whether the value and everything that it holds are immutable."""
    match value:
        case External(name=name):
            return name.startswith("builtins.")
        case ExternalInstance(name=name, is_declared=False):
            return value in _CONSTANTS or name.startswith(_UNCHANGING)
        case TupleOf(parts=parts):
            return all(part and all(_is_unchanging(each) for each in part) for part in parts)
        case _:
            return False


def _is_plain(value: ExternalInstance) -> bool:
    """Whether the value is no builtin container, and known from more than an annotation."""
    return value in _CONSTANTS or not (value.is_declared or value.name.startswith("builtins."))


def _is_object(root: Root) -> bool:
    return isinstance(root, tuple)


def _modules(values: Values) -> list[Module]:
    found = [v.module for v in values or () if isinstance(v, ModuleValue)]
    return sorted((m for m in found if isinstance(m, Module)), key=lambda m: m.name)


def is_memoised(node: FunctionNode) -> bool:
    """Whether a decorator memoises the function's results."""
    decorators = getattr(node, "decorator_list", ())
    return any(decorator_name(d) in ("lru_cache", "cache") for d in decorators)


def named_class(cls: ClassInfo) -> Iterator[Object]:
    """Yield the module-level object that the class is, if it is one."""
    if cls.enclosing.parent is None:
        yield (cls.module, cls.node.name)


def _is_enclosing_function(holder: Scope, scope: Scope) -> bool:
    """Whether the scope is that of an enclosing function of the one that uses the name."""
    return isinstance(holder.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
        _function_of(scope) is not holder
    )


def _function_of(scope: Scope) -> Scope | None:
    current: Scope | None = scope
    while current is not None and not isinstance(
        current.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    ):
        current = current.parent
    return current


def is_parameter(holder: Scope, name: str) -> bool:
    """Whether the name is a parameter of the function with this scope."""
    return any(isinstance(binder.node, ast.arg) for binder in holder.binders.get(name, ()))


def _receiver(scope: Scope) -> Iterator[Parameter]:
    """Yield the first parameter of the enclosing method: `self`."""
    current: Scope | None = scope
    while current is not None:
        if isinstance(current.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and current.owner:
            args = [*current.node.args.posonlyargs, *current.node.args.args]
            if args:
                yield Parameter(current, args[0].arg)
            return
        current = current.parent
