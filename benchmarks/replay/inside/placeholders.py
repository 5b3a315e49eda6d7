"""Placeholders for what arguments merely refer to, or have inside, and a slice does not hold.

A placeholder is equal only to itself, hashable and callable as the original is; isinstance tests
may ask about it and with it. Any other use stops the call, and says which name it was.
"""

from __future__ import annotations

import abc
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .nodes import touch

SPECIAL = (
    *("__call__", "__iter__", "__next__", "__len__", "__contains__", "__getitem__", "__setitem__"),
    *("__delitem__", "__reversed__", "__bool__", "__eq__", "__ne__", "__lt__", "__gt__", "__le__"),
    *("__ge__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__await__", "__aiter__"),
    *("__anext__", "__add__", "__radd__", "__sub__", "__mul__", "__mod__", "__truediv__"),
    *("__or__", "__ror__", "__and__", "__xor__", "__neg__", "__invert__", "__int__", "__float__"),
    *("__index__", "__bytes__", "__fspath__", "__matmul__", "__floordiv__", "__pow__"),
)
"""Special methods that a placeholder has if the type of the original has them."""

_HASH = "__hash__"
_ASKED_NOWHERE_ELSE = frozenset(
    {*SPECIAL, _HASH, "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__repr__"}
    | {"__str__", "__format__", "__dir__", "__init__", "__new__", "__module__", "__doc__"}
    | {"__dict__", "__weakref__", "__slots__", "__annotations__", "__qualname__", "__match_args__"}
    | {"__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__", "__getstate__", "__setstate__"}
    | {
        "__orig_bases__",
        "__parameters__",
        "__class_getitem__",
        "__init_subclass__",
        "__post_init__",
    }
    | {"__dataclass_fields__", "__dataclass_params__", "__abstractmethods__", "__subclasshook__"}
    | {"__getnewargs__", "__getnewargs_ex__", "__firstlineno__", "__static_attributes__"}
)
"""Members of a class that a placeholder of an instance has as well, or sees somebody ask for."""
_NAMES = ("__name__", "__qualname__", "__module__")
_PATHS = {value: name for name, value in vars(types).items() if isinstance(value, type)}


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of an object without holding it; read in a process that has the original."""

    classes: tuple[tuple[str, str], ...] | None
    """Its type and the bases of that, as module and qualified name; `None` if it hides them."""
    special: tuple[str, ...]
    """Which special methods it has."""
    names: dict[str, str]
    """Of a function or class: what it is called."""
    atomic: bool
    """Whether a copy of it is itself, as of functions and classes."""
    is_class: bool = False
    decides: bool = False
    """Whether a class has a say of its own in isinstance tests."""


def describe(value: object) -> Description:
    """Describe an object that a name of the package means, without running code of its class."""
    kind = type(value)
    is_class = issubclass(kind, type)
    function = kind in (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
    special = [name for name in SPECIAL if _defines(kind, name)]
    if is_class:
        special += ["__mro_entries__"]
        special += ["__getitem__"] * hasattr(value, "__class_getitem__")
    if is_class or function:
        special = [name for name in special if name not in ("__eq__", "__ne__")]
    hides = any("__class__" in vars(base) for base in kind.__mro__ if base is not object)
    return Description(
        classes=None
        if hides
        else tuple(_path(base) for base in kind.__mro__ if base is not object),
        special=tuple(dict.fromkeys(special)),
        names=_names(value) if is_class or kind is types.FunctionType else {},
        atomic=is_class or function,
        is_class=is_class,
        decides=is_class and _decides(value),  # pyright: ignore
    )


def describe_instances(kind: type) -> Description | None:
    """Describe any instance of a class; `None` if C code may ask it what no placeholder sees."""
    spaces = [vars(base) for base in kind.__mro__ if base is not object]
    special = {name for space in spaces for name in space if name.startswith("__")}
    if any(name.endswith("__") and name not in _ASKED_NOWHERE_ELSE for name in special):
        return None
    if "__class__" in special:
        return None
    return Description(
        classes=tuple(_path(base) for base in kind.__mro__ if base is not object),
        special=tuple(sorted(special & {*SPECIAL, _HASH})),
        names={},
        atomic=False,
    )


def described(record: Mapping[str, object]) -> Description:
    """A description that came as JSON."""
    given: list[tuple[str, str]] | None = record["classes"]  # pyright: ignore
    paths = None if given is None else tuple((module, name) for module, name in given)
    return Description(**{**record, "classes": paths, "special": tuple(record["special"])})  # pyright: ignore


def _defines(kind: type, name: str) -> bool:
    """Whether a type has a special method of its own; what its metaclass has does not count."""
    spaces = (vars(base) for base in kind.__mro__ if base is not object)
    return next((space[name] for space in spaces if name in space), None) is not None


def _path(kind: type) -> tuple[str, str]:
    if kind in _PATHS:
        return "types", _PATHS[kind]
    get = type.__dict__["__module__"].__get__
    return str(get(kind)), type.__dict__["__qualname__"].__get__(kind)


def _names(value: object) -> dict[str, str]:
    found = {name: type(value).__getattribute__(value, name) for name in _NAMES}
    return {name: text for name, text in found.items() if isinstance(text, str)}


def _decides(value: type) -> bool:
    """Whether instances of other classes may count as its instances."""
    kind = type(value)
    if kind.__instancecheck__ is type.__instancecheck__:
        return kind.__subclasscheck__ is not type.__subclasscheck__
    if kind.__instancecheck__ is not abc.ABCMeta.__instancecheck__:
        return True
    hook = getattr(value.__subclasshook__, "__func__", None)
    return hook is not None or bool(abc._get_dump(value)[0])  # noqa: SLF001  # pyright: ignore


class Placeholder:
    """Stands for one object; made by `stand_in`."""

    __slots__ = ("__weakref__", "carried", "reason")

    def __init__(self, reason: str, carried: Mapping[str, object]) -> None:
        object.__setattr__(self, "reason", reason)
        object.__setattr__(self, "carried", carried)

    def __getattribute__(self, name: str) -> object:
        """What is carried; anything else stops the call."""
        carried = object.__getattribute__(self, "carried")
        return carried[name] if name in carried else touch(self)

    __setattr__ = __delattr__ = __dir__ = __repr__ = __str__ = __format__ = touch
    __reduce_ex__ = touch


TOUCH = "touched: "
"""Before the name of what a placeholder stands for, as the reason why it cannot be used."""
TOUCH_HELD = "held: "
"""The same where it stands for an instance of what has that name."""


def stand_in(
    name: str,
    about: Description,
    cls: type | None,
    carried: Mapping[str, object] | None = None,
    prefix: str = TOUCH,
) -> Placeholder:
    """A placeholder.

    Args:
        name: `module:qualname`, named when the placeholder is touched.
        about: What is known of the original.
        cls: What `__class__` says; `None` where that is not known.
        carried: More attributes that may be asked for.
        prefix: `TOUCH`, or `TOUCH_HELD` for an instance of what has that name.
    """
    kind = _kind(about.special, about.atomic, about.is_class, about.decides)
    known: dict[str, object] = {**about.names, **(carried or {})}
    if cls is not None:
        known["__class__"] = cls
    made = kind(prefix + name, known)
    if about.atomic:
        known["__deepcopy__"] = lambda _memo: made
    return made


def is_placeholder(value: object) -> bool:
    """Whether a value is one, without touching it."""
    return issubclass(type(value), Placeholder)


def name_of(placeholder: object) -> str:
    """The name that a placeholder stands for, as `module:qualname`."""
    return object.__getattribute__(placeholder, "reason").partition(": ")[2]


@cache
def _kind(
    special: tuple[str, ...], atomic: bool, is_class: bool, decides: bool
) -> type[Placeholder]:
    """The type of placeholders of one sort."""
    space: dict[str, object] = {"__slots__": (), _HASH: object.__hash__}
    space |= dict.fromkeys(special, touch)
    if atomic:
        space["__copy__"] = _itself
    if is_class:
        # Nothing can be an instance of a class that is not there, unless the class says so itself.
        check = touch if decides else _no
        space |= {"__instancecheck__": check, "__subclasscheck__": check}
    return type("Placeholder", (Placeholder,), space)


def _itself(placeholder: object) -> object:
    return placeholder


def _no(_placeholder: object, _other: object) -> bool:
    return False


FUNCTION = describe(describe)
METHOD = describe(types.MethodType(describe, 0))
