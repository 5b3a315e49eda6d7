"""A parameter confused with another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _others(function: MutatedFunction) -> Iterator[Edit]:
    """Yield the next parameter with the same annotation, else the next one."""
    parameters = function.parameters
    bound = {
        n.id for n in function.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    kinds = {
        each.arg: ast.unparse(each.annotation) if each.annotation else "" for each in parameters
    }
    names = [each.arg for each in parameters if each.arg not in bound]
    for node in function.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in names:
                other = _other(names, kinds, name)
                if other:
                    yield node, other
            case _:
                pass


def _other(names: list[str], kinds: dict[str, str], name: str) -> str:
    after = names.index(name) + 1
    rest = [*names[after:], *names[: after - 1]]
    same_kind = [each for each in rest if kinds[each] == kinds[name]]
    return next(iter([*same_kind, *rest]), "")


OPERATORS = (
    Operator(
        "parameter for another",
        _others,
        (
            ("return b - 1", ("return c - 1",)),
            ("return c", ("return b",)),
            ("return a", ("return flag",)),
        ),
        ("return self", "return [d for d in self]", "return options"),
    ),
)
