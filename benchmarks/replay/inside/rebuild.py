"""Rebuilds carried arguments, against the original modules or against a slice."""

from __future__ import annotations

import contextvars
import importlib
import inspect
import io
import marshal
import ssl
import sys
import threading
import types
import weakref
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from .compare import Reference
from .nodes import PAYLOADS, Hole, plain_class
from .placeholders import (
    FUNCTION,
    METHOD,
    TOUCH_HELD,
    Description,
    Placeholder,
    is_placeholder,
    name_of,
    stand_in,
)

_BASES: dict[str, type] = {base.__name__: base for base in PAYLOADS}


class MissingError(Exception):
    """A name of the package that the arguments need and this process does not have."""

    def __init__(self, module: str, qualname: str) -> None:
        super().__init__(f"{module}:{qualname}")


class RebuildError(Exception):
    """The arguments cannot be rebuilt here; the text is the reason."""


class Space:
    """Where names of the package are found in this process."""

    def __init__(
        self, own: frozenset[str], script: types.ModuleType | None, flat: dict[str, str]
    ) -> None:
        """Take the loaded script, and the module of each name that a flat script binds."""
        self._own = own
        self._script = script
        self._flat = flat

    def plain_class(self, nodes: list[tuple[object, ...]], number: int) -> str | None:
        """As the function of that name, as one text."""
        found = plain_class(nodes, nodes[number], self._own)
        return ":".join(found) if found else None

    def module_of(self, kind: type) -> str:
        """The true module of a class, where a flat script binds it."""
        module = type.__dict__["__module__"].__get__(kind)
        top = type.__dict__["__qualname__"].__get__(kind).partition(".")[0]
        in_script = self._script is not None and module == self._script.__name__
        return self._flat.get(top, module) if in_script else module

    def module(self, name: str) -> types.ModuleType:
        """A module by name; of a slice, only what it carries."""
        own = name.partition(".")[0] in self._own
        if own and name in self._flat.values() and self._script is not None:
            return self._script
        try:
            return importlib.import_module(name)
        except ImportError as error:
            if own and self._script is not None:
                raise MissingError(name, "") from error
            raise RebuildError(f"module {name} is not in the environment") from error

    def find(self, module: str, qualname: str) -> object:
        """The object that a name means, descriptors unbound."""
        names = qualname.split(".")
        try:
            found: object = self.module(module)
        except MissingError as error:
            raise MissingError(module, qualname) from error
        own = module.partition(".")[0] in self._own
        if own and self._flat and self._flat.get(names[0]) != module:
            raise MissingError(module, qualname)
        for name in names:
            try:
                found = inspect.getattr_static(found, name)
            except AttributeError as error:
                if own:
                    raise MissingError(module, qualname) from error
                raise RebuildError(f"{module}.{qualname} is not in the environment") from error
        if isinstance(found, (staticmethod, classmethod)):
            return found.__func__
        return found


class Decoder:
    """Rebuilds one graph; make a new one for every call.

    Where there are descriptions, names that this process lacks become placeholders if they are
    merely mentioned, and so do instances of the classes in `held`, but for those of them that are
    arguments themselves, the nodes in `direct`.
    """

    def __init__(
        self,
        nodes: list[tuple[object, ...]],
        space: Space,
        descriptions: Mapping[str, Description] | None = None,
        held: frozenset[str] = frozenset(),
        direct: frozenset[int] = frozenset(),
    ) -> None:
        self._nodes = nodes
        self._held = held
        self._direct = direct
        self._space = space
        self._descriptions = descriptions
        self._placeholders: dict[str, Placeholder] = {}
        self.references: dict[int, Reference] = {}
        """By identity, what is there by name: the same on both sides, whatever stands there."""
        self.homes: dict[types.CodeType, str] = {}
        """Code of the package that is here by value, with the module whose names it reads."""
        self._made: dict[int, object] = {}
        self._busy: set[int] = set()
        self._unfilled: set[int] = set()
        self.alive: list[object] = []

    def value(self, carried: object) -> object:
        """The object that a carried value stands for."""
        if type(carried) is not list:
            return carried
        [number] = carried
        if number in self._made:
            return self._made[number]
        if number in self._busy:
            raise RebuildError("cycle through an immutable value")
        self._busy.add(number)
        try:
            node = self._nodes[number]
            make: Callable[..., object] = getattr(self, f"_make_{node[0]}")
            made = make(number, *node[1:])
        finally:
            self._busy.discard(number)
        self._made[number] = made
        self.alive.append(made)
        return made

    def _needed(self, carried: object) -> object:
        """As `value`, for what no placeholder can stand for."""
        made = self.value(carried)
        if is_placeholder(made):
            raise MissingError(*name_of(made).split(":", 1))
        return made

    def _named(self, module: str, qualname: str) -> object:
        """What a name means, or a placeholder for it."""
        name = f"{module}:{qualname}"
        try:
            made = self._space.find(module, qualname)
        except MissingError:
            about = (self._descriptions or {}).get(name)
            if about is None:
                raise
            made = self._placeholder(name, about)
        self.references.setdefault(id(made), Reference(name))
        return made

    def _placeholder(self, name: str, about: Description, **carried: object) -> Placeholder:
        made = stand_in(name, about, self._first_class(about), carried)
        return self._placeholders.setdefault(name, made) if not carried else made

    def _first_class(self, about: Description) -> type | None:
        """What the `__class__` of a placeholder says: the first of its classes that is here.

        Those before it are not here, so that nobody can ask about them.
        """
        for module, qualname in about.classes or ():
            try:
                found = self._space.find(module, qualname)
            except (MissingError, RebuildError):
                continue
            if isinstance(found, type):
                return found
        return None if about.classes is None else object

    def _lazily(self, carried: object) -> object:
        """As `value`, but a name that the slice lacks gives a hole."""
        try:
            return self.value(carried)
        except MissingError as error:
            return Hole(f"missing {error}")

    def _all(self, values: object) -> list[object]:
        return [self.value(value) for value in values]  # pyright: ignore

    def _keep(self, number: int, made: object) -> object:
        self._made[number] = made
        self.alive.append(made)
        self._busy.discard(number)
        return made

    # Containers -------------------------------------------------------------------------------

    def _make_list(self, number: int, items: object) -> object:
        made: list[object] = []
        self._keep(number, made)
        made.extend(self._all(items))
        return made

    def _make_tuple(self, _number: int, items: object) -> object:
        return tuple(self._all(items))

    def _make_set(self, number: int, items: object) -> object:
        made: set[object] = set()
        self._keep(number, made)
        made.update(self._all(items))
        return made

    def _make_frozenset(self, _number: int, items: object) -> object:
        return frozenset(self._all(items))

    def _make_dict(self, number: int, pairs: object) -> object:
        made: dict[object, object] = {}
        self._keep(number, made)
        for key, held in pairs:  # pyright: ignore
            made[self.value(key)] = self.value(held)
        return made

    def _make_bytearray(self, _number: int, content: bytes) -> object:
        return bytearray(content)

    # Names ------------------------------------------------------------------------------------

    def _make_hole(self, _number: int, reason: str) -> object:
        return Hole(reason)

    def _make_ref(self, _number: int, module: str, qualname: str) -> object:
        return self._named(module, qualname)

    def _make_global(self, _number: int, module: str, name: str) -> object:
        return self._named(module, name)

    def _make_module(self, _number: int, name: str) -> object:
        return self._space.module(name)

    def _make_enum(self, _number: int, kind: object, name: str) -> object:
        return self._needed(kind).__members__[name]  # pyright: ignore

    def _make_classattr(self, _number: int, kind: object, name: str) -> object:
        made: type = self._needed(kind)  # pyright: ignore
        try:
            return type.__dict__["__dict__"].__get__(made)[name]
        except KeyError as error:
            home = self._space.module_of(made)
            raise MissingError(home, f"{made.__qualname__}.{name}") from error

    # Built-in kinds ---------------------------------------------------------------------------

    def _make_method(self, _number: int, function: object, owner: object) -> object:
        return types.MethodType(self.value(function), self.value(owner))  # pyright: ignore

    def _make_bound(self, number: int, owner: object, name: str) -> object:
        holder = self.value(owner)
        try:
            made = self._bound(holder, name)
        except MissingError as error:
            if self._descriptions is None:
                raise
            made = self._placeholder(str(error), METHOD, __self__=holder)
        self.references[id(made)] = Reference(f"{name}@{number}", (holder,))
        return made

    def _bound(self, holder: object, name: str) -> object:
        if is_placeholder(holder):
            raise MissingError(*f"{name_of(holder)}.{name}".split(":", 1))
        try:
            return getattr(holder, name)
        except AttributeError as error:
            kind = holder if isinstance(holder, type) else type(holder)
            # The class that defines it cannot be seen here: whoever slices looks for it.
            mine = (
                f"{self._space.module_of(k)}:{k.__qualname__}.{name}" for k in kind.__mro__[:-1]
            )
            raise MissingError(*"|".join(mine).split(":", 1)) from error

    def _make_member(self, _number: int, owner: object, name: str) -> object:
        kind = self._needed(owner)
        try:
            return type.__dict__["__dict__"].__get__(kind)[name]
        except KeyError as error:
            raise RebuildError(f"no member {name}") from error

    def _make_property(self, _number: int, parts: object) -> object:
        return property(*self._all(parts))  # pyright: ignore

    def _make_classmethod(self, _number: int, parts: object) -> object:
        return classmethod(*self._all(parts))  # pyright: ignore

    def _make_staticmethod(self, _number: int, parts: object) -> object:
        return staticmethod(*self._all(parts))  # pyright: ignore

    def _make_weakref(self, _number: int, referent: object) -> object:
        return weakref.ref(self.value(referent))

    def _make_weakproxy(self, _number: int, referent: object) -> object:
        return weakref.proxy(self.value(referent))

    def _make_lock(self, _number: int, kind: str) -> object:
        return threading.RLock() if kind == "RLock" else threading.Lock()

    def _make_contextvar(self, _number: int, name: str) -> object:
        return contextvars.ContextVar(name)

    def _make_code(self, _number: int, code: bytes) -> object:
        return marshal.loads(code)

    def _make_cell(self, number: int, *_contents: object) -> object:
        made = self._empty_cell([number])
        self._fill_cell([number])
        return made

    def _empty_cell(self, carried: list[int]) -> types.CellType:
        """The cell before its content, which may be the very function that closes over it."""
        [number] = carried
        if number not in self._made:
            self._keep(number, types.CellType())
            if len(self._nodes[number]) > 1:
                self._unfilled.add(number)
        return self._made[number]  # pyright: ignore

    def _fill_cell(self, carried: list[int]) -> None:
        [number] = carried
        if number in self._unfilled:
            self._unfilled.discard(number)
            cell: types.CellType = self._made[number]  # pyright: ignore
            cell.cell_contents = self.value(self._nodes[number][1])

    def _make_mappingproxy(self, _number: int, held: object) -> object:
        return types.MappingProxyType(self.value(held))  # pyright: ignore

    def _make_view(self, _number: int, kind: str, held: object) -> object:
        return getattr(self.value(held), kind)()

    def _make_memoryview(self, _number: int, content: bytes) -> object:
        return memoryview(content)

    def _make_ssl(self, _number: int, protocol: int, check: bool, verify: int) -> object:
        made = ssl.SSLContext(protocol)
        made.check_hostname = False
        made.verify_mode = ssl.VerifyMode(verify)
        made.check_hostname = check
        return made

    def _make_std(self, _number: int, name: str) -> object:
        return getattr(sys, name)

    def _make_text(
        self, number: int, kind: object, buffer: object, encoding: str, errors: str, state: object
    ) -> object:
        cls = self._needed(kind)
        made = io.TextIOWrapper.__new__(cls)  # pyright: ignore
        under = io.BytesIO() if buffer is None else self.value(buffer)
        io.TextIOWrapper.__init__(made, under, encoding, errors)  # pyright: ignore
        if buffer is None:
            io.TextIOWrapper.close(made)  # pyright: ignore
        self._keep(number, made)
        self._restore(made, state)
        return made

    def _make_file(self, number: int, kind: str, mode: str, content: bytes, where: int) -> object:
        # A relative name: the folder of a call is a new one each time, and names are compared.
        path = Path(f"carried-{number}")
        path.write_bytes(content)
        mode = mode.replace("w", "r+").replace("x", "r+").replace("++", "+")
        made = path.open(mode, buffering=0 if kind == "FileIO" else -1)
        made.seek(where)
        return made

    # Instances --------------------------------------------------------------------------------

    def _make_raw(
        self, number: int, kind: object, base: str, payload: object, state: object
    ) -> object:
        inside = number not in self._direct and self._space.plain_class(self._nodes, number)
        about = (self._descriptions or {}).get(f"{inside}()") if inside in self._held else None
        if inside and about is not None:
            cls = self._first_class(about)
            made: object = stand_in(inside, about, cls, prefix=TOUCH_HELD)
            self.references[id(made)] = Reference(f"{inside}@{number}")
            return made
        cls = self._needed(kind)
        made = self._bare(cls, base, payload)  # pyright: ignore
        self._keep(number, made)
        if inside:
            self.references[id(made)] = Reference(f"{inside}@{number}")
        self._fill(made, base, payload)
        self._restore(made, state)
        return made

    def _bare(self, cls: type, base: str, payload: object) -> object:
        """A new instance without running Python code of its class."""
        if inspect.isabstract(cls):
            # made elsewhere, where the class was whole: the slice only uses some of its methods
            cls.__abstractmethods__ = frozenset()
        new = _builtin_new(cls)
        match base:
            case "tuple" | "frozenset":
                return new(cls, self._all(payload))
            case "str" | "bytes" | "int" | "float" | "complex" | "bool":
                return new(cls, payload)
            case "BaseException":
                return new(cls, *self._all(payload))
            case "ModuleType":
                made = new(cls)
                types.ModuleType.__init__(made, "carried")
                return made
            case _:
                return new(cls)

    def _fill(self, made: object, base: str, payload: object) -> None:
        kind = _BASES.get(base)
        match base:
            case "OrderedDict" | "dict":
                for key, held in payload:  # pyright: ignore
                    kind.__setitem__(made, self.value(key), self.value(held))  # pyright: ignore
            case "defaultdict":
                factory, pairs = payload  # pyright: ignore
                defaultdict.__init__(made, self.value(factory))  # pyright: ignore
                for key, held in pairs:  # pyright: ignore
                    dict.__setitem__(made, self.value(key), self.value(held))  # pyright: ignore
            case "list":
                list.extend(made, self._all(payload))  # pyright: ignore
            case "set":
                set.update(made, self._all(payload))  # pyright: ignore
            case "deque":
                items, maxlen = payload  # pyright: ignore
                deque.__init__(made, self._all(items), maxlen)  # pyright: ignore
            case "bytearray":
                bytearray.extend(made, payload)  # pyright: ignore
            case "property":
                property.__init__(made, *self._all(payload))  # pyright: ignore
            case "BytesIO" | "StringIO":
                _fill_memory_file(made, kind, payload)  # pyright: ignore
            case "BaseException":
                _initialised(made, self._all(payload))
            case _:
                pass

    def _restore(self, made: object, state: object) -> None:
        for name, held in state:  # pyright: ignore
            _set_attribute(made, name, self.value(held))

    def _make_reduce(
        self,
        number: int,
        func: object,
        args: object,
        state: object,
        items: object,
        pairs: object,
        setter: object,
    ) -> object:
        function = self._needed(func)
        arguments = self._all(args)
        try:
            made = function(*arguments)  # pyright: ignore
        except (MissingError, RebuildError):
            raise
        except Exception as error:
            raise RebuildError(f"cannot be rebuilt: {type(error).__name__}: {error}") from error
        self._keep(number, made)
        for item in self._all(items or ()):
            made.append(item)
        for key, held in pairs or ():  # pyright: ignore
            made[self.value(key)] = self.value(held)
        if state is not None:
            self._set_state(made, self.value(state[0]), setter)  # pyright: ignore
        return made

    def _set_state(self, made: object, state: object, setter: object) -> None:
        if setter is not None:
            self._needed(setter)(made, state)  # pyright: ignore
            return
        if hasattr(type(made), "__setstate__"):
            made.__setstate__(state)  # pyright: ignore
            return
        slots: object = None
        if isinstance(state, tuple) and len(state) == 2:
            state, slots = state
        for part in (state, slots):
            for name, held in (part or {}).items():  # pyright: ignore
                _set_attribute(made, name, held)

    # Functions and classes by value ---------------------------------------------------------------

    def _make_globals(self, number: int, name: str, held: dict[str, object]) -> object:
        made: dict[str, object] = {"__name__": name, "__builtins__": __builtins__}
        self._keep(number, made)
        for key, value in held.items():
            made[key] = self._lazily(value)
        return made

    def _make_moduleview(self, number: int, name: str, held: dict[str, object]) -> object:
        made = types.ModuleType(name)
        self._keep(number, made)
        for key, value in held.items():
            setattr(made, key, self._lazily(value))
        return made

    def _make_function(  # noqa: PLR0913, PLR0917 - the parts of one node
        self,
        number: int,
        code: bytes,
        where: object,
        names: tuple[str, str, str],
        defaults: object,
        keyword_defaults: object,
        closure: object,
        annotations: object,
        attributes: object,
    ) -> object:
        made_code: types.CodeType = marshal.loads(code)
        outer = made_code.co_qualname.partition(".<locals>")[0]
        reference: Reference | None = None
        if isinstance(where, str):
            if outer != made_code.co_qualname:
                reference = Reference(f"{where}:{names[2]}@{number}")
                try:
                    self._space.find(where, outer)
                except MissingError as error:
                    if self._descriptions is None:
                        raise
                    return self._absent_closure(str(error), names, reference)
            space = vars(self._space.module(where))
            self.homes |= dict.fromkeys(_nested(made_code), where)
        else:
            space = self.value(where)
        cells = None if closure is None else tuple(self._empty_cell(c) for c in closure)  # pyright: ignore
        made = types.FunctionType(made_code, space, names[1], None, cells)  # pyright: ignore
        self._keep(number, made)
        if reference is not None:
            self.references[id(made)] = reference
        made.__module__, made.__qualname__ = names[0], names[2]
        made.__defaults__ = self.value(defaults)  # pyright: ignore
        made.__kwdefaults__ = self.value(keyword_defaults)  # pyright: ignore
        if annotations is not None:
            found = self._lazily(annotations)
            made.__annotations__ = {} if type(found) is Hole else found  # pyright: ignore
        for cell in closure or ():  # pyright: ignore
            self._fill_cell(cell)
        if attributes is not None:
            made.__dict__.update(self.value(attributes))  # pyright: ignore
        return made

    def _absent_closure(
        self, outer: str, names: tuple[str, str, str], reference: Reference
    ) -> Placeholder:
        """A function made by one that is not here."""
        module, name, qualname = names
        carried = {"__module__": module, "__name__": name, "__qualname__": qualname}
        made = self._placeholder(outer, FUNCTION, **carried)
        self.references[id(made)] = reference
        return made

    def _make_suspended(
        self, _number: int, function: object, positional: object, named: object
    ) -> object:
        keywords = {str(key): self.value(held) for key, held in named}  # pyright: ignore
        return self._needed(function)(*self._all(positional), **keywords)  # pyright: ignore

    def _make_class(  # noqa: PLR0913, PLR0917 - the parts of one node
        self,
        number: int,
        meta: object,
        name: str,
        qualname: str,
        module: str,
        bases: object,
        slots: object,
        namespace: object,
    ) -> object:
        metaclass = self._needed(meta)
        parents = tuple(self._needed(base) for base in bases)  # pyright: ignore
        if any(type(parent) is Hole for parent in parents):
            raise RebuildError("a base of a class of the tests could not be carried")
        space: dict[str, object] = {"__module__": module, "__qualname__": qualname}
        if slots is not None:
            space["__slots__"] = self.value(slots)
        try:
            made = _builtin_new(metaclass)(metaclass, name, parents, space)  # pyright: ignore
        except Exception as error:
            raise RebuildError(f"class of the tests: {type(error).__name__}: {error}") from error
        self._keep(number, made)
        for key, held in namespace:  # pyright: ignore
            if key in ("__slots__", "__module__", "__qualname__"):
                continue
            try:
                type.__setattr__(made, key, self._lazily(held))  # pyright: ignore
            except (AttributeError, TypeError):
                continue
        return made

    def _make_newenum(
        self, _number: int, base: object, qualname: str, module: str, members: object
    ) -> object:
        name = qualname.rpartition(".")[2]
        pairs = self.value(members)
        return self._needed(base)(name, pairs, module=module, qualname=qualname)  # pyright: ignore


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    """Code, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


def _builtin_new(cls: type) -> Callable[..., object]:
    for base in type.__dict__["__mro__"].__get__(cls):
        new = type.__dict__["__dict__"].__get__(base).get("__new__")
        if isinstance(new, types.BuiltinFunctionType):
            return new
    raise RebuildError(f"no way to make an instance of {cls.__qualname__}")


def _initialised(made: object, args: list[object]) -> None:
    """Run the built-in `__init__` of an exception, which keeps more than its arguments."""
    for base in type.__dict__["__mro__"].__get__(type(made)):
        if base.__module__ == "builtins":
            try:
                base.__init__(made, *args)
            except (TypeError, ValueError):
                continue
            return


def _fill_memory_file(made: object, kind: type, payload: object) -> None:
    if payload is None:
        kind.__init__(made)
        kind.close(made)  # pyright: ignore
        return
    content, where = payload  # pyright: ignore
    if kind is io.StringIO:
        kind.__init__(made, content, newline="")  # pyright: ignore
    else:
        kind.__init__(made, content)
    kind.seek(made, where)  # pyright: ignore


def _set_attribute(made: object, name: str, held: object) -> None:
    """Set an attribute as if no class had a say in it."""
    for cls in type.__dict__["__mro__"].__get__(type(made)):
        member = type.__dict__["__dict__"].__get__(cls).get(name)
        if isinstance(member, types.MemberDescriptorType):
            member.__set__(made, held)
            return
    for cls in type.__dict__["__mro__"].__get__(type(made)):
        member = type.__dict__["__dict__"].__get__(cls).get("__dict__")
        if isinstance(member, types.GetSetDescriptorType):
            member.__get__(made)[name] = held
            return
    object.__setattr__(made, name, held)
