"""Records of uses, one class for each kind.

Records do not depend on what is kept, so those of a definition serve every target.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...repo.repository import Module
from ...syntax.call_shapes import CallShape
from ..scopes.definitions import ClassInfo, Scope
from ..values.abstract_values import Value, Values

Role = Literal[
    "value",
    "call",
    "receiver",
    "write",
    "annotation",
    "test",
    "base",
    "store",
    "register",
    "presence",
    "data",
]
"""How a name is used. A `call` is a value that is only called; a `write` one whose object is only
changed (`TABLE[key] = value`); a `register` one whose external method only decorates; a `presence`
one that is only tested for a key, in order to raise; a `data` one that lists members and treats a
plain method like a missing name.
"""
VALUE_ROLES = ("value", "call")

MAKES_CLASSES = "type()"
"""Flag of code that creates classes by a call: their names are computed."""
FORMATS = "format()"
"""Flag of code that formats with an unknown text, which may be any text of the slice."""
PATHS = "the path of an object"
"""Flag of code that finds repository objects by a string: `mock.patch("pkg.mod.name")`."""
BY_NAME = "its name in a text"
"""Flag of code that imports repository modules by strings, so that they must exist as modules."""
PUBLIC = ("*",)
"""Stands for all public members, in place of member names."""


class NameUse(NamedTuple):
    """Use of a module-level name."""

    module: Module
    name: str
    role: Role
    line: int


class MemberUse(NamedTuple):
    """Use of an attribute of some values."""

    values: Values
    name: str
    role: Role
    line: int


class ReplacedUse(NamedTuple):
    """Use of an attribute of a stored external object, or of the object that replaced it."""

    name: str
    line: int


class StoreUse(NamedTuple):
    """Store of values in an attribute of other values."""

    receivers: Values
    name: str
    values: Values
    line: int


class ComputedUse(NamedTuple):
    """Store of an expression of parameters in an attribute of some values."""

    receivers: Values
    name: str
    node: ast.expr
    scope: Scope
    line: int


class DeclaredUse(NamedTuple):
    """Use of values where a declaration names others."""

    declared: Values
    values: Values
    line: int


class OverriddenUse(NamedTuple):
    """Use of a member on each class of a resolution order, not only on the first."""

    name: str
    line: int


class ProtocolUse(NamedTuple):
    """Members that an operator, statement or builtin calls on values; `None` means all."""

    values: Values
    members: tuple[str, ...] | None
    line: int
    method: str = ""
    """The method of an unknown receiver that the values are passed to."""


class EscapeUse(NamedTuple):
    """Values that escape to external code."""

    values: Values
    named: frozenset[str]
    """The methods that the external code names; empty if it may call any."""
    is_asking: bool
    """Whether it calls more methods than external bases do."""
    makes: bool
    """Whether it may call classes and functions, and use members of their results."""
    calls: bool
    """Whether it may call the instances."""
    line: int


class DynamicUse(NamedTuple):
    """Use of a computed attribute name: all members with the prefix and suffix."""

    values: Values
    prefix: str
    suffix: str
    line: int
    is_method_left: bool = False
    """Whether a plain method of such a name is treated like a missing name."""


class ListedNamesUse(NamedTuple):
    """Use of members whose names a class lists: `for name in self.fields: getattr(self, name)`.

    Listings of subclasses count as well, so the names depend on the slice.
    """

    values: Values
    holder: ClassInfo
    attribute: str
    path: tuple[int, ...]
    """Path of the name in each item."""
    line: int


class ListedUse(NamedTuple):
    """Listing of all members of some values, if the values are known."""

    values: Values
    line: int
    is_method_left: bool = False
    """Whether a plain method is treated like a missing name."""


class DispatchUse(NamedTuple):
    """Use of a member named after an object's class, between the prefix and suffix."""

    values: Values
    prefix: str
    suffix: str
    objects: Values
    line: int


class ImportUse(NamedTuple):
    """An import statement that runs with the code, with all of its names."""

    module: Module
    node: ast.Import | ast.ImportFrom
    line: int
    role: Role = "base"
    """`value` if the imported modules escape."""


class ModuleUse(NamedTuple):
    """Import of a module by a string."""

    module: Module
    name: str
    line: int
    is_text: bool = False
    """Whether the import is itself in a string: the names that it imports are strings as well."""


class PackageUse(NamedTuple):
    """Listing of a package's modules: modules that are not carried would be missing in it."""

    module: Module
    values: Values
    line: int


class PathUse(NamedTuple):
    """A string that may be the path of a module, or of a member of one: `"pkg.mod.Thing"`.

    A string that ends with a dot may be the prefix of all modules in a package. Both count only if
    the slice imports modules by computed names.
    """

    module: Module
    path: str
    line: int


class PathEndUse(NamedTuple):
    """The suffix of strings that name modules: `import_module(f"{app}.admin")`."""

    module: Module
    end: str
    line: int


class HomeUse(NamedTuple):
    """Lookup of names in the module that defines the values, or their classes."""

    values: Values
    line: int
    runs_text: bool = False
    """Whether strings of that module are run as code in it."""


class SubmoduleUse(NamedTuple):
    """Use of an external submodule as an attribute of its package."""

    module: Module
    name: str
    """Its dotted name."""
    line: int


class MappedUse(NamedTuple):
    """A class or table that is looked up by name in a string, once its module is loaded."""

    module: Module
    name: str
    line: int
    importer: Module | None = None
    """The module that imports it by name; without one, it is loaded together with all others."""


class TablesUse(NamedTuple):
    """Use of all tables that are registered with a base class, a database or a `MetaData`."""

    owner: Value
    line: int


class CallUse(NamedTuple):
    """A call of repository functions, or the application of a decorator."""

    callee: Values
    arguments: tuple[Values, ...]
    """Values of the positional arguments, in order."""
    keywords: tuple[tuple[str, Values], ...]
    is_open: bool
    """Whether `*` or `**` may add arguments."""
    is_computed: bool
    """Whether a class may stand for a subclass, as `type(self)` does."""
    line: int


class InstanceCallUse(NamedTuple):
    """A call of values, which runs `__call__` of instances."""

    values: Values
    shape: CallShape
    line: int


class GapUse(NamedTuple):
    """Something that cannot be decided statically."""

    kind: str
    line: int
    detail: str


Use = (
    NameUse | MemberUse | ReplacedUse | StoreUse | ComputedUse | DeclaredUse | OverriddenUse
    | ProtocolUse | EscapeUse | DynamicUse | ListedNamesUse | ListedUse | DispatchUse | ImportUse
    | ModuleUse | PackageUse | PathUse | PathEndUse | SubmoduleUse | HomeUse | MappedUse | TablesUse
    | CallUse | InstanceCallUse | GapUse
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Uses:
    """Everything that one definition uses."""

    uses: tuple[Use, ...]
    externals: frozenset[str]
    """Dotted names of the external objects that it mentions."""
    strings: frozenset[str]
    """Identifiers among its string literals: candidates for computed attribute names."""
    words: frozenset[str]
    """Words of its string literals, if its module runs strings as code."""
    flags: frozenset[str]
    """Special names that it reads: `__name__`, `__file__`, `globals`, …"""
    attributes: frozenset[str]
    """Words behind a dot in its string literals, which generated code may access."""
    fields: frozenset[str] = frozenset()
    """Attributes that its string literals read if they are used as format texts."""


NO_USES = Uses((), frozenset(), frozenset(), frozenset(), frozenset(), frozenset())
