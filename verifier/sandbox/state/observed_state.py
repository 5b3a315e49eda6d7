"""The state around a call: globals of the script's own modules, and files of the working folder.

A snapshot is taken before and after the call; the differences are its changes.
"""

from __future__ import annotations

import builtins
import operator
import os
import re
import sys
import types
from importlib import machinery
from itertools import chain

from .. import raw
from ..encoders.classes import Classes
from ..encoders.encode import encode
from ..encoders.kinds.encode_builtins import LEAVES
from ..encoders.object_graph import ObjectGraph, Watched, are_same, graph_of, same_numbers
from .namespaces import Known, fixed_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import TypeAlias

    from ..raw import Class, Raw
    from .namespaces import NamespaceSnapshot

    Entry: TypeAlias = tuple[Raw, "str | _Flat | ObjectGraph | None"]

__builtins__ = dict(vars(builtins))

DELETED = "deleted"
_FOLDER = "os.getcwd()"
MAX_NODES = 20_000
"""Most nodes of one global that are compared."""

MAX_FILES = 1_000
MAX_FILE = 1 << 20

_scandir, _lstat, _readlink, _getcwd = os.scandir, os.lstat, os.readlink, os.getcwd
_environment: Raw = os.environ
_is = operator.is_
_values: Callable[[Raw], Iterable[Raw]] = vars(dict)["values"]
_class_values: Callable[[Raw], Iterable[Raw]] = vars(types.MappingProxyType)["values"]
_copy: Callable[[Raw], Raw] = vars(dict)["copy"]
_function_name: Callable[[Raw], Raw] = vars(types.FunctionType)["__qualname__"].__get__
_function_module: Callable[[Raw], Raw] = vars(types.FunctionType)["__module__"].__get__
_FINDERS = frozenset(
    map(id, (machinery.BuiltinImporter, machinery.FrozenImporter, machinery.PathFinder))
)
"""The interpreter's own finders, by address: they carry no modules of a script."""


class Bounds:
    """Limits on inspecting globals: objects of each, and of all together.

    Beyond these only the identity is compared; likewise for globals outside `names`, if given.
    """

    __slots__ = ("names", "nodes", "objects")

    def __init__(
        self,
        nodes: int = MAX_NODES,
        objects: int = sys.maxsize,
        names: frozenset[str] | None = None,
    ) -> None:
        self.nodes = nodes
        self.objects = objects
        self.names = names


class Snapshot:
    """The contents of names at one moment."""

    __slots__ = ("classes", "graph", "namespaces", "open")

    def __init__(self) -> None:
        self.classes: list[Class] = []
        """Classes of the script, whose namespaces are inspected as well."""
        self.namespaces: dict[str, NamespaceSnapshot] = {}
        """Maps the label of a module or class to the entries that are fixed unless rebound."""
        self.open: dict[str, Entry] = {}
        """Maps every other name to its value and its state; `None` if identity is enough."""
        self.graph: ObjectGraph | None = None


class Standing:
    """A snapshot, with a quick test whether the next one would be equal.

    The test compares everything that the snapshot was made from, in lists, by identity.
    """

    __slots__ = (
        "_bounds", "_contents", "_deep", "_flat", "_functions", "_labels", "_others", "_parts",
        "_proxies", "_spaces", "snapshot",
    )  # fmt: skip

    def __init__(
        self,
        snapshot: Snapshot,
        bounds: Bounds,
        modules: list[tuple[str, dict[str, Raw]]],
        deep: list[Raw],
        own_names: Collection[str],
        classes: Classes,
    ) -> None:
        self.snapshot = snapshot
        self._bounds = bounds
        self._labels = [label for label, _ in modules]
        self._spaces = [each for _, each in modules]
        self._proxies: list[Raw] = list(map(raw.class_dict, snapshot.classes))
        self._deep = deep
        self._flat = Watched()
        for value, more in snapshot.open.values():
            if isinstance(more, _Flat):
                self._flat.add(more.kind, [value])
        self._parts = classes.unchanged_parts(snapshot.classes)
        own = {*own_names, *self._labels}
        others = snapshot.graph.others if snapshot.graph is not None else []
        functions = [one for one in others if _is_function_of(one.value, own)]
        self._functions = [one.value for one in functions]
        # while names lead to the same objects, a function is what its name says
        sure = {id(one) for one in functions}
        self._others = [
            one for one in others if id(one) not in sure and type(one.value) is not re.Pattern
        ]
        self._contents = self._now()

    def is_current(
        self, bounds: Bounds, modules: list[tuple[str, dict[str, Raw]]], classes: Classes
    ) -> bool:
        """Whether a snapshot of these modules would be equal."""
        graph = self.snapshot.graph
        is_bound = (
            bounds is self._bounds
            and graph is not None
            and not graph.undescribed
            and [label for label, _ in modules] == self._labels
            and are_same([each for _, each in modules], self._spaces)
            and raw.class_of(_environment._data) is dict  # noqa: SLF001
            and self.snapshot.open[_FOLDER][0] == _folder()
            and are_same(self._now(), self._contents)
        )
        if not is_bound or graph is None or not self._deep:
            return is_bound
        classes.trust(self._parts)
        return graph.is_current(self._deep, bounds.nodes, classes, self._others)

    def _now(self) -> list[Raw]:
        """Return the names and values of namespaces, containers and the environment."""
        spaces = [*self._spaces, _environment._data]  # noqa: SLF001 - no copies of it
        values: list[Raw] = list(chain.from_iterable(map(_values, spaces)))
        values += chain.from_iterable(map(_class_values, self._proxies))
        found: list[Raw] = [*map(raw.class_of, values), *values]
        found += chain.from_iterable(spaces)
        found += chain.from_iterable(self._proxies)
        found += same_numbers(map(len, chain(spaces, self._proxies)))
        found += map(raw.qualname, self.snapshot.classes)
        found += map(_function_name, self._functions)
        found += map(_function_module, self._functions)
        found += self._flat.now()
        return found


def _is_function_of(value: Raw, modules: Collection[str]) -> bool:
    """Whether an object is a function whose `__module__` is one of these modules."""
    if raw.class_of(value) is not types.FunctionType:
        return False
    module = _function_module(value)
    return type(module) is str and module in modules


class Globals:
    """The module-level names of the script and of its carried modules.

    `known` holds the contents of namespaces from earlier cases, if given.
    """

    def __init__(
        self,
        namespace: dict[str, Raw],
        own_names: Collection[str],
        bounds: Bounds | None = None,
        known: Known | None = None,
    ) -> None:
        self._namespace = namespace
        self._own_names = own_names
        self._bounds = bounds or Bounds()
        self._known = Known() if known is None else known
        self._loaded: set[str] | None = None
        """Modules at the first snapshot: one that a call imports later is no change."""

    def snapshot(self, classes: Classes | None = None) -> Snapshot:
        """Return a snapshot of all names.

        `classes` is passed by callers that inspect other objects as well, without code running in
        between.
        """
        if classes is None:
            with raw.LookupCache():
                return self.snapshot(Classes(self._own_names, self._known.classes))
        found = Snapshot()
        modules = list(own_modules(self._namespace))
        if self._loaded is None:
            self._loaded = {label for label, _ in modules}
        is_whole = len(self._loaded) == len(modules)
        standing: Standing | None = self._known.standing
        self._known.standing = None
        if is_whole and standing and standing.is_current(self._bounds, modules, classes):
            self._known.standing = standing
            return standing.snapshot
        own = {*self._own_names, *(label for label, _ in modules)}
        self._known.belong_to(own)
        hanging: list[tuple[str, Raw]] = []
        for module, namespace in modules:
            if module in self._loaded:
                entries = self._known.of_module(module, namespace)
                hanging.extend(self._add(found, module, entries))
        variables = _copy(_environment._data)  # noqa: SLF001 - no copies of it
        hanging.append(("os.environ", variables))
        found.open[_FOLDER] = fixed_entry(_folder()) or (None, None)
        deep = self._look_at(found, hanging, classes, own)
        if is_whole and raw.class_of(_environment._data) is dict:  # noqa: SLF001
            self._known.standing = Standing(
                found, self._bounds, modules, deep, self._own_names, classes
            )
        return found

    def _add(
        self, found: Snapshot, namespace: str, snapshot: NamespaceSnapshot
    ) -> Iterator[tuple[str, Raw]]:
        """Record a namespace's contents. Yield labels and values with possible objects below."""
        found.namespaces[namespace] = snapshot
        for label, value in snapshot.open:
            if raw.derives(raw.class_of(value), type):
                found.classes.append(value)
                yield from self._add(found, label, self._known.of_class(label, value))
            else:
                yield label, value

    def _look_at(
        self,
        found: Snapshot,
        pairs: list[tuple[str, Raw]],
        classes: Classes,
        own: Collection[str],
    ) -> list[Raw]:
        """Record mutable values. Return those with objects below them."""
        bounds = self._bounds
        deep: list[tuple[str, Raw]] = []
        for label, value in pairs:
            flat = _flat(value)
            found.open[label] = value, flat
            if flat is None and (bounds.names is None or label in bounds.names):
                deep.append((label, value))
        values = [value for _, value in deep]
        graph = graph_of(values, bounds.nodes, bounds.objects, classes, self._known.graph, own)
        found.graph = self._known.graph = graph
        written: dict[int, str] = {}
        for label, value in deep:
            if graph.describes(value):
                found.open[label] = value, graph
            elif id(value) in graph.undescribed:
                if id(value) not in written:
                    written[id(value)] = encode(value, classes, max_nodes=bounds.nodes)
                found.open[label] = value, written[id(value)]
        return values


def own_modules(script: dict[str, Raw]) -> Iterator[tuple[str, dict[str, Raw]]]:
    """Yield label and namespace of each of the script's own modules, its main one first."""
    yield "<script>", script
    seen = [script]
    for finder in tuple(sys.meta_path):
        if id(finder) in _FINDERS or not raw.derives(raw.class_of(finder), type):
            continue
        if raw.class_attribute(finder, "slice_identity") is raw.MISSING:
            continue
        for name in sorted(raw.class_attribute(finder, "names")):
            namespace = raw.module_dict(name)
            if namespace is not None and not any(namespace is one for one in seen):
                seen.append(namespace)
                yield name, namespace


class _Flat:
    """A container of immutable items: its items are its whole state."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: Class, items: list[Raw]) -> None:
        self.kind = kind
        self.items = items

    def same(self, other: _Flat) -> bool:
        """Whether both have equal contents; the items need not be the same objects."""
        if self.kind is not other.kind or len(self.items) != len(other.items):
            return False
        return all(map(_is, self.items, other.items)) or self._text() == other._text()

    def _text(self) -> str:
        # all items are plain, so making a dictionary or set runs no foreign code
        if self.kind is dict:
            pairs = iter(self.items)
            return encode(dict(zip(pairs, pairs)), max_nodes=MAX_NODES)  # noqa: B905 - new in 3.10
        return encode(self.kind(self.items), max_nodes=MAX_NODES)


def _flat(value: Raw) -> _Flat | None:
    """Return the items of a builtin container if all are immutable; else `None`."""
    cls = raw.class_of(value)
    if not (cls is dict or cls is list or cls is tuple or cls is set or cls is frozenset):
        return None
    items = items_of(value)
    kinds = set(map(id, map(raw.class_of, items)))
    return _Flat(cls, items) if kinds.issubset(LEAVES) else None


def items_of(container: Raw) -> list[Raw]:
    """Return the items of a builtin container; for a dictionary keys and values."""
    if raw.class_of(container) is dict:
        return [part for pair in raw.dict_items(container) for part in pair]
    return list(container)


def _same(old: Entry, new: Entry, touched: Collection[int]) -> bool:
    before, after = old[1], new[1]
    if after is None or before is None:
        return old[0] is new[0]
    if isinstance(before, _Flat) or isinstance(after, _Flat):
        return isinstance(before, _Flat) and isinstance(after, _Flat) and before.same(after)
    if before is after:
        return old[0] is new[0] or _text(old) == _text(new)
    if isinstance(before, ObjectGraph) and isinstance(after, ObjectGraph) and old[0] is new[0]:
        return id(old[0]) not in touched or _text(old) == _text(new)
    return _text(old) == _text(new)


def _text(entry: Entry) -> Raw:
    value, state = entry
    return state.text(value) if isinstance(state, ObjectGraph) else state


def _touched(before: Snapshot, after: Snapshot) -> Collection[int]:
    """Return ids of objects with changes below them."""
    if before.graph is None or after.graph is None or before.graph is after.graph:
        return ()
    return before.graph.leading_to_changed(after.graph)


def _folder() -> str | None:
    try:
        return _getcwd()
    except OSError:
        return None


def changed(before: Snapshot, after: Snapshot) -> list[tuple[str, Raw]]:
    """Return sorted names with changed values, with the new value or `DELETED`."""
    if before is after:
        return []
    old, new = dict(before.open), dict(after.open)
    for label in before.namespaces.keys() | after.namespaces.keys():
        then, now = before.namespaces.get(label), after.namespaces.get(label)
        if then is not now:  # otherwise the same immutable values are bound
            old.update(then.fixed if then else {})
            new.update(now.fixed if now else {})
    # a module that a call imports into an unset name is no state of the script
    loaded = {label for entries in after.namespaces.values() for label in entries.machinery}
    loaded = {name for name in loaded if name in old and old[name][0] is None}
    found = [(name, DELETED) for name in old if name not in new and name not in loaded]
    touched = _touched(before, after)
    for name, entry in new.items():
        was = old.get(name)
        if was is None or not _same(was, entry, touched):
            found.append((name, entry[0]))
    found.sort(key=lambda pair: pair[0])
    return found


def files(folder: str) -> dict[str, tuple[int, ...]]:
    """Map the relative path of each file under a folder to a fingerprint of its state."""
    found: dict[str, tuple[int, ...]] = {}
    pending = [""]
    while pending and len(found) < MAX_FILES:
        relative = pending.pop()
        try:
            entries = sorted(_scandir(f"{folder}/{relative}"), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            try:
                state = _lstat(f"{folder}/{path}")
            except OSError:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            times = () if is_folder else (state.st_size, state.st_ctime_ns, state.st_ino)
            found[path] = (state.st_mode, *times)
            if is_folder and entry.name != "__pycache__":
                pending.append(path)
    return found


def changed_files(
    folder: str, before: dict[str, Raw], after: dict[str, Raw]
) -> list[tuple[str, Raw]]:
    """Return sorted paths that are new, changed or gone, with their current content."""
    found = [(path, {"now": DELETED}) for path in before if path not in after]
    for path, state in after.items():
        if before.get(path) != state and not path.endswith("__pycache__"):
            found.append((path, _file_content(f"{folder}/{path}", state[0])))
    found.sort(key=lambda pair: pair[0])
    return found


def _file_content(path: str, mode: int) -> dict[str, Raw]:
    kind = mode & 0o170000
    if kind == 0o120000:
        return {"now": "link", "to": _readlink(path)}
    if kind == 0o040000:
        return {"now": "folder"}
    if kind != 0o100000:
        return {"now": "special"}
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_FILE)
    except OSError:
        return {"now": "unreadable"}
    try:
        return {"now": "file", "text": content.decode()}
    except UnicodeDecodeError:
        return {"now": "file", "bytes": content}
