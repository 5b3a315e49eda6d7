"""Mutation analysis: which module-level objects and arguments running code may change.

A call changes what the called function's summary says, with arguments substituted for parameters. A
function passed as an argument runs where the receiving function calls its parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...analysis.inference import Inference
from ...analysis.points_to.call_targets import (
    Arguments,
    BoundArgument,
    Callee,
    CallTargets,
    arguments_of,
)
from ...analysis.points_to.module_namespaces import filled, modules_in, namespaces
from ...analysis.points_to.mutation_summaries import Called, DispatchedMutation, Summary, summaries
from ...analysis.points_to.object_contents import ANY
from ...analysis.points_to.root_objects import (
    Object,
    Parameter,
    ParameterContents,
    Root,
    RootObjects,
    is_parameter,
    named_class,
)
from ...analysis.scopes.definitions import (
    ClassInfo,
    FunctionInfo,
    FunctionNode,
    Scope,
    function_scope,
    module_scope,
)
from ...analysis.scopes.executed_nodes import executed
from ...analysis.values.abstract_values import (
    NOTHING,
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Value,
    Values,
    join,
    ordered,
)
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.builtin_models import BINARY, MUTATORS
from ...syntax.nodes import defaults_of, walk
from . import callback_effects, decorator_effects
from .external_mutations import (
    ARGUMENT_MUTATORS,
    CALLERS,
    STARTERS,
    changed_path,
    is_called_through_class,
    only_registers,
)
from .mutation_queries import Change
from .receiver_mutations import changes_receiver

_CONTAINERS = frozenset({"builtins.list", "builtins.set", "builtins.dict"})

LABELS = frozenset({"__module__", "__qualname__", "__name__", "__doc__"})
"""Attributes that decorators set on their wrappers; setting them does not affect behaviour. They
are also read implicitly: by `type(x).__name__`, and by default reprs.
"""


class Mutations:
    """Mutation analysis of one repository, on demand."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.roots = RootObjects(inference)
        self.callables = CallTargets(inference, self.roots)
        self.is_lenient = False
        """Whether unknown methods of external objects are assumed to change nothing."""
        self._summaries = summaries()

    # ------------------------------------------------------------------ functions

    def of_function(self, function: FunctionInfo) -> Summary:
        """Return the summary of a call of the function."""
        return self._summary(function.node, self.inference.function_scope(function))

    def of_lambda(self, node: ast.Lambda, scope: Scope) -> Summary:
        """Return the summary of a lambda in the scope."""
        return self._summary(node, function_scope(node, scope, None))

    def _summary(self, node: FunctionNode, scope: Scope) -> Summary:
        is_lenient, self.is_lenient = self.is_lenient, False
        key = (scope.module.name, node)
        found = self._summaries.solve(key, lambda: self._summarise(node, scope))
        self.is_lenient = is_lenient
        return found

    def _summarise(self, node: FunctionNode, scope: Scope) -> Summary:
        found: dict[Change, None] = dict.fromkeys(
            (scope.module, name) for name in sorted(scope.module_names)
        )
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for name in sorted(scope.outer_names):
            if (holder := scope.lookup(name)) is not None:
                found.setdefault(Parameter(holder, name))
        for change in self.of_body(body, scope):
            found.setdefault(change)
        changed = frozenset(p.name for p in found if isinstance(p, Parameter) and p.scope is scope)
        for arg, default in defaults_of(node.args):
            if arg.arg in changed and scope.parent is not None:
                roots = self.roots.of(default, scope.parent)
                for root in roots or _holder_of_default(default, node, scope):
                    found.setdefault(root)
        called = [c for c in found if isinstance(c, Called) and c.parameter.scope is scope]
        dispatched = [
            c for c in found if isinstance(c, DispatchedMutation) and c.parameter.scope is scope
        ]
        inside = [
            c for c in found if isinstance(c, ParameterContents) and c.parameter.scope is scope
        ]
        return Summary(
            tuple(item for item in found if isinstance(item, tuple)),
            changed,
            frozenset(item.parameter.name for item in called),
            tuple((item.parameter.name, *each) for item in called for each in item.passed),
            frozenset((item.parameter.name, item.method) for item in dispatched),
            tuple(
                item for item in found
                if (isinstance(item, Parameter) and item.scope is not scope)
                or (
                    isinstance(item, (Called, DispatchedMutation, ParameterContents))
                    and item.parameter.scope is not scope
                )
            ),
            frozenset((item.parameter.name, item.field) for item in inside),
        )  # fmt: skip

    def of_methods(
        self, cls: ClassInfo, units: Iterable[Unit]
    ) -> Iterator[tuple[ast.arguments, Summary]]:
        """Yield the parameters and summaries of the functions among some class members."""
        for unit in units:
            for node in unit.nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    function = FunctionInfo(cls.module, node, cls.scope, cls)
                    yield node.args, self.of_function(function)

    # ------------------------------------------------------------------ statements

    def of_body(self, body: Iterable[ast.AST], scope: Scope) -> Iterator[Change]:
        """Yield what running statements or an expression may change, apart from bindings."""
        for node, place in executed(body, scope):
            yield from self._of_node(node, place)

    def _of_node(self, node: ast.AST, scope: Scope) -> Iterator[Change]:
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                for target in targets:
                    yield from self._target(target, scope)
                    if isinstance(node, ast.Delete):
                        yield from self.operated(target, "__del__", Arguments(), scope)
            case ast.Expr(value=ast.Call() as made):
                yield from self.operated(made, "__del__", Arguments(), scope)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                yield from self._in_place(target, op, value, scope)
            case ast.Expr(value=ast.BinOp() as operation):
                yield from self._of_operator(operation, scope)
            case (
                ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target)
            ):
                yield from self._target(target, scope)
            case ast.withitem(context_expr=entered):
                if node.optional_vars is not None:
                    yield from self._target(node.optional_vars, scope)
                for method in ("__enter__", "__exit__", "__aenter__", "__aexit__"):
                    yield from self.operated(entered, method, Arguments(), scope)
            case ast.Call():
                yield from self.of_call(node, scope)
            case ast.Subscript(value=ast.Name() | ast.Attribute() as owner, ctx=ast.Load()):
                yield from self._of_class_item(owner, node.slice, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from decorator_effects.applied(self, node, scope)
            case _:
                return

    def _of_class_item(self, owner: ast.expr, key: ast.expr, scope: Scope) -> Iterator[Change]:
        """Yield what `Class[key]` changes, if the class defines `__class_getitem__`."""
        if any(
            isinstance(value, ClassValue)
            and self.inference.find_member(value.cls, "__class_getitem__")
            for value in self.inference.evaluate(owner, scope) or ()
        ):
            method = ast.Attribute(owner, "__class_getitem__", ast.Load())
            made = ast.copy_location(ast.Call(method, [key], []), owner)
            yield from self.of_call(ast.fix_missing_locations(made), scope)

    def _in_place(
        self, target: ast.Name, op: ast.operator, value: ast.expr, scope: Scope
    ) -> Iterator[Change]:
        """Yield what `name += value` changes: a container, or an object with the method."""
        if self._is_container(value, scope):
            yield from self.roots.of(target, scope)
        method = f"__i{BINARY[type(op).__name__]}__"
        arguments = Arguments((BoundArgument(value, scope),))
        yield from self.operated(target, method, arguments, scope)

    def _is_container(self, value: ast.expr, scope: Scope) -> bool:
        """Whether the operand of `+=` or `|=` shows that the target is a container."""
        return any(
            isinstance(v, ExternalInstance) and v.name in _CONTAINERS
            for v in self.inference.evaluate(value, scope) or ()
        )

    def _of_operator(self, node: ast.BinOp, scope: Scope) -> Iterator[Change]:
        """Yield what a statement like `bus >> handler` changes."""
        if isinstance(node.left, ast.BinOp):
            yield from self._of_operator(node.left, scope)
        method = f"__{BINARY[type(node.op).__name__]}__"
        yield from self.operated(
            node.left, method, Arguments((BoundArgument(node.right, scope),)), scope
        )

    def operated(
        self, owner: ast.expr, method: str, arguments: Arguments, scope: Scope
    ) -> Iterator[Change]:
        """Yield what an operation on an instance changes, through the method of that name."""
        values = self.inference.evaluate(owner, scope)
        if values is None:
            values = self._of_tables(owner, scope) or self._rebound_receiver(owner, scope)
        for value in ordered(values):
            if isinstance(value, Instance):
                yield from self.of_operation(value.cls, method, Callee(owner, scope), arguments)
            elif isinstance(value, ClassValue) and method == "__setattr__":
                for _ in self.metaclass_setters(value.cls):  # it may record what is set
                    for base in self.inference.mro(value.cls):
                        yield from named_class(base)

    def _rebound_receiver(self, node: ast.expr, scope: Scope) -> Values:
        """Return the value of `self` in a method that rebinds it: `self += other`."""
        holder = scope.lookup(node.id) if isinstance(node, ast.Name) else None
        if holder is None or holder.owner is None or not isinstance(node, ast.Name):
            return NOTHING
        args = getattr(holder.node, "args", None)
        first = [*args.posonlyargs, *args.args][:1] if isinstance(args, ast.arguments) else []
        is_receiver = bool(first) and first[0].arg == node.id
        return frozenset({Instance(holder.owner)}) if is_receiver else NOTHING

    def metaclass_setters(self, cls: ClassInfo) -> list[FunctionInfo]:
        """Return the functions that run when an attribute of the class is set."""
        found = ordered(self.inference.metaclass(cls))
        metas = [value.cls for value in found if isinstance(value, ClassValue)]
        return [f for meta in metas for f in self.inference.methods(meta, "__setattr__")]

    def _of_tables(self, node: ast.expr, scope: Scope) -> Values:
        """Return the values of an item of a table display, or of a name: `STEPS["a"]`, `step`."""
        if not isinstance(node, (ast.Name, ast.Subscript)):
            return NOTHING
        roots = [root for root in self.roots.of(node, scope) if isinstance(root, tuple)]
        found = [self.inference.global_values(*root) or NOTHING for root in roots]
        return join(*found, self._made_of(node, scope))

    def _made_of(self, node: ast.expr, scope: Scope) -> Values:
        """Return the known values that a name was made from: `w = W(); w += 1`, `with W() as w`."""
        assigned = self.roots.assigned(node.id, scope) if isinstance(node, ast.Name) else ()
        made = [item for item in assigned if not item.is_item]
        return join(*(self.inference.evaluate(i.value, i.scope) or NOTHING for i in made))

    def _target(self, target: ast.expr, scope: Scope) -> Iterator[Change]:
        match target:
            case ast.Attribute(attr=attr) if attr in LABELS and scope.parent is not None:
                return
            case ast.Attribute(value=value, attr=attr):
                yield from self._attribute_owner(value, attr, scope)
                yield from self.operated(value, "__setattr__", Arguments(), scope)
            case ast.Subscript(value=value, slice=key) if modules := namespaces(
                value, scope, self.inference
            ):
                yield from filled(modules, key)
            case ast.Subscript(value=value):
                yield from self.roots.of_container(value, scope)
                yield from self._view_contents(value, scope)
                yield from self.operated(value, "__setitem__", Arguments(), scope)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    yield from self._target(element, scope)
            case ast.Name(id=name, ctx=ast.Del()) if scope.lookup(name) is None:
                yield (scope.module, name)
            case _:
                return

    def _view_contents(self, value: ast.expr, scope: Scope) -> Iterator[Root]:
        """Yield the contents of an external object that may forward changes: a `ChainMap`."""
        for each in self.inference.evaluate(value, scope) or ():
            if isinstance(each, ExternalInstance) and not each.name.startswith("builtins."):
                yield from self.roots.attribute_contents(value, ANY, scope)
                return

    def _attribute_owner(self, value: ast.expr, attr: str, scope: Scope) -> Iterator[Root]:
        values = self.inference.evaluate(value, scope)
        modules = [v.module for v in values or () if isinstance(v, ModuleValue)]
        for module in modules:
            if isinstance(module, Module):
                yield (module, attr)
        for owner in ordered(values) if _is_class_of(value) else ():
            if isinstance(owner, ClassValue):
                yield from named_class(owner.cls)
        if not modules:
            yield from self.roots.of(value, scope)

    # ------------------------------------------------------------------ calls

    def of_call(self, node: ast.Call, scope: Scope) -> Iterator[Change]:
        """Yield what a call may change."""
        for callee in self.callables.called_expressions(node.func, scope):
            yield from self.of_callee(callee, arguments_of(node, scope, callee))
        arguments = arguments_of(node, scope, Callee(node.func, scope))
        yield from self.operated(node.func, "__call__", arguments, scope)
        yield from self._names_with_shared_state(node.func, scope)

    def _names_with_shared_state(self, node: ast.expr, scope: Scope) -> Iterator[Object]:
        """Yield the names bound by one call, if a function that it made changes their shared state.

        Examples are `register, run = make()`, and an attribute of the function: `run.register`.
        """
        for owner in (node, node.value) if isinstance(node, ast.Attribute) else (node,):
            if not isinstance(owner, (ast.Name, ast.Attribute)):
                continue
            for value in ordered(self.inference.evaluate(owner, scope)):
                if isinstance(value, FunctionValue) and self._changes_enclosing_state(
                    value, by=owner is not node
                ):
                    for root in self.roots.of(owner, scope):
                        module, name = root if isinstance(root, tuple) else (scope.module, "")
                        for unit in module.bindings.get(name, ()):
                            yield from ((module, bound) for bound in unit.binds)

    def _changes_enclosing_state(self, value: FunctionValue, *, by: bool) -> bool:
        """Whether a function, or a sibling of it, changes state of the enclosing function."""
        around = value.function.enclosing
        if around.parent is None:
            return False
        functions = [
            value.function,
            *decorator_effects.functions_in(value.function, self.inference),
        ]
        if by and isinstance(around.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            maker = FunctionInfo(around.module, around.node, around.parent, None)
            functions += decorator_effects.functions_in(maker, self.inference)
        return any(self.of_function(each).outer for each in functions)

    def of_callee(self, callee: Callee, arguments: Arguments) -> Iterator[Change]:
        """Yield what a call of the expression's value may change."""
        node, scope = callee.node, callee.scope
        match node:
            case ast.Lambda():
                yield from self._applied(self.of_lambda(node, scope), node.args, arguments)
                return
            case ast.Attribute(value=value, attr=attr):
                yield from self._of_receiver(value, attr, scope)
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, _, *_]):
                yield from self.roots.of(owner, scope)  # whichever method it is
            case ast.Name(id=name):
                holder = scope.lookup(name)
                if holder is not None and is_parameter(holder, name):
                    yield Called(
                        Parameter(holder, name),
                        tuple(callback_effects.module_object_positions(self.roots, arguments)),
                    )
            case _:
                pass
        values = self.inference.evaluate(node, scope)
        for value in ordered(values):
            yield from self._of_value(value, callee, arguments)
        if values is None and isinstance(node, ast.Attribute) and arguments != Arguments():
            receiver = self.inference.evaluate(node.value, scope) or self._made_of(
                node.value, scope
            )
            for owner in ordered(receiver):
                if isinstance(owner, (External, ExternalInstance)):
                    yield from self._external(f"{owner.name}().{node.attr}", callee, arguments)
        if values is None and isinstance(node, ast.Call):
            for inner in decorator_effects.functions_defined_by_call(self, node, scope):
                yield from self._applied(self.of_function(inner), inner.node.args, arguments)
        if values is None and isinstance(node, ast.Name):
            for function in self.plain_functions(node.id, scope):
                yield from self._applied(self.of_function(function), function.node.args, arguments)
                yield from decorator_effects.replacement_mutations(self, function)

    def _of_receiver(self, value: ast.expr, attr: str, scope: Scope) -> Iterator[Change]:
        receiver = self.inference.evaluate(value, scope)
        if any(isinstance(v, ModuleValue) for v in receiver or ()):
            return
        if attr in STARTERS and isinstance(value, ast.Name):
            for item in self.roots.assigned(value.id, scope):
                if isinstance(item.value, ast.Call):
                    yield from self.of_call(item.value, item.scope)
        if attr in MUTATORS:
            yield from filled(namespaces(value, scope, self.inference), None)
        if changes_receiver(self, receiver, attr):
            changed = self.roots.of_container if attr in MUTATORS else self.roots.of
            for root in changed(value, scope):
                if attr in MUTATORS or receiver is not None or not isinstance(root, Parameter):
                    yield root
                else:
                    yield DispatchedMutation(root, attr)
            yield from self._view_contents(value, scope)

    def _of_value(self, value: Value, callee: Callee, arguments: Arguments) -> Iterator[Change]:
        match value:
            case FunctionValue(function=function):
                summary = self.of_function(function)
                shift = self.callables.shift(callee, function)
                yield from self._applied(summary, function.node.args, arguments, shift)
                yield from self._made_by(callee, summary)
                owner = callee.node.value if isinstance(callee.node, ast.Attribute) else None
                if shift:
                    yield from self._of_owner(summary, function.node.args, owner or callee.node,
                                              callee.scope)  # fmt: skip
            case ClassValue(cls=cls):
                yield from self._constructed(cls, arguments)
            case External(name=name):
                yield from self._external(name, callee, arguments)
            case _:
                return

    def of_operation(
        self, cls: ClassInfo, name: str, callee: Callee, arguments: Arguments
    ) -> Iterator[Change]:
        """Yield what an operation on an instance changes, through the method of that name."""
        found = self.inference.find_member(cls, name)
        for args, summary in self.of_methods(*found) if found else ():
            yield from self._applied(summary, args, arguments, 1)
            yield from self._of_owner(summary, args, callee.node, callee.scope)

    def _of_owner(
        self, summary: Summary, args: ast.arguments, owner: ast.expr, scope: Scope
    ) -> Iterator[Change]:
        """Yield what a method changes in its receiver, and in the receiver's contents."""
        if summary.changes_at(0, args):
            yield from self.roots.of(owner, scope)
        for field in summary.mutated_attributes_at(0, args):
            yield from self.roots.attribute_contents(owner, field, scope)

    def _applied(
        self, summary: Summary, args: ast.arguments, arguments: Arguments, shift: int = 0
    ) -> Iterator[Change]:
        """Yield the changes of a summary with arguments substituted for parameters."""
        yield from summary.objects
        yield from summary.outer
        for name in sorted(summary.changed):
            for given in arguments.of(name, args, shift):
                yield from self.roots.of(given.value, given.scope)
                for module in modules_in(self.inference.evaluate(given.value, given.scope)):
                    yield from ((module, n) for n in arguments.texts() if n in module.bindings)
        for name, field in sorted(summary.inside):
            for given in arguments.of(name, args, shift):
                yield from self.roots.attribute_contents(given.value, field, given.scope)
        for name in sorted(summary.called):
            passed = [
                (position, argument)
                for called, position, argument in summary.passed
                if called == name
            ]
            for given in arguments.of(name, args, shift):
                yield from callback_effects.called(self, given, arguments, passed)
        for name, method in sorted(summary.queried):
            for given in arguments.of(name, args, shift):
                yield from callback_effects.queried_argument_mutations(self, given, method)

    def _made_by(self, callee: Callee, summary: Summary) -> Iterator[Change]:
        """Yield what a function changes in the arguments of the call that made it."""
        if isinstance(callee.node, ast.Call) and summary.outer:
            yield from self.of_maker(callee.node, summary, callee.scope)

    def of_maker(self, made: ast.Call, summary: Summary, scope: Scope) -> Iterator[Change]:
        """Yield what a function changes in the arguments of the call that made it."""
        for value in ordered(self.inference.evaluate(made.func, scope)):
            if isinstance(value, FunctionValue):
                maker = self.inference.function_scope(value.function)
                args = value.function.node.args
                found = [p for p in summary.outer if isinstance(p, Parameter) and p.scope is maker]
                inner = Summary(
                    changed=frozenset(p.name for p in found),
                    inside=frozenset(
                        (item.parameter.name, item.field)
                        for item in summary.outer
                        if isinstance(item, ParameterContents) and item.parameter.scope is maker
                    ),
                    queried=frozenset(
                        (item.parameter.name, item.method)
                        for item in summary.outer
                        if isinstance(item, DispatchedMutation) and item.parameter.scope is maker
                    ),
                )
                callee = Callee(made.func, scope)
                shift = self.callables.shift(callee, value.function)
                yield from self._applied(inner, args, arguments_of(made, scope, callee), shift)
                if shift:
                    owner = made.func.value if isinstance(made.func, ast.Attribute) else made.func
                    yield from self._of_owner(inner, args, owner, scope)

    def _external(self, name: str, callee: Callee, arguments: Arguments) -> Iterator[Change]:
        is_method = is_called_through_class(name, callee, self.inference)
        if is_method or name in ARGUMENT_MUTATORS:
            match arguments.positional:
                case [owner, BoundArgument(value=ast.Constant(value=str(attr))), *_] if (
                    not is_method
                ):
                    yield from self._attribute_owner(owner.value, attr, owner.scope)
                case [owner, key, *_] if not is_method and (
                    modules := modules_in(self.inference.evaluate(owner.value, owner.scope))
                ):
                    yield from filled(modules, key.value)
                case [owner, *_]:
                    yield from self.roots.of(owner.value, owner.scope)
                case _:
                    return
        elif path := changed_path(name, arguments):
            # readers of the file take its path from the same source
            for part in walk(path.value):
                if isinstance(part, (ast.Name, ast.Attribute)):
                    yield from self.roots.of(part, path.scope)
        elif name in CALLERS or not only_registers(name):
            for given in (*arguments.positional, *(item for _, item in arguments.named)):
                if name in CALLERS or self._is_function(given):
                    for_each = name in CALLERS
                    yield from callback_effects.called(self, given, arguments, is_for_each=for_each)

    def _is_function(self, argument: BoundArgument) -> bool:
        """Whether an argument is a repository function, or a method that may change its object."""
        if isinstance(argument.value, ast.Lambda):
            return True
        if isinstance(argument.value, ast.Attribute) and argument.value.attr in MUTATORS:
            return True
        if not isinstance(argument.value, (ast.Name, ast.Attribute)):
            return False
        values = self.inference.evaluate(argument.value, argument.scope)
        return any(isinstance(value, FunctionValue) for value in values or ())

    def plain_functions(self, name: str, scope: Scope) -> Iterator[FunctionInfo]:
        """Yield the functions with that name; decorated ones too, whose value is unknown."""
        match self.roots.resolve(scope.module, name):
            case (module, origin):
                for unit in module.bindings.get(origin, ()):
                    for node in unit.nodes:
                        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                            yield FunctionInfo(module, node, module_scope(module), None)
            case _:
                return

    def _constructed(self, cls: ClassInfo, arguments: Arguments) -> Iterator[Change]:
        for name in ("__new__", "__init__", "__post_init__"):
            found = self.inference.find_member(cls, name)
            if found is not None:
                for args, summary in self.of_methods(*found):
                    yield from self._applied(summary, args, arguments, 1)
                    if name == "__new__" and summary.changes_at(0, args):
                        yield from named_class(cls)
        for meta in ordered(self.inference.metaclass(cls)):
            found = isinstance(meta, ClassValue) and self.inference.find_member(
                meta.cls, "__call__"
            )
            for args, summary in self.of_methods(*found) if found else ():
                yield from self._applied(summary, args, arguments, 1)
                if summary.changes_at(0, args):
                    yield from named_class(cls)


def _holder_of_default(default: ast.expr, node: FunctionNode, scope: Scope) -> Iterator[Object]:
    """Yield the function or class that holds a default, if that is a new container."""
    if not isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call):
        return
    if scope.owner is not None:
        yield from named_class(scope.owner)
    elif not isinstance(node, ast.Lambda) and scope.parent and scope.parent.parent is None:
        yield (scope.module, node.name)


def _is_class_of(node: ast.expr) -> bool:
    """Whether the expression is `type(self)` or `self.__class__`."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            return True
        case _:
            return False
