"""Mutation summaries of functions: what a call may change, solved to a fixed point over
recursion.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..values.tabling import Table
from .root_objects import Object, Parameter, ParameterContents


@dataclass(frozen=True, slots=True)
class Called:
    """A parameter that is called."""

    parameter: Parameter
    handed: tuple[tuple[int, Object], ...] = ()
    """Positions of what it is called with, where that is an object of a module."""


@dataclass(frozen=True, slots=True)
class DispatchedMutation:
    """A parameter of which a method is called that may change it: that depends on what it is."""

    parameter: Parameter
    method: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call of a function may do."""

    objects: tuple[Object, ...] = ()
    """Module-level objects that it changes."""
    changed: frozenset[str] = frozenset()
    """Parameters whose object it changes."""
    called: frozenset[str] = frozenset()
    """Parameters that it calls."""
    handed: tuple[tuple[str, int, Object], ...] = ()
    """These with what they are called with, and at which position."""
    asked: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with a method of it that is called and may change it."""
    outer: tuple[Parameter | Called | DispatchedMutation | ParameterContents, ...] = ()
    """The same of parameters of the functions around it."""
    inside: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with an attribute in which it holds an object that is changed."""

    def changes_at(self, position: int, args: ast.arguments) -> bool:
        """Whether the function changes the object of its parameter at the position."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return position < len(order) and order[position] in self.changed

    def inside_at(self, position: int, args: ast.arguments) -> list[str]:
        """Attributes of the parameter at the position in which something is changed."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return sorted(field for name, field in self.inside if order[position:][:1] == [name])

    def differs(self, other: Summary) -> bool:
        """Whether the two say different things, in whatever order."""
        return (
            set(self.objects) != set(other.objects)
            or self.changed != other.changed
            or self.called != other.called
            or set(self.handed) != set(other.handed)
            or self.asked != other.asked
            or self.inside != other.inside
            or set(self.outer) != set(other.outer)
        )


def summaries() -> Table[Summary]:
    """A table of summaries."""
    return Table(Summary(), Summary.differs)
