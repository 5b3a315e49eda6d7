"""The start of a closure: the targets, additional definitions, and instances passed in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.scopes.definitions import (
    ClassInfo,
    FunctionInfo,
    Scope,
    module_class,
    module_scope,
)
from ...analysis.values.abstract_values import (
    ClassValue,
    ExternalInstance,
    Instance,
    TupleOf,
    Value,
    Values,
    ordered,
)
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.annotation_names import names_in
from ...syntax.builtin_models import CONTAINERS, PICKLING
from ...syntax.nodes import all_parameters
from ..kept_definitions import Reason
from ..worklist import Closure
from .sliced_scripts import keep_script
from .target_definitions import Goal

TARGET = "the target"
REQUESTED = "asked for with --with"


def seed(closure: Closure, goal: Goal, text: str) -> None:
    """Keep a target or an additional definition, for the reason in `text`."""
    is_target = text == TARGET
    module = goal.module
    kept = closure.need_module(module)
    kept.must_load = True
    keep_script(closure, module)
    for unit in goal.units:
        why = Reason(text, "", module.path, unit.first)
        for node in unit.nodes:
            if isinstance(node, ast.ClassDef) and node.name == goal.outer and unit.kind == "class":
                _seed_class(closure, module_class(module, unit, node), goal, why, whole=is_target)
                break
        else:
            closure.keep_binding(module, unit, goal.outer, "value", why)
            for node in unit.nodes if is_target else ():
                _seed_bound(closure, node, module_scope(module), why)
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    _seed_parameters(closure, module, unit, node, None)
    if is_target and not any(unit.kind in ("function", "class") for unit in goal.units):
        _expose_variable(closure, goal)


def _expose_variable(closure: Closure, goal: Goal) -> None:
    """Record that the caller receives a variable's object, and may call its public methods."""
    why = Reason(TARGET, "", goal.module.path, goal.units[0].first)
    members = closure.class_keeper.members
    for value in ordered(closure.inference.global_values(goal.module, goal.outer)):
        if isinstance(value, Instance):
            members.keep_public(value.cls, frozenset(), why)
            members.expose(value.cls, why)


def receive(closure: Closure, goal: Goal) -> None:
    """Record that instances of the goal's class are passed in."""
    for unit in goal.units:
        why = Reason("handed in", "", goal.module.path, unit.first)
        for value in ordered(closure.inference.global_values(goal.module, goal.outer)):
            if isinstance(value, ClassValue):
                closure.keep_binding(goal.module, unit, goal.outer, "base", why)
                closure.class_keeper.receive(value.cls, why)
                for name in goal.member[:1]:
                    closure.class_keeper.members.keep_class_statements(value.cls, name, why)
                break
        else:
            closure.keep_binding(goal.module, unit, goal.outer, "value", why)


def _seed_class(
    closure: Closure, cls: ClassInfo, goal: Goal, reason: Reason, *, whole: bool
) -> None:
    keeper = closure.class_keeper
    closure.live_object(cls.module, cls.qualname, reason)
    keeper.keep(cls, reason)
    if not goal.member:
        keeper.instantiate(cls, reason)
        for member in cls.members if whole else ():
            keeper.members.keep_unit(cls, member, reason)
        inherited = Reason("inherited by the target", "", reason.path, reason.line)
        for name in closure.inference.member_names(cls) if whole else ():
            keeper.members.keep_found(cls, name, inherited)
        return
    keeper.questions.with_targets.add(cls)
    name = goal.member[0]
    for member in cls.table.get(name, ()):
        keeper.members.keep_unit(cls, member, reason)
        for node in member.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not any(getattr(d, "id", "") == "staticmethod" for d in node.decorator_list):
                    _receive_instance(closure, cls, reason)
                    _expose_target(closure, cls, name, reason)
                _seed_bound(closure, node, cls.scope, reason)
                _seed_parameters(closure, cls.module, cls.unit, node, cls)
            else:
                _receive_instance(closure, cls, reason)
                _expose_target(closure, cls, name, reason)


def _receive_instance(closure: Closure, cls: ClassInfo, reason: Reason) -> None:
    """Record that the target is called with, or on, an instance of the class."""
    if closure.constructs_parameters:
        closure.class_keeper.instantiate(cls, reason)
    else:
        closure.class_keeper.receive(cls, reason)


def _expose_target(closure: Closure, cls: ClassInfo, name: str, reason: Reason) -> None:
    """Record that the caller creates the target's receiver, and keeps it.

    The caller copies or pickles the receiver only if the target is a method for that.
    """
    if closure.constructs_parameters:
        closure.class_keeper.members.expose(cls, reason, is_known=name in PICKLING)


def _seed_parameters(
    closure: Closure, module: Module, unit: Unit,
    node: ast.FunctionDef | ast.AsyncFunctionDef, cls: ClassInfo | None,
) -> None:  # fmt: skip
    """Record that classes in the target's signature may be passed in, and that the caller receives
    its result.

    Classes that the body only tests for are suggested; their members are not kept.
    """
    scope = cls.scope if cls else module_scope(module)
    why = Reason("the target may return it", "", module.path, unit.first)
    returned = closure.inference.returned(FunctionInfo(module, node, scope, cls))
    if closure.constructs_parameters:
        if _is_open(returned):
            closure.class_keeper.expose_all(why)
        for value in _with_contained(returned):
            if isinstance(value, Instance):
                closure.class_keeper.members.expose(value.cls, why)
    for expression in [arg.annotation for arg in all_parameters(node.args) if arg.annotation]:
        why = Reason("named in the target's signature", "", module.path, expression.lineno)
        for part in names_in(expression):
            for value in ordered(closure.inference.evaluate(part, scope)):
                if isinstance(value, ClassValue):
                    _receive_instance(closure, value.cls, why)


def _seed_bound(closure: Closure, node: ast.AST, scope: Scope, reason: Reason) -> None:
    """Record a call of the instance that a decorator made of the target."""
    made: list[ast.expr] = []
    match node:
        case (
            ast.FunctionDef(decorator_list=decorators)
            | ast.AsyncFunctionDef(decorator_list=decorators)
        ):
            for each in decorators:
                call = ast.Call(each, [ast.Constant(None)], [])
                made.append(ast.fix_missing_locations(ast.copy_location(call, each)))
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            made.append(value)
        case _:
            pass
    for each in made:
        for value in ordered(closure.inference.evaluate(each, scope)):
            if isinstance(value, Instance):
                closure.class_keeper.members.expose(value.cls, reason, is_known=False)


def _is_open(values: Values) -> bool:
    """Whether an instance of any repository class may be among the values, or inside them."""
    if values is None:
        return True
    for value in values:
        match value:
            case TupleOf(parts=parts):
                if any(map(_is_open, parts)):
                    return True
            case ExternalInstance(name=name, items=None) if name in CONTAINERS:
                return True
            case ExternalInstance(items=items) if items is not None and _is_open(items):
                return True
            case _:
                continue
    return False


def _with_contained(values: Values) -> Iterator[Value]:
    """Yield the values, and those inside containers among them."""
    for value in ordered(values):
        yield value
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from _with_contained(part)
        elif isinstance(value, ExternalInstance):
            yield from _with_contained(value.items)
