"""What is known of classes while values are written: their labels and their layouts."""

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
"""What the script's own module is called, under whatever name it was loaded."""


class Part:
    """What a class was like by itself."""

    __slots__ = ("cls", "contents", "qualname")

    def __init__(self, cls: Class) -> None:
        self.cls = cls
        self.qualname = raw.qualname(cls)
        self.contents = Contents(raw.class_dict(cls))

    def is_same(self) -> bool:
        """Whether it is like that now."""
        return raw.qualname(self.cls) is self.qualname and self.contents.is_in(
            raw.class_dict(self.cls)
        )


class _KnownClass:
    """What was found of a class, and what it and its ancestors were like then."""

    __slots__ = ("layout", "mro", "names", "parts", "write")

    def __init__(self, cls: Class, parts: list[Part], write: Write, layout: raw.Layout) -> None:
        self.mro = raw.mro(cls)
        self.names = raw.class_names(cls)
        self.parts = parts
        self.write = write
        self.layout = layout


class KnownClasses:
    """What was found of classes earlier: of those that their names lead to, for these stay."""

    def __init__(self) -> None:
        self.found: dict[int, _KnownClass] = {}
        """By the id of the class; its parts keep it, so that nobody else gets that."""
        self.parts: dict[int, Part] = {}


class Classes:
    """Each class is looked at once, so use one only as long as no code of theirs runs.

    `own_names` are the names under which the script's module may be known; `known` is what was
    found of classes before, and is used of those that are still the same.
    """

    def __init__(self, own_names: Collection[str] = (), known: KnownClasses | None = None) -> None:
        self._writers: dict[int, Write] = {}
        """Id of a class → what writes its instances."""
        self._known = known
        self._same: dict[int, bool] = {}
        """Id of a part → whether the class is by itself what it was."""
        self._own_names = own_names
        self._labels: dict[int, str] = {}
        self._layouts: dict[int, raw.Layout] = {}
        self._kept: list[Raw] = []

    def keep(self, cls: Class) -> None:
        """See to it that nobody else gets the id of a class."""
        self._kept.append(cls)

    def writer(self, cls: Class, make: Callable[[Class, Classes], Write]) -> Write:
        """What writes instances of the class: `make` finds it, where it is not known."""
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
        """Whether the class is known from earlier, and it and its ancestors are what they were."""
        return self._known_class(cls) is not None

    def trust(self, parts: Iterable[Part]) -> None:
        """Take these for unchanged: somebody has seen that already."""
        self._same.update(dict.fromkeys(map(id, parts), True))

    def unchanged_parts(self, classes: Iterable[Class]) -> list[Part]:
        """What is known of these classes by themselves, where they are still the same."""
        known = self._known.parts if self._known is not None else {}
        parts = [known[id(cls)] for cls in classes if id(cls) in known]
        return [part for part in parts if self._is_same(part)]

    def _known_class(self, cls: Class) -> _KnownClass | None:
        """What is known of a class, if it and its ancestors are still what they were."""
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
        """How instances of the class keep their state."""
        found = self._layouts.get(id(cls))
        if found is None:
            found = self._layouts[id(cls)] = raw.Layout(cls)
        return found

    def label(self, cls: Class) -> str:
        """The name of a class; `(local)` behind it where the name does not lead back to it."""
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
        """A dotted name in which the script's module is always called the same."""
        if module == "builtins":
            return qualname
        return f"{SCRIPT if module in self._own_names else module}.{qualname}"
