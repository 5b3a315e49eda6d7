"""Members whose names the classes of a slice list: `for name in self.fields: getattr(self, name)`.

The listings are read when no other work is left: by then it is known which classes may list names,
and whether kept code may change the listing. Classes and modules that are kept later are examined
then.
"""

from __future__ import annotations

from ...analysis.points_to.listed_attributes import listed_names, may_change
from ...analysis.uses.use_records import DynamicUse, ListedNamesUse
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason
from .member_accesses import ReceiverQueries


class ListedMembers:
    """Accesses of one slice by names that classes list."""

    def __init__(self, record: ClosureRecord, receivers: ReceiverQueries) -> None:
        self._record = record
        self._receivers = receivers
        self._waiting: dict[ListedNamesUse, tuple[Reason, int, int]] = {}
        """Each use, with its reason and the number of classes and modules already examined."""

    def query(self, use: ListedNamesUse, reason: Reason) -> None:
        """Record accesses to members that the holder, or a derived class, lists."""
        self._waiting.setdefault(use, (reason, 0, 0))

    def look(self) -> None:
        """Apply the recorded uses to classes and modules that were kept since."""
        for use, (why, classes, modules) in list(self._waiting.items()):
            counts = len(self._record.classes), len(self._record.modules)
            if counts == (classes, modules):
                continue
            self._waiting[use] = why, *counts
            names = self._names(use, classes, modules)
            if names is None:
                del self._waiting[use]
                self._receivers.use_pattern(DynamicUse(use.values, "", "", use.line), why)
                continue
            for name in names:
                self._receivers.use_member(use.values, name, "value", why)

    def _names(self, use: ListedNamesUse, classes: int, modules: int) -> list[str] | None:
        """Return the names that new classes list; `None` if any name may be meant."""
        kept = list(self._record.modules.values())[modules:]
        if any(may_change(each.module, use.attribute) for each in kept):
            return None
        inference = self._record.inference
        found: dict[str, None] = {}
        for cls in list(self._record.classes)[classes:]:
            if use.holder in inference.mro(cls):
                names = listed_names(inference, cls, use.attribute, use.path)
                if names is None:
                    return None
                found.update(dict.fromkeys(names))
        return list(found)
