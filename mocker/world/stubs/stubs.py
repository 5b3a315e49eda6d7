"""The universal stand-in: what code that is not here would have given, whatever is done with it."""

from __future__ import annotations

import abc
import importlib
import re
import sys
import weakref
from collections.abc import Iterator
from typing import Any

from ..core.world import record
from .stub_answers import (
    ANYTHING,
    StubHeld,
    StubToMake,
    _answers,
    _asked,
    _coroutines,
    _decorates,
    _holders,
    _unpacked,
    stub_anew,
    stub_argument,
    stub_chosen,
    stub_coroutine,
    stub_tires,
)
from .stub_arithmetic import stub_operators

_made: dict[str, Any] = {}
"""Classes, by what they stand for."""
_kept: dict[str, Any] = {}
"""What stubs have under an attribute, by its key: the same each time, so that it can be changed."""
stub_anew(_kept)
_hashes: dict[int, tuple[int, weakref.ref[Any]]] = {}
"""Hashes of instances of stubbed classes, by id: numbers in the order in which they are asked."""
_last_hash: dict[str, int] = {}
stub_anew(_last_hash)
_ERROR = re.compile(r"(Error|Exception|Warning|Interrupt|Timeout)$")
_NUMERIC_FORMAT = re.compile(r"[-+ #0-9.,_<>=^]*[bcdeEfFgGnoxX%]$|.*[.,_]\d*$")
_ASKED_OF_ALL = re.compile(r"__\w+__$|_is_coroutine|_ipython_|_repr_\w*_$|_pytest|_mock_")


# ------------------------------------------------------------------- calls and their answers


def stub_call(
    path: str, key: str, args: tuple[Any, ...], kwargs: dict[str, Any], default: Any = ANYTHING
) -> Any:
    """Log a call, and answer it: as the case has chosen, else as is declared, else with a stub.

    Decorators decorate.
    """
    plain = [stub_argument(arg) for arg in args]
    named = {name: stub_argument(kwargs[name]) for name in sorted(kwargs)}
    record("call", path, *plain, **named)
    if _decorates(path, args, kwargs):
        return args[0]
    told = ", ".join([*map(repr, plain), *(f"{name}={value!r}" for name, value in named.items())])
    called = f"{key}({told if len(told) < 200 else told[:200] + '…'})"
    answer = stub_answer(f"{path}()", called, is_tired=stub_tires(path, called), default=default)
    return stub_coroutine(answer) if path.rpartition(".")[2] in _coroutines else answer


def stub_answer(path: str, key: str, *, is_tired: bool = False, default: Any = ANYTHING) -> Any:
    """What a place gives."""
    found = stub_chosen(path, ANYTHING)
    if found is ANYTHING:
        found = stub_filled(default, path, key)
    if is_tired and found is not None:
        is_data = type(found).__module__ == "builtins" and not hasattr(found, "__next__")
        return type(found)() if is_data else Stub(path, key, 0)
    return found


def stub_filled(value: Any, path: str, key: str) -> Any:
    """An answer with its objects made, which know where they came from."""
    if value is ANYTHING:
        return Stub(path, key)
    if isinstance(value, StubToMake):
        return value.made(path, key)
    if isinstance(value, (list, tuple)):
        inside = (stub_filled(v, f"{path}[]", f"{key}[{i}]") for i, v in enumerate(value))
        return type(value)(inside)
    if isinstance(value, dict):
        return {k: stub_filled(v, f"{path}[]", f"{key}[{k!r}]") for k, v in value.items()}
    return value


def _member(path: str, key: str, name: str) -> Any:
    """What an attribute of a stub is."""
    inside = f"{path}.{name}"
    if inside in _answers:
        return stub_answer(inside, f"{key}.{name}")
    return _by_name(inside, f"{key}.{name}")


def _by_name(path: str, key: str) -> Any:
    if key in _kept:
        return _kept[key]
    name = path.rpartition(".")[2]
    if _ERROR.search(name) and name[:1].isupper():
        made: Any = stub_error(path)
    elif "(" not in path and name[:1].isupper() and not name.isupper():
        made = stub_class(path)
    elif name == "__version__":
        made = "1.0.0"
    else:
        made = Stub(path, key)
    _kept[key] = made
    return made


# ------------------------------------------------------------------- what every stub can do


class _Behaves:
    """Python's protocols, for whatever has a path and a key."""

    def _stub_place(self) -> tuple[str, str]:
        raise NotImplementedError

    def _stub_number(self) -> Any:
        return 1

    def __getattr__(self, name: str) -> Any:
        if _ASKED_OF_ALL.match(name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return _member(*self._stub_place(), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return stub_call(*self._stub_place(), args, kwargs)

    def __getitem__(self, item: Any) -> Any:
        path, key = self._stub_place()
        if isinstance(item, int) and item not in range(-2, 2):
            raise IndexError("index out of range")
        inside = f"{key}[{stub_argument(item)!r}]"
        return _kept[inside] if inside in _kept else stub_answer(f"{path}[]", inside)

    def __setitem__(self, item: Any, value: Any) -> None:
        path, key = self._stub_place()
        record("call", f"{path}.__setitem__", stub_argument(item), stub_argument(value))
        _kept[f"{key}[{stub_argument(item)!r}]"] = value

    def __delitem__(self, item: Any) -> None:
        path, key = self._stub_place()
        record("call", f"{path}.__delitem__", stub_argument(item))
        _kept.pop(f"{key}[{stub_argument(item)!r}]", None)

    def __contains__(self, item: Any) -> bool:
        path, key = self._stub_place()
        return path in _holders or f"{key}[{stub_argument(item)!r}]" in _kept

    def __iter__(self) -> Iterator[Any]:
        """Two elements; as many as names where it is unpacked."""
        return iter(self._stub_elements(sys._getframe(1)))

    def _stub_elements(self, asking: Any) -> list[Any]:
        path, key = self._stub_place()
        count = _unpacked(asking) if self._stub_number() else 0
        return [stub_answer(f"{path}[]", f"{key}[{index}]") for index in range(count)]

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._stub_elements(None))

    def __len__(self) -> int:
        return 2 if self._stub_number() else 0

    def __next__(self) -> Any:
        path, key = self._stub_place()
        count = _asked[key, "next"] = _asked.get((key, "next"), 0) + 1
        if count > 2:
            raise StopIteration
        return stub_answer(f"{path}[]", f"{key}[{count - 1}]")

    async def __aiter__(self) -> Any:
        for element in self._stub_elements(None):
            yield element

    async def __anext__(self) -> Any:
        try:
            return self.__next__()
        except StopIteration:
            raise StopAsyncIteration from None

    def __await__(self) -> Any:
        return self
        yield

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None

    # numbers

    def __bool__(self) -> bool:
        return bool(self._stub_number())

    def __int__(self) -> int:
        return int(self._stub_number())

    __index__ = __trunc__ = __int__

    def __float__(self) -> float:
        return float(self._stub_number())

    def __complex__(self) -> complex:
        return complex(self._stub_number())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._stub_number(), digits)

    def __fspath__(self) -> str:
        return re.sub(r"\W+", "_", self._stub_place()[1]).strip("_")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.full(2, float(self._stub_number()), dtype)

    def __str__(self) -> str:
        return self._stub_place()[1]

    def __repr__(self) -> str:
        return f"<{self._stub_place()[1]}>"

    def __format__(self, spec: str) -> str:
        is_number = bool(spec) and bool(_NUMERIC_FORMAT.match(spec)) and not spec.endswith("s")
        return format(self._stub_number() if is_number else str(self), spec)


# ------------------------------------------------------------------- values, classes, exceptions


class Stub(_Behaves):
    """A function, a module's attribute, or what a call has given."""

    __slots__ = ("_stub_key", "_stub_path", "_stub_value")

    def __init__(self, path: str, key: str = "", value: Any = 1) -> None:
        object.__setattr__(self, "_stub_path", path)
        object.__setattr__(self, "_stub_key", key or path)
        object.__setattr__(self, "_stub_value", value)

    def _stub_place(self) -> tuple[str, str]:
        return self._stub_path, self._stub_key

    def _stub_number(self) -> Any:
        return self._stub_value

    @property
    def __name__(self) -> str:
        return self._stub_path.rpartition(".")[2]

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Stub):
            return self._stub_key == other._stub_key
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._stub_key)

    def __reduce__(self) -> Any:
        return Stub, (self._stub_path, self._stub_key, self._stub_value)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """A stub as a base class: one that any other base and metaclass can stand beside."""
        return (stub_class(self._stub_path, PlainStub),)

    def __instancecheck__(self, instance: Any) -> bool:
        return _is_one(instance, self._stub_path)

    def __subclasscheck__(self, cls: Any) -> bool:
        return any(vars(c).get("_stub_class_path") == self._stub_path for c in cls.__mro__)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()


stub_operators(_Behaves, Stub)


def _is_one(instance: Any, path: str) -> bool:
    """Whether a value of unknown class passes for one of this: what the same package gave does."""
    if not isinstance(instance, Stub):
        classes = type(instance).__mro__
        return any(vars(c).get("_stub_class_path") == path for c in classes)
    given = instance._stub_path
    return "(" in given and given.split(".")[0] == path.split(".", maxsplit=1)[0]


class StubType(abc.ABCMeta):
    """The class of stubbed classes: their own attributes are stubs as well."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any
    ) -> Any:
        return super().__new__(cls, name, bases, namespace, **kwargs)

    def __init__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_kwargs: Any
    ) -> None:
        super().__init__(name, bases, namespace)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        path = cls._stub_class_path
        return _member(path, path, name)

    def __iter__(cls) -> Iterator[Any]:
        return iter([_member(cls._stub_class_path, cls._stub_class_path, n) for n in ("A", "B")])

    def __len__(cls) -> int:
        return 2

    def __bool__(cls) -> bool:
        return True

    def __instancecheck__(cls, instance: Any) -> bool:
        is_own = "_stub_class_path" in vars(cls)
        if is_own and type(instance) is Stub:
            return _is_one(instance, cls._stub_class_path)
        return super().__instancecheck__(instance)

    def __str__(cls) -> str:
        return cls._stub_class_path if "_stub_class_path" in vars(cls) else super().__str__()


class PlainStub(_Behaves):
    """A stubbed class that can stand beside bases of any metaclass."""

    _stub_class_path = ""

    def __init_subclass__(cls, **_kwargs: Any) -> None:
        super().__init_subclass__()
        if hasattr(sys.modules.get(cls.__module__), "__stub__"):
            cls._stub_class_path = f"{cls.__module__}.{cls.__qualname__}"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if _is_stub_class(cls) and _decorates(cls._stub_class_path, args, kwargs):
            return args[0]
        beside = next(base for base in _beside(cls) if "__new__" in vars(base))
        given = ((), {}) if beside is object else (args, kwargs)
        return beside.__new__(cls, *given[0], **given[1])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        cls = type(self)
        path = cls._stub_class_path
        plain = [stub_argument(arg) for arg in args]
        record("call", path, *plain, **{n: stub_argument(kwargs[n]) for n in sorted(kwargs)})
        stub_chosen(f"{path}()", None)
        for name, value in (*zip(_fields(cls), args, strict=False), *kwargs.items()):
            if not _is_defined(cls, name):
                self.__dict__.setdefault(name, value)
        above = cls.__mro__[: cls.__mro__.index(PlainStub)]
        if not any("__init__" in vars(base) and not _is_stub_class(base) for base in above):
            # nobody else will call what a mixin stands beside
            beside = next(base for base in _beside(cls) if "__init__" in vars(base))
            if beside is not object:
                beside.__init__(self, *args, **kwargs)

    def _stub_place(self) -> tuple[str, str]:
        path = f"{type(self)._stub_class_path}()"
        return self.__dict__.get("_stub_origin", (path, path))

    def __getattr__(self, name: str) -> Any:
        own = not _is_stub_class(type(self))
        if _ASKED_OF_ALL.match(name) or (own and name.startswith("_")):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return _member(*self._stub_place(), name)

    def __eq__(self, other: object) -> Any:
        return self is other

    def __hash__(self) -> int:
        """No address, which would put sets in another order in each run."""
        known = _hashes.get(id(self))
        if known is None or known[1]() is not self:  # of one that is no more
            _last_hash[""] = _last_hash.get("", 0) + 1
            known = _hashes[id(self)] = (_last_hash[""], weakref.ref(self))
        return known[0]

    def __str__(self) -> str:
        return self._stub_place()[1] if "_stub_origin" in self.__dict__ else repr(self)

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}()>"

    def __class_getitem__(cls, _item: Any) -> Any:
        return cls

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()


class StubClass(PlainStub, metaclass=StubType):
    """A stubbed class with any attribute of its own."""


class StubError(Exception):
    """A stubbed exception: it can be raised, caught, and asked for anything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args)
        self.__dict__.update(kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        path = f"{type(self).__module__}.{type(self).__qualname__}()"
        return _member(path, path, name)


def _is_stub_class(cls: type) -> bool:
    return cls in (_Behaves, PlainStub, StubClass) or "_stub_class_path" in vars(cls)


def _beside(cls: type) -> tuple[type, ...]:
    """The classes whose turn comes after the stubs'."""
    return cls.__mro__[cls.__mro__.index(_Behaves) + 1 :]


def _is_defined(cls: type, name: str) -> bool:
    """Whether a class has a method of that name, or a descriptor that is more than a value."""
    found = next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)
    if isinstance(found, StubHeld):
        return False
    return callable(found) or hasattr(type(found), "__get__")


def _fields(cls: type) -> list[str]:
    """Names that a class below the stubs annotates: the fields of models and records."""
    found: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        if not _is_stub_class(base):
            found.update(dict.fromkeys(vars(base).get("__annotations__", ())))
    return list(found)


def stub_class(path: str, base: type = StubClass) -> Any:
    """The stubbed class of this path, made when first asked for."""
    key = f"class {path} {base.__name__}"
    if key not in _made:
        module, _, name = path.rpartition(".")
        namespace = {"__module__": module, "_stub_class_path": path}
        _made[key] = type(base)(name, (base,), namespace)
    return _made[key]


def stub_error(path: str) -> Any:
    """The stubbed exception of this path, made when first asked for."""
    key = f"error {path}"
    if key not in _made:
        module, _, name = path.rpartition(".")
        base = (StubError, Warning) if name.endswith("Warning") else (StubError,)
        _made[key] = type(name, base, {"__module__": module})
    return _made[key]


def above(path: str) -> Any:
    """The class of this path, from another stubbed module."""
    module, _, name = path.rpartition(".")
    found = vars(importlib.import_module(module)).get(name)
    return _by_name(path, path) if found is None else found


def stub_getattr(module: str, others: dict[str, str] | None = None) -> Any:
    """A `__getattr__` for a stubbed module: classes of others, and whatever else it is asked for."""

    def member(name: str) -> Any:
        if others and name in others:
            return above(others[name])
        if _ASKED_OF_ALL.match(name) and name != "__version__":
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if f"{module}.{name}" in getattr(sys.modules[module].__loader__, "texts", ()):
            return importlib.import_module(f"{module}.{name}")
        return _member(module, module, name)

    return member
