"""Statements to constraints, in source order; straight-line code keeps one value per name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .annotations import declare
from .bindings import collect, type_alias_name
from .builder import Scope
from .facts import (
    ClassFacts,
    Copy,
    CopyButClasses,
    EdgeKind,
    Enter,
    ImportModule,
    ImportName,
    InstanceOf,
    Invoke,
    NewClass,
    NewFunction,
    Operate,
    Raise,
    Variable,
)
from .functions import Header, define_function, return_value
from .known import OPERATORS
from .targets import assign, assign_matched, augmented

if TYPE_CHECKING:
    from .expressions import Expressions

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def execute(walk: Expressions, body: Sequence[ast.stmt]) -> bool:
    """Walk statements; whether control may reach the end."""
    falls_through = True
    for node in body:
        handler = _HANDLERS.get(type(node))
        if handler is not None and not handler(walk, node):
            falls_through = False
    return falls_through


@contextmanager
def _subject(walk: Expressions, definitions: tuple[int, ...], kind: EdgeKind) -> Generator[None]:
    builder = walk.builder
    previous = builder.subject
    builder.subject = (definitions, kind) if definitions else None
    yield
    builder.subject = previous


# ------------------------------------------------------------------ definitions


def _function(walk: Expressions, node: _Function) -> bool:
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
    with _subject(walk, (definition,), "decorates"):
        decorators = [(walk.evaluate(d), d.lineno) for d in node.decorator_list]
    with _subject(walk, (definition,), "uses"):
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
    walk: Expressions,
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
                walk.builder.emit(CopyButClasses(result, target))
        value = target
    return value


def _class(walk: Expressions, node: ast.ClassDef) -> bool:
    builder = walk.builder
    first_line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    end_line = node.end_lineno or node.lineno
    definition = builder.define("class", node.name, first_line, end_line)
    if builder.scope.kind == "function":
        builder.link(definition)
    with _subject(walk, (definition,), "decorates"):
        decorators = [(walk.evaluate(d), d.lineno) for d in node.decorator_list]
    with _subject(walk, (definition,), "inherits"):
        bases = [walk.evaluate(_base(base)) for base in node.bases]
    metaclass: Variable | None = None
    with _subject(walk, (definition,), "uses"):
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


def _class_body(walk: Expressions, node: ast.ClassDef, definition: int, index: int) -> Scope:
    builder = walk.builder
    bindings = collect(node.body, walrus=builder.walrus)
    outer = builder.scope
    scope = Scope("class", definition, outer, bindings, klass=index)
    scope.function = outer.function
    builder.scope = scope
    previous, builder.subject = builder.subject, None
    execute(walk, node.body)
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


# ---------------------------------------------------------------------- imports


def _import(walk: Expressions, node: ast.Import) -> bool:
    for alias in node.names:
        target = walk.builder.new()
        operation = ImportModule(target, alias.name, alias.asname is not None)
        name = alias.asname or alias.name.partition(".")[0]
        _bind_import(walk, name, operation, node.lineno)
    return True


def _import_from(walk: Expressions, node: ast.ImportFrom) -> bool:
    for alias in node.names:
        if alias.name == "*":
            walk.stars.append((node.module, node.level))
            continue
        operation = ImportName(walk.builder.new(), node.module, node.level, alias.name)
        _bind_import(walk, alias.asname or alias.name, operation, node.lineno)
    return True


def _bind_import(
    walk: Expressions, name: str, operation: ImportModule | ImportName, line: int
) -> None:
    builder = walk.builder
    builder.emit(operation)
    scope = builder.scope
    if scope.kind == "function":
        scope.imports[name] = operation
        if isinstance(operation, ImportName):
            builder.refer((name,), line, operation)
    elif scope.kind == "module":
        walk.imports.setdefault(name, operation)
    builder.bind(name, operation.target)


# ------------------------------------------------------------------ assignments


def _variables(walk: Expressions, targets: Sequence[ast.expr], node: ast.stmt) -> tuple[int, ...]:
    builder = walk.builder
    if builder.scope.kind != "module":
        return ()
    names = [
        part.id
        for target in targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]
    end_line = node.end_lineno or node.lineno
    return tuple(builder.define_variable(name, node.lineno, end_line) for name in names)


def _assign(walk: Expressions, node: ast.Assign) -> bool:
    with _subject(walk, _variables(walk, node.targets, node), "initialises"):
        if len(node.targets) == 1 or isinstance(node.value, (ast.Tuple, ast.List)):
            for target in node.targets:
                assign_matched(walk, target, node.value)
        else:
            value = walk.evaluate(node.value)
            for target in node.targets:
                assign(walk, target, value)
    match node.targets:
        case [ast.Name(id="__all__")] if walk.builder.scope.kind == "module":
            walk.exports = _literal_names(node.value)
        case _:
            pass
    return True


def _literal_names(node: ast.expr) -> tuple[str, ...] | None:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            names = [i.value for i in items if isinstance(i, ast.Constant)]
            if len(names) == len(items):
                return tuple(name for name in names if isinstance(name, str))
        case _:
            pass
    return None


def _annotated(walk: Expressions, node: ast.AnnAssign) -> bool:
    builder = walk.builder
    with _subject(walk, _variables(walk, [node.target], node), "initialises"):
        value = walk.evaluate(node.value)
        holder = builder.new()
        if value is not None:
            builder.emit(Copy(value, holder))
        declare(walk, node.annotation, holder, builder.scope.klass)
        assign(walk, node.target, holder)
    return True


def _augmented(walk: Expressions, node: ast.AugAssign) -> bool:
    builder = walk.builder
    if isinstance(node.target, ast.Name) and node.target.id == "__all__":
        walk.exports = None
    with _subject(walk, _variables(walk, [node.target], node), "initialises"):
        old = augmented(walk, node.target)
        value = walk.evaluate(node.value)
        result: Variable | None = old
        if old is not None:
            plain, _ = OPERATORS[type(node.op)]
            result = builder.new()
            builder.emit(Copy(old, result))
            in_place = f"__i{plain[2:]}"
            caller = builder.scope.definition
            builder.emit(Operate(old, in_place, plain, value, result, caller, node.lineno))
        assign(walk, node.target, result)
    return True


def _delete(walk: Expressions, node: ast.Delete) -> bool:
    builder = walk.builder
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            walk.mutated(target.value)
            value = walk.evaluate(target.value)
            walk.evaluate(target.slice)
            caller = builder.scope.definition
            if value is not None:
                line = target.lineno
                builder.emit(Operate(value, "__delitem__", "", None, None, caller, line))
    return True


# ----------------------------------------------------------------- control flow


def _if(walk: Expressions, node: ast.If) -> bool:
    scope = walk.builder.scope
    walk.truth(node.test)
    before = dict(scope.env)
    narrowed = _narrow(walk, node.test)
    body_falls = execute(walk, node.body)
    _widen(scope, before, narrowed)
    after_body = scope.env
    scope.env = dict(before)
    excluded = _denied(node.test)
    if excluded is not None and (node.orelse or not body_falls):
        _narrow(walk, excluded)
    else_falls = execute(walk, node.orelse)
    if not else_falls and body_falls:
        scope.env = after_body
    elif body_falls:
        scope.env = _merged(walk, after_body, scope.env)
    return body_falls or else_falls


def _denied(test: ast.expr) -> ast.expr | None:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case _:
            return None


def _merged(
    walk: Expressions, one: dict[str, Variable | None], other: dict[str, Variable | None]
) -> dict[str, Variable | None]:
    merged = dict(other)
    for name, variable in one.items():
        if name not in other:
            merged[name] = variable
        elif other[name] != variable:
            merged[name] = walk.builder.union([variable, other[name]])
    return merged


def _narrow(walk: Expressions, test: ast.expr) -> dict[str, Variable]:
    """In the branch where `isinstance(x, C)` holds, `x` may be any instance of `C`."""
    narrowed: dict[str, Variable] = {}
    tests = [test]
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        tests = test.values
    for part in tests:
        match part:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]) if (
                name in walk.builder.scope.env
            ):
                variable = walk.builder.new()
                previous = walk.builder.scope.env[name]
                if previous is not None:
                    walk.builder.emit(Copy(previous, variable))
                _instances(walk, kinds, variable)
                walk.builder.scope.env[name] = narrowed[name] = variable
            case _:
                pass
    return narrowed


def _widen(scope: Scope, before: dict[str, Variable | None], narrowed: dict[str, Variable]) -> None:
    for name, variable in narrowed.items():
        if scope.env.get(name) == variable:
            scope.env[name] = before[name]


def _instances(walk: Expressions, kinds: ast.expr, target: Variable) -> None:
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    for part in parts:
        value = walk.evaluate(part)
        if value is not None:
            walk.builder.emit(InstanceOf(value, target))


def _for(walk: Expressions, node: ast.For | ast.AsyncFor) -> bool:
    items = walk.iterate(node.iter, is_async=isinstance(node, ast.AsyncFor))
    with _subject(walk, _variables(walk, [node.target], node), "initialises"):
        assign(walk, node.target, items)
    execute(walk, node.body)
    execute(walk, node.orelse)
    return True


def _while(walk: Expressions, node: ast.While) -> bool:
    walk.truth(node.test)
    execute(walk, node.body)
    execute(walk, node.orelse)
    return True


def _with(walk: Expressions, node: ast.With | ast.AsyncWith) -> bool:
    builder = walk.builder
    for item in node.items:
        source = walk.evaluate(item.context_expr)
        target: Variable | None = None
        if source is not None:
            target = None if item.optional_vars is None else builder.new()
            caller = builder.scope.definition
            is_async = isinstance(node, ast.AsyncWith)
            builder.emit(Enter(source, target, caller, node.lineno, is_async))
        if item.optional_vars is not None:
            _variables(walk, [item.optional_vars], node)
            assign(walk, item.optional_vars, target)
    execute(walk, node.body)
    return True


def _try(walk: Expressions, node: ast.Try | ast.TryStar) -> bool:
    falls = execute(walk, node.body) and execute(walk, node.orelse)
    for handler in node.handlers:
        if handler.type is not None:
            caught = walk.builder.new()
            _instances(walk, handler.type, caught)
            if handler.name:
                walk.builder.bind(handler.name, caught)
        falls = execute(walk, handler.body) or falls
    return execute(walk, node.finalbody) and falls


def _match(walk: Expressions, node: ast.Match) -> bool:
    subject = walk.evaluate(node.subject)
    for case in node.cases:
        _pattern(walk, case.pattern, subject)
        if case.guard is not None:
            walk.truth(case.guard)
        execute(walk, case.body)
    return True


def _pattern(walk: Expressions, pattern: ast.pattern, subject: Variable | None) -> None:
    builder = walk.builder
    stack: list[tuple[ast.pattern, Variable | None]] = [(pattern, subject)]
    while stack:
        node, value = stack.pop()
        match node:
            case ast.MatchAs():
                if node.pattern is not None:
                    if isinstance(node.pattern, ast.MatchClass) and node.name:
                        value = builder.new()
                        _instances(walk, node.pattern.cls, value)
                    stack.append((node.pattern, value))
                if node.name:
                    builder.bind(node.name, value)
            case ast.MatchOr() | ast.MatchSequence():
                inner = value if isinstance(node, ast.MatchOr) else None
                stack += [(part, inner) for part in reversed(node.patterns)]
            case ast.MatchClass():
                instance = builder.new()
                _instances(walk, node.cls, instance)
                stack += [(part, None) for part in reversed(node.patterns)]
                stack += [
                    (part, builder.load(instance, name, node.lineno))
                    for name, part in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                ]
            case ast.MatchMapping():
                stack += [(part, None) for part in reversed(node.patterns)]
            case ast.MatchValue():
                walk.evaluate(node.value)
            case _:
                pass


def _return(walk: Expressions, node: ast.Return) -> bool:
    return_value(walk, node)
    return False


def _raise(walk: Expressions, node: ast.Raise) -> bool:
    for part in (node.exc, node.cause):
        value = walk.evaluate(part)
        if value is not None and not isinstance(part, ast.Call):
            walk.builder.emit(Raise(value, walk.builder.scope.definition, node.lineno))
    return False


def _jump(walk: Expressions, node: ast.Break | ast.Continue) -> bool:
    del walk, node
    return False


def _expression(walk: Expressions, node: ast.Expr) -> bool:
    walk.discard(node.value)
    return True


def _assert(walk: Expressions, node: ast.Assert) -> bool:
    walk.truth(node.test)
    walk.evaluate(node.msg)
    narrowed = _narrow(walk, node.test)
    del narrowed  # the assertion holds from here on
    return True


def _type_alias(walk: Expressions, node: ast.stmt) -> bool:
    name, value = type_alias_name(node), getattr(node, "value", None)
    if isinstance(name, ast.Name) and isinstance(value, ast.expr):
        with _subject(walk, _variables(walk, [name], node), "initialises"):
            walk.builder.bind(name.id, walk.evaluate(value))
    return True


_HANDLERS: dict[type[ast.stmt], Callable[..., bool]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Match: _match,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Expr: _expression,
    ast.Assert: _assert,
}
_TYPE_ALIAS: type[ast.stmt] | None = getattr(ast, "TypeAlias", None)
if _TYPE_ALIAS is not None:
    _HANDLERS[_TYPE_ALIAS] = _type_alias
