"""Declared interfaces: wrong arguments raise, and answers are of the types that are declared."""

from __future__ import annotations

import enum
import functools
import importlib
import inspect
from typing import Any

from .stub_answers import ANYTHING, StubHeld, StubToMake, _answers, stub_coroutine
from .stubs import (
    PlainStub,
    Stub,
    _kept,
    stub_answer,
    stub_call,
    stub_filled,
)


def declared(function: Any) -> Any:
    """A function of a stubbed module, as it is declared; what it returns is its answer."""
    return _checked(function, [function], is_method=False)


def declared_method(function: Any) -> Any:
    """The same for a method, which is given its object or its class."""
    return _checked(function, [function], is_method=True)


def _checked(function: Any, signatures: list[Any], *, is_method: bool) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        default = _default(signatures, args, kwargs)
        if function.__name__ == "__init__":
            PlainStub.__init__(*args, **kwargs)
            _hold(signatures[0], args, kwargs)
            return None
        if not is_method:
            path = f"{function.__module__}.{function.__qualname__}"
            answer = stub_call(path, path, args, kwargs, default)
        else:
            answer = _of_method(function.__name__, args, kwargs, default)
        is_plain = inspect.iscoroutine(answer) or not inspect.iscoroutinefunction(function)
        return answer if is_plain else stub_coroutine(answer)

    def overload(another: Any) -> Any:
        signatures.append(another)
        return call

    call.overload = overload
    return call


def _of_method(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], default: Any) -> Any:
    path, key = _place(args[0])
    if name == "__call__":
        return stub_call(path, key, args[1:], kwargs, default)
    if not name.startswith("__"):
        return stub_call(f"{path}.{name}", f"{key}.{name}", args[1:], kwargs, default)
    if name != "__getitem__":  # the protocols of Python are nothing that is done to the outside
        return stub_filled(default, path, key)
    item = args[1]
    if isinstance(item, int) and item not in range(-2, 2):
        raise IndexError("index out of range")
    inside = f"{key}[{item!r}]"
    return _kept[inside] if inside in _kept else stub_answer(f"{path}[]", inside, default=default)


def _default(signatures: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the first of the signatures that takes the arguments returns."""
    for signature in signatures:
        try:
            value = signature(*args, **kwargs)
        except TypeError:
            if signature is signatures[-1]:
                raise
            continue
        if not inspect.iscoroutine(value):
            return value
        try:
            value.send(None)
        except StopIteration as done:
            return done.value
    return ANYTHING


def _hold(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Keep arguments under the attributes that are declared with their names."""
    try:
        given_by_name = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        return
    for name, value in list(given_by_name.items())[1:]:
        if _held(type(args[0]), name):
            args[0].__dict__.setdefault(name, value)


def _held(cls: Any, name: str) -> bool:
    found = next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), None)
    return isinstance(found, Held)


def _place(thing: Any) -> tuple[str, str]:
    """Path and key of an object, or of a class."""
    if isinstance(thing, type):
        path = getattr(thing, "_stub_class_path", thing.__qualname__)
        return path, path
    if hasattr(type(thing), "_stub_place"):
        return thing._stub_place()
    path = f"{type(thing).__module__}.{type(thing).__qualname__}()"
    return path, path


class Held(StubHeld):
    """An attribute as it is declared: the same value until it is set."""

    def __init__(self, value: Any = ANYTHING) -> None:
        self.value = value
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        path, key = _place(owner if thing is None else thing)
        inside = f"{key}.{self.name}"
        if inside in _kept:
            return _kept[inside]
        value = stub_answer(f"{path}.{self.name}", inside, default=self.value)
        if f"{path}.{self.name}" not in _answers:
            _kept[inside] = value
        return value


# ------------------------------------------------------------------- what is answered


class Given(StubToMake):
    """An answer that is an object of a stubbed class."""

    def __init__(self, name: str) -> None:
        self.name = name

    def made(self, path: str, key: str) -> Any:
        """The object, which knows where it came from."""
        module, _, name = self.name.rpartition(".")
        cls = getattr(importlib.import_module(module), name)
        if issubclass(cls, enum.Enum):
            return next(iter(cls), None)
        thing = object.__new__(cls)
        thing.__dict__["_stub_origin"] = path, key
        return thing


class Entered(StubToMake):
    """An answer that is a context manager around another."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def made(self, path: str, key: str) -> Any:
        """The context manager."""
        return _Entered(path, key, self.value)


class Iterated(StubToMake):
    """An answer that is an iterator over others."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def made(self, path: str, key: str) -> Any:
        """The iterator."""
        return iter(stub_filled(self.values, path, key))


class Streamed(Iterated):
    """An answer that is an asynchronous iterator over others."""

    def made(self, path: str, key: str) -> Any:
        """The iterator; it can be asked in both ways."""
        return _Streamed(path, key, self.values)


class _Entered(Stub):
    def __enter__(self) -> Any:
        return stub_filled(self._stub_value, *self._stub_place())

    async def __aenter__(self) -> Any:
        return self.__enter__()

    def _stub_number(self) -> Any:
        return 1


class _Streamed(Stub):
    def _stub_elements(self, asking: Any) -> list[Any]:
        return stub_filled(self._stub_value, *self._stub_place())

    def _stub_number(self) -> Any:
        return 1
