"""What a closure keeps: modules with their statements, external names, and the reason for each."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..analysis.scopes.definitions import ClassInfo
from ..repo.repository import Module
from ..repo.units import Unit


class Reason(NamedTuple):
    """Why a definition is kept: what mentions it, and where."""

    text: str
    by: str
    """Label of the definition that mentions it."""
    path: str
    line: int


@dataclass(eq=False)
class KeptModule:
    """The kept part of one module; the closure fills it, and later passes only read it."""

    module: Module
    units: dict[int, Reason] = field(default_factory=dict[int, Reason])
    """Index of each kept top-level unit → reason."""
    aliases: dict[int, dict[str, None]] = field(default_factory=dict[int, dict[str, None]])
    """Kept names of an import unit; a unit that is missing here keeps all of its names."""
    stars: dict[int, dict[str, None]] = field(default_factory=dict[int, dict[str, None]])
    """Names to which a star import of a local module is narrowed."""
    members: dict[int, dict[int, Reason]] = field(default_factory=dict[int, dict[int, Reason]])
    """Kept members of the class that a unit defines."""
    must_load: bool = False
    """Whether it is imported for more than its names (`import pkg.mod`, or a side effect)."""
    whole_imports: dict[int, None] = field(default_factory=dict[int, None])
    """Imports that stay as they are: those of entirely kept modules, and star imports of a name
    that the module may lack after it has run.
    """

    @cached_property
    def fingerprint(self) -> Hashable:
        """Return a key for what is kept, without the reasons, of a complete closure."""
        tables = (self.aliases, self.stars, self.members)
        return (
            frozenset(self.units),
            frozenset(self.whole_imports),
            tuple(frozenset((at, frozenset(names)) for at, names in t.items()) for t in tables),
            self.must_load,
        )


@dataclass(frozen=True, slots=True)
class ExternalImport:
    """A name imported from another distribution."""

    module: str
    name: str | None
    path: str
    line: int


def unit_label(module: Module, unit: Unit) -> str:
    """Return the label of a top-level unit in reasons."""
    return f"{module.path}::{unit.binds[0] if unit.binds else f'<line {unit.first}>'}"


def class_label(cls: ClassInfo) -> str:
    """Return the label of a class in reasons."""
    return f"{cls.module.path}::{cls.qualname}"


def member_label(cls: ClassInfo, member: Unit) -> str:
    """Return the label of a class member in reasons."""
    name = member.binds[0] if member.binds else f"<line {member.first}>"
    return f"{cls.module.path}::{cls.qualname}.{name}"
