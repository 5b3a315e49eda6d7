"""Whether a method changes its receiver."""

from __future__ import annotations

from ...analysis.scopes.definitions import ClassInfo
from ...analysis.values.abstract_values import (
    ClassValue,
    ExternalInstance,
    Instance,
    Values,
    ordered,
)
from ...syntax.builtin_models import MUTATORS, READERS
from .mutation_queries import MutationQueries

_UNCHANGING = (
    "builtins.", "re.", "datetime.", "decimal.Decimal", "fractions.", "pathlib.Pure", "uuid.",
    "ipaddress.", "struct.Struct", "zoneinfo.", "operator.", "types.MappingProxyType",
)  # fmt: skip
"""Prefixes of classes with immutable instances. Mutating methods of builtins are known by name."""


def changes_receiver(changes: MutationQueries, receiver: Values, attr: str) -> bool:
    """Whether calling the method on any of the values may change the value."""
    if attr in MUTATORS:
        return True
    if receiver is None:
        return attr not in READERS and not changes.is_lenient
    for value in receiver:
        match value:
            case Instance():
                if _method_changes(changes, value, attr):
                    return True
            case ExternalInstance(name=name):
                if not (name.startswith(_UNCHANGING) or attr in READERS):
                    return not changes.is_lenient
            case ClassValue():
                if attr not in READERS and _method_changes(changes, value, attr):
                    return True
            case _:
                continue
    return False


def mutates_receiver(changes: MutationQueries, receiver: Values, attr: str) -> bool:
    """Whether a repository class defines the method, and the method changes its receiver."""
    return any(
        changes.inference.find_member(value.cls, attr) is not None
        and _method_changes(changes, value, attr)
        for value in ordered(receiver)
        if isinstance(value, (Instance, ClassValue))
    )


def _method_changes(changes: MutationQueries, receiver: Instance | ClassValue, attr: str) -> bool:
    """Whether the method changes its first parameter, if that is the receiver."""
    found = changes.inference.find_member(receiver.cls, attr)
    if found is None:
        return attr not in READERS and not _is_of_unchanging(changes, receiver.cls)
    owner, units = found
    is_class = isinstance(receiver, ClassValue)
    for unit in units:
        kinds = {getattr(d, "id", "") for n in unit.nodes for d in getattr(n, "decorator_list", ())}
        is_passed = "classmethod" in kinds if is_class else "staticmethod" not in kinds
        if is_passed and any(
            summary.changes_at(0, args) for args, summary in changes.of_methods(owner, (unit,))
        ):
            return True
    return False


def _is_of_unchanging(changes: MutationQueries, cls: ClassInfo) -> bool:
    """Whether all external bases of the class have immutable instances."""
    bases = tuple(changes.inference.foreign_bases(cls))
    return bool(bases) and all(base.startswith(_UNCHANGING) for base in bases)
