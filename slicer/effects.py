"""Import-time effects: which module-level objects a top-level statement may change.

A statement that changes an object which the slice holds belongs to the slice (`TABLE.update(…)`,
`registry["x"] = f`, `@register`, a call of a function that fills a global). Objects are named by
the module and name that bind them; aliases made by plain assignment are followed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from .definitions import ClassInfo, FunctionInfo, Scope, module_class, module_scope
from .infer import Inference
from .known import MUTATORS, PLAIN_DECORATORS, READERS
from .names import Bound, ImportedModule, ImportedName
from .repository import Module
from .units import Unit
from .values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Values,
    ordered,
)

Object = tuple[Module, str]
"""A module-level object: the module and the name that binds it."""

_ARGUMENT_MUTATORS = frozenset(
    {"builtins.setattr", "builtins.delattr", "random.shuffle", "heapq.heapify", "heapq.heappush",
     "bisect.insort", "functools.update_wrapper", "operator.setitem", "collections.deque.append"}
)  # fmt: skip
_PURE_CONTAINER_READS = READERS | frozenset({"__getitem__", "__contains__"})


class Effects:
    """Effects of statements and functions of one repository, computed when asked for."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.names = inference.names
        self._touched: dict[tuple[Module, int], tuple[Object, ...]] = {}
        self._in_loop = False
        """Inside a program's main loop, calls on external objects run the program."""
        self._changers: dict[tuple[Module, frozenset[str]], frozenset[str]] = {}
        self._functions: dict[ast.AST, tuple[tuple[Object, ...], frozenset[int]]] = {}

    def touched(self, module: Module, unit: Unit) -> tuple[Object, ...]:
        """Objects that running the top-level statement may change, other than by binding a name."""
        key = (module, unit.index)
        known = self._touched.get(key)
        if known is None:
            found: dict[Object, None] = {}
            scope = module_scope(module)
            for node in unit.nodes:
                for item in self._statement(node, scope, unit):
                    found.setdefault(item)
            known = self._touched[key] = tuple(found)
        return known

    def changers(self, module: Module, live: frozenset[str]) -> frozenset[str]:
        """Functions of the module that change one of the objects; classes whose subclasses do."""
        key = (module, live)
        known = self._changers.get(key)
        if known is None:
            known = self._changers[key] = frozenset(self._find_changers(module, live))
        return known

    def _find_changers(self, module: Module, live: frozenset[str]) -> Iterator[str]:
        objects = {(module, name) for name in live}
        mention = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(live))) + r")\b")
        for unit in module.units:
            if (
                unit.kind == "class"
                and unit.binds[0] in live
                and ("__init_subclass__" in module.source.text or "metaclass" in module.source.text)
            ):
                yield unit.binds[0]
            if unit.kind != "function":
                continue
            text = "".join(module.source.lines[unit.first - 1 : unit.last])
            if not mention.search(text):
                continue
            for node in unit.nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    function = FunctionInfo(module, node, module_scope(module), None)
                    inner = [
                        FunctionInfo(module, n, self.inference.function_scope(function), None)
                        for n in node.body
                        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
                    ]
                    if any(objects & set(self.function_effects(f)[0]) for f in [function, *inner]):
                        yield node.name

    # ------------------------------------------------------------------ statements

    def _statement(self, node: ast.stmt, scope: Scope, unit: Unit) -> Iterator[Object]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._decorators(node.decorator_list, scope)
            case ast.ClassDef():
                yield from self._decorators(node.decorator_list, scope)
                yield from self._class_creation(node, scope, unit)
            case ast.Import() | ast.ImportFrom():
                return
            case _:
                self._in_loop = isinstance(node, ast.While)
                for item in _executed(node):
                    yield from self._expression(item, scope)
                    if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                        yield from self._decorators(item.decorator_list, scope)

    def _expression(self, node: ast.AST, scope: Scope) -> Iterator[Object]:
        match node:
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from self._target(target, scope)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                yield from self._target(target, scope)
            case ast.Delete(targets=targets):
                for target in targets:
                    yield from self._target(target, scope)
            case ast.For(target=target) | ast.withitem(optional_vars=ast.expr() as target):
                yield from self._target(target, scope)
            case ast.Call():
                yield from self._call(node, scope)
            case _:
                return

    def _target(self, target: ast.expr, scope: Scope) -> Iterator[Object]:
        match target:
            case ast.Attribute(value=value, attr=attr):
                yield from self._attribute_owner(value, attr, scope)
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="globals" | "vars" | "locals"), args=[]),
                slice=ast.Constant(value=str(name)),
            ):
                yield (scope.module, name)
            case ast.Subscript(value=value):
                yield from self.roots(value, scope)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    yield from self._target(element, scope)
            case ast.Name(id=name, ctx=ast.Del()) if scope.lookup(name) is None:
                yield (scope.module, name)
            case _:
                return

    def _attribute_owner(self, value: ast.expr, attr: str, scope: Scope) -> Iterator[Object]:
        values = self.inference.evaluate(value, scope)
        modules = [v.module for v in values or () if isinstance(v, ModuleValue)]
        for module in modules:
            if isinstance(module, Module):
                yield (module, attr)
        if not modules:
            yield from self.roots(value, scope)

    def _call(self, node: ast.Call, scope: Scope) -> Iterator[Object]:
        values = self.inference.evaluate(node.func, scope)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            receiver = self.inference.evaluate(node.func.value, scope)
            is_module = any(isinstance(v, ModuleValue) for v in receiver or ())
            if not is_module and self._changes_receiver(receiver, node.func.attr):
                yield from self.roots(node.func.value, scope)
        elif (
            values is None
            and isinstance(node.func, ast.Name)
            and self._is_method_alias(node.func.id, scope)
        ):
            yield from self.roots(node.func, scope)
        for value in ordered(values):
            match value:
                case FunctionValue(function=function):
                    objects, positions = self.function_effects(function)
                    yield from objects
                    shift = 1 if function.owner is not None else 0
                    if shift and 0 in positions and isinstance(node.func, ast.Name):
                        yield from self.roots(node.func, scope)  # `reg = table.register`
                    for index, argument in enumerate(node.args):
                        if index + shift in positions:
                            yield from self.roots(argument, scope)
                case ClassValue(cls=cls):
                    yield from self._constructed(cls)
                case External(name=name) if name in _ARGUMENT_MUTATORS:
                    for argument in arguments[:1]:
                        match node.args:
                            case [owner, ast.Constant(value=str(attr)), *_]:
                                yield from self._attribute_owner(owner, attr, scope)
                            case _:
                                yield from self.roots(argument, scope)
                case _:
                    continue
        if values is None and isinstance(node.func, ast.Name):
            for function in self._plain_functions(node.func.id, scope):
                yield from self.function_effects(function)[0]

    def _is_method_alias(self, name: str, scope: Scope) -> bool:
        """Whether the name stands for a method, as after `reg = table.register`."""
        found = self.resolve(scope.module, name) if scope.lookup(name) is None else None
        units = found[0].bindings.get(found[1], ()) if found else ()
        return any(
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
            for unit in units
            for node in unit.nodes
        )

    def _plain_functions(self, name: str, scope: Scope) -> Iterator[FunctionInfo]:
        # a decorated function: its value is unknown, its body is not
        match self.resolve(scope.module, name):
            case (module, origin):
                for unit in module.bindings.get(origin, ()):
                    for node in unit.nodes:
                        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                            yield FunctionInfo(module, node, module_scope(module), None)
            case _:
                return

    def _constructed(self, cls: ClassInfo) -> Iterator[Object]:
        for name in ("__new__", "__init__", "__post_init__"):
            found = self.inference.find_member(cls, name)
            if found is not None:
                yield from self._method_effects(found[0], found[1])

    def _method_effects(self, cls: ClassInfo, units: Iterable[Unit]) -> Iterator[Object]:
        for unit in units:
            for node in unit.nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    function = FunctionInfo(cls.module, node, cls.scope, cls)
                    yield from self.function_effects(function)[0]

    def _changes_receiver(self, receiver: Values, attr: str) -> bool:
        if attr in MUTATORS:
            return True
        if receiver is None:
            return attr not in READERS and not self._in_loop
        for value in receiver:
            match value:
                case Instance(cls=cls):
                    if self._method_changes_self(cls, attr):
                        return True
                case ExternalInstance(name=name):
                    if not name.startswith("builtins.") and attr not in READERS:
                        return not self._in_loop
                case ClassValue(cls=cls):
                    if attr not in READERS and self._method_changes_self(cls, attr):
                        return True
                case _:
                    continue
        return False

    def _method_changes_self(self, cls: ClassInfo, attr: str) -> bool:
        found = self.inference.find_member(cls, attr)
        if found is None:
            return attr not in READERS
        owner, units = found
        for unit in units:
            for node in unit.nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    function = FunctionInfo(owner.module, node, owner.scope, owner)
                    if 0 in self.function_effects(function)[1]:
                        return True
        return False

    def _decorators(self, decorators: Iterable[ast.expr], scope: Scope) -> Iterator[Object]:
        for decorator in decorators:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            values = self.inference.evaluate(func, scope)
            if values and all(
                isinstance(v, External) and v.name in PLAIN_DECORATORS for v in values
            ):
                continue
            if isinstance(func, ast.Attribute):
                receiver = self.inference.evaluate(func.value, scope)
                if not any(isinstance(v, (ModuleValue, External)) for v in receiver or ()):
                    yield from self.roots(func.value, scope)
                yield from self._call(ast.copy_location(ast.Call(func, [], []), func), scope)
                yield from self._factory(decorator, values)
            else:
                call = ast.copy_location(ast.Call(func, [], []), func)
                yield from self._call(call, scope)
                yield from self._factory(decorator, values)

    def _factory(self, decorator: ast.expr, values: Values) -> Iterator[Object]:
        """What the function that `@factory(...)` makes changes when it is applied."""
        if not isinstance(decorator, ast.Call):
            return
        for value in ordered(values):
            if isinstance(value, FunctionValue):
                outer = self.inference.function_scope(value.function)
                for node in value.function.node.body:
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        inner = FunctionInfo(value.function.module, node, outer, None)
                        yield from self.function_effects(inner)[0]

    def _class_creation(self, node: ast.ClassDef, scope: Scope, unit: Unit) -> Iterator[Object]:
        if unit.nodes != (node,):
            return
        cls = module_class(scope.module, unit, node)
        hooks = [(owner, owner.table["__init_subclass__"]) for owner in self.inference.mro(cls)[1:]
                 if "__init_subclass__" in owner.table]  # fmt: skip
        for value in ordered(self.inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                for name in ("__new__", "__init__", "__call__"):
                    found = self.inference.find_member(value.cls, name)
                    if found is not None:
                        hooks.append(found)
        for owner, units in hooks:
            yield from self._method_effects(owner, units)
            if self._changes_class_state(owner, units):
                yield (owner.module, owner.unit.binds[0])

    def _changes_class_state(self, owner: ClassInfo, units: Iterable[Unit]) -> bool:
        """Whether a hook changes an object that classes share (`cls.registry[...] = cls`)."""
        for unit in units:
            for node in unit.nodes:
                for item in ast.walk(node):
                    match item:
                        case ast.Call(func=ast.Attribute(value=ast.Attribute(), attr=attr)):
                            if attr in MUTATORS:
                                return True
                        case ast.Subscript(value=ast.Attribute(), ctx=ast.Store()):
                            return True
                        case _:
                            continue
        return False

    # ------------------------------------------------------------------ functions

    def function_effects(self, function: FunctionInfo) -> tuple[tuple[Object, ...], frozenset[int]]:
        """Module-level objects that a call may change, and the positions of changed arguments."""
        known = self._functions.get(function.node)
        if known is None:
            self._functions[function.node] = ((), frozenset())
            known = self._functions[function.node] = self._function_effects(function)
        return known

    def _function_effects(
        self, function: FunctionInfo
    ) -> tuple[tuple[Object, ...], frozenset[int]]:
        scope = self.inference.function_scope(function)
        node = function.node
        found: dict[Object, None] = {}
        params = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        positions: set[int] = set()
        for name in sorted(scope.module_names):
            found.setdefault((function.module, name))
        for item in _executed_body(node.body):
            inner = scope
            for changed in self._expression(item, inner):
                found.setdefault(changed)
            root = _changed_root(item)
            if root in params:
                positions.add(params.index(root))
            if isinstance(item, ast.Call):
                positions |= self._passed_on(item, scope, params)
        for default, name in _defaults(node):
            if name in params and params.index(name) in positions:
                for root in self.roots(default, function.enclosing):
                    found.setdefault(root)
        return tuple(found), frozenset(positions)

    def _passed_on(self, node: ast.Call, scope: Scope, params: list[str]) -> set[int]:
        """Positions of own parameters that the called function changes."""
        positions: set[int] = set()
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as holder, attr=attr)) if (
                holder.id in params
            ):
                receiver = self.inference.evaluate(holder, scope)
                if self._changes_receiver(receiver, attr) and receiver is not None:
                    positions.add(params.index(holder.id))
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), *_]) if (
                name in params
            ):
                positions.add(params.index(name))
            case _:
                pass
        for value in ordered(self.inference.evaluate(node.func, scope)):
            if isinstance(value, FunctionValue):
                changed = self.function_effects(value.function)[1]
                shift = 1 if value.function.owner is not None else 0
                for index, argument in enumerate(node.args):
                    if (
                        isinstance(argument, ast.Name)
                        and argument.id in params
                        and index + shift in changed
                    ):
                        positions.add(params.index(argument.id))
        return positions

    # ------------------------------------------------------------------ objects

    def roots(self, node: ast.expr, scope: Scope, depth: int = 0) -> Iterator[Object]:
        """The module-level objects at the bottom of an expression such as `a.b[c].d`."""
        while True:
            match node:
                case ast.Attribute(value=value):
                    values = self.inference.evaluate(value, scope)
                    modules = [v for v in values or () if isinstance(v, ModuleValue)]
                    if modules:
                        for module in modules:
                            if isinstance(module.module, Module):
                                yield from self._canonical(module.module, node.attr, depth)
                        return
                    node = value
                case ast.Subscript(value=value):
                    node = value
                case ast.Call(func=func):
                    if isinstance(func, ast.Name):
                        for argument in node.args[:1]:
                            yield from self.roots(argument, scope, depth)
                        return
                    node = func
                case ast.Name(id=name):
                    if scope.lookup(name) is None:
                        yield from self._canonical(scope.module, name, depth)
                    else:
                        yield from self._local_roots(name, scope, depth)
                    return
                case _:
                    return

    def _local_roots(self, name: str, scope: Scope, depth: int) -> Iterator[Object]:
        holder = scope.lookup(name)
        if holder is None or depth > 3:
            return
        for binder in holder.binders.get(name, ()):
            if binder.kind == "value" and isinstance(binder.value, (ast.Name, ast.Attribute)):
                yield from self.roots(binder.value, holder, depth + 1)

    def _canonical(self, module: Module, name: str, depth: int) -> Iterator[Object]:
        found = self.resolve(module, name)
        if found is None:
            return
        yield found
        if depth > 3:
            return
        origin, origin_name = found
        for unit in origin.bindings.get(origin_name, ()):
            match unit.nodes:
                case (ast.Assign(value=ast.Name() | ast.Attribute() as value),):
                    yield from self.roots(value, module_scope(origin), depth + 1)
                case (ast.Assign(value=ast.Call(func=ast.Attribute(value=value))),):
                    yield from self.roots(value, module_scope(origin), depth + 1)
                case (ast.For(iter=ast.Tuple(elts=parts) | ast.List(elts=parts)),):
                    for part in parts:
                        yield from self.roots(part, module_scope(origin), depth + 1)
                case _:
                    continue

    def resolve(self, module: Module, name: str, depth: int = 0) -> Object | None:
        """The module and name that really bind a global name, imports followed."""
        match self.names.lookup(module, name):
            case Bound(units=units):
                for unit in units:
                    for node in unit.nodes:
                        if isinstance(node, (ast.Import, ast.ImportFrom)) and depth < 20:
                            for alias in node.names:
                                if (alias.asname or alias.name) == name:
                                    return self._imported(module, node, alias, depth)
                            return None
                return (module, name)
            case lookup:
                local = getattr(lookup, "local", ())
                return self.resolve(local[0][2], name, depth + 1) if local else None

    def _imported(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, depth: int
    ) -> Object | None:
        match self.names.imported(module, node, alias):
            case ImportedName(module=source, name=name):
                return self.resolve(source, name, depth + 1)
            case ImportedModule():
                return None
            case _:
                return (module, alias.asname or alias.name)


def _executed(node: ast.stmt) -> Iterator[ast.AST]:
    """Nodes that run with the statement: not the insides of functions and lambdas."""
    yield from _executed_body([node])


def _executed_body(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    stack = list(body)[::-1]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, (ast.Name, ast.Constant)):
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _changed_root(node: ast.AST) -> str | None:
    """The local name whose object the node changes."""
    match node:
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ):
            inner: ast.expr = node
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in MUTATORS:
            inner = value
        case _:
            return None
    while isinstance(inner, (ast.Attribute, ast.Subscript)):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else None


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.expr, str]]:
    args = [*node.args.posonlyargs, *node.args.args]
    defaults = node.args.defaults
    for arg, default in zip(args[len(args) - len(defaults) :], defaults, strict=True):
        yield default, arg.arg
