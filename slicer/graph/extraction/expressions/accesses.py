"""Facts of reads: names, attributes, items and constants."""

from __future__ import annotations

import ast

from ...facts import LoadItem, LoadSlice, Variable
from ...language_tables import LARGEST_INDEX
from ..fact_walk import Walk

_LONGEST_TEXT = 80
"""Longer strings are not names."""


def read_name(walk: Walk, node: ast.Name) -> Variable | None:
    """Return the variable that a name holds here."""
    return walk.builder.read(node.id, (), node.lineno)


def read_attribute(walk: Walk, node: ast.Attribute) -> Variable | None:
    """Return the variable of an attribute, or of a chain of attributes."""
    chain = [node.attr]
    base = node.value
    while isinstance(base, ast.Attribute):
        chain.append(base.attr)
        base = base.value
    chain.reverse()
    if isinstance(base, ast.Name):
        value = walk.builder.read(base.id, tuple(chain), node.lineno)
    else:
        value = walk.evaluate(base)
    for name in chain:
        value = walk.builder.load(value, name, node.lineno)
    return value


def read_constant(walk: Walk, node: ast.Constant) -> Variable | None:
    """Return the variable of a string or small integer, which may serve as a key or name."""
    value = node.value
    if isinstance(value, str):
        return walk.builder.constant(value) if len(value) <= _LONGEST_TEXT else walk.builder.text()
    if type(value) is int and -LARGEST_INDEX <= value <= LARGEST_INDEX:
        return walk.builder.constant(value)
    return None


def read_subscript(walk: Walk, node: ast.Subscript) -> Variable | None:
    """Return the variable of an item, or of a slice with constant bounds."""
    value = walk.evaluate(node.value)
    bounds = _constant_slice(node.slice)
    key = None if bounds else walk.evaluate(node.slice)
    if value is None:
        return None
    target = walk.builder.new()
    caller = walk.builder.scope.definition
    if bounds:
        operation = LoadSlice(value, *bounds, target, caller, node.lineno)
    else:
        operation = LoadItem(value, key, target, caller, node.lineno)
    walk.builder.emit(operation)
    return target


def walk_slice(walk: Walk, node: ast.Slice) -> None:
    """Walk the bounds of a slice for the names that they mention."""
    for bound in (node.lower, node.upper, node.step):
        walk.evaluate(bound)


def read_starred(walk: Walk, node: ast.Starred) -> Variable | None:
    """Return the variable of the value that is spread."""
    return walk.evaluate(node.value)


def _constant_slice(node: ast.expr) -> tuple[int, int | None] | None:
    match node:
        case ast.Slice(lower=lower, upper=upper, step=None):
            low = 0 if lower is None else _small_number(lower)
            high = None if upper is None else _small_number(upper)
            if low is None or (upper is not None and high is None):
                return None
            return low, high
        case _:
            return None


def _small_number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(number)) if 0 <= number <= LARGEST_INDEX:
            return number
        case _:
            return None
