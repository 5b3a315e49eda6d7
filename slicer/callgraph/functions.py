"""Functions: parameters and defaults are walked where they stand, bodies after their scope."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .annotations import declare
from .bindings import Bindings, collect
from .builder import Scope
from .facts import Copy, FunctionFacts, NewContainer, Operation, Variable

if TYPE_CHECKING:
    from .expressions import Expressions

_CLASS_FIRST = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


@dataclass(frozen=True, slots=True)
class Header:
    """What a `def` says besides its parameters; a lambda says nothing."""

    name: str = ""
    klass: int | None = None
    """The class in whose body it stands."""
    decorators: tuple[ast.expr, ...] = ()
    """By which kinds of methods are told apart."""
    returns: ast.expr | None = None


def define_function(
    walk: Expressions,
    definition: int,
    arguments: ast.arguments,
    body: Sequence[ast.stmt] | ast.expr,
    header: Header,
) -> int:
    """Index of the function; its body is walked later.

    Args:
        walk: the extraction.
        definition: the function's node.
        arguments: its parameters.
        body: statements, or the expression of a lambda.
        header: the rest of what stands before its body.
    """
    klass = header.klass
    builder = walk.builder
    index = len(walk.functions)
    walk.functions.append(None)
    positional = [*arguments.posonlyargs, *arguments.args]
    named = [*positional, *arguments.kwonlyargs]
    parameters = {argument.arg: builder.new(index) for argument in named}
    defaults = _defaults(walk, arguments)
    interface: list[Operation] = [Copy(v, parameters[name]) for name, v in defaults.items()]
    for argument in named:
        if argument.annotation is not None:
            declare(walk, argument.annotation, parameters[argument.arg], klass)
    result = builder.new(index)
    if header.returns is not None:
        declare(walk, header.returns, result, klass)
    rest = None if arguments.vararg is None else builder.new(index)
    keywords = None if arguments.kwarg is None else builder.new(index)
    if rest is not None:
        interface.append(NewContainer(rest, "tuple", (), ()))
    if keywords is not None:
        interface.append(NewContainer(keywords, "dict", (), ()))
    outer = builder.scope
    is_method = klass is not None and bool(positional)
    first = _first(header.name, header.decorators) if is_method else "none"

    def walk_body() -> None:
        start = len(builder.operations)
        builder.operations += interface
        if isinstance(body, ast.expr):
            bindings = Bindings(set(), set(), set(), set())
        else:
            bindings = collect(body, walrus=builder.walrus)
        bindings.bound -= bindings.global_ | bindings.nonlocal_
        scope = Scope("function", definition, outer, bindings, result=result, klass=klass)
        scope.parameters = parameters
        scope.function = index
        if first != "none":
            scope.receiver = positional[0].arg
        previous, builder.scope = builder.scope, scope
        for parameter, variable in parameters.items():
            _bind_parameter(walk, scope, parameter, variable)
        for argument, variable in ((arguments.vararg, rest), (arguments.kwarg, keywords)):
            if argument is not None and variable is not None:
                _bind_parameter(walk, scope, argument.arg, variable)
        _walk_statements(walk, body)
        builder.scope = previous
        if klass is not None:
            walk.stored.setdefault(klass, set()).update(scope.stored)
        walk.functions[index] = FunctionFacts(
            definition=definition,
            positional=tuple(argument.arg for argument in positional),
            positional_only=len(arguments.posonlyargs),
            parameters=parameters,
            defaults=defaults,
            rest=rest,
            keywords=keywords,
            result=result,
            yields=scope.yields,
            returned=frozenset(scope.returned),
            klass=klass,
            first=first,
            span=(start, len(builder.operations)),
            outer=outer.function if outer.function >= 0 else None,
            makes_closures=scope.makes_closures,
        )

    builder.deferred.append(walk_body)
    return index


def _defaults(walk: Expressions, arguments: ast.arguments) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [
        *zip(positional[::-1], arguments.defaults[::-1], strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    for argument, default in defaults:
        value = walk.evaluate(default)
        if value is not None:
            found[argument.arg] = value
    return found


def _walk_statements(walk: Expressions, body: Sequence[ast.stmt] | ast.expr) -> None:
    if isinstance(body, ast.expr):
        _return(walk, body)
    else:
        from .statements import execute

        execute(walk, body)


def _bind_parameter(walk: Expressions, scope: Scope, name: str, variable: Variable) -> None:
    scope.bindings.bound.add(name)
    walk.builder.bind(name, variable)


def _first(name: str, decorators: Sequence[ast.expr]) -> Literal["self", "cls", "none"]:
    names = {node.id for node in decorators if isinstance(node, ast.Name)}
    names |= {node.attr for node in decorators if isinstance(node, ast.Attribute)}
    if "staticmethod" in names:
        return "none"
    return "cls" if "classmethod" in names or name in _CLASS_FIRST else "self"


def _return(walk: Expressions, node: ast.expr) -> None:
    builder = walk.builder
    scope = builder.scope
    value = walk.evaluate(node)
    if value is None or scope.result is None:
        return
    if not scope.makes_closures:
        scope.makes_closures = isinstance(node, ast.Lambda) or (
            bool(scope.closures) and _mentions(node, scope.closures)
        )
    if isinstance(node, ast.Name) and scope.parameters.get(node.id) == value:
        scope.returned.add(node.id)
    else:
        builder.emit(Copy(value, scope.result))


def _mentions(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(child, ast.Name) and child.id in names for child in ast.walk(node))


def return_value(walk: Expressions, node: ast.Return) -> None:
    """A `return` statement; a parameter that is returned as it is passes through each call."""
    if node.value is not None:
        _return(walk, node.value)
