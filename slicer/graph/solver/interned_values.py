"""Abstract values that a variable may hold, each interned as an integer.

Constants have negative numbers, so that the solver recognises them at once; all other values count
up from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TEXT = -1
"""An unknown string."""
ANY = -2
"""An unknown constant."""
_FIRST_CONSTANT = -3


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function that is not bound to anything."""

    function: int


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class; unless exact, also any of its subclasses."""

    klass: int
    exact: bool


@dataclass(frozen=True, slots=True)
class InstanceValue:
    """Instances of a class; unless exact, also of any of its subclasses."""

    klass: int
    exact: bool


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the repository."""

    module: int


@dataclass(frozen=True, slots=True)
class NamespaceValue:
    """A namespace package, as seen from an importing module."""

    name: str
    importer: int


@dataclass(frozen=True, slots=True)
class GlobalsValue:
    """The dictionary `globals()` of a module."""

    module: int


@dataclass(frozen=True, slots=True)
class BoundValue:
    """A callable with its first argument."""

    callee: int
    receiver: int


@dataclass(frozen=True, slots=True)
class ExternalValue:
    """An external name, including builtins."""

    path: str
    calls: int
    """Number of calls between the name and this value."""


@dataclass(frozen=True, slots=True)
class ContainerValue:
    """A list, tuple, dictionary or set, by allocation site."""

    container: int


@dataclass(frozen=True, slots=True)
class GeneratorValue:
    """The result of calling a generator function."""

    function: int


@dataclass(frozen=True, slots=True)
class MethodValue:
    """A method of a container, string or generator."""

    receiver: int
    name: str


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """A property."""

    number: int


@dataclass(frozen=True, slots=True)
class AccessorValue:
    """`property.setter` and similar."""

    number: int
    role: str


@dataclass(frozen=True, slots=True)
class StaticValue:
    """`staticmethod(value)`."""

    inner: int


@dataclass(frozen=True, slots=True)
class ClassMethodValue:
    """`classmethod(value)`."""

    inner: int


@dataclass(frozen=True, slots=True)
class SuperValue:
    """`super()` of a class, for a receiver."""

    klass: int
    receiver: int


@dataclass(frozen=True, slots=True)
class PartialValue:
    """`functools.partial(…)`, by allocation site."""

    number: int


@dataclass(frozen=True, slots=True)
class PrefixValue:
    """A string with a known prefix."""

    text: str


Value = (
    FunctionValue | ClassValue | InstanceValue | ModuleValue | NamespaceValue | GlobalsValue
    | BoundValue | ExternalValue | ContainerValue | GeneratorValue | MethodValue | PropertyValue
    | AccessorValue | StaticValue | ClassMethodValue | SuperValue | PartialValue | PrefixValue
)  # fmt: skip


Sort = Literal["text", "integer", "bulky", "object"]
"""Strings; integers; containers, their methods and library objects; classes and instances."""


class Values:
    """The table of interned values."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self._values: list[Value] = []
        self.sorts: dict[int, Sort] = {}
        """Values of which a variable holds a limited number, with their sorts."""
        self._constant_numbers: dict[tuple[type, str | int], int] = {}
        self._constants: list[str | int] = []

    def number(self, value: Value) -> int:
        """Return the value's number."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._values)
            if isinstance(value, (ContainerValue, ExternalValue, MethodValue, PrefixValue)):
                self.sorts[number] = "bulky"
            elif isinstance(value, (ClassValue, InstanceValue, BoundValue)):
                self.sorts[number] = "object"
            self._values.append(value)
        return number

    def __getitem__(self, number: int) -> Value:
        return self._values[number]

    def constant(self, value: str | int) -> int:
        """Return the number of a constant."""
        key = (type(value), value)
        number = self._constant_numbers.get(key)
        if number is None:
            number = _FIRST_CONSTANT - len(self._constants)
            self.sorts[number] = "text" if isinstance(value, str) else "integer"
            self._constant_numbers[key] = number
            self._constants.append(value)
        return number

    def constant_of(self, number: int) -> str | int | None:
        """Return the constant with this number; `None` if its value is unknown."""
        return self._constants[_FIRST_CONSTANT - number] if number <= _FIRST_CONSTANT else None
