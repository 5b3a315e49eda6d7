"""Defaults of the fields of dataclasses, attrs classes and pydantic models."""

from __future__ import annotations

import ast

from ....mocker.flow.fields import Field


def default_of_field(known: Field) -> ast.expr | None:
    """Return the default of a field, or `None` if it is unknown."""
    match known.default:
        case ast.Call(keywords=keywords):
            return next((k.value for k in keywords if k.arg == "default"), None)
        case default:
            return default


def is_constructor_field(known: Field) -> bool:
    """Whether the constructor takes the field: `init=False` excludes it."""
    match known.default:
        case ast.Call(keywords=keywords):
            given = {k.arg: k.value for k in keywords}
            init = given.get("init")
            return not (isinstance(init, ast.Constant) and init.value is False)
        case _:
            return True


def is_needed(known: Field) -> bool:
    """Whether the constructor requires the field."""
    match known.default:
        case None:
            return True
        case ast.Constant(value=value):
            return value is ...
        case ast.Call(func=func, args=args, keywords=keywords):
            name = ast.unparse(func).split(".")[-1]
            if name not in ("Field", "field", "ib", "attrib"):
                return False
            given = {k.arg for k in keywords}
            if given & {"default", "default_factory", "factory"}:
                return False
            return not args or (isinstance(args[0], ast.Constant) and args[0].value is ...)
        case _:
            return False
