"""Knowledge about classes while values are encoded: labels and layouts."""

from __future__ import annotations

import builtins

from .. import raw
from .contents import Contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from ..raw import Class, Raw
    from .value_encoder import Write

__builtins__ = dict(vars(builtins))

SCRIPT = "<script>"
"""Label of the script's own module, whatever its name."""


class Part:
    """The recorded state of one class by itself."""

    __slots__ = ("cls", "contents", "qualname")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.qualname = raw.qualname(cls)
        self.contents = Contents(raw.class_dict(cls))

    def is_same(self) -> bool:
        """Whether the class is unchanged."""
        return raw.qualname(self.cls) is self.qualname and self.contents.is_in(
            raw.class_dict(self.cls)
        )


class _KnownClass:
    """The known facts about a class, with its recorded state and its ancestors'."""

    __slots__ = ("layout", "mro", "names", "parts", "write")

    def __init__(self, cls: Class, parts: list[Part], write: Write, layout: raw.Layout) -> None:
        self.mro = raw.mro(cls)
        self.names = raw.class_names(cls)
        self.parts = parts
        self.write = write
        self.layout = layout


class KnownClasses:
    """Classes seen earlier. Only classes that their names lead to are kept."""

    def __init__(self) -> None:
        self.found: dict[int, _KnownClass] = {}
        """Known classes by id. Their parts keep them alive, so that ids stay unique."""
        self.parts: dict[int, Part] = {}


class Classes:
    """Inspects each class once, so use it only while no foreign code runs.

    `own_names` are the possible names of the script's module. `known` holds what was found earlier,
    and is used for unchanged classes.
    """

    def __init__(self, own_names: Collection[str] = (), known: KnownClasses | None = None) -> None:
        self._writers: dict[int, Write] = {}
        """Maps the id of a class to the writer of its instances."""
        self._known = known
        self._same: dict[int, bool] = {}
        """Maps the id of a part to whether the class by itself is unchanged."""
        self._own_names = own_names
        self._labels: dict[int, str] = {}
        self._layouts: dict[int, raw.Layout] = {}
        self._kept: list[Raw] = []

    def keep(self, cls: Class) -> None:
        """Keep a class alive, so that its id stays unique."""
        self._kept.append(cls)

    def writer(self, cls: Class, make: Callable[[Class, Classes], Write]) -> Write:
        """Return the writer for instances of the class; `make` finds it if unknown."""
        found = self._writers.get(id(cls))
        if found is None:
            self.keep(cls)
            known = self._known_class(cls)
            if known is None:
                found = make(cls, self)
                if self._known is not None:
                    self._note(cls, found, self._known)
            else:
                found, self._layouts[id(cls)] = known.write, known.layout
                self._labels[id(cls)] = self.name(*known.names)
            self._writers[id(cls)] = found
        return found

    def is_unchanged(self, cls: Class) -> bool:
        """Whether the class is known, and it and its ancestors are unchanged."""
        return self._known_class(cls) is not None

    def trust(self, parts: Iterable[Part]) -> None:
        """Treat the classes as unchanged: the caller has checked."""
        self._same.update(dict.fromkeys(map(id, parts), True))

    def unchanged_parts(self, classes: Iterable[Class]) -> list[Part]:
        """Return the known parts of these classes that are unchanged."""
        known = self._known.parts if self._known is not None else {}
        parts = [known[id(cls)] for cls in classes if id(cls) in known]
        return [part for part in parts if self._is_same(part)]

    def _known_class(self, cls: Class) -> _KnownClass | None:
        """Return what is known of a class, if it and its ancestors are unchanged."""
        found = self._known.found.get(id(cls)) if self._known is not None else None
        if (
            found is None
            or raw.mro(cls) is not found.mro
            or not all(map(self._is_same, found.parts))
        ):
            return None
        return found if raw.leads_to(*found.names, cls) else None

    def _is_same(self, part: Part) -> bool:
        if id(part) not in self._same:
            self._same[id(part)] = part.is_same()
        return self._same[id(part)]

    def _note(self, cls: Class, write: Write, known: KnownClasses) -> None:
        if raw.leads_to(*raw.class_names(cls), cls):
            parts = [self._part(each, known) for each in raw.mro(cls) if raw.is_python_class(each)]
            known.found[id(cls)] = _KnownClass(cls, parts, write, self.layout(cls))

    def _part(self, cls: Class, known: KnownClasses) -> Part:
        part = known.parts.get(id(cls))
        if part is None or not self._is_same(part):
            part = known.parts[id(cls)] = Part(cls)
        return part

    def layout(self, cls: Class) -> raw.Layout:
        """Return how instances of the class keep their state."""
        found = self._layouts.get(id(cls))
        if found is None:
            found = self._layouts[id(cls)] = raw.Layout(cls)
        return found

    def label(self, cls: Class) -> str:
        """Return the name of a class, followed by `(local)` if the name does not lead to it."""
        found = self._labels.get(id(cls))
        if found is None:
            self.keep(cls)
            module, qualname = raw.class_names(cls)
            found = self.name(module, qualname)
            if raw.is_python_class(cls) and not raw.leads_to(module, qualname, cls):
                found += " (local)"
            self._labels[id(cls)] = found
        return found

    def name(self, module: str, qualname: str) -> str:
        """Return a dotted name with a fixed label for the script's module."""
        if module == "builtins":
            return qualname
        return f"{SCRIPT if module in self._own_names else module}.{qualname}"
