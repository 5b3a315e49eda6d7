"""Facts of functions: parameters and defaults are walked in place, bodies later."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...facts import Copy, FunctionFacts, NewContainer, NewFunction, Operation, Variable
from ..builder import Scope
from ..fact_walk import Walk
from ..scope_bindings import Bindings, collect
from .declared_classes import declare

_CLASS_FIRST = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


@dataclass(frozen=True, slots=True)
class Header:
    """The parts of a `def` besides its parameters; empty for a lambda."""

    name: str = ""
    klass: int | None = None
    """The class whose body contains it."""
    decorators: tuple[ast.expr, ...] = ()
    """Decorators, which determine the kind of method."""
    returns: ast.expr | None = None


@dataclass(frozen=True, slots=True)
class _Interface:
    """Variables of the arguments and results."""

    arguments: ast.arguments
    parameters: dict[str, Variable]
    defaults: dict[str, Variable]
    rest: Variable | None
    keywords: Variable | None
    result: Variable

    def positional(self) -> tuple[str, ...]:
        """Return the names of the parameters that take positional arguments."""
        return tuple(a.arg for a in (*self.arguments.posonlyargs, *self.arguments.args))

    def operations(self) -> Iterator[Operation]:
        """Yield the operations that give parameters their values before any call."""
        for name, default in self.defaults.items():
            yield Copy(default, self.parameters[name])
        if self.rest is not None:
            yield NewContainer(self.rest, "tuple", (), ())
        if self.keywords is not None:
            yield NewContainer(self.keywords, "dict", (), ())


@dataclass(frozen=True, slots=True)
class _Function:
    """A function whose body is yet to be walked."""

    index: int
    definition: int
    interface: _Interface
    body: Sequence[ast.stmt] | ast.expr
    header: Header
    outer: Scope

    def first(self) -> Literal["self", "cls", "none"]:
        """Return what its first parameter is bound to when it is read from an instance."""
        is_method = self.header.klass is not None and bool(self.interface.positional())
        return _first(self.header.name, self.header.decorators) if is_method else "none"


def define_function(
    walk: Walk,
    definition: int,
    arguments: ast.arguments,
    body: Sequence[ast.stmt] | ast.expr,
    header: Header,
) -> int:
    """Return the index of the function; its body is walked later.

    Args:
        walk: the extraction.
        definition: the function's node.
        arguments: its parameters.
        body: statements, or the expression of a lambda.
        header: the rest of the `def`, before its body.
    """
    index = len(walk.functions)
    walk.functions.append(None)
    interface = _declared_interface(walk, index, arguments, header)
    function = _Function(index, definition, interface, body, header, walk.builder.scope)
    walk.builder.deferred.append(lambda: _walk_body(walk, function))
    return index


def define_lambda(walk: Walk, node: ast.Lambda) -> Variable:
    """Return the variable of a lambda."""
    builder = walk.builder
    name = builder.next_lambda()
    end = node.end_lineno or node.lineno
    definition = builder.define("lambda", name, node.lineno, end)
    builder.link(definition)
    index = define_function(walk, definition, node.args, node.body, Header())
    target = builder.new()
    builder.emit(NewFunction(target, index))
    return target


def _declared_interface(
    walk: Walk, index: int, arguments: ast.arguments, header: Header
) -> _Interface:
    builder = walk.builder
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters = {argument.arg: builder.new(index) for argument in named}
    defaults = _defaults(walk, arguments)
    for argument in named:
        if argument.annotation is not None:
            declare(walk, argument.annotation, parameters[argument.arg], header.klass)
    result = builder.new(index)
    if header.returns is not None:
        declare(walk, header.returns, result, header.klass)
    rest = None if arguments.vararg is None else builder.new(index)
    keywords = None if arguments.kwarg is None else builder.new(index)
    return _Interface(arguments, parameters, defaults, rest, keywords, result)


def _walk_body(walk: Walk, function: _Function) -> None:
    builder = walk.builder
    start = len(builder.operations)
    builder.operations += function.interface.operations()
    scope = _body_scope(walk, function)
    previous, builder.scope = builder.scope, scope
    _bind_parameters(walk, function.interface)
    if isinstance(function.body, ast.expr):
        _give_back(walk, function.body)
    else:
        walk.execute(function.body)
    builder.scope = previous
    klass = function.header.klass
    if klass is not None:
        walk.stored.setdefault(klass, set()).update(scope.stored)
    span = (start, len(builder.operations))
    walk.functions[function.index] = _facts(function, scope, span)


def _body_scope(walk: Walk, function: _Function) -> Scope:
    interface, klass = function.interface, function.header.klass
    if isinstance(function.body, ast.expr):
        bindings = Bindings(set(), set(), set(), set())
    else:
        bindings = collect(function.body, walrus=walk.builder.walrus)
    bindings.bound -= bindings.global_ | bindings.nonlocal_
    scope = Scope(
        "function",
        function.definition,
        function.outer,
        bindings,
        result=interface.result,
        klass=klass,
    )
    scope.parameters = interface.parameters
    scope.function = function.index
    if function.first() != "none":
        scope.receiver = interface.positional()[0]
    return scope


def _bind_parameters(walk: Walk, interface: _Interface) -> None:
    arguments = interface.arguments
    bound = list(interface.parameters.items())
    for argument, variable in (
        (arguments.vararg, interface.rest),
        (arguments.kwarg, interface.keywords),
    ):
        if argument is not None and variable is not None:
            bound.append((argument.arg, variable))
    for name, variable in bound:
        walk.builder.scope.bindings.bound.add(name)
        walk.builder.bind(name, variable)


def _facts(function: _Function, scope: Scope, span: tuple[int, int]) -> FunctionFacts:
    interface, outer = function.interface, function.outer.function
    return FunctionFacts(
        definition=function.definition,
        positional=interface.positional(),
        positional_only=len(interface.arguments.posonlyargs),
        parameters=interface.parameters,
        defaults=interface.defaults,
        rest=interface.rest,
        keywords=interface.keywords,
        result=interface.result,
        yields=scope.yields,
        returned=frozenset(scope.returned),
        klass=function.header.klass,
        first=function.first(),
        span=span,
        outer=outer if outer >= 0 else None,
        makes_closures=scope.makes_closures,
    )


def _defaults(walk: Walk, arguments: ast.arguments) -> dict[str, Variable]:
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


def _first(name: str, decorators: Sequence[ast.expr]) -> Literal["self", "cls", "none"]:
    names = {node.id for node in decorators if isinstance(node, ast.Name)}
    names |= {node.attr for node in decorators if isinstance(node, ast.Attribute)}
    if "staticmethod" in names:
        return "none"
    return "cls" if "classmethod" in names or name in _CLASS_FIRST else "self"


def _give_back(walk: Walk, node: ast.expr) -> None:
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


def return_statement(walk: Walk, node: ast.Return) -> bool:
    """Record `return`; a parameter that is returned unchanged passes through each call."""
    if node.value is not None:
        _give_back(walk, node.value)
    return False
