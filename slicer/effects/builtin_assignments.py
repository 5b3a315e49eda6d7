"""Statements that add names to builtins: `builtins._ = translate`, `gettext.install("app")`.

Other modules then use the name without binding it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..analysis.inference import Inference
from ..analysis.scopes.definitions import Scope, module_scope
from ..analysis.values.abstract_values import ClassValue, External, FunctionValue, ordered
from ..repo.repository import Module
from ..repo.units import Unit
from ..syntax.memo import memo
from ..syntax.nodes import walk

ANY_NAME = "*"
"""Stands for a name that is computed, or that a library chooses."""
MAKING = re.compile(r"builtins|\binstall\w*\(")
"""Pattern that matches the text of every module which adds builtins."""


@memo
def assigned_builtins(module: Module, unit: Unit, inference: Inference) -> frozenset[str]:
    """Return the names that the statement turns into builtins, itself or through calls."""
    if unit.kind in ("import", "function", "class", "main", "typing", "prelude"):
        return frozenset()
    return frozenset(_made_by(unit.nodes, module_scope(module), inference, set()))


def _made_by(
    body: tuple[ast.stmt, ...], scope: Scope, inference: Inference, met: set[ast.AST]
) -> Iterator[str]:
    for statement in body:
        for node in walk(statement):
            match node:
                case ast.Attribute(value=owner, attr=name, ctx=ast.Store()):
                    if _is_builtins(owner, scope, inference):
                        yield name
                case ast.Subscript(value=owner, slice=key, ctx=ast.Store()):
                    if _is_builtins(owner, scope, inference):
                        yield _name_of(key)
                case ast.Call():
                    yield from _made_by_call(node, scope, inference, met)
                case _:
                    continue


def _made_by_call(
    call: ast.Call, scope: Scope, inference: Inference, met: set[ast.AST]
) -> Iterator[str]:
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, key, _]):
            if _is_builtins(owner, scope, inference):
                yield _name_of(key)
            return
        case ast.Call(
            func=ast.Attribute(value=owner, attr="update" | "setdefault" | "__setitem__")
        ):
            if _is_builtins(owner, scope, inference):
                yield ANY_NAME
                return
        case _:
            pass
    for value in ordered(inference.evaluate(call.func, scope)):
        match value:
            case External(name=name) if name.rpartition(".")[2].startswith("install"):
                yield "_" if name.startswith("gettext.") else ANY_NAME
                yield from (_name_of(each) for each in _texts_in(call))
            case FunctionValue(function=function) if function.node not in met:
                met.add(function.node)
                place = inference.function_scope(function)
                yield from _made_by(tuple(function.node.body), place, inference, met)
            case ClassValue(cls=cls):
                for function in inference.methods(cls, "__init__"):
                    if function.node not in met:
                        met.add(function.node)
                        place = inference.function_scope(function)
                        yield from _made_by(tuple(function.node.body), place, inference, met)
            case _:
                continue


def _texts_in(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the strings among the arguments, as in `install("app", names=["ngettext"])`."""
    for node in walk(call):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node


def _is_builtins(node: ast.expr, scope: Scope, inference: Inference) -> bool:
    """Whether the expression is the module `builtins`, or its namespace."""
    match node:
        case ast.Name(id="__builtins__"):
            return True
        case ast.Attribute(value=owner, attr="__dict__"):
            return _is_builtins(owner, scope, inference)
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return _is_builtins(owner, scope, inference)
        case ast.Subscript(
            value=ast.Attribute(attr="modules"), slice=ast.Constant(value="builtins")
        ):
            return True
        case _:
            return External("builtins") in (inference.evaluate(node, scope) or ())


def _name_of(key: ast.expr) -> str:
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ANY_NAME
