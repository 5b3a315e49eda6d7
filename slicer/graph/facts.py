"""Facts that one module contributes to the call graph, independent of other modules.

`extract` turns a syntax tree into these facts; `link` combines the facts of all modules. Variables
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
    """A string whose text is not known."""

    target: Variable


class DecoratedCopy(NamedTuple):
    """What a class decorator gives: the class itself is known, and other classes are not meant."""

    source: Variable
    target: Variable


class Concatenate(NamedTuple):
    """A string put together from parts; `None` is a part of which nothing is known."""

    parts: tuple[Variable | None, ...]
    target: Variable


class NewFunction(NamedTuple):
    """A function or lambda is defined."""

    target: Variable
    function: int


class NewClass(NamedTuple):
    """A class is defined."""

    target: Variable
    klass: int


class NewContainer(NamedTuple):
    """A display or comprehension; an item without a key may stand anywhere."""

    target: Variable
    kind: ContainerKind
    items: tuple[tuple[str | int | None, Variable], ...]
    spreads: tuple[Variable, ...]


class ImportModule(NamedTuple):
    """`import a.b`: the target is `a`, or `a.b` when it is given another name."""

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
    """`object.name` is read."""

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
    """`object[key]` is read; without a key, any of its items."""

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
    """Item `place` of a target list; counted from the end when negative, all when `None`."""

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
    """A class or an exception is raised."""

    source: Variable
    caller: int
    line: int


class InstanceOf(NamedTuple):
    """The target may hold instances of the classes in the source (`except`, `isinstance`)."""

    source: Variable
    target: Variable


class Declare(NamedTuple):
    """An annotation: taken where nothing else is known of the target."""

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
    """The operation with other variables."""
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
    """Where a call stands, and the variable of what it calls; columns as `ast` counts them."""

    callee: Variable | None
    caller: int
    name: str | None
    """The called name, an attribute's where it is one; `x[0]()` calls nothing that has a name."""
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
    """The import that binds the first name, where that stands inside a function."""
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
    """A function's interface: where its arguments arrive and its results leave."""

    definition: int
    positional: tuple[str, ...]
    """Names of the parameters that take positional arguments."""
    positional_only: int
    """How many of them do not take keyword arguments."""
    parameters: dict[str, Variable]
    """Variable of each named parameter."""
    defaults: dict[str, Variable]
    """Variable of each parameter's default, where that can hold anything."""
    rest: Variable | None
    """The tuple `*args`."""
    keywords: Variable | None
    """The dictionary `**kwargs`."""
    result: Variable
    yields: Variable | None
    """What it yields, if it is a generator."""
    returned: frozenset[str]
    """Parameters that it returns as they are."""
    klass: int | None
    """The class in whose body it stands."""
    first: Literal["self", "cls", "none"]
    """What its first parameter is bound to when it is read from an instance."""
    span: tuple[int, int]
    """Its body's part of the module's operations."""
    outer: int | None
    """The function that it stands in."""
    makes_closures: bool
    """Whether it returns a function that is defined inside it."""


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A class: its bases and the names its body binds."""

    definition: int
    bases: tuple[Variable, ...]
    metaclass: Variable | None
    members: dict[str, Variable]
    """Name → the variable that holds what the body binds to it."""
    fields: tuple[str, ...]
    """Annotated names in order: the parameters of a generated `__init__`."""
    stored: frozenset[str]
    """Attributes that its methods assign on their first parameter."""


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """Everything about one module."""

    path: str
    name: str
    is_package: bool
    variables: int
    """How many variables there are."""
    owners: tuple[int, ...]
    """The function to whose calls each variable belongs; -1 for the module's."""
    operations: tuple[Operation, ...]
    definitions: tuple[DefinitionFacts, ...]
    """The module itself is the first."""
    functions: tuple[FunctionFacts, ...]
    classes: tuple[ClassFacts, ...]
    globals: dict[str, Variable]
    """Global name → variable; names that the module only reads are among them."""
    bound: frozenset[str]
    """Names that the module binds."""
    imports: dict[str, ImportModule | ImportName]
    """Global name → the import that binds it."""
    stars: tuple[tuple[str | None, int], ...]
    """Modules of star imports, with the level of relative ones."""
    exports: tuple[str, ...] | None
    """A literal `__all__`."""
    references: tuple[Reference, ...]
    links: tuple[tuple[int, EdgeKind, int], ...]
    """Definitions that hold others and need them: an outer function and its closures."""
    calls: tuple[CallPlace, ...]
