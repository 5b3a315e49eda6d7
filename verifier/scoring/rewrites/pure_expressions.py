"""Pure expressions: they only compute a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from .rewrite_facts import Facts

_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString)
_CONSTANTS = frozenset({"True", "False", "None"})


def names_in(node: cst.CSTNode) -> frozenset[str]:
    """Return all names in a node, including attributes and keywords."""
    found: set[str] = set()
    pending: list[cst.CSTNode] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, cst.Name):
            found.add(each.value)
        pending += each.children
    return frozenset(found)


def cannot_fail(node: cst.BaseExpression, facts: Facts) -> bool:
    """Whether evaluating an expression never fails and has no effect."""
    match node:
        case cst.Name(value=name):
            is_given = name in facts.parameters and not facts.stored[name]
            return name in _CONSTANTS or (is_given and name not in facts.captured)
        case cst.UnaryOperation(operator=cst.Minus() | cst.Plus(), expression=value):
            return isinstance(value, cst.Integer | cst.Float)
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(cannot_fail(each, facts) for each in _values(elements))
        case cst.Dict(elements=elements):
            return all(
                isinstance(each, cst.DictElement)
                and isinstance(each.key, _LITERALS)
                and cannot_fail(each.value, facts)
                for each in elements
            )
        case _:
            return isinstance(node, _LITERALS)


def has_no_effect(node: cst.BaseExpression, facts: Facts) -> bool:
    """Whether evaluating an expression has no effect, although it may fail."""
    if cannot_fail(node, facts):
        return True
    match node:
        case cst.Name() | cst.Lambda(params=cst.Parameters(params=[], kwonly_params=[])):
            return True
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(has_no_effect(each, facts) for each in _values(elements))
        case _:
            return _is_of_literals(node)


def _is_of_literals(node: cst.BaseExpression) -> bool:
    match node:
        case cst.BinaryOperation(left=left, right=right):
            return _is_of_literals(left) and _is_of_literals(right)
        case cst.UnaryOperation(expression=value):
            return _is_of_literals(value)
        case _:
            return isinstance(node, _LITERALS)


def _values(elements: Sequence[cst.BaseElement]) -> Iterator[cst.BaseExpression]:
    """Yield the elements of a display; an unpacked one counts as a call."""
    for each in elements:
        yield each.value if isinstance(each, cst.Element) else cst.Call(each.value)
