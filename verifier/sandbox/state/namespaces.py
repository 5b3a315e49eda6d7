"""Cached contents of namespaces, valid while the same objects are under the same names.

A script has hundreds of names, and inspecting each takes longer than most calls. Most are bound to
immutable values such as functions and texts. For these it is enough that nothing was rebound, which
is seen at once.
"""

from __future__ import annotations
import __future__

import builtins
import enum
import re
import types
import typing

from .. import raw
from ..encoders.classes import KnownClasses
from ..encoders.contents import Contents
from ..encoders.kinds.encode_builtins import LEAVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from ..encoders.object_graph import ObjectGraph
    from ..raw import Class, Raw

    Fixed: TypeAlias = tuple[Raw, "str | None"]

__builtins__ = dict(vars(builtins))


def _aliases() -> Iterator[Class]:
    """Yield the classes of annotations such as `Union[int, str]`."""
    for annotation in (typing.List[int], typing.Union[int, str], typing.Literal[1]):  # noqa: UP006, UP007
        yield type(annotation)
    yield type(typing.Callable[[int], str])
    if hasattr(types, "UnionType"):  # new in 3.10
        yield types.UnionType


_ATOMIC = frozenset(
    id(cls)
    for cls in (
        types.FunctionType,
        types.BuiltinFunctionType,
        types.ModuleType,
        property,
        staticmethod,
        classmethod,
        types.MemberDescriptorType,
        types.GetSetDescriptorType,
        types.WrapperDescriptorType,
        types.MethodDescriptorType,
        types.ClassMethodDescriptorType,
        type(__future__.annotations),
        types.GenericAlias,
        typing.TypeVar,
        *_aliases(),
    )
)
"""Types whose values are unchanged as long as they are the same object."""


_MACHINERY = frozenset({
    ("rich.console", "Console"), ("pydantic.type_adapter", "TypeAdapter"),
    ("django.db.models.options", "Options"),
})  # fmt: skip
"""Classes of objects that keep the last output, or lazily computed values."""


def _is_machinery(cls: Class) -> bool:
    """Whether it is no state of the script: a module imported meanwhile, or output machinery."""
    return cls is types.ModuleType or raw.class_names(cls) in _MACHINERY


def fixed_entry(value: Raw) -> Fixed | None:
    """Return the entry of a value that cannot change in place; `None` for any other.

    Its text is `None` if identity is enough.
    """
    cls = raw.class_of(value)
    if id(cls) in _ATOMIC or raw.derives(cls, type):
        return value, None
    if cls is re.Pattern:
        return value, f"{value.flags} {value.pattern!r}"
    write = LEAVES.get(id(cls))
    return None if write is None else (value, write(value))


def belongs_to_script(name: Raw) -> bool:
    """Whether a name belongs to the script and not to some machinery."""
    return (
        type(name) is str
        and not (name.startswith("__") and name.endswith("__"))
        and name not in ("_effects", "_abc_impl")
    )


class NamespaceSnapshot(Contents):
    """The contents of a namespace when it was recorded.

    `fixed` are the entries of values that cannot change in place, `open` labels and values of the
    rest, in order; a script's class among them stands for its own namespace. `machinery` are labels
    of what is no state of the script, such as a module that a call imports.
    """

    __slots__ = ("fixed", "machinery", "open")

    def __init__(self, namespace: Mapping[Raw, Raw]) -> None:
        super().__init__(namespace)
        self.fixed: dict[str, Fixed] = {}
        self.open: list[tuple[str, Raw]] = []
        self.machinery: set[str] = set()

    def named(self) -> Iterator[tuple[str, Raw]]:
        """Yield the script's names with their values."""
        return ((name, value) for name, value in self.pairs() if belongs_to_script(name))


class Known:
    """The known state of the namespaces of a script's modules and classes."""

    def __init__(self) -> None:
        self.classes = KnownClasses()
        """Knowledge about the classes of instances."""
        self.graph: ObjectGraph | None = None
        """The object graph below the names at the last look."""
        self.standing: Raw = None
        """The contents of all names at that time, to detect quickly that nothing changed."""
        self._own: set[str] = set()
        self._snapshots: dict[str, tuple[Raw, NamespaceSnapshot]] = {}

    def belong_to(self, own: set[str]) -> None:
        """Forget everything if the script's modules have changed."""
        if own != self._own:
            self._own = own
            self._snapshots.clear()

    def of_module(self, label: str, namespace: dict[str, Raw]) -> NamespaceSnapshot:
        """Return the contents of a module's namespace."""
        known = self._snapshots.get(label)
        if known is not None and known[0] is namespace and known[1].is_in(namespace):
            return known[1]
        snapshot = NamespaceSnapshot(namespace)
        for name, value in snapshot.named():
            inner = f"{label}.{name}"
            if _is_machinery(raw.class_of(value)):
                snapshot.machinery.add(inner)
                continue
            _note(snapshot, inner, value)
            if raw.derives(raw.class_of(value), type) and raw.class_names(value)[0] in self._own:
                snapshot.open.append((inner, value))
        self._snapshots[label] = namespace, snapshot
        return snapshot

    def of_class(self, label: str, cls: Class) -> NamespaceSnapshot:
        """Return the contents of a script's class, without nested classes."""
        namespace = raw.class_dict(cls)
        known = self._snapshots.get(label)
        if known is not None and known[0] is cls and known[1].is_in(namespace):
            return known[1]
        snapshot = NamespaceSnapshot(namespace)
        is_enum = raw.derives(cls, enum.Enum)
        for name, value in snapshot.named():
            if is_enum and name.startswith("_") and name.endswith("_"):
                continue  # the enum's own tables, to which flags add when first combined
            kind = raw.class_of(value)
            if not raw.derives(kind, type) and not self._is_mechanism(kind):
                _note(snapshot, f"{label}.{name}", value)
        self._snapshots[label] = cls, snapshot
        return snapshot

    def _is_mechanism(self, cls: Class) -> bool:
        """Whether it is part of a class's mechanism: library descriptors that cache look-ups."""
        is_own = raw.class_names(cls)[0] in self._own
        return _is_machinery(cls) or (
            not is_own
            and any(
                raw.class_attribute(each, "__get__") is not raw.MISSING for each in raw.mro(cls)
            )
        )


def _note(snapshot: NamespaceSnapshot, label: str, value: Raw) -> None:
    fixed = fixed_entry(value)
    if fixed is None:
        snapshot.open.append((label, value))
    else:
        snapshot.fixed[label] = fixed
