"""Keeping members of classes, by attribute lookup, and members that external bases call.

Keeping a member keeps its class, and keeping a class keeps members. `ClassKeeper` therefore creates
this part and passes its own `keep` to it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TypeGuard

from ...analysis.external.base_class_hooks import STARTS, base_defines, external_hooks, hook_matches
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.uses.use_records import DynamicUse, Use
from ...model import Gap
from ...repo.units import Unit
from ...syntax.builtin_models import CALLED_BY_PYTHON, FALLBACKS, PICKLING
from ...syntax.nodes import walk
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason, class_label, member_label
from .member_queries import Pattern


class KeptMembers:
    """The kept members of one slice."""

    def __init__(
        self, record: ClosureRecord, keep_class: Callable[[ClassInfo, Reason], None]
    ) -> None:
        self._record = record
        self._inference = record.inference
        self._keep_class = keep_class
        self._seen: set[tuple[ClassInfo, int]] = set()
        self._whole: dict[ClassInfo, set[str]] = {}
        """Class → names of which all its statements are kept."""
        self._applied: dict[tuple[ClassInfo, int], None] = {}
        """Statements that only the caller may run: names that callers pass are not kept."""
        self._base_runs: set[tuple[ClassInfo, str | None]] = set()
        self._public: set[tuple[ClassInfo, frozenset[str]]] = set()

    def __len__(self) -> int:
        return len(self._seen)

    def keep_holding(self, cls: ClassInfo, inner: ast.AST, reason: Reason) -> None:
        """Keep the member of a class that contains a nested class."""
        for member in cls.members:
            if any(node is inner for top in member.nodes for node in walk(top)):
                self.keep_unit(cls, member, reason)

    def keep_unit(
        self, cls: ClassInfo, member: Unit, reason: Reason, *, is_applied: bool = False
    ) -> None:
        """Keep one statement of a class body; if `is_applied`, only the caller may run it."""
        key = (cls, member.index)
        if key in self._seen:
            if key in self._applied and not is_applied:
                del self._applied[key]
                self._follow(cls, member)
            return
        self._seen.add(key)
        self._keep_class(cls, reason)
        if not cls.is_prunable:
            return
        record = self._record
        kept = record.need_module(cls.module)
        kept.members.setdefault(cls.unit.index, {})[member.index] = reason
        uses = record.analysis.member_uses(cls, member)
        named = [use for use in uses.uses if _is_named_by_caller(use)] if is_applied else []
        if named:
            self._applied[key] = None
            self._leave_to_caller(cls, named)
            left = tuple(use for use in uses.uses if use not in named)
            uses = replace(uses, uses=left)
        record.enqueue(cls.module, member_label(cls, member), uses)
        for name in member.binds:
            # an overload, a setter, both branches of an `if`: one name is all its statements
            self.keep_class_statements(cls, name, reason, is_applied=is_applied)

    def _follow(self, cls: ClassInfo, member: Unit) -> None:
        """Follow the names that callers pass, because the slice applies the operator itself."""
        uses = self._record.analysis.member_uses(cls, member)
        member_uses = tuple(
            use._replace(values=None) if _is_named_by_caller(use) else use for use in uses.uses
        )  # only strings of the slice name members here
        self._record.enqueue(cls.module, member_label(cls, member), replace(uses, uses=member_uses))

    def _leave_to_caller(self, cls: ClassInfo, uses: list[DynamicUse]) -> None:
        detail = "attribute name given by whoever applies the operator; nothing is kept for it"
        for use in uses:
            gap = Gap("dynamic-attribute", cls.module.path, use.line, detail, "left to the caller")
            self._record.gaps.setdefault(gap)

    def keep_class_statements(
        self, cls: ClassInfo, name: str, reason: Reason, *, is_applied: bool = False
    ) -> None:
        """Keep all statements of the class body that bind the name."""
        whole = self._whole.setdefault(cls, set())
        if name in whole and not self._applied:
            return
        whole.add(name)
        for member in cls.table.get(name, ()):
            self.keep_unit(cls, member, reason, is_applied=is_applied)

    def keeps_own_member(self, cls: ClassInfo, name: str) -> bool:
        """Whether the class is kept with its own member of that name."""
        units = cls.table.get(name, ()) if cls in self._record.classes else ()
        return any(not cls.is_prunable or (cls, unit.index) in self._seen for unit in units)

    def keep_found(self, cls: ClassInfo, name: str, reason: Reason) -> None:
        """Keep the member that lookup of the name on an instance finds."""
        if name.startswith("__") and not name.endswith("__"):
            for ancestor in self._inference.mro(cls):  # each class has its own private name
                self.keep_class_statements(ancestor, name, reason)
            return
        if found := self._inference.find_member(cls, name):
            self.keep_class_statements(found[0], name, reason)
            return
        self.missed(cls, name, reason)
        if name in FALLBACKS:
            self.keep_found(cls, FALLBACKS[name], reason)

    def keep_after(self, cls: ClassInfo, owner: ClassInfo, name: str, reason: Reason) -> None:
        """Keep the member that `super().name` in a method of `owner` finds on an instance."""
        mro = self._inference.mro(cls)
        for ancestor in mro[mro.index(owner) + 1 :]:
            if name in ancestor.table:
                self.keep_class_statements(ancestor, name, reason)
                return
        self.missed(cls, name, reason)

    def missed(self, cls: ClassInfo, name: str, reason: Reason) -> None:
        """Record that no repository class defines the member; an external base's code may run."""
        if self._inference.foreign_bases(cls) and name not in self._inference.assigned_attributes(
            cls
        ):
            self.keep_overrides(cls, name, reason)

    def keep_public(self, cls: ClassInfo, named: frozenset[str], reason: Reason) -> None:
        """Keep the public members, or the named ones, because external code has an instance."""
        if (cls, named) in self._public:
            return
        self._public.add((cls, named))
        self.keep_overrides(cls, None, reason)
        for entry in STARTS:
            self.keep_overrides(cls, entry, reason)
        for name in self._names(cls):
            if not name.startswith("_") and (not named or name in named):
                self.keep_found(cls, name, reason)

    def keep_matching(
        self, cls: ClassInfo, names: Collection[str], pattern: Pattern, reason: Reason
    ) -> None:
        """Keep the members whose names match the computed name."""
        _, prefix, suffix, is_method_left = pattern
        if not prefix + suffix:
            self.keep_overrides(cls, None, reason)
        for name in names:
            is_match = name.startswith(prefix) and name.endswith(suffix)
            if is_match and not (is_method_left and self._is_plain_method(cls, name)):
                self.keep_found(cls, name, reason)

    def _is_plain_method(self, cls: ClassInfo, name: str) -> bool:
        """Whether the class and its bases define the name only by undecorated methods."""
        units = [unit for owner in self._inference.mro(cls) for unit in owner.table.get(name, ())]
        return not self._inference.foreign_bases(cls) and all(map(_is_plain_function, units))

    def keep_dunders(self, cls: ClassInfo, excluded: frozenset[str], reason: Reason) -> None:
        """Keep the special members, except some."""
        self.keep_overrides(cls, None, reason)
        for name in self._names(cls):
            if name.startswith("__") and name.endswith("__") and name not in excluded:
                self.keep_found(cls, name, reason)

    def _names(self, cls: ClassInfo) -> Iterator[str]:
        for owner in self._inference.mro(cls):
            yield from owner.table

    def expose(self, cls: ClassInfo, reason: Reason, *, is_known: bool = True) -> None:
        """Record that the caller receives instances: operators and builtins may be applied to them.

        If that is not certain, the caller is assumed not to copy or pickle them.
        """
        applied = CALLED_BY_PYTHON if is_known else CALLED_BY_PYTHON - PICKLING
        reason = Reason(
            "callers may apply operators and built-in functions to it",
            reason.by,
            reason.path,
            reason.line,
        )
        self.keep_overrides(cls, None, reason)
        for owner in self._inference.mro(cls):
            for name in owner.table:
                if name in applied:
                    self.keep_class_statements(owner, name, reason, is_applied=True)

    def keep_overrides(self, cls: ClassInfo, entry: str | None, reason: Reason) -> None:
        """Keep members that override those of an external base whose code runs on the class.

        `entry` is the member of the base that runs; `None` means any.
        """
        if (cls, entry) in self._base_runs or (
            (cls, None) in self._base_runs and entry not in STARTS
        ):
            return
        self._base_runs.add((cls, entry))
        bases = self._inference.foreign_bases(cls)
        if entry is not None:
            bases = [base for base in bases if base_defines(base, entry)]
        if not bases:
            return
        text = f"may hold a {cls.node.name}, which may override a method of {bases[0]}"
        reason = Reason(text, reason.by or class_label(cls), reason.path, reason.line)
        hooks: set[str] | None = set()
        for base in bases:
            known = external_hooks(base, entry)
            if known is None:
                hooks = None
                break
            hooks |= known
        for owner in self._inference.mro(cls):
            for name in owner.table:
                if hooks is None or any(hook_matches(h, name) for h in hooks):
                    self.keep_class_statements(owner, name, reason)


def _is_named_by_caller(use: Use) -> TypeGuard[DynamicUse]:
    """Whether the use accesses a completely unknown name, as if the caller wrote `x.name`."""
    return isinstance(use, DynamicUse) and not use.prefix + use.suffix


def _is_plain_function(member: Unit) -> bool:
    return all(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and all(isinstance(d, ast.Name) and d.id in _PLAIN for d in node.decorator_list)
        for node in member.nodes
    )


_PLAIN = frozenset({"staticmethod", "classmethod"})
"""Decorators whose results are not data either."""
