"""Kept statements in which a path can begin, or that mention a name which holds a path.

Most statements of a closure do neither, so they are filtered by text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ...analysis.scopes.definitions import ClassInfo, module_class
from ...closure.kept_definitions import KeptModule
from ...closure.worklist import Closure
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.memo import memo

BEGINNINGS = re.compile(
    r"__file__|resources|pkgutil|PackageLoader|getfile|getsourcefile|getabsfile"
)
"""Text that occurs wherever a path begins, except in names that hold a path."""

_WORD = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[\w.-]+")
"""A string literal, or a word that may be a file name."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptStatement:
    """A kept statement, or a kept member of a class."""

    module: Module
    unit: Unit
    cls: ClassInfo | None = None
    member: Unit | None = None
    """The member; `None` stands for the class header."""

    @property
    def text(self) -> str:
        """The statement's lines."""
        place = self.member or self.unit
        return "".join(self.module.source.lines[place.first - 1 : place.last])


def words_in_kept_statements(closure: Closure, words: AbstractSet[str]) -> set[str]:
    """Return the subset of the words that occur in kept statements."""
    found: set[str] = set()
    for name in sorted(closure.modules):
        kept = closure.modules[name]
        here = (words & _words(kept.module)) - found
        for part in kept_statements(kept) if here else ():
            found.update(here & set(_WORD.findall(part.text)))
    return found


@memo
def _words(module: Module) -> frozenset[str]:
    return frozenset(_WORD.findall(module.source.text))


def kept_statements(kept: KeptModule) -> Iterator[KeptStatement]:
    """Yield the kept statements of a module; classes are split into members."""
    for unit in kept.module.units:
        if unit.index not in kept.units:
            continue
        if unit.index in kept.members and isinstance(unit.node, ast.ClassDef):
            cls = module_class(kept.module, unit, unit.node)
            yield KeptStatement(kept.module, unit, cls)
            for member in cls.members:
                if member.index in kept.members[unit.index]:
                    yield KeptStatement(kept.module, unit, cls, member)
        else:
            yield KeptStatement(kept.module, unit)


def mentions(text: str, names: AbstractSet[str]) -> bool:
    """Whether one of the names occurs in a text."""
    return any(name in text for name in names)


@memo
def may_begin(module: Module) -> bool:
    """Whether a path can begin anywhere in a module."""
    return BEGINNINGS.search(module.source.text) is not None


@memo
def _known_beginnings(_module: Module) -> dict[tuple[int, int], bool]:
    return {}


def beginnings(module: Module, parts: Sequence[KeptStatement]) -> list[KeptStatement]:
    """Return the parts of a module in which a path can begin."""
    table = _known_beginnings(module)
    found: list[KeptStatement] = []
    for part in parts:
        key = (part.unit.index, part.member.index if part.member else -1)
        if key not in table:
            table[key] = BEGINNINGS.search(part.text) is not None
        if table[key]:
            found.append(part)
    return found
