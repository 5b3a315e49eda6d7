"""Members of standard-library classes that repository classes inherit and calls may run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...external.standard_code import standard_class
from ...scopes.definitions import ClassInfo
from ...values.abstract_values import ClassValue, External, Instance, Values, ordered
from ..use_walk import Walk

_PLAIN = ("abc", "builtins", "collections", "contextlib", "enum", "typing")
"""Modules whose classes' methods tell by their names what they call."""


def inherited_callees(walk: Walk, values: Values, func: ast.expr) -> Iterator[str]:
    """Yield names of what runs: `unittest.TestCase().assertEqual` for `self.assertEqual(…)`."""
    for value in values or ():
        match value:
            case ClassValue(cls=cls) if not _has_own(walk, cls, "__init__", "__new__"):
                yield from _standard_bases(walk, cls, "__init__")
            case External(name=name) if name.endswith(".__init__"):
                base = name.removesuffix(".__init__")
                if _is_asking(base, "__init__"):
                    yield base  # `super().__init__(…)`
            case _:
                continue
    if values is None and isinstance(func, ast.Attribute):
        for value in ordered(walk.values(func.value)):
            if isinstance(value, (ClassValue, Instance)):
                for base in _standard_bases(walk, value.cls, func.attr):
                    yield f"{base}().{func.attr}"


def _has_own(walk: Walk, cls: ClassInfo, *names: str) -> bool:
    return any(walk.inference.find_member(cls, name) for name in names)


def _standard_bases(walk: Walk, cls: ClassInfo, member: str) -> Iterator[str]:
    for base in walk.inference.external_bases(cls):
        if _is_asking(base, member):
            yield base


def _is_asking(base: str, member: str) -> bool:
    module, _, name = base.rpartition(".")
    if module.partition(".")[0] in _PLAIN:
        return False
    found = standard_class(module, name)
    return found is not None and hasattr(found, member)
