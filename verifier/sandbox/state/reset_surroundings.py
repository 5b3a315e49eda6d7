"""Reset the target's environment between cases.

This covers environment variables, what `sys`, `os` and `platform` say about the machine, plain
values in modules, classes, objects, functions, their defaults, thread locals and closures of the
script, and the caches of its functions. Other state stays as it is.
"""

from __future__ import annotations

import builtins
import contextvars
import functools
import operator
import os
import sys
import threading
import time as _time
import types

from .. import raw
from ..encoders.kinds.encode_builtins import LEAVES
from .namespaces import belongs_to_script
from .observed_state import items_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_MOST_ITEMS = 1_000
"""Most items of one container that are restored."""
_MOST_CONTAINERS = 2_000
_DEEPEST = 3
_MACHINE = (
    ("sys", ("platform", "argv")),
    ("os", ("name", "cpu_count", "get_terminal_size")),
    ("platform", ("system", "machine", "release", "node")),
    ("shutil", ("get_terminal_size",)),
)
_LOCALS = (("click.globals", "_local"),)
"""Thread locals of libraries in which cases enter contexts."""
_CONTAINERS = frozenset(map(id, (list, dict, set)))
_PLAIN = _CONTAINERS | {id(tuple), id(frozenset), *LEAVES}
"""Plain types by address, since a class may hijack comparisons."""
_environment: Raw = os.environ
_putenv, _unsetenv, _fsdecode = os.putenv, os.unsetenv, os.fsdecode
_modules = sys.modules
_is = operator.is_
_local: Raw = threading.local
_of_local: Callable[[Raw, str], Raw] = _local.__getattribute__
_variable: Raw = contextvars.ContextVar
_cached: Raw = type(functools.lru_cache(maxsize=None)(len))
_function = types.FunctionType
_globals: Callable[[Raw], Raw] = vars(_function)["__globals__"].__get__
_closure: Callable[[Raw], Raw] = vars(_function)["__closure__"].__get__
_attributes: Callable[[Raw], Raw] = vars(_function)["__dict__"].__get__
_defaults: Callable[[Raw], Raw] = vars(_function)["__defaults__"].__get__
_named_defaults: Callable[[Raw], Raw] = vars(_function)["__kwdefaults__"].__get__
_contents: Callable[[Raw], Raw] = vars(types.CellType)["cell_contents"].__get__
_set_of_class, _class_dict = type.__setattr__, vars(type)["__dict__"].__get__


class Surroundings:
    """The environment with its recorded state.

    `namespaces` are those of the script's own modules, `own` the names of these modules, and
    `source` is the script's text.
    """

    def __init__(
        self, namespaces: Iterable[dict[str, Raw]], own: Iterable[str], source: str
    ) -> None:
        self._own = frozenset(own)
        self._source = source
        self._variables: dict[Raw, Raw] = dict(_environment._data)  # noqa: SLF001 - no copies of it
        self._bound: list[tuple[dict[str, Raw], str, Raw]] = []
        self._attributes: list[tuple[Raw, str, Raw]] = []
        self._kept_items: dict[int, tuple[Raw, list[Raw]]] = {}
        self._caches: list[Raw] = []
        self._layouts: dict[int, raw.Layout] = {}
        """Layouts of classes by id."""
        self._functions: set[int] = set()
        """Ids of functions whose closures were inspected."""
        self._namespaces: set[int] = set()
        self.has_variables = False
        """Whether the script has context variables, so that each case needs its own context."""
        with raw.LookupCache():
            self._note(list(namespaces))
        self._case = ""
        self._imported = len(_modules)

    def _note(self, namespaces: list[dict[str, Raw]]) -> None:
        """Record the current state."""
        self._namespaces.update(map(id, namespaces))
        for module, names in _MACHINE:
            namespace = raw.module_dict(module) or {}
            known = [name for name in names if name in namespace]
            self._bound += ((namespace, name, namespace[name]) for name in known)
        self._keep_items(sys.argv, 0)
        for module, name in _LOCALS:
            self._keep_inside((raw.module_dict(module) or {}).get(name))
        for namespace in namespaces:
            items = list(raw.dict_items(namespace))
            self._keep(namespace, items)
            for _, value in items:
                self._keep_inside(value)

    def restart(self, case: str) -> None:
        """Undo changes since the last case began; `case` is the text of the next one."""
        self._restore_variables()
        self._case, self._imported = case, len(_modules)
        for namespace, name, value in self._bound:
            if namespace.get(name, raw.MISSING) is not value:
                namespace[name] = value
        for cls, name, value in self._attributes:
            if _class_dict(cls).get(name, raw.MISSING) is not value:
                _set_of_class(cls, name, value)
        for cache in self._caches:
            cache.cache_clear()
        for container, items in self._kept_items.values():
            now = items_of(container)
            if len(now) != len(items) or not all(map(_is, now, items)):
                _refill(container, items)

    def _restore_variables(self) -> None:
        """Restore all environment variables except those that imported libraries may have set."""
        now: dict[Raw, Raw] = _environment._data  # noqa: SLF001
        if now == self._variables:
            return
        is_imported = len(_modules) != self._imported
        for name in {**now, **self._variables}:
            value, before = now.get(name), self._variables.get(name)
            if value == before:
                continue
            if is_imported and value is not None and not self._is_named(_fsdecode(name)):
                self._variables[name] = value
            elif before is None:
                del now[name]
                _unsetenv(name)
            else:
                now[name] = before
                _putenv(name, before)
            if name == b"TZ" and hasattr(_time, "tzset"):
                _time.tzset()

    def _is_named(self, name: str) -> bool:
        """Whether the case or the script mentions a variable, rather than an imported library."""
        return name in self._case or name in self._source

    # -------------------------------------------------------------------- what is kept

    def _keep(self, namespace: dict[str, Raw], items: Iterable[tuple[Raw, Raw]]) -> None:
        for name, value in items:
            if _is_kept(name, value):
                self._bound.append((namespace, name, value))
                self._keep_items(value, 0)

    def _keep_inside(self, value: Raw) -> None:
        """Record what a class or function of the script holds, or an instance of a class."""
        cls = raw.class_of(value)
        self._keep_known(value)
        if raw.derives(cls, type):
            if raw.class_names(value)[0] in self._own:
                for name, item in raw.class_items(value):
                    self._keep_known(item)
                    if _is_kept(name, item):
                        self._attributes.append((value, name, item))
                        self._keep_items(item, 0)
        elif cls is _local:
            self._keep_items(_of_local(value, "__dict__"), 0)
        elif cls is _variable:
            self.has_variables = True
        elif raw.is_python_class(cls) and raw.class_names(cls)[0] in self._own:
            if id(cls) not in self._layouts:
                self._layouts[id(cls)] = raw.Layout(cls)
            namespace = self._layouts[id(cls)].namespace
            attributes: Raw = namespace(value) if namespace is not None else None
            if raw.class_of(attributes) is dict:
                self._keep(attributes, list(raw.dict_items(attributes)))

    def _keep_known(self, value: Raw) -> None:
        """Record the state that a function of the script keeps: its cache and its closure."""
        cls = raw.class_of(value)
        if cls is _cached:
            inner = value.__wrapped__
            if raw.class_of(inner) is _function and id(_globals(inner)) in self._namespaces:
                self._caches.append(value)
                self._keep_known(inner)
        elif cls is _function and id(_globals(value)) in self._namespaces:
            if id(value) in self._functions:
                return
            self._functions.add(id(value))
            attributes: Raw = _attributes(value)
            self._keep(attributes, list(raw.dict_items(attributes)))
            named: Raw = _named_defaults(value) or {}
            for default in (*(_defaults(value) or ()), *named.values()):
                self._keep_items(default, 0)
            for cell in _closure(value) or ():
                try:
                    content = _contents(cell)
                except ValueError:  # the cell is empty
                    continue
                self._keep_items(content, 0)
                self._keep_known(content)

    def _keep_items(self, value: Raw, depth: int) -> None:
        """Record the items of a container, and of those inside."""
        kind = raw.class_of(value)
        if id(kind) not in _CONTAINERS or len(value) > _MOST_ITEMS or id(value) in self._kept_items:
            return
        items = items_of(value)
        keys = [] if kind is list else items[::2] if kind is dict else items
        if len(self._kept_items) >= _MOST_CONTAINERS or not _can_be_keys(keys):
            return
        self._kept_items[id(value)] = value, items
        for item in items if depth < _DEEPEST else ():
            self._keep_items(item, depth + 1)


def _is_kept(name: Raw, value: Raw) -> bool:
    """Whether it is a plain value under a name that belongs to the script."""
    return belongs_to_script(name) and id(raw.class_of(value)) in _PLAIN


def _can_be_keys(items: list[Raw]) -> bool:
    """Whether items can be restored without running foreign code."""
    return all(id(raw.class_of(item)) in LEAVES for item in items)


def _refill(container: Raw, items: list[Raw]) -> None:
    container.clear()
    if raw.class_of(container) is list:
        container.extend(items)
    elif raw.class_of(container) is dict:
        pairs = iter(items)
        container.update(zip(pairs, pairs))  # noqa: B905 - new in 3.10
    else:
        container.update(items)
