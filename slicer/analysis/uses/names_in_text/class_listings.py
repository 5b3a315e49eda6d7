"""Names that a loop takes from a class attribute that lists them: `for name in self.fields`."""

from __future__ import annotations

import ast

from ...values.abstract_values import ClassValue, Instance, Values, ordered
from ..use_records import ListedNamesUse
from ..use_walk import Walk


def names_in_classes(
    walk: Walk, attribute: ast.expr, values: Values, line: int
) -> list[ListedNamesUse]:
    """Return the uses of members whose names a class lists, if the attribute is such a name."""
    holder = walk.scope.lookup(attribute.id) if isinstance(attribute, ast.Name) else None
    if holder is None or not isinstance(attribute, ast.Name):
        return []
    found: list[ListedNamesUse] = []
    for binder in holder.binders[attribute.id]:
        if binder.kind != "item" or not isinstance(binder.value, ast.Attribute):
            return []
        owners = ordered(walk.values(binder.value.value))
        if not owners:
            return []
        for owner in owners:
            if not isinstance(owner, (ClassValue, Instance)):
                return []
            found.append(ListedNamesUse(values, owner.cls, binder.value.attr, binder.path, line))
    return found
