"""A field of a class that is made of its fields."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass, of a pydantic model, of a typed dictionary or named tuple."""

    name: str
    annotation: ast.expr | None
    """`None` where nothing is said of what it holds."""
    default: ast.expr | None
