"""Read types, states and names of objects without running their code.

A hostile class can answer attribute access, `isinstance`, `==` and dictionary look-ups. Everything
is read through the descriptors of `type` and `object`, and names are found by walking dictionaries,
never by hashing.
"""

from __future__ import annotations

import builtins
import sys
from functools import cached_property
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    Raw: TypeAlias = Any  # a value of the script, possibly hostile
    Class: TypeAlias = Any  # a class of the script

__builtins__ = dict(vars(builtins))  # a private copy, out of reach of the script's patches

MISSING: Raw = object()

class_of: Callable[[Raw], Class] = type
dict_items: Callable[[Raw], Iterable[tuple[Raw, Raw]]] = vars(dict)["items"]

_HEAP_TYPE = 1 << 9
_POINTER = 8

_OFFSETS = ("__vectorcalloffset__", "__dictoffset__", "__weaklistoffset__")
"""Members of C types with offsets into memory."""

_mro = type.__dict__["__mro__"].__get__
_base = type.__dict__["__base__"].__get__
class_dict = type.__dict__["__dict__"].__get__
qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_flags = type.__dict__["__flags__"].__get__
_basic_size = type.__dict__["__basicsize__"].__get__
_item_size = type.__dict__["__itemsize__"].__get__
_module_dict: Callable[[Raw], dict[str, Raw]] = vars(ModuleType)["__dict__"].__get__
_modules = sys.modules


def is_python_class(cls: Class) -> bool:
    """Whether the class was created at run time, for example by `class`."""
    return bool(_flags(cls) & _HEAP_TYPE)


def mro(cls: Class) -> tuple[Class, ...]:
    """Return the classes in which its instances' attributes are looked up, metaclass or not."""
    return _mro(cls)


def derives(cls: Class, base: Class) -> bool:
    """Whether `base` is among the ancestors of `cls`, by identity."""
    for ancestor in _mro(cls):  # noqa: SIM110 - asked of every value, and generators are slow
        if ancestor is base:
            return True
    return False


def class_items(cls: Class) -> list[tuple[str, Raw]]:
    """Return the class's own attributes as pairs of name and raw attribute; text names only."""
    return [(name, item) for name, item in class_dict(cls).items() if type(name) is str]


def class_attribute(cls: Class, name: str) -> Raw:
    """Return the class's own raw attribute, or `MISSING`."""
    if _settled is not None:
        return _texts_of(cls, _settled).get(name, MISSING)
    namespace = class_dict(cls)
    if set(map(class_of, namespace)) == _TEXTS:
        return namespace.get(name, MISSING)
    for key, item in class_items(cls):
        if key == name:
            return item
    return MISSING


def dict_item(mapping: Raw, name: str) -> Raw:
    """Return the item under a text key, without hashing or comparing other kinds of keys."""
    if _settled is not None:
        return _texts_of(mapping, _settled).get(name, MISSING)
    if _has_only_texts(mapping):
        return mapping.get(name, MISSING)
    for key, item in dict_items(mapping):
        if type(key) is str and key == name:
            return item
    return MISSING


_settled: dict[int, tuple[Raw, Mapping[str, Raw]]] | None = None
"""Contents of dictionaries and classes looked up while nothing changes them."""
_settled_layouts: dict[int, tuple[Class, _OwnLayout]] = {}
"""Cache of the state that classes add to their instances, valid while unchanged."""


class LookupCache:
    """A period in which only the observer's own code runs, so that look-ups are cached."""

    def __enter__(self) -> None:
        global _settled  # noqa: PLW0603 - whoever looks up a name need not know of it
        _settled = {}
        _settled_layouts.clear()

    def __exit__(self, *_: object) -> None:
        global _settled  # noqa: PLW0603
        _settled = None
        _settled_layouts.clear()


def _texts_of(holder: Raw, settled: dict[int, tuple[Raw, Mapping[str, Raw]]]) -> Mapping[str, Raw]:
    """Return the items of a dictionary or class under text keys."""
    found = settled.get(id(holder))
    if found is None:
        is_class = derives(class_of(holder), type)
        namespace = class_dict(holder) if is_class else holder
        if not (
            set(map(class_of, namespace)) == _TEXTS if is_class else _has_only_texts(namespace)
        ):
            items = class_items(holder) if is_class else dict_items(namespace)
            namespace = {key: item for key, item in items if type(key) is str}
        found = settled[id(holder)] = holder, namespace
    return found[1]


_TEXTS = {str}


def _has_only_texts(mapping: Raw) -> bool:
    """Whether a plain dictionary has only text keys, so that a look-up runs only Python's own code.

    It is called for all modules and long namespaces in each case; copying these costs more.
    """
    return class_of(mapping) is dict and set(map(class_of, mapping)) == _TEXTS


def module_dict(name: str) -> dict[str, Raw] | None:
    """Return the namespace of a loaded module, or `None`; nothing is imported."""
    module = dict_item(_modules, name)
    if module is MISSING or not derives(class_of(module), ModuleType):
        return None
    return _module_dict(module)


def exact_text(value: Raw) -> str | None:
    """Return the exact text of a text or an instance of a subclass; else `None`."""
    if type(value) is str:
        return value
    return str.__str__(value) if derives(class_of(value), str) else None


def class_names(cls: Class) -> tuple[str, str]:
    """Return module and qualified name as the class states them; `?` if they are no text."""
    module = class_attribute(cls, "__module__") if is_python_class(cls) else _module(cls)
    return exact_text(module) or "?", exact_text(qualname(cls)) or "?"


def leads_to(module: str, name: str, wanted: Raw) -> bool:
    """Whether that name of that loaded module is bound to this very object."""
    namespace = module_dict(module)
    if namespace is None:
        return False
    found: Raw = MISSING
    for position, part in enumerate(name.split(".")):
        if position == 0:
            found = dict_item(namespace, part)
        elif derives(class_of(found), type):
            found = class_attribute(found, part)
        else:
            return False
        if found is MISSING:
            return False
    if class_of(found) is staticmethod or class_of(found) is classmethod:
        found = found.__func__
    return found is wanted


class _OwnLayout:
    """The state that one class adds to its instances."""

    __slots__ = ("cached", "hides", "is_slot", "members", "namespace")

    def __init__(self, owner: Class) -> None:
        self.namespace: Callable[[Raw], Raw] | None = None
        self.is_slot = False
        """Whether the class itself, like C types, locates its instances' namespace."""
        self.members: list[tuple[str, Callable[[Raw], Raw]]] = []
        self.cached: list[str] = []
        bound = 0
        kinds = map(id, map(class_of, class_dict(owner).values()))
        for name, item in () if _STATE_KINDS.isdisjoint(kinds) else class_items(owner):
            kind = class_of(item)
            if kind is MemberDescriptorType and item.__objclass__ is owner:
                bound += _POINTER
                if name == "__dict__":
                    self.namespace, self.is_slot = item.__get__, True
                elif name not in _OFFSETS:
                    self.members.append((name, item.__get__))
            elif kind is GetSetDescriptorType and item.__objclass__ is owner:
                if name == "__dict__":
                    self.namespace = item.__get__
                    bound += _POINTER
                elif name == "__weakref__":
                    bound += _POINTER
            elif kind is cached_property:
                self.cached.append(name)
        base = _base(owner)
        # more bytes than its descriptors account for: only its own code can read that state
        self.hides = base is not None and (
            _basic_size(owner) - _basic_size(base) > bound or _item_size(owner) > _item_size(base)
        )


_STATE_KINDS = frozenset(map(id, (MemberDescriptorType, GetSetDescriptorType, cached_property)))
"""Types of class attributes that describe state, by address."""
_fixed_layouts: dict[int, _OwnLayout] = {}
"""Layouts of static C classes, which never change or disappear."""


def _own_layout(owner: Class) -> _OwnLayout:
    if is_python_class(owner):
        if _settled is None:
            return _OwnLayout(owner)
        if id(owner) not in _settled_layouts:
            _settled_layouts[id(owner)] = owner, _OwnLayout(owner)
        return _settled_layouts[id(owner)][1]
    found = _fixed_layouts.get(id(owner))
    if found is None:
        found = _fixed_layouts[id(owner)] = _OwnLayout(owner)
    return found


class Layout:
    """The state layout of one class's instances."""

    __slots__ = ("cached", "cls", "hiding", "members", "namespace")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.namespace: Callable[[Raw], Raw] | None = None
        self.members: list[tuple[str, Callable[[Raw], Raw]]] = []
        self.cached: list[str] = []
        self.hiding: list[Class] = []
        for owner in _mro(cls):
            own = _own_layout(owner)
            if own.namespace is not None and (own.is_slot or self.namespace is None):
                self.namespace = own.namespace
            self.members += own.members
            self.cached += own.cached
            if own.hides:
                self.hiding.append(owner)

    def hides(self, read: Class | None) -> bool:
        """Whether some class has unreadable state; `read` is a class whose state is readable."""
        known = () if read is None else _mro(read)
        return not all(any(owner is one for one in known) for owner in self.hiding)

    def state(self, value: Raw) -> list[tuple[str, Raw]]:
        """Return sorted pairs of name and value: slots, then the instance's dictionary."""
        found: list[tuple[str, Raw]] = []
        for name, get in self.members:
            try:
                found.append((name, get(value)))
            except AttributeError:
                continue
        found.extend(self.namespace_items(value))
        found.sort(key=_first)
        return found

    def namespace_items(self, value: Raw) -> list[tuple[str, Raw]]:
        """Return the instance's dictionary under text names, without caches."""
        if self.namespace is None:
            return []
        items = dict_items(self.namespace(value))
        named = [(exact_text(key), item) for key, item in items]
        return [(name, item) for name, item in named if name and name not in self.cached]


def _first(pair: Raw) -> str:
    return pair[0]
