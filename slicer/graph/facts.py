"""Facts that one module contributes to the call graph, independent of other modules.

`extract` turns a syntax tree into these facts; `Program` links the facts of all modules. Variables
are integers that count from 0 in each module. `None` stands for an expression that can hold no
function, class, repository object or usable constant. Functions, classes and definitions are
indices into the module's own tables. The operations are inclusion constraints after Andersen
(1994): what the source may hold, the target may hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Variable = int
NodeKind = Literal["module", "function", "class", "method", "variable", "lambda", "external"]
EdgeKind = Literal["calls", "uses", "inherits", "decorates", "initialises", "mutates"]
ContainerKind = Literal["list", "tuple", "dict", "set"]


class Copy(NamedTuple):
    """The target holds what the source holds."""

    source: Variable
    target: Variable


class Constant(NamedTuple):
    """A string or a small integer, which may serve as a key or as an attribute's name."""

    target: Variable
    value: str | int


class Text(NamedTuple):
    """A string with unknown text."""

    target: Variable


class DecoratedCopy(NamedTuple):
    """The result of a class decorator: the class is known, and other classes are excluded."""

    source: Variable
    target: Variable


class Concatenate(NamedTuple):
    """A string concatenated from parts; `None` is an unknown part."""

    parts: tuple[Variable | None, ...]
    target: Variable


class NewFunction(NamedTuple):
    """The definition of a function or lambda."""

    target: Variable
    function: int


class NewClass(NamedTuple):
    """The definition of a class."""

    target: Variable
    klass: int


class NewContainer(NamedTuple):
    """A display or comprehension; an item without a key may be at any key."""

    target: Variable
    kind: ContainerKind
    items: tuple[tuple[str | int | None, Variable], ...]
    spreads: tuple[Variable, ...]


class ImportModule(NamedTuple):
    """`import a.b`: the target is `a`, or `a.b` with an `as` name."""

    target: Variable
    module: str
    whole: bool


class ImportName(NamedTuple):
    """`from module import name`."""

    target: Variable
    module: str | None
    level: int
    name: str


class Load(NamedTuple):
    """A read of `object.name`."""

    object: Variable
    name: str
    target: Variable
    caller: int
    line: int


class Store(NamedTuple):
    """`object.name = source`."""

    object: Variable
    name: str
    source: Variable | None
    caller: int
    line: int


class LoadItem(NamedTuple):
    """A read of `object[key]`; without a key, of any item."""

    object: Variable
    key: Variable | None
    target: Variable
    caller: int
    line: int


class StoreItem(NamedTuple):
    """`object[key] = source`."""

    object: Variable
    key: Variable | None
    source: Variable | None
    caller: int
    line: int


class LoadSlice(NamedTuple):
    """`object[lower:upper]` with constant bounds."""

    object: Variable
    lower: int
    upper: int | None
    target: Variable
    caller: int
    line: int


class Unpack(NamedTuple):
    """Item `place` of a target list; a negative place counts from the end, and `None` means all."""

    source: Variable
    place: int | None
    target: Variable
    caller: int
    line: int


class Iterate(NamedTuple):
    """The target holds the items of the source, as `for` would take them."""

    source: Variable
    target: Variable | None
    caller: int
    line: int
    is_async: bool


class Enter(NamedTuple):
    """`with source as target`."""

    source: Variable
    target: Variable | None
    caller: int
    line: int
    is_async: bool


class Operate(NamedTuple):
    """An operator or a protocol: `left.method(right)`, else `right.reflected(left)`."""

    left: Variable | None
    method: str
    reflected: str
    right: Variable | None
    target: Variable | None
    caller: int
    line: int


class Invoke(NamedTuple):
    """A call."""

    callee: Variable
    arguments: tuple[Variable | None, ...]
    """Positional arguments before the first starred one."""
    spreads: tuple[Variable, ...]
    """Starred arguments."""
    late: tuple[Variable, ...]
    """Positional arguments after a starred one."""
    keywords: tuple[tuple[str | None, Variable], ...]
    """Keyword arguments; the name `None` stands for `**`."""
    target: Variable | None
    caller: int
    line: int
    decorates: bool
    """Whether it is a decorator's call, whose unknown result stands for its argument."""


class Super(NamedTuple):
    """`super()` without arguments, in a method of the class."""

    klass: int
    receiver: Variable
    target: Variable
    caller: int
    line: int


class Raise(NamedTuple):
    """A raise of a class or an exception."""

    source: Variable
    caller: int
    line: int


class InstanceOf(NamedTuple):
    """The target may hold instances of the classes in the source (`except`, `isinstance`)."""

    source: Variable
    target: Variable


class Declare(NamedTuple):
    """An annotation, used if nothing else is known of the target."""

    source: Variable
    target: Variable


Operation = (
    Copy | DecoratedCopy | Constant |
    Text | Concatenate | NewFunction | NewClass | NewContainer | ImportModule
    | ImportName | Load | Store | LoadItem | StoreItem | LoadSlice | Unpack | Iterate | Enter
    | Operate | Invoke | Super | Raise | InstanceOf | Declare
)  # fmt: skip


_SINGLE = frozenset({"source", "target", "object", "key", "left", "right", "callee", "receiver"})
_LISTS = frozenset({"parts", "arguments", "spreads", "late"})
_PAIRS = frozenset({"items", "keywords"})


def renumbered(operation: Operation, number: Callable[[Variable], Variable]) -> Operation:
    """Return the operation with renumbered variables."""
    changed: dict[str, object] = {}
    for name in operation._fields:
        value = getattr(operation, name)
        if value is None:
            continue
        if name in _SINGLE:
            changed[name] = number(value)
        elif name in _LISTS:
            changed[name] = tuple(None if v is None else number(v) for v in value)
        elif name in _PAIRS:
            changed[name] = tuple((key, number(v)) for key, v in value)
    return operation._replace(**changed)


class CallPlace(NamedTuple):
    """The position of a call, and the variable of its callee; columns as `ast` counts them."""

    callee: Variable | None
    caller: int
    name: str | None
    """The called name or attribute name; `None` for `x[0]()`."""
    line: int
    column: int
    end_line: int
    end_column: int


class Reference(NamedTuple):
    """A definition mentions a name that is bound at module level or imported."""

    source: int
    kind: EdgeKind
    names: tuple[str, ...]
    """The name and the attributes read from it, as `("config", "TABLE")`."""
    imported: ImportModule | ImportName | None
    """The import that binds the first name, if it is inside a function."""
    line: int


@dataclass(frozen=True, slots=True)
class DefinitionFacts:
    """A node of the graph."""

    kind: NodeKind
    qualname: str
    """Qualified name inside the module; empty for the module itself."""
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function's interface: the variables of its arguments and results."""

    definition: int
    positional: tuple[str, ...]
    """Names of the parameters that take positional arguments."""
    positional_only: int
    """Number of these that do not take keyword arguments."""
    parameters: dict[str, Variable]
    """Variable of each named parameter."""
    defaults: dict[str, Variable]
    """Variable of each parameter's default, if the default can hold anything."""
    rest: Variable | None
    """The tuple `*args`."""
    keywords: Variable | None
    """The dictionary `**kwargs`."""
    result: Variable
    yields: Variable | None
    """Variable of the yielded values, if it is a generator."""
    returned: frozenset[str]
    """Parameters that it returns unchanged."""
    klass: int | None
    """The class whose body contains it."""
    first: Literal["self", "cls", "none"]
    """The object that its first parameter is bound to when it is read from an instance."""
    span: tuple[int, int]
    """Range of its body in the module's operations."""
    outer: int | None
    """The function that contains it."""
    makes_closures: bool
    """Whether it returns a function that it defines."""


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A class: its bases and the names its body binds."""

    definition: int
    bases: tuple[Variable, ...]
    metaclass: Variable | None
    members: dict[str, Variable]
    """Name → variable of the values that the body binds to it."""
    fields: tuple[str, ...]
    """Annotated names in order, which are the parameters of a generated `__init__`."""
    stored: frozenset[str]
    """Attributes that its methods assign on their first parameter."""


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """All facts about one module."""

    path: str
    name: str
    is_package: bool
    variables: int
    """Number of variables."""
    owners: tuple[int, ...]
    """For each variable, the function to whose calls it belongs; -1 for the module's."""
    operations: tuple[Operation, ...]
    definitions: tuple[DefinitionFacts, ...]
    """Its definitions; the first is the module itself."""
    functions: tuple[FunctionFacts, ...]
    classes: tuple[ClassFacts, ...]
    globals: dict[str, Variable]
    """Global name → variable, including names that the module only reads."""
    bound: frozenset[str]
    """Names that the module binds."""
    imports: dict[str, ImportModule | ImportName]
    """Global name → the import that binds it."""
    stars: tuple[tuple[str | None, int], ...]
    """Modules of star imports, each with the level of a relative import."""
    exports: tuple[str, ...] | None
    """The names in a literal `__all__`."""
    references: tuple[Reference, ...]
    links: tuple[tuple[int, EdgeKind, int], ...]
    """Definitions that contain others and need them: an outer function and its closures."""
    calls: tuple[CallPlace, ...]
