"""Facts of call expressions: arguments, `super()`, and `eval` of a literal text."""

from __future__ import annotations

import ast

from ...facts import Invoke, Super, Variable
from ...language_tables import MUTATORS
from ..builder import Scope
from ..fact_walk import Walk
from ..targets.inplace_changes import add_mutation


def call(walk: Walk, node: ast.Call, wanted: bool = True) -> Variable | None:
    """Record a call; it has no target variable if its result is not wanted."""
    callee = _callee(walk, node)
    walk.builder.note_call(node.func, callee)
    arguments, spreads, late = _positional(walk, node)
    keywords = _keywords(walk, node)
    if callee is None:
        return None
    target = walk.builder.new() if wanted else None
    caller, line = walk.builder.scope.definition, node.lineno
    if _is_super(node) and target is not None:
        _emit_super(walk, callee, target, line)
    else:
        walk.builder.emit(
            Invoke(callee, arguments, spreads, late, keywords, target, caller, line, False)
        )
    if isinstance(node.func, ast.Name) and node.func.id == "eval":
        return _evaluated_text(walk, node, target)
    return target


def discard(walk: Walk, node: ast.expr) -> None:
    """Walk an expression whose value is dropped."""
    if isinstance(node, ast.Call):
        call(walk, node, wanted=False)
    elif not isinstance(node, ast.Constant):
        walk.evaluate(node)


def _callee(walk: Walk, node: ast.Call) -> Variable | None:
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in MUTATORS:
        add_mutation(walk, function.value)
    return walk.evaluate(function)


def _positional(
    walk: Walk, node: ast.Call
) -> tuple[tuple[Variable | None, ...], tuple[Variable, ...], tuple[Variable, ...]]:
    """Return the arguments before the first starred one, starred ones, and later ones."""
    arguments: list[Variable | None] = []
    spreads: list[Variable] = []
    late: list[Variable] = []
    for argument in node.args:
        value = walk.evaluate(argument)
        if isinstance(argument, ast.Starred):
            if value is not None:
                spreads.append(value)
        elif not spreads:
            arguments.append(value)
        elif value is not None:
            late.append(value)
    return tuple(arguments), tuple(spreads), tuple(late)


def _keywords(walk: Walk, node: ast.Call) -> tuple[tuple[str | None, Variable], ...]:
    evaluated = [(keyword.arg, walk.evaluate(keyword.value)) for keyword in node.keywords]
    return tuple((name, value) for name, value in evaluated if value is not None)


def _is_super(node: ast.Call) -> bool:
    return (
        isinstance(node.func, ast.Name)
        and node.func.id == "super"
        and not node.args
        and not node.keywords
    )


def _emit_super(walk: Walk, callee: Variable, target: Variable, line: int) -> None:
    builder = walk.builder
    caller = builder.scope.definition
    builder.emit(Invoke(callee, (), (), (), (), None, caller, line, False))
    scope: Scope | None = builder.scope
    while scope is not None:
        if scope.kind == "function" and scope.klass is not None and scope.receiver:
            receiver = scope.parameters[scope.receiver]
            builder.emit(Super(scope.klass, receiver, target, caller, line))
            return
        scope = scope.parent


def _evaluated_text(walk: Walk, node: ast.Call, target: Variable | None) -> Variable | None:
    match node.args:
        case [ast.Constant(value=str(text)), *_]:
            try:
                inner = ast.parse(text.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return target
            for child in ast.walk(inner):
                if isinstance(child, (ast.expr, ast.keyword)):
                    child.lineno = node.lineno
                    child.end_lineno = None
            return walk.builder.union([target, walk.evaluate(inner)])
        case _:
            return target
