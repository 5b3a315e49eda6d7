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
"""What a name is used for; a `call` is a value that is only called, a `write` one whose object is
only changed (`TABLE[key] = value`), a `register` one whose foreign method only decorates, a
`presence` one that is only asked whether a key is there, in order to raise, a `data` one that lists
members and makes no difference between a plain method and none."""
VALUE_ROLES = ("value", "call")

MAKES_CLASSES = "type()"
"""Flag of code that makes classes by a call: their names are computed."""
FORMATS = "format()"
"""Flag of code that formats by a text which is not at hand: any text of the slice may be it."""
PATHS = "the path of an object"
"""Flag of code that finds objects of the repository by a text: `mock.patch("pkg.mod.name")`."""
BY_NAME = "its name in a text"
"""Flag of code that imports modules of the repository by texts: they must be there as modules."""
PUBLIC = ("*",)
"""In place of member names: everything public."""


class NameUse(NamedTuple):
    """A module-level name."""

    module: Module
    name: str
    role: Role
    line: int


class MemberUse(NamedTuple):
    """An attribute of some values."""

    values: Values
    name: str
    role: Role
    line: int


class ReplacedUse(NamedTuple):
    """An attribute of something outside that stands in an attribute, or of what was put there."""

    name: str
    line: int


class StoreUse(NamedTuple):
    """Values that become an attribute of some others."""

    receivers: Values
    name: str
    values: Values
    line: int


class ComputedUse(NamedTuple):
    """An expression of parameters whose value becomes an attribute of some values."""

    receivers: Values
    name: str
    node: ast.expr
    scope: Scope
    line: int


class DeclaredUse(NamedTuple):
    """Values that stand where others are declared."""

    declared: Values
    values: Values
    line: int


class OverriddenUse(NamedTuple):
    """A member asked of each class of a resolution order, not of the first that has it."""

    name: str
    line: int


class ProtocolUse(NamedTuple):
    """Members that an operator, statement or builtin asks values for; `None` is all of them."""

    values: Values
    members: tuple[str, ...] | None
    line: int
    method: str = ""
    """The method of an unknown receiver that the values are passed to."""


class EscapeUse(NamedTuple):
    """What code outside gets."""

    values: Values
    named: frozenset[str]
    """The methods that it names; none where it may call any."""
    is_asking: bool
    """Whether it calls more than what bases outside do."""
    makes: bool
    """Whether it may call classes and functions, and asks what these give."""
    calls: bool
    """Whether it may call instances."""
    line: int


class DynamicUse(NamedTuple):
    """A computed attribute name: all members with the prefix and suffix."""

    values: Values
    prefix: str
    suffix: str
    line: int
    is_method_left: bool = False
    """Whether a plain method of such a name is as good as none."""


class ListedNamesUse(NamedTuple):
    """Members whose names a class lists: `for name in self.fields: getattr(self, name)`.

    What a subclass lists counts as well, so which names these are depends on the slice.
    """

    values: Values
    holder: ClassInfo
    attribute: str
    path: tuple[int, ...]
    """Where in each item the name stands."""
    line: int


class ListedUse(NamedTuple):
    """All members of some values are listed, where it is known what these are."""

    values: Values
    line: int
    is_method_left: bool = False
    """Whether a plain method is as good as none."""


class DispatchUse(NamedTuple):
    """A member named after the class of one of some objects, between the prefix and suffix."""

    values: Values
    prefix: str
    suffix: str
    objects: Values
    line: int


class ImportUse(NamedTuple):
    """An import statement that runs with the code: all of its names."""

    module: Module
    node: ast.Import | ast.ImportFrom
    line: int
    role: Role = "base"
    """A `value` where the modules that it brings are handed on."""


class ModuleUse(NamedTuple):
    """A module loaded by its name as text."""

    module: Module
    name: str
    line: int
    is_text: bool = False
    """Whether the import is a piece of text: the names that it takes are texts as well."""


class PackageUse(NamedTuple):
    """The modules of packages are listed: what is not carried would not be among them."""

    module: Module
    values: Values
    line: int


class PathUse(NamedTuple):
    """A text that may be the path of a module, or of something in it: `"pkg.mod.Thing"`.

    One that ends with a dot may be what the names of all modules in a package begin with. Both
    count where the slice imports what a name at run time says.
    """

    module: Module
    path: str
    line: int


class PathEndUse(NamedTuple):
    """What stands behind texts where they name modules: `import_module(f"{app}.admin")`."""

    module: Module
    end: str
    line: int


class HomeUse(NamedTuple):
    """Names are looked up in the module that defines the values, or the classes of these."""

    values: Values
    line: int
    runs_text: bool = False
    """Whether texts of that module are run in it."""


class SubmoduleUse(NamedTuple):
    """Something outside that may be a submodule, reached as an attribute of its package."""

    module: Module
    name: str
    """Its dotted name."""
    line: int


class MappedUse(NamedTuple):
    """A class or table that is found by its name as text, once its module is loaded."""

    module: Module
    name: str
    line: int
    importer: Module | None = None
    """Who imports that module by its name; without one it is loaded with all others."""


class TablesUse(NamedTuple):
    """All tables that hang on a base class, a database or a `MetaData` are asked for."""

    owner: Value
    line: int


class CallUse(NamedTuple):
    """A call of functions of ours, or the application of a decorator."""

    callee: Values
    arguments: tuple[Values, ...]
    """Of the positional parameters, in order."""
    keywords: tuple[tuple[str, Values], ...]
    is_open: bool
    """Whether `*` or `**` may give further arguments."""
    is_computed: bool
    """Whether a class may stand for a subclass, as `type(self)` does."""
    line: int


class InstanceCallUse(NamedTuple):
    """A call of values: `__call__` of those that are instances."""

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
    """Dotted names of external objects that it mentions."""
    strings: frozenset[str]
    """Identifiers among its string literals: candidates for computed attribute names."""
    words: frozenset[str]
    """Words of its string literals, where its module runs text as code."""
    flags: frozenset[str]
    """Special names that it reads: `__name__`, `__file__`, `globals`, …"""
    attributes: frozenset[str]
    """Words behind a dot in its string literals: what generated code may ask for."""
    fields: frozenset[str] = frozenset()
    """What the fields of its string literals ask for, where these are format texts."""


NO_USES = Uses((), frozenset(), frozenset(), frozenset(), frozenset(), frozenset())
