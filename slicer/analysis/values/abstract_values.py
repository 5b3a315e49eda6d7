"""Abstract values: what an expression may evaluate to, as far as names and members matter.

`Values` is a set of abstract values, or `None` where anything is possible. An empty set means that
the value has no members defined in the repository (for example `None`, or a value that is still
being computed in a cycle).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...repo.repository import Module, Namespace
from ..scopes.definitions import ClassInfo, FunctionInfo, Scope


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the repository."""

    module: Module | Namespace
    importer: Module
    """The module in whose import roots its submodules are searched."""


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the repository, or one of its subclasses."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a class of the repository, or of one of its subclasses."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the repository, possibly bound to an instance or class."""

    function: FunctionInfo


@dataclass(frozen=True, slots=True)
class SuperValue:
    """`super()` inside a method of the class."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class External:
    """An object of another distribution or a builtin, by its dotted path."""

    name: str
    makes: ClassInfo | None = None
    """The repository class that inherits this constructor and is passed to it."""


@dataclass(frozen=True, slots=True)
class ExternalInstance:
    """An instance of an external class, or the result of an external function."""

    name: str
    items: Values = None
    """Values that iterating over it yields, and, unless it is a dictionary, subscripting it."""
    contents: Values = None
    """Values of a dictionary."""
    is_declared: bool = False
    """Whether only an annotation says so: the object may be an instance of a derived class."""


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple with known parts."""

    parts: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: its values are known only together with its callers."""

    scope: Scope
    """The scope of the function or lambda."""
    name: str


Value = (
    ModuleValue | ClassValue | Instance | FunctionValue | SuperValue | External
    | ExternalInstance | TupleOf | Parameter
)  # fmt: skip
Values = frozenset[Value] | None

NOTHING: frozenset[Value] = frozenset()
ABSTRACT = "collections.abc."
"""Prefix of external classes that classes of the repository implement."""


def is_abstract(values: Values) -> bool:
    """Whether an object of any class may be behind an abstract type such as `Mapping[...]`."""
    return values is not None and any(
        isinstance(v, ExternalInstance) and v.name.startswith(ABSTRACT) for v in values
    )


def join(*sets: Values) -> Values:
    """Return the union; unknown absorbs everything."""
    found: frozenset[Value] = NOTHING
    for values in sets:
        if values is None:
            return None
        found |= values
    return found


def builtin(name: str, items: Values = None, values: Values = None) -> frozenset[Value]:
    """Return an instance of a builtin class."""
    return frozenset({ExternalInstance(f"builtins.{name}", items, values)})


STR = builtin("str")
INT = builtin("int")
BOOL = builtin("bool")
FLOAT = builtin("float")
BYTES = builtin("bytes")


def ordered(values: Values) -> list[Value]:
    """Return the values in an order that is stable between runs; empty if they are unknown."""
    if not values:
        return []
    return list(values) if len(values) == 1 else sorted(values, key=_key)


def _key(value: Value) -> tuple[str, str, str]:
    match value:
        case Instance(cls=cls) | ClassValue(cls=cls) | SuperValue(cls=cls):
            return (type(value).__name__, *cls.key)
        case ModuleValue(module=module):
            return ("ModuleValue", module.name, "")
        case FunctionValue(function=function):
            return ("FunctionValue", function.module.name, f"{function.node.lineno:09}")
        case External(name=name, makes=made):
            return ("External", name, "" if made is None else "/".join(made.key))
        case ExternalInstance(name=name):
            return ("ExternalInstance", name, "")
        case TupleOf(parts=parts):
            return ("TupleOf", str(len(parts)), "")
        case Parameter(scope=scope, name=name):
            line = getattr(scope.node, "lineno", 0)
            return ("Parameter", f"{scope.module.name} {line:09}", name)
