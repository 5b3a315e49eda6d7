"""Calls in which an integer meets an equal float: which of both the target returns is an accident.

`max(0, x)` gives 0 for `x = 0.0`, `x if x > 0 else 0` does as well, `0 if x < 0 else x` does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ....slicer.syntax.nodes import defaults_of
from ...evidence.recordings.value_sketches import Sketch, sketch_of


@dataclass(frozen=True, slots=True)
class NumberTies:
    """The constants that a function may return or compare with its arguments."""

    constants: tuple[Sketch, ...] = ()
    defaults: tuple[tuple[str, Sketch], ...] = ()

    def has_tie(self, arguments: Mapping[str, str]) -> bool:
        """Whether a given number equals another one of another type."""
        given = {name: sketch_of(text) for name, text in arguments.items()}
        left = (sketch for name, sketch in self.defaults if name not in given)
        own = _numbers(given.values())
        others = [*own, *_numbers(left), *_numbers(self.constants)]
        return any(a == b and type(a) is not type(b) for a in own for b in others)


def _numbers(sketches: Iterable[Sketch]) -> list[float]:
    return [each.number for each in sketches if each.number is not None]


def number_ties(function: ast.FunctionDef | ast.AsyncFunctionDef) -> NumberTies:
    """Return the numbers that may meet in a function."""
    pairs = defaults_of(function.args)
    defaults = [(arg.arg, sketch_of(ast.unparse(given))) for arg, given in pairs]
    constants = {sketch_of(ast.unparse(each)) for each in _given(function)}
    return NumberTies(tuple(sorted(constants, key=repr)), tuple(defaults))


def _given(function: ast.AST) -> Iterator[ast.expr]:
    """Yield constants that may be the result, from `return`, `min`, `max` and conditions."""
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
