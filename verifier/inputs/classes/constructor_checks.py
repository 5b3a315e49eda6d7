"""Attributes whose values the constructor checks: other values must go through it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode


def checked_attributes(constructor: FunctionNode) -> Mapping[str, str]:
    """Return the attributes that hold a parameter which the constructor checks.

    Args:
        constructor: the text of `__init__`.

    Returns:
        attribute → parameter.
    """
    args = constructor.args
    parameters = {arg.arg for arg in (*args.posonlyargs, *args.args[1:], *args.kwonlyargs)}
    own = args.args[0].arg if args.args else ""
    refused = parameters.intersection(_refused(constructor))
    found: dict[str, str] = {}
    for node in ast.walk(constructor):
        match node:
            case (
                ast.Assign(
                    targets=[ast.Attribute(ast.Name(holder), name)], value=ast.Name(parameter)
                )
                | ast.AnnAssign(
                    target=ast.Attribute(ast.Name(holder), name), value=ast.Name(parameter)
                )
            ) if holder == own and parameter in refused:
                found[name] = parameter
            case _:
                pass
    return found


def _refused(constructor: FunctionNode) -> Iterator[str]:
    """Yield the names in tests that lead to an error."""
    for node in ast.walk(constructor):
        match node:
            case ast.If(test=test, body=body, orelse=other) if any(
                isinstance(each, ast.Raise) for each in (*body, *other)
            ):
                pass
            case ast.Assert(test=test):
                pass
            case _:
                continue
        yield from (each.id for each in ast.walk(test) if isinstance(each, ast.Name))
