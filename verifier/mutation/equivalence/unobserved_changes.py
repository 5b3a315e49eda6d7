"""Changes that nobody compares: logging, exception texts, pauses, dead code (`if 0:`), and text
printed beside a returned value.

An environment compares printed text only where a case shows nothing else. So printed text does not
count in a target that returns something, although a case in which it returns nothing could see it.
Standard error never counts. Printed text of a target that returns nothing counts unless all cases
show something else, which is found out when mutants run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ....slicer.syntax.scopes import declared_in
from ..mutated_block import Block, Function, own_nodes
from .printing_code import CallKnowledge, classified_functions
from .reraising_handlers import logged_and_reraised, swallowed

_CLOCKS = frozenset(
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time "
    "now utcnow today ctime localtime gmtime strftime".split()
)
_TRANSLATORS = frozenset("_ gettext ngettext pgettext npgettext gettext_lazy".split())


def unseen_nodes(block: Block, *, prints: bool = False) -> Iterator[ast.AST]:
    """Yield nodes of the block whose changes no comparison sees.

    Args:
        block: the target's text.
        prints: whether printed text is ignored, whatever the target returns.
    """
    own = classified_functions(block.text)
    for function in block.functions:
        returns = prints or returns_something(function)
        looks = replace(own, showing=frozenset(), to_either=returns)
        yield from _words_to_raise(function)
        yield from _only_read_by_unseen(function, looks)
        yield from _pauses(function, looks)
        yield from logged_and_reraised(function, looks)
        yield from swallowed(function)
        for node in ast.walk(function):
            match node:
                case ast.stmt() if looks.is_unseen(node):
                    yield node
                case ast.Call(func=ast.Name("input"), args=[prompt]) if returns:
                    yield prompt
                case ast.Call(func=ast.Name(id=name)):
                    for parameter, given in _given_to(node):
                        is_shown = returns and (name, parameter) in own.showing
                        is_raised = (name, parameter) in own.raising and _is_words(given)
                        if (is_shown and looks.is_harmless(given)) or is_raised:
                            yield given
                case ast.Raise(exc=ast.Call(args=args, keywords=keywords)):
                    yield from (each for each in args if _is_words(each))
                    yield from (k.value for k in keywords if _is_words(k.value))
                case ast.Assert(msg=message) if message is not None:
                    yield message
                case ast.If(test=ast.Constant(value=value) as test, body=body, orelse=orelse):
                    yield node if not value and not orelse else test
                    yield from orelse if value else body
                case _:
                    pass


def _given_to(call: ast.Call) -> Iterator[tuple[str | int, ast.expr]]:
    """Yield each argument with its position or name, as far as the text shows."""
    for position, each in enumerate(call.args):
        if isinstance(each, ast.Starred):
            return
        yield position, each
    yield from ((k.arg, k.value) for k in call.keywords if k.arg)


def _only_read_by_unseen(function: Function, looks: CallKnowledge) -> Iterator[ast.stmt]:
    """Yield assignments to names that only unobserved statements read."""
    nodes = list(ast.walk(function))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    shared = declared_in(nodes)
    unseen = [node for node in nodes if isinstance(node, ast.stmt) and looks.is_unseen(node)]
    if not unseen:
        return
    while True:
        inside = {id(inner) for node in unseen for inner in ast.walk(node)}
        read = {n.id for n in names if isinstance(n.ctx, ast.Load) and id(n) not in inside}
        stores = [node for node in nodes if isinstance(node, ast.Assign | ast.AugAssign)]
        found = [
            node
            for node in stores
            if id(node) not in inside
            and (name := _stored(node))
            and name not in read | shared
            and looks.is_harmless(node.value)
            and not any(map(_may_fail, ast.walk(node)))
        ]
        if not found:
            return
        yield from found
        unseen += found


def _pauses(function: Function, looks: CallKnowledge) -> Iterator[ast.stmt]:
    """Yield statements that only sleep, where nothing reads the clock afterwards.

    In a `while` loop they may be what ends it: clocks stand still until somebody sleeps.
    """
    nodes = list(ast.walk(function))
    loops = [node for node in nodes if isinstance(node, ast.While)]
    inside = {id(inner) for loop in loops for inner in ast.walk(loop)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CLOCKS:
                return
            case _:
                pass
    for node in nodes:
        match node:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Name("sleep") | ast.Attribute(ast.Name("time"), "sleep"), args=given
                )
            ) if id(node) not in inside and all(map(looks.is_harmless, given)):
                yield node
            case _:
                pass


def _may_fail(node: ast.AST) -> bool:
    """Whether an expression may raise for some values, which would show."""
    match node:
        case ast.Subscript() | ast.Attribute() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in ("len", "str", "repr", "bool", "type", "format")
        case _:
            return False


def _stored(node: ast.Assign | ast.AugAssign) -> str:
    """Return the only name that a statement assigns to; empty if it assigns elsewhere, too."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""


def returns_something(function: Function) -> bool:
    """Whether a function returns or yields a value other than the constant `None`."""
    if isinstance(function, ast.Lambda):
        return True
    for node in own_nodes(function):
        match node:
            case ast.Return(value=ast.expr() as value):
                if not (isinstance(value, ast.Constant) and value.value is None):
                    return True
            case ast.Yield() | ast.YieldFrom():
                return True
            case _:
                pass
    return False


def _words_to_raise(function: Function) -> Iterator[ast.expr]:
    """Yield texts bound to a name that only becomes an argument of an exception."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    raised = {
        id(inner)
        for node in ast.walk(function)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for given in (*node.exc.args, *(k.value for k in node.exc.keywords))
        if isinstance(given, ast.Name) or _is_words(given)
        for inner in ast.walk(given)
    }
    loads = [each for each in names if isinstance(each.ctx, ast.Load)]
    elsewhere = {each.id for each in loads if id(each) not in raised}
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
    only_raised = {each.id for each in loads} - elsewhere
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
            ) if name in only_raised and _is_words(value):
                yield value
            case _:
                pass


def _is_words(node: ast.expr) -> bool:
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_words(left) or _is_words(right)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _is_words(value)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _TRANSLATORS:
            return _is_words(first)
        case _:
            return False
