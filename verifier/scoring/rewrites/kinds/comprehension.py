"""Rewrite a loop that only appends to a new list as a list comprehension.

The list is a local variable bound right before, the loop's variables occur nowhere else, and
nothing catches what the loop may raise, so that nobody sees a half-filled list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from ..pure_expressions import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rewrite_facts import Facts

_BOUND_TO_PLACE = (
    cst.Await, cst.Yield, cst.NamedExpr, cst.Lambda, cst.GeneratorExp,
)  # fmt: skip
"""Expressions that mean something else inside a comprehension, or run after it."""
_SCOPE_NAMES = frozenset({"super", "__class__"})


def comprehension(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with comprehensions for such loops."""
    if facts.has_handlers:
        return function
    found = function.visit(_Comprehending(facts))
    return found if isinstance(found, cst.FunctionDef) else function


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop that appends."""

    name: str
    """Name of the list."""
    target: cst.BaseAssignTargetExpression
    items: cst.BaseExpression
    test: cst.BaseExpression | None
    value: cst.BaseExpression


class _Comprehending(cst.CSTTransformer):
    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self._facts = facts

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=self._shortened(updated_node.body))

    def _shortened(self, body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        found = list(body)
        for position in range(len(found) - 2, -1, -1):
            before, loop = found[position], _appending(found[position + 1])
            if loop and _new_list(before) == loop.name and self._is_equivalent(loop):
                found[position : position + 2] = [_comprehended(before, loop)]
        return found

    def _is_equivalent(self, loop: _Loop) -> bool:
        facts = self._facts
        parts = [part for part in (loop.items, loop.test, loop.value) if part is not None]
        names = frozenset[str]().union(*map(names_in, parts))
        variables = list(_variables(loop.target))
        return (
            bool(variables)
            and facts.is_plain_local(loop.name)
            and loop.name not in names
            and not names & {*_SCOPE_NAMES, facts.tree.name}
            and all(self._is_used_only_here(name, loop) for name in variables)
            and not any(_is_bound_to_place(part) for part in parts)
        )

    def _is_used_only_here(self, name: str, loop: _Loop) -> bool:
        """Whether a variable of the loop occurs nowhere else, nor in the iterable."""
        facts = self._facts
        inside = sum(_count(part, name) for part in (loop.test, loop.value) if part is not None)
        is_own = (
            facts.is_plain_local(name) and name != loop.name and name not in names_in(loop.items)
        )
        return is_own and facts.stored[name] == 1 and facts.mentioned[name] == 1 + inside


def _appending(node: cst.BaseStatement) -> _Loop | None:
    """Return the loop of a statement that only appends, or `None`."""
    match node:
        case cst.For(
            asynchronous=None, target=target, iter=items, orelse=None,
            body=cst.IndentedBlock(body=[only]),
        ):  # fmt: skip
            pass
        case _:
            return None
    test = None
    match only:
        case cst.If(orelse=None, test=test, body=cst.IndentedBlock(body=[only])):
            pass
        case _:
            pass
    match only:
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(
                            value=cst.Name(value=name), attr=cst.Name(value="append")
                        ),
                        args=[cst.Arg(keyword=None, star="", value=value)],
                    )
                )
            ]
        ):
            return _Loop(name, target, items, test, value)
        case _:
            return None


def _new_list(node: cst.BaseStatement) -> str | None:
    """Return the name that a line binds to an empty list."""
    match node:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(value=name))],
                    value=cst.List(elements=[]),
                )
            ]
        ):
            return name
        case _:
            return None


def _comprehended(before: cst.BaseStatement, loop: _Loop) -> cst.BaseStatement:
    tests = [] if loop.test is None else [cst.CompIf(_whole(loop.test))]
    made = cst.ListComp(
        _whole(loop.value), cst.CompFor(loop.target, _whole(loop.items), ifs=tests)
    )  # fmt: skip
    bound = cst.Assign([cst.AssignTarget(cst.Name(loop.name))], made)
    return before.with_changes(body=[bound])


def _whole(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression that can be an operand of any other."""
    if node.lpar or isinstance(node, cst.Name | cst.Call | cst.Attribute):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _variables(target: cst.BaseExpression) -> Iterator[str]:
    """Yield the names of a loop's target; none if it holds more than names."""
    match target:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements):
            found = [
                each.value.value
                for each in elements
                if isinstance(each, cst.Element) and isinstance(each.value, cst.Name)
            ]
            if len(found) == len(elements):
                yield from found
        case _:
            return


def _is_bound_to_place(node: cst.CSTNode) -> bool:
    return isinstance(node, _BOUND_TO_PLACE) or any(map(_is_bound_to_place, node.children))


def _count(node: cst.CSTNode, name: str) -> int:
    """Return how often a name occurs in an expression, attributes and keywords excluded."""
    match node:
        case cst.Name(value=found):
            return found == name
        case cst.Attribute(value=value):
            return _count(value, name)
        case cst.Arg(value=value):
            return _count(value, name)
        case _:
            return sum(_count(child, name) for child in node.children)
