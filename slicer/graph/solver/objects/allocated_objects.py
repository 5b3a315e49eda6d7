"""Objects by allocation site: properties and partial applications."""

from __future__ import annotations

from dataclasses import dataclass

from ..constraint_solver import Engine
from ..interned_values import PartialValue, PropertyValue, Values
from ..site_table import Site


@dataclass(slots=True)
class Property:
    """A property's functions."""

    getter: int
    setter: int
    deleter: int


@dataclass(slots=True)
class Partial:
    """A partial application."""

    callee: int
    site: Site


class Objects:
    """The tables of properties and partial applications, and the attributes of plain objects."""

    def __init__(self, engine: Engine, values: Values) -> None:
        self._engine = engine
        self._values = values
        self.properties: list[Property] = []
        self.partials: list[Partial] = []
        self._fields: dict[tuple[int, str], int] = {}

    def release(self) -> None:
        """Drop both tables."""
        self.properties.clear()
        self.partials.clear()

    def new_property(self, getter: int | None) -> int:
        """Return a new property with this getter."""
        variable = self._engine.variable()
        if getter is not None:
            self._engine.connect(getter, variable)
        made = Property(variable, self._engine.variable(), self._engine.variable())
        self.properties.append(made)
        return self._values.number(PropertyValue(len(self.properties) - 1))

    def new_partial(self, callee: int, site: Site) -> int:
        """Return `functools.partial` of a callable, with the arguments of the site."""
        self.partials.append(Partial(callee, site))
        return self._values.number(PartialValue(len(self.partials) - 1))

    def field(self, number: int, name: str) -> int:
        """Return the variable of an attribute of a function or another plain object."""
        key = (number, name)
        variable = self._fields.get(key)
        if variable is None:
            variable = self._fields[key] = self._engine.variable()
        return variable
