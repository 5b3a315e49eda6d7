"""The canonical text of what a call gave: exact types by class path, no addresses, no user code.

Two observations are equal exactly when their texts are.
"""

from __future__ import annotations

import copyreg
import io
import itertools
import types
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .nodes import ATOMS, LOCKS, Hole, base_of, dict_of, slots_of
from .placeholders import Placeholder

MAX_PARTS = 60_000


@dataclass(frozen=True, slots=True)
class Reference:
    """What stands for an object that came by name, whether or not the name is held here."""

    name: str
    owner: tuple[()] | tuple[object] = ()
    """Of a bound method: what it is bound to."""


class TooLargeError(Exception):
    """The value has more parts than are worth comparing."""


class Canonical:
    """Writes values that share one memory of what was seen, so that aliases show."""

    def __init__(
        self,
        path_of: Callable[[type], str],
        is_python: Callable[[type], bool],
        references: Mapping[int, Reference] | None = None,
    ) -> None:
        """Take how a class is named, which classes are taken apart instead of reduced, and which
        objects are only referred to: what they are is said by `states`.
        """
        self._path_of = path_of
        self._is_python = is_python
        self._references = references or {}
        self._met: dict[str, object] = {}
        self._seen: dict[int, int] = {}
        self._alive: list[object] = []
        self._parts = 0

    def text(self, value: object) -> str:
        """The canonical text of a value."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise TooLargeError
        kind = type(value)
        if kind in ATOMS:
            return f"{value!r}" if kind is not type(...) else "..."
        if (number := self._seen.get(id(value))) is not None:
            return f"#{number}"
        self._seen[id(value)] = len(self._seen)
        self._alive.append(value)
        if (reference := self._references.get(id(value))) is not None:
            self._met[reference.name] = value
            owner = "".join(f" of {self.text(owner)}" for owner in reference.owner)
            return f"<{reference.name}{owner}>"
        return self._compound(value, kind)

    def states(self) -> dict[str, str]:
        """The text of each object that was only referred to, placeholders and classes excepted."""
        found: dict[str, str] = {}
        done: set[str] = set()
        while self._met.keys() - done:
            name = next(name for name in self._met if name not in done)
            done.add(name)
            value = self._met[name]
            if issubclass(type(value), (type, Placeholder)):
                continue
            other = Canonical(self._path_of, self._is_python, self._references)
            # What the texts before have said is not said again: only its number.
            other._seen = dict(self._seen)
            found[name] = other._state(value)
            self._met |= {name: held for name, held in other._met.items() if name not in self._met}
        return found

    def _state(self, value: object) -> str:
        if type(value) is types.MethodType:
            return self.text(value.__func__)
        return self._compound(value, type(value))

    def _list(self, values: Iterable[object]) -> str:
        return ", ".join([self.text(value) for value in values])

    def _pairs(self, pairs: Iterable[tuple[object, object]]) -> str:
        return ", ".join([f"{self.text(key)}: {self.text(held)}" for key, held in pairs])

    def _unordered(self, values: Iterable[object]) -> str:
        """Members of a set, in the order of their own texts."""

        def alone(value: object) -> str:
            other = Canonical(self._path_of, self._is_python, self._references)
            other._parts = self._parts
            text = other.text(value)
            self._parts = other._parts
            return text

        return self._list(
            [value for _, value in sorted(((alone(v), v) for v in values), key=_first)]
        )

    def _compound(self, value: object, kind: type) -> str:  # noqa: C901 - a line for each kind of value
        if kind is Hole:
            return "<hole>"
        if kind is list:
            return f"[{self._list(value)}]"  # pyright: ignore
        if kind is tuple:
            return f"({self._list(value)})"  # pyright: ignore
        if kind is dict:
            return "{" + self._pairs(list(dict.items(value))) + "}"  # pyright: ignore
        if kind in (set, frozenset):
            return f"{kind.__name__}{{{self._unordered(value)}}}"  # pyright: ignore
        if issubclass(kind, type):
            return f"<class {self._path_of(value)}>"  # pyright: ignore
        if kind is types.FunctionType:
            return self._function(value)  # pyright: ignore
        if kind is types.MethodType:
            return f"<method {self.text(value.__func__)} of {self.text(value.__self__)}>"  # pyright: ignore
        if kind is types.ModuleType:
            return "<module>"
        if kind is types.CellType:
            try:
                return f"<cell {self.text(value.cell_contents)}>"  # pyright: ignore
            except ValueError:
                return "<cell>"
        if kind in LOCKS or kind is types.CodeType:
            return f"<{kind.__name__}>"
        if kind is weakref.ref:
            return f"<weakref {self.text(value())}>"  # pyright: ignore
        if kind in (weakref.ProxyType, weakref.CallableProxyType):
            return "<weakproxy>"  # which of the two it is depends on methods that a slice may lack
        if kind in (property, classmethod, staticmethod):
            parts = (getattr(value, n, None) for n in ("fget", "fset", "fdel", "__func__"))
            return f"<{kind.__name__} {self._list(parts)}>"
        if kind is types.MappingProxyType:
            return f"<mappingproxy {self._pairs(list(value.items()))}>"  # pyright: ignore
        return self._instance(value, kind)

    def _function(self, value: types.FunctionType) -> str:
        cells = "" if value.__closure__ is None else self._list(value.__closure__)
        defaults = self._list((value.__defaults__, value.__kwdefaults__, value.__dict__))
        return f"<function {value.__qualname__} [{cells}] {defaults}>"

    def _instance(self, value: object, kind: type) -> str:
        name = self._path_of(kind)
        base = base_of(kind)
        if self._is_python(kind) or base is not object:
            content = self._payload(value, base)
            held = {**(dict_of(value) or {}), **slots_of(value)}
            names = sorted((key for key in held if key != "__module__"), key=str)
            state = ", ".join(f"{key}={self.text(held[key])}" for key in names)
            return f"<{name} {content}| {state}>"
        if kind.__module__ in ("_io", "_thread", "_socket", "_ssl", "weakref", "_weakref"):
            return f"<{name}>"
        return f"<{name} {self._reduced(value, kind)}>"

    def _payload(self, value: object, base: type) -> str:
        held: object = value
        if base is property:
            parts = (property.fget, property.fset, property.fdel)
            return self._list([part.__get__(held) for part in parts])  # pyright: ignore
        if base in (OrderedDict, dict):
            return self._pairs(list(base.items(held)))  # pyright: ignore
        if base is defaultdict:
            return self._pairs(list(dict.items(held)))  # pyright: ignore
        if base in (list, deque, tuple):
            return self._list(list(base.__iter__(held)))  # pyright: ignore
        if base in (set, frozenset):
            return self._unordered(list(base.__iter__(held)))  # pyright: ignore
        if base in (str, bytes):
            return repr(base.__getitem__(held, slice(None)))  # pyright: ignore
        if base in (int, float, complex, bytearray):
            return base.__repr__(held)  # pyright: ignore
        if base in (io.BytesIO, io.StringIO):
            if base.closed.__get__(held):  # pyright: ignore
                return "closed"
            return f"{base.getvalue(held)!r} at {base.tell(held)}"  # pyright: ignore
        if base is BaseException:
            cause = self.text(BaseException.__cause__.__get__(held))  # pyright: ignore
            return f"{self.text(BaseException.args.__get__(held))} from {cause}"  # pyright: ignore
        return ""

    def _reduced(self, value: object, kind: type) -> str:
        """An instance of a C type or of somebody else's class, as pickle would see it."""
        try:
            special = copyreg.dispatch_table.get(kind)
            form = special(value) if special else value.__reduce_ex__(4)
        except Exception:  # noqa: BLE001 - whatever it says, it cannot be seen into
            return "?"
        if isinstance(form, str):
            return form
        _func, args, state, items, pairs = (*form, None, None, None)[:5]
        items = list(itertools.islice(items, MAX_PARTS)) if items else []
        if type(state) is dict and "__module__" in state:
            # Packages rename what they export; classes are named by where they are defined.
            state = {key: held for key, held in state.items() if key != "__module__"}
            self._alive.append(state)
        return self._list((args, state, items, list(pairs or ())))


def _first(pair: tuple[str, object]) -> str:
    return pair[0]
