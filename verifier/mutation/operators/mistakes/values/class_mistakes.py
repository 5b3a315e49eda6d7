"""A fixed class in place of the instance's own class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _fixed(function: MutatedFunction) -> Iterator[Edit]:
    match function.block.enclosing:
        case (own,):
            pass
        case _:
            return
    called = {id(n.func) for n in function.nodes if isinstance(n, ast.Call)}
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id="self")]):
                yield node, own
            case ast.Attribute(value=ast.Name(id="self"), attr="__class__", ctx=ast.Load()):
                yield node, own
            case ast.Name(id="cls", ctx=ast.Load()) if id(node) in called:
                yield node, own
            case _:
                pass


OPERATORS = (
    Operator(
        "fixed class",
        _fixed,
        (
            ("return type(self)(a)", ("return C(a)",)),
            ("return self.__class__(a)", ("return C(a)",)),
            ("return cls(a)", ("return C(a)",)),
        ),
        ("return type(a)", "return cls.x", "return self"),
        is_hint=True,  # only an instance of a subclass shows it
    ),
)
