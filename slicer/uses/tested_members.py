"""Computed members whose value is only tested, by a test that no function passes.

`isinstance(getattr(cls, key, None), property)` and `getattr(self, key, True) is None` say of a
plain method what they say where nothing of that name is there. So they ask for no plain methods.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..values import External, Values

_DATA = frozenset(
    f"builtins.{name}"
    for name in """bool bytearray bytes complex dict float frozenset int list property range set
    slice str tuple type""".split()
)
"""Types of which no function is an instance."""


def tests_no_function(
    test: ast.Call | ast.Compare, values: Callable[[ast.expr], Values]
) -> ast.Call | None:
    """The `getattr` of which the test only learns whether it gives something but a function."""
    match test:
        case ast.Call(
            func=ast.Name(id="isinstance"),
            args=[ast.Call(args=[_, _, ast.Constant()]) as looked_up, classes],
        ):
            given = classes.elts if isinstance(classes, ast.Tuple) else [classes]
            default = looked_up.args[2]
            is_met = isinstance(default, ast.Constant) and default.value is not None
            return looked_up if not is_met and all(_is_data(values(c)) for c in given) else None
        case ast.Compare(
            left=ast.Call(args=[_, _, ast.Constant(value=default)]) as looked_up,
            ops=[ast.Is() | ast.IsNot()],
            comparators=[ast.Constant(value=None)],
        ) if default is not None:
            return looked_up
        case _:
            return None


def _is_data(classes: Values) -> bool:
    return bool(classes) and all(isinstance(v, External) and v.name in _DATA for v in classes)
