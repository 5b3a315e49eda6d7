"""What a generated repository is made of: modules that grow while ingredients write into them.

`Module` is the one mutable thing of the generator. It knows every name that it binds, so that an
ingredient can never break another one by accident; clashes *between* modules are wanted, and come
from the small pools of names in `site.py`.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from string import Template
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Use:
    """An expression for the body of the target, and the lines that must run before it."""

    expression: str
    before: tuple[str, ...] = ()

    def then(self, template: str, **uses: Use) -> Use:
        """A use of `template`, in which `$it` stands for this expression and `$name` for others."""
        expressions = {name: use.expression for name, use in uses.items()}
        expression = fill(template, it=self.expression, **expressions)
        before = (line for use in (self, *uses.values()) for line in use.before)
        return Use(expression, tuple(before))


@dataclass(slots=True)
class Module:
    """One file of Python that is being written."""

    path: str
    """File below the import root, with forward slashes."""
    future: bool = False
    """Whether it has `from __future__ import annotations`."""
    docstring: str = ""
    stars: list[str] = field(default_factory=list[str])
    """Star imports; they stand first, so that nothing of the module is overwritten."""
    imports: list[str] = field(default_factory=list[str])
    body: list[str] = field(default_factory=list[str])
    tail: list[str] = field(default_factory=list[str])
    """Lines that must come last: imports of a package's own members."""
    exports: list[str] | None = None
    """Names of `__all__`, if the module has one."""
    bound: dict[str, bool] = field(default_factory=dict[str, bool])
    """Name to whether it means the same thing in every module (a package, the standard library)."""
    star_users: list[Module] = field(default_factory=list["Module"])

    @property
    def is_package(self) -> bool:
        """Whether this is the `__init__.py` of a package."""
        return self.path.endswith("__init__.py")

    @property
    def parts(self) -> tuple[str, ...]:
        """The dotted name in parts."""
        parts = tuple(self.path.removesuffix(".py").split("/"))
        return parts[:-1] if self.is_package else parts

    @property
    def dotted(self) -> str:
        """The full name under which the module is imported."""
        return ".".join(self.parts)

    @property
    def package(self) -> tuple[str, ...]:
        """The package that relative imports start from."""
        return self.parts if self.is_package else self.parts[:-1]

    def taken(self, name: str) -> bool:
        """Whether binding `name` here would disturb this module or one that star-imports it."""
        return name in self.bound or any(user.taken(name) for user in self.star_users)

    def bind(self, name: str, *, shared: bool = False) -> None:
        """Note that `name` is bound here, and through star imports elsewhere."""
        if name not in self.bound:
            self.bound[name] = shared
            for user in self.star_users:
                user.bind(name, shared=shared)

    def clashes(self, other: Module) -> bool:
        """Whether a star import of `other` would overwrite a name that means something else."""
        return any(
            name in self.bound and not (shared and self.bound[name])
            for name, shared in other.bound.items()
        )

    def text(self) -> str:
        """The source as it goes to disk."""
        future = ["from __future__ import annotations"] if self.future else []
        heading = [f'"""{self.docstring}"""'] if self.docstring else []
        exports = [] if self.exports is None else [f"__all__ = {self.exports!r}"]
        imports = [*future, *self.stars, *self.imports]
        top = "\n".join([*heading, *imports, *exports])
        return "\n\n\n".join(part for part in (top, *self.body, *self.tail) if part) + "\n"


@dataclass(frozen=True, slots=True)
class Package:
    """A whole generated repository with its target and the calls to compare."""

    files: tuple[tuple[str, bytes], ...]
    """Path inside the repository and content, in the order in which they are written."""
    root: str
    """Folder that is the import root, inside the repository; empty for the repository itself."""
    target_path: str
    """The target's file, inside the repository."""
    target_module: str
    """Full name of the target's module."""
    qualname: str
    call: str
    """Expression that calls the target; `T` is its top-level name, `args` the list of arguments."""
    arguments: tuple[str, ...]
    """One literal list of arguments for each call, in order."""
    unrelated: tuple[str, bytes]
    """A file that changes nothing when it is added."""
    ingredients: tuple[str, ...] = ()

    @property
    def top_name(self) -> str:
        """The module-level name that a slice of the target binds."""
        return self.qualname.split(".")[0]

    def __repr__(self) -> str:
        """The whole repository as text, for the report of a failing example."""
        shown = [f"\n===== {p}\n{c.decode('utf-8', 'backslashreplace')}" for p, c in self.files]
        target = f"{self.target_path}::{self.qualname}"
        head = f"{target}  {self.call}  {self.arguments}  {self.ingredients}"
        return f"Package({head}{''.join(shown)}\n=====)"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:
        """How a failing example is printed."""
        printer.text(repr(self))


class Printer(Protocol):
    """The part of a pretty printer that is used."""

    def text(self, obj: str) -> None:
        """Print `obj`."""


def fill(template: str, **names: str) -> str:
    """`template` dedented, with `$name` replaced."""
    return Template(textwrap.dedent(template).strip("\n")).substitute(names)
