"""Calls in which a whole number and an equal float meet: which of both is given is an accident.

`max(0, x)` gives 0 for `x = 0.0`, `x if x > 0 else 0` does as well, `0 if x < 0 else x` does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..evidence.sketches import Sketch, sketch_of


@dataclass(frozen=True, slots=True)
class NumberTies:
    """The numbers that a function may give, or compares, beside those that it is given."""

    constants: tuple[Sketch, ...] = ()
    defaults: tuple[tuple[str, Sketch], ...] = ()

    def meet(self, arguments: Mapping[str, str]) -> bool:
        """Whether two numbers of a call are equal, and of different kinds."""
        given = {**dict(self.defaults), **{name: sketch_of(t) for name, t in arguments.items()}}
        numbers = [
            n for each in (*given.values(), *self.constants) if (n := each.number) is not None
        ]
        kinds: dict[float, type] = {}
        return any(kinds.setdefault(number, type(number)) is not type(number) for number in numbers)


def number_ties(function: ast.FunctionDef | ast.AsyncFunctionDef) -> NumberTies:
    """What numbers may meet in a function."""
    args = function.args
    places = [*args.posonlyargs, *args.args]
    last = places[len(places) - len(args.defaults) :]
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    pairs = (*zip(last, args.defaults, strict=True), *named)
    defaults = [(arg.arg, sketch_of(ast.unparse(given))) for arg, given in pairs if given]
    constants = {sketch_of(ast.unparse(each)) for each in _given(function)}
    return NumberTies(tuple(sorted(constants, key=repr)), tuple(defaults))


def _given(function: ast.AST) -> Iterator[ast.expr]:
    """Constants that may be the result: of `return`, `min`, `max` and conditions."""
    for node in ast.walk(function):
        match node:
            case ast.Return(value=ast.Constant() as value):
                yield value
            case ast.IfExp(body=body, orelse=orelse):
                yield from (each for each in (body, orelse) if isinstance(each, ast.Constant))
            case ast.Call(func=ast.Name(id="min" | "max" | "sorted"), args=given):
                yield from (each for each in given if isinstance(each, ast.Constant))
            case _:
                continue
