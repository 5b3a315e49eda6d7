"""Loops and indices that miss items: only the first or last, all but one, the wrong end."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ...value_changes import distinct, longer, one_after_another
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_ENDLESS = frozenset("count cycle iter repeat open stream".split())


def _iterated(function: MutatedFunction) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Yield loops with their iterables, unless these may be infinite."""
    for node in function.nodes:
        match node:
            case ast.For(iter=items) | ast.comprehension(iter=items, is_async=0):
                match items:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if (
                        name in _ENDLESS
                    ):
                        pass
                    case _:
                        yield node, items
            case _:
                pass


def _part(text: str) -> Callable[[MutatedFunction], Iterator[Edit]]:
    def edits(function: MutatedFunction) -> Iterator[Edit]:
        for _, items in _iterated(function):
            yield items, f"list({function.source(items)})[{text}]"

    return edits


def _backwards(function: MutatedFunction) -> Iterator[Edit]:
    """Yield reversed iterables, where the order shows."""
    for loop, items in _iterated(function):
        around = function.parents.get(id(loop))
        is_ordered = isinstance(loop, ast.For) and any(map(_tells_order, ast.walk(loop)))
        if is_ordered or isinstance(around, ast.ListComp):
            yield items, f"list({function.source(items)})[::-1]"


def _tells_order(node: ast.AST) -> bool:
    match node:
        case ast.Yield() | ast.YieldFrom() | ast.Return() | ast.Break():
            return True
        case ast.Call(func=ast.Attribute(attr="append" | "extend" | "write" | "insert")):
            return True
        case _:
            return False


def _other_end(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Subscript(slice=ast.Constant(value=0) as index) if type(index.value) is int:
                yield index, "-1"
            case ast.Subscript(
                slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)) as at
            ):
                yield at, "0"
            case ast.Call(func=ast.Attribute(attr="pop"), args=[ast.Constant(value=0) as index]):
                yield index, "-1"
            case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[], keywords=[]):
                yield node, f"{function.operand(value)}.pop(0)"
            case _:
                pass


def _whole(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Subscript(value=value, slice=ast.Slice(), ctx=ast.Load()):
                yield node, function.operand(value)
            case _:
                pass


def _shorter(function: MutatedFunction) -> Iterator[Edit]:
    """Yield bounds that are one too small. Too large ones have an operator of their own."""
    for node in function.nodes:
        match node:
            case ast.Slice(upper=ast.expr() as bound) if not isinstance(bound, ast.Constant):
                yield bound, f"{function.operand(bound)} - 1"
            case ast.Call(func=ast.Name(id="range"), args=[*_, stop], keywords=[]) if len(
                node.args
            ) < 3 and not isinstance(stop, ast.Constant | ast.Starred):
                yield stop, f"{function.operand(stop)} - 1"
            case _:
                pass


def _loop(items: str) -> str:
    return f"for x in {items}:\n    b.append(x)"


OPERATORS = (
    *(
        Operator(
            name,
            _part(part),
            (
                (_loop("a"), (_loop(f"list(a)[{part}]"),)),
                ("return [x for x in a]", (f"return [x for x in list(a)[{part}]]",)),
            ),
            (_loop("itertools.count()"), "while a: pass", "async for x in a: pass"),
            killed_by=one_after_another(longer, distinct),
        )
        for name, part in (
            ("first item only", ":1"),
            ("last item only", "-1:"),
            ("without the first", "1:"),
            ("without the last", ":-1"),
        )
    ),
    Operator(
        "backwards",
        _backwards,
        (
            (_loop("a"), (_loop("list(a)[::-1]"),)),
            ("return [x for x in a]", ("return [x for x in list(a)[::-1]]",)),
        ),
        ("for x in a:\n    b.add(x)", "return sum(x for x in a)", "return {x for x in a}"),
        killed_by=one_after_another(longer, distinct),
    ),
    Operator(
        "other end",
        _other_end,
        (
            ("return a[0] + a[-1]", ("return a[-1] + a[-1]", "return a[0] + a[0]")),
            ("return a.pop(0)", ("return a.pop(-1)",)),
            ("return a.pop()", ("return a.pop(0)",)),
        ),
        ("return a[1]", "return a[False]", "return a.pop(b)", "return a[0:]"),
        killed_by=one_after_another(longer, distinct),
    ),
    Operator(
        "whole for part",
        _whole,
        (("return a[1:b] + a[::-1]", ("return a + a[::-1]", "return a[1:b] + a")),),
        ("return a[1]", "a[1:] = b", "del a[:2]"),
        killed_by=one_after_another(longer, distinct),
    ),
    Operator(
        "one too few",
        _shorter,
        (("return a[:b]", ("return a[:b - 1]",)), ("return range(b)", ("return range(b - 1)",))),
        ("return a[:3]", "return range(3)", "return a[b:]", "return range(1, b, 2)"),
        killed_by=one_after_another(longer, distinct),
    ),
)
