"""Mutation summaries of functions: what a call may change, solved to a fixed point."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..values.tabling import Table
from .root_objects import Object, Parameter, ParameterContents


@dataclass(frozen=True, slots=True)
class Called:
    """A parameter that the function calls."""

    parameter: Parameter
    passed: tuple[tuple[int, Object], ...] = ()
    """Positions and module-level objects that it is called with."""


@dataclass(frozen=True, slots=True)
class DispatchedMutation:
    """A parameter on which a method is called that may change it, depending on its class."""

    parameter: Parameter
    method: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The effects of a call of a function."""

    objects: tuple[Object, ...] = ()
    """Module-level objects that it changes."""
    changed: frozenset[str] = frozenset()
    """Parameters whose objects it changes."""
    called: frozenset[str] = frozenset()
    """Parameters that it calls."""
    passed: tuple[tuple[str, int, Object], ...] = ()
    """Called parameters with a module-level object that they are called with, and its position."""
    queried: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with a method called on it that may change it."""
    outer: tuple[Parameter | Called | DispatchedMutation | ParameterContents, ...] = ()
    """The same facts about parameters of enclosing functions."""
    inside: frozenset[tuple[str, str]] = frozenset()
    """Parameters, each with an attribute that holds an object which is changed."""

    def changes_at(self, position: int, args: ast.arguments) -> bool:
        """Whether the function changes the object of its parameter at the position."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return position < len(order) and order[position] in self.changed

    def mutated_attributes_at(self, position: int, args: ast.arguments) -> list[str]:
        """Return the attributes of the parameter at the position whose objects are changed."""
        order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        return sorted(field for name, field in self.inside if order[position:][:1] == [name])

    def differs(self, other: Summary) -> bool:
        """Whether the two summaries differ, ignoring order."""
        return (
            set(self.objects) != set(other.objects)
            or self.changed != other.changed
            or self.called != other.called
            or set(self.passed) != set(other.passed)
            or self.queried != other.queried
            or self.inside != other.inside
            or set(self.outer) != set(other.outer)
        )


def summaries() -> Table[Summary]:
    """Return a new table of summaries."""
    return Table(Summary(), Summary.differs)
