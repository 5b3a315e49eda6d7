"""Whether a method changes the object that it is called on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .definitions import ClassInfo
from .known import MUTATORS, READERS
from .values import ClassValue, ExternalInstance, Instance, Values, ordered

if TYPE_CHECKING:
    from .changes import Changes


_UNCHANGING = (
    "builtins.", "re.", "datetime.", "decimal.Decimal", "fractions.", "pathlib.Pure", "uuid.",
    "ipaddress.", "struct.Struct", "zoneinfo.", "operator.", "types.MappingProxyType",
)  # fmt: skip
"""How the names of classes begin whose objects no method changes; those of builtins that do are
known by their names."""


def changes_receiver(changes: Changes, receiver: Values, attr: str) -> bool:
    """Whether calling the method of any of the values may change the value."""
    if attr in MUTATORS:
        return True
    if receiver is None:
        return attr not in READERS and not changes.is_lenient
    for value in receiver:
        match value:
            case Instance(cls=cls):
                if _method_changes_self(changes, cls, attr):
                    return True
            case ExternalInstance(name=name):
                if not (name.startswith(_UNCHANGING) or attr in READERS):
                    return not changes.is_lenient
            case ClassValue(cls=cls):
                if attr not in READERS and _method_changes_self(changes, cls, attr):
                    return True
            case _:
                continue
    return False


def changes_ours(changes: Changes, receiver: Values, attr: str) -> bool:
    """Whether a class of ours has such a method, and it changes its instance."""
    classes = [v.cls for v in ordered(receiver) if isinstance(v, (Instance, ClassValue))]
    return any(
        changes.inference.find_member(cls, attr) is not None
        and _method_changes_self(changes, cls, attr)
        for cls in classes
    )


def _method_changes_self(changes: Changes, cls: ClassInfo, attr: str) -> bool:
    found = changes.inference.find_member(cls, attr)
    if found is None:
        return attr not in READERS
    owner, units = found
    return any(summary.changes_at(0, args) for args, summary in changes.of_methods(owner, units))
