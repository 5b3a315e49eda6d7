"""What is known of classes while values are written: their labels and their layouts."""

from __future__ import annotations

import builtins

from . import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .encode import Write
    from .raw import Class, Raw

__builtins__ = dict(vars(builtins))

SCRIPT = "<script>"
"""What the script's own module is called, under whatever name it was loaded."""


class Classes:
    """Each class is looked at once, so use one only as long as no code of theirs runs.

    `own_names` are the names under which the script's module may be known.
    """

    def __init__(self, own_names: Collection[str] = ()) -> None:
        self.writers: dict[int, Write] = {}
        """Id of a class → what writes its instances."""
        self._own_names = own_names
        self._labels: dict[int, str] = {}
        self._layouts: dict[int, raw.Layout] = {}
        self._kept: list[Raw] = []

    def keep(self, cls: Class) -> None:
        """See to it that nobody else gets the id of a class."""
        self._kept.append(cls)

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
