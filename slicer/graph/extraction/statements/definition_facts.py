"""Facts of definitions: functions and classes with their decorators."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...facts import ClassFacts, Copy, DecoratedCopy, Invoke, NewClass, NewFunction, Variable
from ..builder import Scope
from ..fact_walk import Walk
from ..scope_bindings import collect
from ..targets.function_facts import Header, define_function

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def function_statement(walk: Walk, node: _Function) -> bool:
    """Walk a function or method; its body is walked later."""
    builder = walk.builder
    scope = builder.scope
    klass = scope.klass if scope.kind == "class" else None
    first_line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    definition = builder.define(
        "function" if klass is None else "method",
        node.name,
        first_line,
        node.end_lineno or node.lineno,
    )
    if scope.kind == "function":
        builder.link(definition)
        scope.closures.add(node.name)
    with builder.referring((definition,), "decorates"):
        decorators = [(walk.evaluate(d), d.lineno) for d in node.decorator_list]
    with builder.referring((definition,), "uses"):
        index = define_function(
            walk,
            definition,
            node.args,
            node.body,
            Header(node.name, klass, tuple(node.decorator_list), node.returns),
        )
    value = builder.new()
    builder.emit(NewFunction(value, index))
    builder.bind(node.name, _decorated(walk, value, decorators, is_class=False))
    return True


def _decorated(
    walk: Walk,
    value: Variable,
    decorators: list[tuple[Variable | None, int]],
    *,
    is_class: bool,
) -> Variable:
    for decorator, line in reversed(decorators):
        target = walk.builder.new()
        if is_class or decorator is None:
            walk.builder.emit(Copy(value, target))
        if decorator is not None:
            result = walk.builder.new() if is_class else target
            caller = walk.builder.scope.definition
            operation = Invoke(decorator, (value,), (), (), (), result, caller, line, True)
            walk.builder.emit(operation)
            if is_class:
                walk.builder.emit(DecoratedCopy(result, target))
        value = target
    return value


def class_statement(walk: Walk, node: ast.ClassDef) -> bool:
    """Walk a class; its body is walked at once."""
    builder = walk.builder
    first_line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    end_line = node.end_lineno or node.lineno
    definition = builder.define("class", node.name, first_line, end_line)
    if builder.scope.kind == "function":
        builder.link(definition)
    with builder.referring((definition,), "decorates"):
        decorators = [(walk.evaluate(d), d.lineno) for d in node.decorator_list]
    with builder.referring((definition,), "inherits"):
        bases = [walk.evaluate(_base(base)) for base in node.bases]
    metaclass: Variable | None = None
    with builder.referring((definition,), "uses"):
        for keyword in node.keywords:
            value = walk.evaluate(keyword.value)
            metaclass = value if keyword.arg == "metaclass" else metaclass
    index = len(walk.classes)
    walk.classes.append(None)
    scope = _class_body(walk, node, definition, index)

    def finish() -> None:  # when the methods have been walked, their stores are known
        members = {name: builder.cell(scope, name) for name in sorted(scope.bindings.bound)}
        walk.classes[index] = ClassFacts(
            definition=definition,
            bases=tuple(base for base in bases if base is not None),
            metaclass=metaclass,
            members=members,
            fields=tuple(_fields(node)),
            stored=frozenset(walk.stored.get(index, ())),
        )

    walk.finishers.append(finish)
    value = builder.new()
    builder.emit(NewClass(value, index))
    builder.bind(node.name, _decorated(walk, value, decorators, is_class=True))
    return True


def _base(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _class_body(walk: Walk, node: ast.ClassDef, definition: int, index: int) -> Scope:
    builder = walk.builder
    bindings = collect(node.body, walrus=builder.walrus)
    outer = builder.scope
    scope = Scope("class", definition, outer, bindings, klass=index)
    scope.function = outer.function
    builder.scope = scope
    previous, builder.subject = builder.subject, None
    walk.execute(node.body)
    builder.subject = previous
    builder.scope = outer
    return scope


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                if "ClassVar" not in ast.unparse(annotation):
                    yield name
            case _:
                pass
