"""Effects of callbacks: they run where the receiving function calls its parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...analysis.points_to.call_targets import Arguments, BoundArgument, Callee
from ...analysis.points_to.mutation_summaries import DispatchedMutation, Summary
from ...analysis.points_to.root_objects import Object, Parameter, RootObjects
from ...analysis.scopes.assignments import items_of
from ...analysis.scopes.definitions import Scope, comprehension_scope
from ...analysis.values.abstract_values import (
    NOTHING,
    FunctionValue,
    Instance,
    Values,
    join,
    ordered,
)
from .mutation_queries import Change, MutationQueries
from .receiver_mutations import mutates_receiver


def module_object_positions(
    roots: RootObjects, arguments: Arguments
) -> Iterator[tuple[int, Object]]:
    """Yield the positions of arguments that are module-level objects, with the objects."""
    for position, given in enumerate(arguments.positional):
        for root in roots.of(given.value, given.scope):
            if isinstance(root, tuple):
                yield position, root


def called(
    changes: MutationQueries, argument: BoundArgument, arguments: Arguments,
    passed: Sequence[tuple[int, Object]] = (), *, is_for_each: bool = False,
) -> Iterator[Change]:  # fmt: skip
    """Yield what a call of an argument changes; it may receive the other arguments, or objects.

    Args:
        changes: returns what calls change.
        argument: the argument that is called.
        arguments: all arguments of the outer call.
        passed: objects that it is called with, by position.
        is_for_each: whether it is called with the items of the others, as by `map`.
    """
    others = (*arguments.positional, *(item for _, item in arguments.named))
    others = tuple(item for item in others if item is not argument)
    if is_for_each:
        others += tuple(map(_item_of, others))
    anyhow = Arguments(anyhow=others)
    for callee in changes.callables.called_expressions(argument.value, argument.scope):
        if isinstance(callee.node, (ast.Name, ast.Attribute, ast.Lambda)):
            yield from changes.of_callee(callee, anyhow)
            for args, summary in _summaries_of(changes, callee) if passed else ():
                yield from _changed_among(changes, passed, args, summary)
    yield from changes.operated(argument.value, "__call__", Arguments(), argument.scope)


def _item_of(argument: BoundArgument) -> BoundArgument:
    """Return an arbitrary item of an argument."""
    item = ast.Subscript(argument.value, ast.Constant(0), ast.Load())
    return BoundArgument(ast.copy_location(item, argument.value), argument.scope)


def queried_argument_mutations(
    changes: MutationQueries, argument: BoundArgument, method: str
) -> Iterator[Change]:
    """Yield what a method call on an argument changes, given the argument's values."""
    receiver = changes.inference.evaluate(argument.value, argument.scope)
    if receiver is None:
        receiver = _item_values(changes, argument.value, argument.scope) or None
    for root in changes.roots.of(argument.value, argument.scope):
        if receiver is None and isinstance(root, Parameter):
            yield DispatchedMutation(root, method)
        elif mutates_receiver(changes, receiver, method):
            yield root
    for value in ordered(receiver):
        if isinstance(value, Instance):
            found = changes.inference.find_member(value.cls, method)
            for args, summary in changes.of_methods(*found) if found else ():
                yield from summary.objects
                for field in summary.mutated_attributes_at(0, args):
                    yield from changes.roots.attribute_contents(
                        argument.value, field, argument.scope
                    )


def _item_values(changes: MutationQueries, node: ast.expr, scope: Scope) -> Values:
    """Return the values of an item of a list, tuple or dictionary display."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)):
            displays = [i for i in changes.roots.assigned(name, scope) if not i.is_item]
        case ast.Name(id=name):
            found = (i for i in changes.roots.assigned(name, scope) if not i.is_item)
            items = [i for i in found if isinstance(i.value, ast.Subscript)]
            return join(*(_item_values(changes, i.value, i.scope) for i in items))
        case _:
            return NOTHING
    evaluate = changes.inference.evaluate
    shown = (each for item in displays for each in _shown(item.value, item.scope))
    return join(*(evaluate(value, place) or NOTHING for value, place in shown))


def _shown(display: ast.expr, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """Yield the items of a display or comprehension, with their scopes."""
    match display:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            yield from ((each, scope) for each in parts)
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.DictComp(value=part):
            yield part, comprehension_scope(display, scope)
        case _:
            yield from ((value, scope) for _, value in items_of(display))


def _summaries_of(
    changes: MutationQueries, callee: Callee
) -> Iterator[tuple[ast.arguments, Summary]]:
    """Yield the parameters and summaries of the functions that the expression denotes."""
    node, scope = callee.node, callee.scope
    if isinstance(node, ast.Lambda):
        yield node.args, changes.of_lambda(node, scope)
        return
    functions = [
        value.function
        for value in ordered(changes.inference.evaluate(node, scope))
        if isinstance(value, FunctionValue)
    ]
    if not functions and isinstance(node, ast.Name):
        functions = list(changes.plain_functions(node.id, scope))
    for function in functions:
        yield function.node.args, changes.of_function(function)


def _changed_among(
    changes: MutationQueries,
    passed: Sequence[tuple[int, Object]],
    args: ast.arguments,
    summary: Summary,
) -> Iterator[Object]:
    """Yield the objects that a function changes when it is called with them."""
    order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    queried = (*sorted(summary.queried), *((name, "__call__") for name in sorted(summary.called)))
    for position, argument in passed:
        methods = [method for name, method in queried if order[position : position + 1] == [name]]
        values = changes.inference.global_values(*argument)
        if summary.changes_at(position, args) or any(
            mutates_receiver(changes, values, method) for method in methods
        ):
            yield argument
