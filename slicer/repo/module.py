"""A file of the repository as the module that an import loads."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from ..syntax.nodes import walk
from .source import Source
from .units import Unit, split_units


@dataclass(frozen=True, eq=False)
class Module:
    """A file of the repository under the name by which it is imported."""

    name: str
    """Its `__name__`, as `pkg.sub.mod`."""
    source: Source
    is_package: bool
    """Whether it is an `__init__.py`."""

    @property
    def path(self) -> str:
        """The path inside the repository."""
        return self.source.path

    @property
    def package(self) -> str:
        """The `__package__` against which relative imports are resolved."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Top-level statements, in order."""
        return split_units(self.source.tree.body, self.source)

    @cached_property
    def bindings(self) -> dict[str, tuple[Unit, ...]]:
        """Name → the units that bind it when the module runs, in order.

        Names bound only for type checkers come last, and only if nothing else binds them.
        """
        found: dict[str, list[Unit]] = {}
        typing_only: dict[str, list[Unit]] = {}
        for unit in self.units:
            if unit.kind != "main":
                table = typing_only if unit.kind == "typing" else found
                for name in unit.binds:
                    table.setdefault(name, []).append(unit)
        return {name: tuple(units) for name, units in {**typing_only, **found}.items()}

    @cached_property
    def stars(self) -> tuple[tuple[Unit, ast.ImportFrom], ...]:
        """Star imports at the top level, in order."""
        if "*" not in self.source.text:
            return ()
        return tuple(
            (unit, node)
            for unit in self.units
            if unit.kind not in ("function", "class", "main")
            for top in unit.nodes
            for node in walk(top)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        )

    def text_of(self, unit: Unit) -> str:
        """Return the lines of a statement."""
        return "".join(self.source.lines[unit.first - 1 : unit.last])

    def resolve_relative(self, level: int, module: str | None) -> str | None:
        """Return the absolute name for `from ..module import`; `None` above the top package."""
        if level == 0:
            return module
        parts = self.package.split(".") if self.package else []
        if level - 1 > len(parts) or not parts:
            return None
        base = parts[: len(parts) - (level - 1)]
        return ".".join([*base, *([module] if module else [])]) or None

    @cached_property
    def root(self) -> str | None:
        """The import root of the module's own name; `None` if path and name do not match."""
        parts = self.name.split(".")
        path = self.path.removesuffix(".py").removesuffix("/__init__").split("/")
        if path[-len(parts) :] != parts:
            return None
        return "/".join(path[: -len(parts)])


@dataclass(frozen=True, slots=True)
class Namespace:
    """A folder without `__init__.py` that is imported as a package."""

    name: str
    path: str
