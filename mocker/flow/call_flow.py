"""Calls: of the slice's own functions and classes, and of names from outside."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...slicer.analysis.scopes.definitions import ClassInfo, FunctionInfo
from ...slicer.analysis.values.abstract_values import ClassValue, FunctionValue
from ...slicer.errors import SourceError
from .annotation_flow import annotate, checked_field, fields_of, is_enum, members_of, one_of
from .expression_flow import member
from .flow_graph import Node
from .flow_walk import Walk
from .library.library_calls import CallSite, library_call, method_call

_VALIDATORS = frozenset({"model_validate", "parse_obj", "from_orm", "validate_python"})
_JSON_VALIDATORS = frozenset({"model_validate_json", "parse_raw", "validate_json"})
_RUNNERS = {"submit": 0, "to_thread": 0, "run_in_executor": 1, "apply_async": 0, "partial": 0}


@dataclass(frozen=True, slots=True)
class _Given:
    """The nodes of a call's arguments, unpacked ones included."""

    positional: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...]
    rest: Node | None = None
    """The node unpacked by `*` after the positional arguments."""
    keywords: tuple[Node, ...] = ()
    """The nodes unpacked by `**`."""


def call(walk: Walk, node: ast.Call) -> Node:
    """Return the result node of a call; its arguments flow to the parameters."""
    func = node.func
    base = walk.value(func.value) if isinstance(func, ast.Attribute) else None
    if isinstance(func, ast.Attribute) and base is not None:
        callee = member(walk, base, func)
    else:
        callee = walk.value(func)
    given = _given(walk, node)
    label = ("call", id(node), given.positional, given.named)
    result = walk.graph.take(callee, label)
    is_ours = False
    names: list[str] = []
    for value in walk.inferred(func):
        match value:
            case FunctionValue(function=function):
                is_ours = True
                _enter(walk, function, given, _shift(walk, function, func))
                walk.graph.flow(walk.result_of(function), result)
            case ClassValue(cls=cls):
                is_ours = True
                construct(walk, cls, given, result)
            case _:
                names += [name] if (name := getattr(value, "name", None)) else []
    _hand_over(walk, node, given, result)
    if node.args and any(name.startswith("pydantic.TypeAdapter") for name in names):
        walk.adapters[result] = (node.args[0], walk.frame.scope)
    if is_ours:
        return result
    if isinstance(func, ast.Attribute) and base is not None:
        _validate(walk, func, base, given)
    site = CallSite(node, base, given.positional, given.named, result)
    if not any(library_call(walk, name, site) for name in names) and base is not None:
        method_call(walk, site)
    for mapping in given.keywords:
        walk.add_use(mapping, "type", "dict")
    return result


def _validate(walk: Walk, func: ast.Attribute, base: Node, given: _Given) -> None:
    """Record `Model.model_validate(data)` and similar; which adapter it is shows later."""
    if func.attr not in _VALIDATORS | _JSON_VALIDATORS or not given.positional:
        return
    data = given.positional[0]
    if func.attr in _JSON_VALIDATORS:
        data = walk.graph.take(data, ("parse", "json"))
    walk.checks.append((base, data))
    for cls in walk.classes(func.value):
        validated(walk, cls, data)


def _given(walk: Walk, node: ast.Call) -> _Given:
    positional: list[Node] = []
    rest: Node | None = None
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            rest = walk.value(argument.value)
            walk.graph.take(rest, ("item",))
        elif rest is None:
            positional.append(walk.value(argument))
        else:
            walk.value(argument)
    named: list[tuple[str, Node]] = []
    keywords: list[Node] = []
    for keyword in node.keywords:
        value = walk.value(keyword.value)
        if keyword.arg is None:
            keywords.append(value)
        else:
            named.append((keyword.arg, value))
    return _Given(tuple(positional), tuple(named), rest, tuple(keywords))


def _shift(walk: Walk, function: FunctionInfo, func: ast.expr) -> int:
    """Return how many parameters the call fills implicitly."""
    if function.owner is None or not isinstance(func, ast.Attribute):
        return 0
    kinds = {getattr(d, "id", "") for d in function.node.decorator_list}
    if "staticmethod" in kinds:
        return 0
    if "classmethod" in kinds:
        return 1
    return 0 if any(isinstance(v, ClassValue) for v in walk.inferred(func.value)) else 1


def _enter(walk: Walk, function: FunctionInfo, given: _Given, shift: int) -> None:
    """Let arguments flow into parameters."""
    graph, node = walk.graph, function.node
    args = node.args
    order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    known = (*order, *(arg.arg for arg in args.kwonlyargs))
    for index, value in enumerate(given.positional, shift):
        if index < len(order):
            parameter = graph.at(("parameter", node, order[index]))
            graph.flow(value, parameter)
            if any(walk.caught):
                graph.attempted.add(parameter)
        elif args.vararg:
            rest = graph.at(("parameter", node, args.vararg.arg))
            graph.store(value, rest, ("key", index - len(order)))
    if given.rest is not None:
        for index, name in enumerate(order[shift + len(given.positional) :]):
            graph.flow(graph.take(given.rest, ("key", index)), graph.at(("parameter", node, name)))
        if args.vararg:
            graph.flow(given.rest, graph.at(("parameter", node, args.vararg.arg)))
    for name, value in given.named:
        if name in known:
            graph.flow(value, graph.at(("parameter", node, name)))
        elif args.kwarg:
            graph.store(value, graph.at(("parameter", node, args.kwarg.arg)), ("key", name))
    filled = {*order[: shift + len(given.positional)], *(name for name, _ in given.named)}
    for mapping in given.keywords:
        for name in (name for name in known[shift:] if name not in filled):
            graph.flow(graph.take(mapping, ("key", name)), graph.at(("parameter", node, name)))
        if args.kwarg:
            graph.flow(mapping, graph.at(("parameter", node, args.kwarg.arg)))


def construct(walk: Walk, cls: ClassInfo, given: _Given, result: Node) -> None:
    """Connect arguments with a new instance: by `__init__`, or by the class's fields."""
    try:
        found = walk.inference.find_member(cls, "__init__")
    except SourceError:
        return
    graph = walk.graph
    if found is not None:
        for unit in found[1]:
            if isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                owner = found[0]
                _enter(walk, FunctionInfo(owner.module, unit.node, owner.scope, owner), given, 1)
        return
    if is_enum(walk, cls):
        if given.positional:
            one_of(walk, given.positional[0], members_of(cls))
        return
    fields = fields_of(walk, cls)
    filled = dict(zip((field.name for field in fields), given.positional, strict=False))
    filled |= dict(given.named)
    for field in fields:
        holder = walk.attribute_of(cls, field.name)
        value = filled.get(field.name)
        if value is None:
            for mapping in given.keywords:
                value = graph.take(mapping, ("key", field.name))
                if field.value is not None:
                    walk.add_use(value, "optional")
        if value is not None:
            graph.flow(value, holder)
            graph.flow(value, checked_field(walk, cls, field.name))
            annotate(walk, value, field.annotation, cls.scope, is_checked=True)
    for base in walk.inference.external_bases(cls):
        if base not in ("?", "builtins.object"):
            label = ("call", 0, given.positional, given.named)
            graph.flow(graph.take(graph.root(base), label), result)


def validated(walk: Walk, cls: ClassInfo, data: Node) -> None:
    """Connect a mapping, or a list of mappings, with the instance made of it."""
    construct(walk, cls, _Given((), (), None, (data,)), walk.graph.new())
    walk.add_use(data, "type", "dict")


def _hand_over(walk: Walk, node: ast.Call, given: _Given, result: Node) -> None:
    """Connect functions passed as arguments with the callee that calls them."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    at = _RUNNERS.get(name)
    if at is None or len(node.args) <= at:
        return
    for value in walk.inferred(node.args[at]):
        if isinstance(value, FunctionValue):
            inner = _Given(given.positional[at + 1 :], given.named)
            shift = _shift(walk, value.function, node.args[at])
            _enter(walk, value.function, inner, shift)
            walk.graph.flow(walk.result_of(value.function), result)
            if name != "partial":
                future = walk.graph.take(result, ("attr", "result"))
                got = walk.graph.take(future, ("call", id(node), (), ()))
                walk.graph.flow(walk.result_of(value.function), got)
