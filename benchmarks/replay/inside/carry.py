"""Encodes live objects into the carried form, so that another process can rebuild them.

Classes and functions of the package and of its environment go by name; those of the tests, and the
closures of either, go by value. Instances of Python classes are taken apart without running code of
theirs. What cannot be carried becomes a hole with a reason.
"""

from __future__ import annotations

import contextvars
import copyreg
import enum
import importlib
import inspect
import io
import marshal
import os
import re
import ssl
import sys
import threading
import types
import unittest.mock
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .nodes import (
    ATOMS,
    LOCKS,
    Hole,
    arguments_of,
    base_of,
    body_starts,
    defining_module,
    dict_of,
    slots_of,
)

MAX_NODES = 40_000
MAX_BYTES = 4_000_000

_SUSPENDED = {
    types.GeneratorType: "gi",
    types.CoroutineType: "cr",
    types.AsyncGeneratorType: "ag",
}
_DESCRIBED_BY_CLASS = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
_FILES = (io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.FileIO)
_VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
_NOT_IN_NAMESPACE = frozenset({"__dict__", "__weakref__", "_abc_impl", "__abstractmethods__"})
_NAMED_TYPES = {value: name for name, value in vars(types).items() if isinstance(value, type)}
_FOREIGN_TYPES_NOT_CARRIED = {
    "socket": "socket",
    "_socket": "socket",
    "_ssl": "TLS connection",
    "select": "selector",
    "_asyncio": "running event loop",
    "asyncio.unix_events": "running event loop",
    "selectors": "selector",
    "_pytest": "object of the test framework",
    "pluggy": "object of the test framework",
    "greenlet": "greenlet",
    "sqlite3": "database connection",
}


class UncarriableError(Exception):
    """A value that has no carried form; the text is the reason."""


@dataclass(frozen=True, slots=True)
class World:
    """Which modules belong to what, in the process that records."""

    own: frozenset[str]
    """Top-level names of the package under test."""
    tests: tuple[str, ...]
    """Folders of the test suite, absolute."""
    forget: frozenset[str] = frozenset()
    """Attributes of own instances that cache a hash and are not carried."""

    def is_own(self, module: str | None) -> bool:
        """Whether a module belongs to the package (its tests excepted)."""
        return (
            module is not None and module.partition(".")[0] in self.own and not self.is_test(module)
        )

    def is_test(self, module: str | None) -> bool:
        """Whether a module cannot be imported in another process, as those of the suite."""
        if module is None or module == "__main__":
            return True
        loaded = sys.modules.get(module)
        if loaded is None:
            return True
        file = getattr(loaded, "__file__", None)
        if module.partition(".")[0] in self.own and ".tests" in module:
            return True
        return isinstance(file, str) and file.startswith(self.tests)


def find_by_name(module: str, qualname: str) -> object:
    """The object that a dotted name means, descriptors unbound; raises LookupError."""
    try:
        found: object = importlib.import_module(module)
    except ImportError as error:
        raise LookupError(module) from error
    for name in qualname.split("."):
        try:
            found = inspect.getattr_static(found, name)
        except (AttributeError, TypeError) as error:
            raise LookupError(f"{module}.{qualname}") from error
    return found


class Globals:
    """Objects of the package that are known by a module-level name, as sentinels are."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._loaded = 0
        self._done: set[str] = set()
        self._names: dict[int, tuple[int, str, str]] = {}

    def name_of(self, value: object) -> tuple[str, str] | None:
        """Module and name of a module-level object whose identity matters."""
        if len(sys.modules) != self._loaded:
            self._loaded = len(sys.modules)
            for name in sorted(m for m in sys.modules if self._world.is_own(m)):
                self._index(name)
        found = self._names.get(id(value))
        return found and found[1:]

    def _index(self, name: str) -> None:
        """Look at a module once; what it binds later is not found."""
        module = sys.modules[name]
        if name in self._done or getattr(module.__spec__, "_initializing", False):
            return
        self._done.add(name)
        bound = _names_bound(module)
        for attribute, value in list(vars(module).items()):
            if not attribute.startswith("__") and _has_identity(value):
                # Who binds the name wins over those who import it, and the module of the class,
                # where singletons are made, over all others.
                rank = (attribute in bound) + 2 * (type(value).__module__ == name)
                if rank > self._names.get(id(value), (-1,))[0]:
                    self._names[id(value)] = (rank, name, attribute)


def _names_bound(module: types.ModuleType) -> frozenset[str]:
    """Names that a module's text seems to assign."""
    file = getattr(module, "__file__", None) or ""
    text = Path(file).read_text("utf-8", "replace") if file.endswith(".py") else ""
    return frozenset(re.findall(r"^[ \t]*(\w+)\b[^\n=(]*=", text, re.MULTILINE))


def _has_identity(value: object) -> bool:
    plain = (*ATOMS, list, dict, set, tuple, frozenset, bytearray, type, types.ModuleType)
    functions = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
    # Not isinstance: a proxy answers for the object behind it, and may fail.
    return type(value) not in plain and not issubclass(type(value), (type, *functions))


class Encoder:
    """Encodes one graph; make a new one for every call."""

    def __init__(self, world: World, names: Globals) -> None:
        self.world = world
        self.names = names
        self.nodes: list[object] = []
        self.holes: list[str] = []
        self._memo: dict[int, list[int]] = {}
        self._alive: list[object] = []
        self._globals: dict[int, dict[str, object]] = {}
        self._bytes = 0

    def value(self, value: object) -> object:
        """The carried form of a value: an atom, or the number of its node."""
        kind = type(value)
        if kind in ATOMS:
            if kind is str or kind is bytes:
                self._bytes += len(value)  # pyright: ignore[reportArgumentType]
                if self._bytes > MAX_BYTES:
                    raise UncarriableError("arguments too large")
            return value
        if (known := self._memo.get(id(value))) is not None:
            return known
        if len(self.nodes) > MAX_NODES:
            raise UncarriableError("arguments too large")
        number = len(self.nodes)
        self.nodes.append(None)
        self._memo[id(value)] = [number]
        self._alive.append(value)
        self.nodes[number] = self._node(value, kind)
        return [number]

    def lenient(self, value: object) -> object:
        """As `value`, but what cannot be carried becomes a hole."""
        nodes, known, alive = len(self.nodes), len(self._memo), len(self._alive)
        globals_before = {key: len(held) for key, held in self._globals.items()}
        try:
            return self.value(value)
        except UncarriableError as error:
            if str(error) == "arguments too large":
                raise
            del self.nodes[nodes:], self._alive[alive:]
            while len(self._memo) > known:
                self._memo.popitem()
            for key, held in list(self._globals.items()):
                if key not in globals_before:
                    del self._globals[key]
                    continue
                while len(held) > globals_before[key]:
                    held.popitem()
            self.holes.append(str(error))
            self.nodes.append(("hole", str(error)))
            return [nodes]

    def _all(self, values: object) -> tuple[object, ...]:
        return tuple(self.lenient(value) for value in values)  # pyright: ignore

    def _pairs(self, pairs: object) -> tuple[object, ...]:
        return tuple((self.value(k), self.lenient(v)) for k, v in list(pairs))  # pyright: ignore

    def _node(self, value: object, kind: type) -> tuple[object, ...]:
        if kind is Hole:
            raise UncarriableError("hole")
        if kind in (list, tuple, set, frozenset):
            return (kind.__name__, self._all(value))
        if kind is dict:
            return ("dict", self._pairs(dict.items(value)))  # pyright: ignore
        if value is NotImplemented:
            return ("ref", "builtins", "NotImplemented")
        if kind is bytearray:
            return ("bytearray", bytes(value))  # pyright: ignore
        if issubclass(kind, type):
            return self._class(value)
        if kind is types.FunctionType:
            return self._function(value)  # pyright: ignore
        return (
            self._special(value, kind)
            or self._by_global_name(value, kind)
            or self._object(value, kind)
        )

    def _special(self, value: object, kind: type) -> tuple[object, ...] | None:  # noqa: C901 - a line for each kind of value
        """Built-in kinds that need a form of their own."""
        if kind is types.MethodType:
            return self._method(value)  # pyright: ignore
        if kind is types.BuiltinFunctionType or kind is types.MethodWrapperType:
            owner = value.__self__  # pyright: ignore
            if owner is None or isinstance(owner, types.ModuleType):
                module = owner.__name__ if owner else value.__module__  # pyright: ignore
                return ("ref", module, value.__qualname__)  # pyright: ignore
            return ("bound", self.value(owner), value.__name__)  # pyright: ignore
        if kind in _DESCRIBED_BY_CLASS:
            return ("member", self.value(value.__objclass__), value.__name__)  # pyright: ignore
        if kind is types.ModuleType:
            return ("module", value.__name__)  # pyright: ignore
        if kind in (property, classmethod, staticmethod):
            return self._descriptor(value, kind)
        if kind is weakref.ref:
            return ("weakref", self.value(_referent(value)))  # pyright: ignore
        if kind in (weakref.ProxyType, weakref.CallableProxyType):
            return ("weakproxy", self.value(_behind(value)))
        if kind in LOCKS:
            return ("lock", LOCKS[kind])
        if kind is types.CodeType:
            return ("code", marshal.dumps(value))
        if kind is types.CellType:
            return self._cell(value)  # pyright: ignore
        if kind is types.MappingProxyType:
            return ("mappingproxy", self.value(dict(value)))  # pyright: ignore
        if kind in _VIEWS:
            return ("view", _VIEWS[kind], self.value(dict(value.mapping)))  # pyright: ignore
        if kind is memoryview:
            return ("memoryview", bytes(value))  # pyright: ignore
        if kind in _SUSPENDED:
            return self._suspended(value, _SUSPENDED[kind])
        if kind in (types.FrameType, types.TracebackType):
            raise UncarriableError(kind.__name__)
        if kind is ssl.SSLContext:
            return ("ssl", int(value.protocol), value.check_hostname, int(value.verify_mode))  # pyright: ignore
        return self._stream(value, kind)

    def _stream(self, value: object, kind: type) -> tuple[object, ...] | None:
        for name in ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"):
            if value is getattr(sys, name):
                return ("std", name.strip("_"))
        mro = type.mro(kind)
        if io.TextIOWrapper in mro:
            return self._text(value, kind)  # pyright: ignore
        if kind in _FILES:
            return self._file(value, kind)  # pyright: ignore
        return None

    def _text(self, value: io.TextIOWrapper, kind: type) -> tuple[object, ...]:
        text = io.TextIOWrapper
        buffer: object = None
        try:
            text.flush(value)
            buffer = text.buffer.__get__(value)  # pyright: ignore
        except ValueError:
            pass  # closed: it is rebuilt over nothing, and closed
        try:
            encoding = text.encoding.__get__(value)  # pyright: ignore
            errors = text.errors.__get__(value)  # pyright: ignore
        except (ValueError, AttributeError) as error:
            raise UncarriableError("stream without its __init__") from error
        over = None if buffer is None else self.value(buffer)
        return ("text", self.value(kind), over, encoding, errors, self._state(value))

    def _file(self, value: io.BufferedRandom, kind: type) -> tuple[object, ...]:
        """A real file as its content, if it is a small one that can be read."""
        name = getattr(value, "name", None)
        if not isinstance(name, (str, bytes)) or not Path(os.fsdecode(name)).is_file():
            raise UncarriableError("open file without a name")
        if value.closed or Path(os.fsdecode(name)).stat().st_size > MAX_BYTES // 4:
            raise UncarriableError("closed or large file")
        value.flush()
        content = Path(os.fsdecode(name)).read_bytes()
        return ("file", kind.__name__, value.mode, content, value.tell())

    def _method(self, value: types.MethodType) -> tuple[object, ...]:
        owner, function = value.__self__, value.__func__
        name = getattr(function, "__name__", "")
        holder = owner if isinstance(owner, type) else type(owner)
        try:
            static = inspect.getattr_static(holder, name)
        except AttributeError:
            static = None
        if getattr(static, "__func__", static) is function:
            return ("bound", self.value(owner), name)
        return ("method", self.value(function), self.value(owner))

    def _descriptor(self, value: object, kind: type) -> tuple[object, ...]:
        if kind is property:
            parts = (value.fget, value.fset, value.fdel, value.__doc__)  # pyright: ignore
        else:
            parts = (value.__func__,)  # pyright: ignore
        return (kind.__name__, tuple(self.lenient(part) for part in parts))

    def _cell(self, value: types.CellType) -> tuple[object, ...]:
        try:
            return ("cell", self.lenient(value.cell_contents))
        except ValueError:
            return ("cell",)

    def _by_global_name(self, value: object, kind: type) -> tuple[object, ...] | None:
        """A sentinel, a proxy, a singleton: what must stay one and the same object."""
        if type(kind) is enum.EnumMeta and getattr(value, "_name_", None) in kind.__members__:
            return ("enum", self.value(kind), value._name_)  # pyright: ignore
        if self.world.is_own(kind.__module__):
            for name, held in type.__dict__["__dict__"].__get__(kind).items():
                if held is value:
                    return ("classattr", self.value(kind), name)
        if (named := self.names.name_of(value)) is not None:
            return ("global", *named)
        if kind is contextvars.ContextVar:
            return ("contextvar", value.name)  # pyright: ignore
        if kind is contextvars.Token:
            raise UncarriableError("context token")
        return None

    def _object(self, value: object, kind: type) -> tuple[object, ...]:
        module = kind.__module__ if isinstance(kind.__module__, str) else ""
        if issubclass(kind, unittest.mock.NonCallableMock) or module == "unittest.mock":
            raise UncarriableError("mock")
        for prefix, reason in _FOREIGN_TYPES_NOT_CARRIED.items():
            if module == prefix or module.startswith(prefix + "."):
                raise UncarriableError(reason)
        base = base_of(kind)
        mine = (
            self.world.is_own(module)
            or self.world.is_test(module)
            or "<locals>" in kind.__qualname__
        )
        if mine and (base is not object or _is_plain(kind)):
            return self._raw(value, kind, base)
        if base in (io.BytesIO, io.StringIO, BaseException):
            return self._raw(value, kind, base)
        if issubclass(kind, threading.local):
            return self._raw(value, kind, object)
        return self._reduced(value, kind)

    def _raw(self, value: object, kind: type, base: type) -> tuple[object, ...]:
        """An instance taken apart into class, built-in content and state."""
        # The class first: who rebuilds may find that it is not there.
        encoded = self.value(kind)
        return ("raw", encoded, base.__name__, self._payload(value, base), self._state(value))

    def _payload(self, value: object, base: type) -> object:
        held: object = value
        if base is object or base is types.ModuleType:
            return None
        if base is property:
            parts = (property.fget, property.fset, property.fdel)
            return self._all(part.__get__(held) for part in parts)  # pyright: ignore
        if base in (OrderedDict, dict):
            return self._pairs(base.items(held))  # pyright: ignore
        if base is defaultdict:
            return (self.lenient(value.default_factory), self._pairs(dict.items(held)))  # pyright: ignore
        if base in (list, set, frozenset, deque):
            items = self._all(base.__iter__(held))  # pyright: ignore
            return (items, value.maxlen) if base is deque else items  # pyright: ignore
        if base is tuple:
            return self._all(tuple.__getitem__(held, slice(None)))  # pyright: ignore
        if base in (str, bytes):
            return base.__getitem__(held, slice(None))  # pyright: ignore
        if base is bytearray:
            return bytes(held)  # pyright: ignore
        if base in (io.BytesIO, io.StringIO):
            return self._memory_file(held, base)
        if base is BaseException:
            return self._all(BaseException.args.__get__(held))  # pyright: ignore
        if base is complex:
            return complex(complex.real.__get__(held), complex.imag.__get__(held))  # pyright: ignore
        return {int: int.__int__, float: float.__float__, bool: bool}[base](held)  # pyright: ignore

    def _memory_file(self, value: object, base: type) -> object:
        if base.closed.__get__(value):  # pyright: ignore
            return None
        where = base.tell(value)  # pyright: ignore
        return (base.getvalue(value), where)  # pyright: ignore

    def _state(self, value: object) -> tuple[object, ...]:
        held = {**(dict_of(value) or {}), **slots_of(value)}
        if issubclass(type(value), BaseException):
            for name in ("__cause__", "__suppress_context__", "name", "path", "obj"):
                held.pop(name, None)
        kept = ((k, v) for k, v in held.items() if k not in self.world.forget)
        return tuple((k, self.lenient(v)) for k, v in kept if isinstance(k, str))

    def _reduced(self, value: object, kind: type) -> tuple[object, ...]:
        """An instance of somebody else's class, by the protocol that pickle uses."""
        try:
            special = copyreg.dispatch_table.get(kind)
            form = special(value) if special else value.__reduce_ex__(4)
        except Exception as error:
            raise UncarriableError(f"cannot be pickled: {_path(kind)}") from error
        if isinstance(form, str):
            return ("ref", value.__module__, form)
        if not isinstance(form, tuple):
            raise UncarriableError(f"cannot be pickled: {_path(kind)}")
        func, args, state, items, pairs, setter = (*form, None, None, None, None)[:6]
        return (
            "reduce",
            self.value(func),
            self._all(args),
            self._reduced_state(state),
            None if items is None else self._all(items),
            None if pairs is None else self._pairs(pairs),
            None if setter is None else self.value(setter),
        )

    def _reduced_state(self, state: object) -> object:
        return None if state is None else (self.value(state),)

    def _suspended(self, value: object, prefix: str) -> tuple[object, ...]:
        """A generator or coroutine that has not begun: its function, to be called again."""
        code: types.CodeType = getattr(value, f"{prefix}_code")
        frame: types.FrameType | None = getattr(value, f"{prefix}_frame")
        if frame is None or frame.f_lasti >= body_starts(code):
            raise UncarriableError(f"{type(value).__name__} that has begun")
        held = frame.f_locals
        positional, named = arguments_of(code, held)
        free = (
            ("cell", self.lenient(held[name])) if name in held else ("cell",)
            for name in code.co_freevars
        )
        cells: list[list[int]] = []
        for cell in list(free):
            cells.append([len(self.nodes)])
            self.nodes.append(cell)
        names = (str(frame.f_globals.get("__name__")), code.co_name, code.co_qualname)
        where = self._home(frame.f_globals, code)
        number = len(self.nodes)
        self.nodes.append(
            ("function", marshal.dumps(code), where, names, None, None, tuple(cells), None, None)
        )
        return ("suspended", [number], self._all(positional), self._pairs(named.items()))

    def _class(self, value: type) -> tuple[object, ...]:
        module = type.__dict__["__module__"].__get__(value)
        qualname = type.__dict__["__qualname__"].__get__(value)
        if value in _NAMED_TYPES:
            return ("ref", "types", _NAMED_TYPES[value])
        if module in self.world.own:
            module = defining_module(value)
        if isinstance(module, str) and not self.world.is_test(module):
            try:
                if find_by_name(module, qualname) is value:
                    return ("ref", module, qualname)
            except LookupError:
                pass
            for other in (module, module.partition(".")[0].lstrip("_")):
                found = sys.modules.get(other)
                for name, held in list(vars(found).items()) if found else ():
                    if held is value:
                        return ("ref", other, name)
        if module.startswith(("_pytest", "pluggy")):
            raise UncarriableError("object of the test framework")
        return self._class_by_value(value, module, qualname)

    def _class_by_value(self, value: type, module: str, qualname: str) -> tuple[object, ...]:
        namespace = type.__dict__["__dict__"].__get__(value)
        bases = type.__dict__["__bases__"].__get__(value)
        if isinstance(value, enum.EnumMeta):
            members = [(m._name_, m._value_) for m in value.__members__.values()]
            return ("newenum", self.value(bases[-1]), qualname, module, self.value(members))
        if namespace.get("__module__") != module:
            module = namespace.get("__module__", module)
        slots = namespace.get("__slots__")
        kept = [
            (name, held)
            for name, held in namespace.items()
            if name not in _NOT_IN_NAMESPACE
            and not isinstance(held, (types.MemberDescriptorType, types.GetSetDescriptorType))
        ]
        return (
            "class",
            self.value(type(value)),
            type.__dict__["__name__"].__get__(value),
            qualname,
            module,
            tuple(self.value(base) for base in bases),
            None if slots is None else self.value(slots),
            tuple((name, self.lenient(held)) for name, held in kept),
        )

    def _function(self, value: types.FunctionType) -> tuple[object, ...]:
        module, qualname = value.__module__, value.__qualname__
        if isinstance(module, str) and "<" not in qualname and not self.world.is_test(module):
            try:
                found = find_by_name(module, qualname)
            except LookupError:
                found = None
            if found is value or getattr(found, "__func__", None) is value:
                return ("ref", module, qualname)
            for other, held in list(vars(sys.modules[module]).items()):
                if held is value:
                    return ("ref", module, other)
        return self._function_by_value(value)

    def _function_by_value(self, value: types.FunctionType) -> tuple[object, ...]:
        code = value.__code__
        where = self._home(value.__globals__, code)
        return (
            "function",
            marshal.dumps(code),
            where,
            (value.__module__, value.__name__, value.__qualname__),
            self.lenient(value.__defaults__),
            self.lenient(value.__kwdefaults__),
            None if value.__closure__ is None else tuple(self.value(c) for c in value.__closure__),
            self.lenient(value.__annotations__ or None),
            self.lenient(value.__dict__ or None),
        )

    def _home(self, space: dict[str, object], code: types.CodeType) -> object:
        """Where a function finds its globals: a module of the package, or a carried namespace."""
        home = space.get("__name__")
        if isinstance(home, str) and self.world.is_own(home) and vars(sys.modules[home]) is space:
            return home
        return self._globals_of(space, code)

    def _globals_of(self, space: dict[str, object], code: types.CodeType) -> object:
        """The names that the function reads, as one namespace for all functions of its module."""
        known = self._globals.get(id(space))
        if known is None:
            known = self._globals[id(space)] = {}
            self._alive.append(space)
            number = len(self.nodes)
            self.nodes.append(("globals", str(space.get("__name__")), known))
            self._memo[id(space)] = [number]
        used = set(_names_of(code))
        for name in sorted(used & space.keys() - known.keys() - {"__builtins__", "__name__"}):
            known[name] = None
            held = space[name]
            if type(held) is types.ModuleType and (
                self.world.is_own(held.__name__) or self.world.is_test(held.__name__)
            ):
                known[name] = self._module_view(held, used)
            else:
                known[name] = self.lenient(held)
        return self._memo[id(space)]

    def _module_view(self, module: types.ModuleType, used: set[str]) -> object:
        """A stand-in for a module: only those attributes that the function may read."""
        number = len(self.nodes)
        self.nodes.append(None)
        held: dict[str, object] = {}
        for name in sorted(used & vars(module).keys()):
            value = vars(module)[name]
            if type(value) is types.ModuleType and self.world.is_own(value.__name__):
                nested = used - {name}
                held[name] = self._module_view(value, nested)
            else:
                held[name] = self.lenient(value)
        self.nodes[number] = ("moduleview", module.__name__, held)
        return [number]


def _is_plain(kind: type) -> bool:
    """Whether only Python classes, `object` and Generic-like helpers are among the bases."""
    return all(
        base is object or base.__flags__ & (1 << 9)
        for base in type.__dict__["__mro__"].__get__(kind)
    )


def _names_of(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_of(constant)


def _referent(reference: weakref.ref[object]) -> object:
    found = reference()
    if found is None:
        raise UncarriableError("dead weak reference")
    return found


def _behind(proxy: object) -> object:
    """The object behind a weak proxy: the owner of a method that the proxy passes on."""
    try:
        return proxy.__eq__.__self__  # pyright: ignore
    except (ReferenceError, AttributeError) as error:
        raise UncarriableError("dead weak proxy") from error


def _path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
