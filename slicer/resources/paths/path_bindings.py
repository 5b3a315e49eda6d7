"""Expressions behind names, attributes, parameters and calls, from the code alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.scopes.definitions import Binder, ClassInfo, Scope, function_scope, unit_scope
from ...repo.repository import Module
from ...syntax.nodes import children, defaults_of, walk


def global_binders(module: Module, name: str) -> list[Binder]:
    """Return the binders of a module-level name, without definitions."""
    units = [u for u in module.bindings.get(name, ()) if u.kind not in ("function", "class")]
    return [b for unit in units for b in unit_scope(module, unit).binders.get(name, [])]


def items_at(
    value: ast.expr, path: tuple[int, ...], scope: Scope
) -> tuple[tuple[ast.expr, ...], tuple[int, ...]]:
    """Return the items that a loop iterates over, and the rest of the path inside each item."""
    match value, path:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), (1, *below):
            return items_at(inner, tuple(below), scope)
        case (
            ast.Call(func=ast.Name(id="sorted" | "reversed" | "set" | "list"), args=[inner, *_]),
            _,
        ):
            return items_at(inner, path, scope)
        case ast.Call(func=ast.Name(id="zip"), args=[*zipped]), (int(index), *below) if (
            0 <= index < len(zipped)
        ):
            return items_at(zipped[index], tuple(below), scope)
        case _:
            return elements(value, scope), path


def elements(value: ast.expr, scope: Scope) -> tuple[ast.expr, ...]:
    """Return the elements of a literal, or of one that a name is bound to once."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return tuple(parts)
        case ast.Dict(keys=keys):
            return tuple(key for key in keys if key is not None)
        case ast.Name(id=name):
            holder = scope.lookup(name)
            binders = holder.binders[name] if holder else global_binders(scope.module, name)
            match binders:
                case [
                    Binder(kind="value", path=(), value=(
                        ast.Tuple() | ast.List() | ast.Set() | ast.Dict() as literal))
                ]:  # fmt: skip
                    return elements(literal, scope)
                case _:
                    return ()
        case _:
            return ()


def constructed_with(scope: Scope, name: str) -> Iterator[ast.expr]:
    """Yield the arguments for a constructor's parameter that its module passes on import."""
    node, cls = scope.node, scope.owner
    if cls is None or not isinstance(node, ast.FunctionDef) or node.name != "__init__":
        return
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)][1:]
    for unit in cls.module.units:
        for each in walk(unit.node) if unit.kind in ("variable", "statement") else ():
            match each:
                case ast.Call(func=ast.Name(id=made), args=args, keywords=keywords) if (
                    made == cls.node.name
                ):
                    yield from (keyword.value for keyword in keywords if keyword.arg == name)
                    yield from (
                        arg for known, arg in zip(names, args, strict=False) if known == name
                    )
                case _:
                    continue


def class_bindings(cls: ClassInfo, name: str) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield a class's values for an attribute or property, each with its scope."""
    for unit in cls.table.get(name, ()):
        for node in unit.nodes:
            match node:
                case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    yield value, cls.scope
                case ast.FunctionDef(decorator_list=[ast.Name(id="property")]):
                    scope = function_scope(node, cls.scope, cls)
                    for value in returned_values(node):
                        yield value, scope
                case _:
                    continue
    for value, scope in cls.self_assignments.get(name, ()):
        found = value.value if isinstance(value, ast.AnnAssign) else value
        if isinstance(found, ast.expr):
            yield found, scope


def returned_values(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield the expressions that a function itself returns."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            stack.extend(reversed(list(children(node))))


def default_of(function: ast.AST, arg: ast.arg) -> ast.expr | None:
    """Return a parameter's default value."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return None
    return next((default for known, default in defaults_of(function.args) if known is arg), None)
