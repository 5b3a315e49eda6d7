"""A field of a class that is made from its fields."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass, pydantic model, typed dictionary or named tuple."""

    name: str
    annotation: ast.expr | None
    """`None` if the field has no annotation."""
    default: ast.expr | None
