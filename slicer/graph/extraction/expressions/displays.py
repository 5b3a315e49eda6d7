"""Facts of list, tuple, set and dictionary displays."""

from __future__ import annotations

import ast

from ...facts import ContainerKind, NewContainer, StoreItem, Variable
from ...language_tables import LARGEST_INDEX
from ..fact_walk import Walk

_MOST_CONSTANTS = 32
"""Items of a longer display of constants are not followed."""


def sequence(walk: Walk, node: ast.List | ast.Tuple | ast.Set) -> Variable | None:
    """Return the variable of a list, tuple or set display."""
    kind: ContainerKind = "list"
    if not isinstance(node, ast.List):
        kind = "tuple" if isinstance(node, ast.Tuple) else "set"
    plain = len(node.elts) > _MOST_CONSTANTS
    items: list[tuple[str | int | None, Variable]] = []
    spreads: list[Variable] = []
    for index, item in enumerate(node.elts):
        if plain and isinstance(item, ast.Constant):
            continue
        if isinstance(item, ast.Starred):
            value = walk.evaluate(item.value)
            if value is not None:
                spreads.append(value)
            continue
        value = walk.evaluate(item)
        if value is not None:
            known = kind != "set" and not spreads and index <= LARGEST_INDEX
            items.append((index if known else None, value))
    target = walk.builder.new()
    walk.builder.emit(NewContainer(target, kind, tuple(items), tuple(spreads)))
    return target


def dictionary(walk: Walk, node: ast.Dict) -> Variable | None:
    """Return the variable of a dictionary display."""
    items: list[tuple[str | int | None, Variable]] = []
    spreads: list[Variable] = []
    computed: list[tuple[Variable, Variable]] = []
    for key, value_node in zip(node.keys, node.values, strict=True):
        key_variable = walk.evaluate(key)
        value = walk.evaluate(value_node)
        if value is None:
            continue
        if key is None:
            spreads.append(value)
        elif isinstance(key, ast.Constant) and isinstance(key.value, (str, int)):
            items.append((key.value, value))
        elif key_variable is None:
            items.append((None, value))
        else:
            computed.append((key_variable, value))
    target = walk.builder.new()
    walk.builder.emit(NewContainer(target, "dict", tuple(items), tuple(spreads)))
    caller = walk.builder.scope.definition
    for key_variable, value in computed:
        walk.builder.emit(StoreItem(target, key_variable, value, caller, node.lineno))
    return target
