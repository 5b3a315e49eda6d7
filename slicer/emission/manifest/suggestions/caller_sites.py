"""Heuristic: the arguments that calls of the function in the repository pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....analysis.names.name_resolution import ImportedName
from ....analysis.names.word_mentions import CallSite
from ....analysis.scopes.definitions import ClassInfo, Scope
from ....analysis.values.abstract_values import (
    NOTHING,
    ClassValue,
    ExternalInstance,
    Instance,
    ModuleValue,
    SuperValue,
    TupleOf,
)
from ....errors import SourceError
from ....repo.repository import Module
from ....syntax.nodes import all_parameters
from .annotated_classes import classes_in
from .open_parameters import TargetParameter
from .repository_search import Search
from .target_functions import TargetFunction

MAX_CALLS = 60
_PASSED_AS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((Instance,), "passed by a call"),
    ((ClassValue,), "the class itself is passed by a call"),
    ((TupleOf, ExternalInstance), "inside what a call passes"),
)


def from_calls(
    search: Search, parameters: dict[str, TargetParameter], function: TargetFunction
) -> None:
    """Add the classes of the arguments that calls pass for the parameters."""
    calls = 0
    for site in search.mentions.calls(function.name):
        given = _refers(search, site, function)
        if given is None:
            continue
        calls += 1
        if calls > MAX_CALLS:
            return
        for name, expression in _arguments(site.call, function, given):
            if name in parameters:
                for cls, text in _passed(search, expression, site.scope):
                    parameters[name].add(cls, text, site.module, expression.lineno)


def _refers(search: Search, site: CallSite, function: TargetFunction) -> int | None:
    """Return the number of implicitly bound parameters; `None` for another callee."""
    func = site.call.func
    if isinstance(func, ast.Name) and function.owner and function.node.name != "__init__":
        return None
    scope = site.scope
    if function.node.name == "__init__":
        for value in search.evaluate(func, scope) or ():
            if isinstance(value, ClassValue) and _finds(search, value.cls, function):
                return 1
    if isinstance(func, ast.Name):
        is_called = function.owner is None and _is_global(search, func.id, scope, function)
        return 0 if is_called else None
    if not isinstance(func, ast.Attribute) or func.attr != function.node.name:
        return None
    for value in search.evaluate(func.value, scope) or ():
        match value:
            case ModuleValue(module=Module() as module) if function.owner is None:
                if _binds(search, module, func.attr, function):
                    return 0
            case Instance(cls=cls) | SuperValue(cls=cls) if _finds(search, cls, function):
                return int(function.takes_self)
            case ClassValue(cls=cls) if _finds(search, cls, function):
                return int("classmethod" in function.kinds)
            case _:
                continue
    return None


def _finds(search: Search, cls: ClassInfo, function: TargetFunction) -> bool:
    found = search.elsewhere.find_member(cls, function.node.name)
    return found is not None and any(function.node in unit.nodes for unit in found[1])


def _is_global(search: Search, name: str, scope: Scope, function: TargetFunction) -> bool:
    holder = scope.lookup(name)
    if holder is None:
        return _binds(search, scope.module, name, function)
    for binder in holder.binders[name]:
        if binder.kind == "import" and isinstance(binder.node, ast.ImportFrom):
            for alias in binder.node.names:
                if (alias.asname or alias.name) == name:
                    target = search.names.imported(scope.module, binder.node, alias)
                    if isinstance(target, ImportedName):
                        return _binds(search, target.module, target.name, function)
    return False


def _binds(search: Search, module: Module, name: str, function: TargetFunction) -> bool:
    try:
        return any(function.node in unit.nodes for _, unit in search.definitions(module, name))
    except SourceError:
        return False


def _passed(search: Search, node: ast.expr, scope: Scope) -> Iterator[tuple[ClassInfo, str]]:
    """Yield the classes of an argument, or of its items."""
    match node:
        case ast.List(elts=elements) | ast.Set(elts=elements) | ast.Tuple(elts=elements):
            for element in elements[:8]:
                for cls, _ in _passed(search, element, scope):
                    yield cls, "inside what a call passes"
        case ast.Dict(values=elements):
            for element in elements[:8]:
                for cls, _ in _passed(search, element, scope):
                    yield cls, "inside what a call passes"
        case ast.IfExp(body=body, orelse=orelse):
            yield from _passed(search, body, scope)
            yield from _passed(search, orelse, scope)
        case ast.Constant() | ast.JoinedStr():
            return
        case _:
            values = search.evaluate(node, scope) or NOTHING
            for kind, text in _PASSED_AS:
                for cls in classes_in(frozenset(v for v in values if isinstance(v, kind))):
                    yield cls, text


def _arguments(
    call: ast.Call, function: TargetFunction, given: int
) -> Iterator[tuple[str, ast.expr]]:
    """Yield parameter name and expression of each argument whose parameter is certain."""
    names = [arg.arg for arg in function.positional]
    for index, argument in enumerate(call.args, given):
        if isinstance(argument, ast.Starred):
            break
        if index < len(names):
            yield names[index], argument
        elif function.node.args.vararg:
            yield function.node.args.vararg.arg, argument
    known = {arg.arg for arg in all_parameters(function.node.args)}
    for keyword in call.keywords:
        if keyword.arg in known:
            yield keyword.arg, keyword.value
        elif keyword.arg and function.node.args.kwarg:
            yield function.node.args.kwarg.arg, keyword.value
