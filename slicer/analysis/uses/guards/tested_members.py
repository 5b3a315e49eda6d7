"""Members whose values are only tested, by tests that no plain function passes.

`isinstance(getattr(cls, key, None), property)` and `getattr(self, key, True) is None` give the same
answer for a plain method as for a missing name. So these tests keep no plain methods. The same
holds for `{name: each for name, each in cls.__dict__.items() if isinstance(each, Field)}` and such
loops.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...values.abstract_values import NOTHING, ClassValue, External, Value
from ..use_walk import Walk

_DATA = frozenset(
    f"builtins.{name}"
    for name in """bool bytearray bytes complex dict float frozenset int list property range set
    slice str tuple type""".split()
)
"""Types that no function is an instance of."""


def add_tested_member(walk: Walk, test: ast.Call | ast.Compare) -> None:
    """Record a `getattr` whose result is only tested in a way that no function passes."""
    match test:
        case ast.Call(
            args=[
                ast.Call(args=[_, _, ast.Constant(value=None)]) as looked_up,
                classes,
            ]
        ) if _is_isinstance(test) and _are_of_data(walk, classes):
            walk.without_methods.add(looked_up)
        case ast.Compare(
            left=ast.Call(args=[_, _, ast.Constant(value=default)]) as looked_up,
            ops=[ast.Is() | ast.IsNot()],
            comparators=[ast.Constant(value=None)],
        ) if default is not None:
            walk.without_methods.add(looked_up)
        case _:
            return


def add_tested_listing(
    walk: Walk, target: ast.expr, listing: ast.expr, conditions: Sequence[ast.expr]
) -> None:
    """Record a `__dict__` whose loop uses only values that are no functions."""
    match target, listing:
        case (
            ast.Tuple(elts=[ast.Name(), ast.Name(id=name)]),
            ast.Call(func=ast.Attribute(value=table, attr="items")),
        ):
            pass
        case ast.Name(id=name), ast.Call(func=ast.Attribute(value=table, attr="values")):
            pass
        case _:
            return
    if not isinstance(table, ast.Attribute) or table.attr != "__dict__":
        return
    for test in _conjuncts(conditions):
        match test:
            case ast.Call(args=[ast.Name(id=tested), classes]) if tested == name:
                if _is_isinstance(test) and _are_of_data(walk, classes):
                    walk.without_methods.add(table)
                    return
            case _:
                continue


def _conjuncts(conditions: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Yield the tests that must hold; of an `and`, only the first, which always runs."""
    for condition in conditions[:1]:
        match condition:
            case ast.BoolOp(op=ast.And(), values=[first, *_]):
                yield first
            case _:
                yield condition


def _is_isinstance(test: ast.Call) -> bool:
    return isinstance(test.func, ast.Name) and test.func.id == "isinstance"


def _are_of_data(walk: Walk, classes: ast.expr) -> bool:
    """Whether no function is an instance of any of the classes."""
    given = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    values = [walk.values(each) for each in given]
    return all(found and all(_is_data(walk, v) for v in found) for found in values)


def _is_data(walk: Walk, value: Value) -> bool:
    match value:
        case External(name=name):
            return name in _DATA
        case ClassValue(cls=cls):  # external bases or a metaclass may accept others
            inference = walk.inference
            return (
                not inference.foreign_bases(cls)
                and not any(base.endswith(".Protocol") for base in inference.external_bases(cls))
                and inference.metaclass(cls) == NOTHING
                and inference.find_member(cls, "__subclasshook__") is None
            )
        case _:
            return False
