"""Confusion of `None` with other falsy values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...value_changes import empty, one_after_another, true_or_false
from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_VALUE = (ast.Name, ast.Attribute, ast.Subscript)


def _falsy(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
                yield node, f"(not {function.operand(left)})"
            case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                yield node, f"bool({function.source(left)})"
            case _:
                pass


def _absent(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.expr() as inner) if isinstance(
                inner, _VALUE
            ):
                yield node, f"({function.source(inner)} is None)"
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield from _present(function, test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from _present(function, test)
            case _:
                pass


def _present(function: MutatedFunction, test: ast.expr) -> Iterator[Edit]:
    """Yield truth tests replaced by tests for `None`."""
    for part in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(part, _VALUE):
            yield part, f"({function.source(part)} is not None)"


def _or_default(function: MutatedFunction) -> Iterator[Edit]:
    tests = {id(n.test) for n in function.nodes if isinstance(n, ast.If | ast.While | ast.IfExp)}
    for node in function.nodes:
        match node:
            case ast.BoolOp(op=ast.Or(), values=[ast.expr() as first, second]) if (
                isinstance(first, _VALUE) and id(node) not in tests
            ):
                one, other = function.operand(first), function.operand(second)
                yield node, f"({other} if {one} is None else {one})"
            case ast.IfExp(
                test=ast.Compare(
                    left=tested,
                    ops=[ast.Is() | ast.IsNot()],
                    comparators=[ast.Constant(value=None)],
                ),
                body=body,
                orelse=orelse,
            ):
                same = ast.dump(tested)
                given = [each for each in (body, orelse) if ast.dump(each) == same]
                others = [each for each in (body, orelse) if ast.dump(each) != same]
                if given and others:
                    yield node, f"({function.operand(tested)} or {function.operand(others[0])})"
            case _:
                pass


OPERATORS = (
    Operator(
        "falsy for None",
        _falsy,
        (
            ("return a is None", ("return not a",)),
            ("if a.b is not None: pass", ("if bool(a.b): pass",)),
        ),
        ("return a is b", "return a == None", "return a is None is b"),
        is_hint=True,  # instances of most classes are never falsy
        killed_by=one_after_another(empty, true_or_false),
    ),
    Operator(
        "None for falsy",
        _absent,
        (
            ("return not a", ("return a is None",)),
            (
                "if a and b.c: pass",
                ("if a is not None and b.c: pass", "if a and b.c is not None: pass"),
            ),
            ("return [x for x in a if x]", ("return [x for x in a if x is not None]",)),
        ),
        ("return not a == b", "if a > b: pass", "return a"),
        killed_by=one_after_another(empty, true_or_false),
    ),
    Operator(
        "default for falsy",
        _or_default,
        (
            ("return a or b", ("return b if a is None else a",)),
            ("return a if a is not None else b", ("return a or b",)),
            ("return b if a is None else a", ("return a or b",)),
        ),
        (
            "if a or b: pass",
            "return a or b or c",
            "return g(a) or b",
            "return b if a is None else c",
        ),
        killed_by=one_after_another(empty, true_or_false),
    ),
)
