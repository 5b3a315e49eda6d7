"""Attributes that are stored where the inference of their readers does not look.

What methods of a class assign to `self`, and what the body of the class binds, is known to whoever
reads the attribute. Others may store there too: functions that get the instance, and subclasses.
"""

from __future__ import annotations

from ..definitions import ClassInfo
from ..uses.records import StoreUse
from ..values import ClassValue, Instance, Values, ordered
from .classes import ClassKeeper
from .kept import Reason
from .record import Record


class Stored:
    """What the kept code stores in attributes."""

    def __init__(self, record: Record, classes: ClassKeeper) -> None:
        self._record = record
        self._inference = record.inference
        self._classes = classes
        self._stores: dict[str, dict[StoreUse, Reason]] = {}
        """By the name of the attribute."""
        self._seen: set[tuple[StoreUse, ClassInfo]] = set()

    def add(self, use: StoreUse, why: Reason) -> None:
        """Some values become an attribute."""
        if use.values:
            self._stores.setdefault(use.name, {}).setdefault(use, why)

    def open_unseen(self) -> None:
        """Values that readers of an attribute do not know of may be asked whatever those ask."""
        for cls in list(self._record.classes):
            for name in [n for n in self._stores if n in cls.table or n in cls.self_assignments]:
                for use, why in list(self._stores[name].items()):
                    if (use, cls) not in self._seen:
                        self._seen.add((use, cls))
                        if self._is_kin(cls, use.receivers):
                            self._open(cls, use, why)

    def _open(self, cls: ClassInfo, use: StoreUse, why: Reason) -> None:
        known = self._inference.instance_member(cls, use.name)
        if known is None:
            return  # whoever reads it asks any class that is there
        why = Reason(f"stored in .{use.name}", why.by, why.path, why.line)
        for value in ordered(use.values):
            if value in known:
                continue
            match value:
                case ClassValue(cls=stored):
                    self._classes.instantiate(stored, why)
                    self._classes.questions.open(stored, why)
                case Instance(cls=stored):
                    self._classes.questions.open(stored, why)
                case _:
                    continue

    def _is_kin(self, cls: ClassInfo, receivers: Values) -> bool:
        """Whether an instance of the class may be among the receivers."""
        if receivers is None:
            return True
        mro = self._inference.mro
        others = [v.cls for v in receivers if isinstance(v, (ClassValue, Instance))]
        return any(cls in mro(other) or other in mro(cls) for other in others)
