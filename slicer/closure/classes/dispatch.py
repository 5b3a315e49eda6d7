"""Dispatch of member queries to live classes: each name is looked up in each live class.

A query goes to all classes that are live when it is first made (`live_name`, `access`, …). A class
that becomes live later receives all earlier queries (`replay_queries`). Modules whose objects
escape are receivers too; `keep_name`, which is passed in from above, keeps their names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container

from ...analysis.external.base_class_hooks import is_started_by_runners
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.uses.use_records import Role
from ...repo.repository import Module
from ...syntax.builtin_models import CONSTRUCTION, FALLBACKS
from ...syntax.call_shapes import CallShape
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason, class_label
from .class_statement_names import may_be_renamed
from .implemented_protocols import implements
from .instance_calls import takes
from .kept_members import KeptMembers
from .live_instances import LiveInstances
from .member_queries import Dispatch, MemberQueries, Pattern


class MemberDispatch:
    """The member queries of one slice, put to its live classes."""

    def __init__(
        self,
        record: ClosureRecord,
        queries: MemberQueries,
        instances: LiveInstances,
        members: KeptMembers,
        keep_name: Callable[[Module, str, Role, Reason], None],
    ) -> None:
        self._record = record
        self._inference = record.inference
        self._queries = queries
        self._instances = instances
        self._members = members
        self._keep_name = keep_name
        self._seen_access: set[tuple[ClassInfo, str]] = set()
        self._escaped: dict[Module, None] = {}
        """Modules whose objects escape."""
        self._anywhere: dict[str, Reason] = {}
        """Names accessed on any receiver, known or not."""
        self._open: dict[ClassInfo, None] = {}
        """Classes whose instances may occur where other receivers are known."""
        self._put: dict[ClassInfo, None] = {}
        """Open classes and those derived from them."""
        self._open_having: dict[str, dict[ClassInfo, None]] = {}
        """Member name → the open classes and derived ones that have it."""
        self._of_all_owners: dict[str, Reason] = {}
        """Names accessed on each class of a resolution order."""
        self._spelled: dict[Module, Reason] = {}
        """Modules from which code in a string imports names: any string may be one of the names."""
        self._looked_in: dict[Module, Reason] = {}
        """Modules that a string names, if the slice imports modules by strings."""
        self.with_targets: set[ClassInfo] = set()
        """Classes with targets among their members."""
        self._lists_found: Reason | None = None
        """Why all names of these modules are accessed."""
        self._holders: dict[str, list[Module]] = {}
        """Name → the looked-in modules that define it."""

    def replay_queries(self, cls: ClassInfo) -> None:
        """Put all earlier queries to a class that has just become live."""
        queries = self._queries
        keep_found = self._members.keep_found
        mro = self._inference.mro(cls)
        names = self._inference.member_names(cls)
        new_names = self._new_names(cls, self._instances.classes)
        for owner in mro:
            self._replay_base_queries(owner, cls, names, new_names)
        self._keep_live(cls, new_names)
        for kind, accessed in list(queries.abstract_accessed.items()):
            if implements(self._inference, cls, kind):
                for name, reason in list(accessed.items()):
                    keep_found(cls, name, reason)
        for pattern, reason in list(queries.patterns.items()):
            if pattern.owner is None or pattern.owner in mro:
                queried_names = names if pattern.owner is cls else new_names
                self._members.keep_matching(cls, queried_names, pattern, reason)
        self._meet_dispatches(cls, mro)
        if None in queries.all_members:
            self._keep_dunders(cls, queries.all_members[None])
        if any(owner in self._open for owner in mro):
            self._put_all_queries(cls)
        for name in list(self._of_all_owners):
            if name in names:
                self._keep_of_all_owners(cls, name)
        if queries.string_reason is not None:
            for name in new_names:
                if queries.matches_text_pattern(name):
                    keep_found(cls, name, queries.string_reason)

    def _meet_dispatches(self, cls: ClassInfo, mro: Container[ClassInfo]) -> None:
        for dispatch, reason in list(self._queries.dispatches.items()):
            if dispatch.receiver in mro:
                self._dispatch(dispatch, [cls], self._instances.deriving(dispatch.kind), reason)
            if dispatch.kind in mro:
                self._dispatch(dispatch, self._receivers(dispatch), [cls], reason)

    def _replay_base_queries(
        self,
        owner: ClassInfo,
        cls: ClassInfo,
        names: Container[str],
        new_names: Container[str],
    ) -> None:
        """Put to a class the queries on a class that it derives from."""
        queries = self._queries
        for name, reason in list(queries.accessed.get(owner, {}).items()):
            if owner is cls or name in new_names or name not in names:
                self._members.keep_found(cls, name, reason)
        for name, reason in list(queries.super_accessed.get(owner, {}).items()):
            self._members.keep_after(cls, owner, name, reason)
        if owner in queries.all_members:
            self._keep_dunders(cls, queries.all_members[owner])

    def _new_names(self, cls: ClassInfo, met: Container[ClassInfo]) -> Collection[str]:
        """Return the member names that queries on a base do not cover: the class's own, or all."""
        parent = self._inference.line_parent(cls)
        is_covered = parent is not None and parent in met
        return cls.table if is_covered else self._inference.member_names(cls)

    def _keep_live(self, cls: ClassInfo, new_names: Collection[str]) -> None:
        """Keep members that are accessed on unknown receivers."""
        live_names = self._queries.live_names
        names = self._inference.member_names(cls)
        for name in new_names:
            if name in live_names:
                self._members.keep_found(cls, name, live_names[name])
        missing = live_names if self._inference.foreign_bases(cls) else FALLBACKS
        for name in [n for n in missing if n in live_names and n not in names]:
            if self._is_started(cls, name):
                continue
            self._members.keep_found(cls, name, live_names[name])
        for shape, reason in list(self._queries.live_calls.items()):
            if takes(self._inference, cls, shape) and not self._is_started(cls, "__call__"):
                self._members.keep_found(cls, "__call__", reason)

    def _is_started(self, cls: ClassInfo, name: str) -> bool:
        """Whether only a test runner calls the member, and the slice is of one of its tests."""
        return cls in self.with_targets and any(
            is_started_by_runners(base, name) for base in self._inference.external_bases(cls)
        )

    # ------------------------------------------------------------------ names

    def is_live(self, name: str) -> bool:
        """Whether the name has been accessed on an unknown receiver."""
        return name in self._queries.live_names

    def is_accessed(self, cls: ClassInfo, name: str) -> bool:
        """Whether the name has been accessed on the class."""
        return (cls, name) in self._seen_access

    def live_name(self, name: str, reason: Reason) -> None:
        """Record that the name is accessed on an unknown receiver."""
        if name in self._queries.live_names:
            return
        self._queries.live_names[name] = reason
        self._note(name, reason)
        for cls in self._instances.with_member(name):
            self._members.keep_found(cls, name, reason)
        others = self._instances.classes if name in FALLBACKS else self._instances.derived
        for cls in [c for c in others if name not in self._inference.member_names(c)]:
            if not self._is_started(cls, name):
                self._members.keep_found(cls, name, reason)
        for module in list(self._escaped):
            self._keep_global(module, name, reason)

    def live_call(self, shape: CallShape, reason: Reason) -> None:
        """Record that an unknown object is called."""
        if shape in self._queries.live_calls:
            return
        self._queries.live_calls[shape] = reason
        for cls in [*self._instances.with_member("__call__"), *self._instances.derived]:
            if takes(self._inference, cls, shape) and not self._is_started(cls, "__call__"):
                self._members.keep_found(cls, "__call__", reason)

    def keep_hiding(self) -> None:
        """Keep each `__call__` that hides a kept one of a base, even if no call matches it."""
        for cls in self._instances.with_member("__call__"):
            first, *others = [o for o in self._inference.mro(cls) if "__call__" in o.table]
            hidden = [o for o in others if self._members.keeps_own_member(o, "__call__")]
            if hidden and not self._members.keeps_own_member(first, "__call__"):
                text = f"hides __call__ of {hidden[0].node.name}"
                why = Reason(text, class_label(first), first.module.path, first.node.lineno)
                self._members.keep_found(cls, "__call__", why)

    def access(self, cls: ClassInfo, name: str, reason: Reason) -> None:
        """Record that the name is accessed on the class, an instance, or a subclass."""
        key = (cls, name)
        if key in self._seen_access:
            return
        self._seen_access.add(key)
        self._queries.accessed.setdefault(cls, {})[name] = reason
        self._note(name, reason)
        self._members.keep_found(cls, name, reason)
        finds = self._inference.find_member
        if finds(cls, "__getattribute__") or (finds(cls, "__getattr__") and not finds(cls, name)):
            self.live_name(name, reason)  # the class may forward the access
        elif not finds(cls, name) and "?" in self._inference.external_bases(cls):
            self.live_name(name, reason)  # an unknown base may have it: `class Local(base)`
        for other in self._instances.deriving(cls):
            if other is not cls:
                self._members.keep_found(other, name, reason)

    def access_abstract(self, kind: str, name: str, reason: Reason) -> None:
        """Record an access on an external type with repository subclasses, such as `Mapping`."""
        known = self._queries.abstract_accessed.setdefault(kind, {})
        if name in known:
            return
        known[name] = reason
        self._note(name, reason)
        for cls in list(self._instances.classes):
            if implements(self._inference, cls, kind):
                self._members.keep_found(cls, name, reason)

    def access_super(self, cls: ClassInfo, name: str, reason: Reason) -> None:
        """Record `super().name` in a method of the class."""
        known = self._queries.super_accessed.setdefault(cls, {})
        if name in known:
            return
        known[name] = reason
        self._members.keep_after(cls, cls, name, reason)
        for other in self._instances.deriving(cls):
            self._members.keep_after(other, cls, name, reason)

    # ------------------------------------------------------------------ hidden receivers

    def open(self, cls: ClassInfo, reason: Reason) -> None:
        """Open the class: it or its instances are stored where the inference sees other values."""
        if cls not in self._open:
            self._open[cls] = None
            for other in dict.fromkeys([cls, *self._instances.deriving(cls)]):
                self._put_all_queries(other)

    def _put_all_queries(self, cls: ClassInfo) -> None:
        """Put all queries to the class, past and future, whatever their receivers."""
        self._put[cls] = None
        for name in self._new_names(cls, self._put):
            self._open_having.setdefault(name, {})[cls] = None
            if name in self._anywhere:
                self._members.keep_found(cls, name, self._anywhere[name])

    def _note(self, name: str, reason: Reason) -> None:
        if name not in self._anywhere:
            self._anywhere[name] = reason
            for cls in list(self._open_having.get(name, ())):
                self._members.keep_found(cls, name, reason)

    def query_replaced_attribute(self, name: str, reason: Reason) -> None:
        """Record an access on an attribute that holds an external object, or its replacement."""
        self._note(name, Reason(f"uses .{name}", reason.by, reason.path, reason.line))

    def query_mro(self, name: str, reason: Reason) -> None:
        """Record an access on each class of a resolution order, even where it is overridden."""
        if name not in self._of_all_owners:
            self._of_all_owners[name] = Reason(f"uses .{name}", reason.by, reason.path, reason.line)
            for cls in self._instances.with_member(name):
                self._keep_of_all_owners(cls, name)

    def _keep_of_all_owners(self, cls: ClassInfo, name: str) -> None:
        for owner in self._inference.mro(cls):
            self._members.keep_class_statements(owner, name, self._of_all_owners[name])

    # ------------------------------------------------------------------ special members

    def escape_to_creator(self, cls: ClassInfo, reason: Reason) -> None:
        """Record that creating code, such as a decorator, may call special members of instances."""
        self._queries.all_members.setdefault(cls, reason)
        self._keep_dunders(cls, reason)

    def escape_instances(self, cls: ClassInfo, reason: Reason) -> None:
        """Record that instances escape to external code, which may call their special members."""
        if cls not in self._queries.all_members:
            self._queries.all_members[cls] = reason
            for other in [cls, *self._instances.lineage.get(cls, ())]:
                self._keep_dunders(other, reason)

    def escape_unknown(self, reason: Reason) -> None:
        """Record that an unknown value escapes: it may be an instance of any class."""
        if None not in self._queries.all_members:
            self._queries.all_members[None] = reason
            for cls in list(self._instances.classes):
                self._keep_dunders(cls, reason)

    def _keep_dunders(self, cls: ClassInfo, reason: Reason) -> None:
        all_members = self._queries.all_members
        is_known = any(owner in all_members for owner in self._inference.mro(cls))
        excluded = _NEVER_QUERIED_ON_KNOWN if is_known else _NEVER_QUERIED
        self._members.keep_dunders(cls, excluded, reason)

    # ------------------------------------------------------------------ computed names and text

    def add_pattern(self, pattern: Pattern, reason: Reason) -> None:
        """Keep members that a computed name may mean, also in classes that become live later."""
        if pattern in self._queries.patterns:
            return
        self._queries.patterns[pattern] = reason
        cls = pattern.owner
        for other in [*([cls] if cls else []), *self._instances.classes]:
            if cls is None or cls in self._inference.mro(other):
                names = self._inference.member_names(other)
                self._members.keep_matching(other, names, pattern, reason)
        for module in list(self._looked_in) if cls is None else ():
            self._keep_globals_like(module, pattern.prefix, pattern.suffix, reason)

    def add_dispatch(self, dispatch: Dispatch, reason: Reason) -> None:
        """Record an access to a member named after the class of an object."""
        if dispatch not in self._queries.dispatches:
            self._queries.dispatches[dispatch] = reason
            kinds = self._instances.deriving(dispatch.kind)
            self._dispatch(dispatch, self._receivers(dispatch), kinds, reason)

    def _receivers(self, dispatch: Dispatch) -> list[ClassInfo]:
        return [dispatch.receiver, *self._instances.deriving(dispatch.receiver)]

    def _dispatch(
        self, dispatch: Dispatch, receivers: list[ClassInfo], kinds: list[ClassInfo], reason: Reason
    ) -> None:
        """Keep the members of the receivers that are named after the classes."""
        if any(map(may_be_renamed, kinds)):
            self.add_pattern(Pattern(dispatch.receiver, dispatch.prefix, dispatch.suffix), reason)
            return
        for name in [f"{dispatch.prefix}{kind.node.name}{dispatch.suffix}" for kind in kinds]:
            for cls in [c for c in receivers if name in self._inference.member_names(c)]:
                self._members.keep_found(cls, name, reason)

    def open_dispatches(self) -> None:
        """Widen all dispatches to patterns: the slice creates classes with computed names."""
        for dispatch, why in list(self._queries.dispatches.items()):
            self.add_pattern(Pattern(dispatch.receiver, dispatch.prefix, dispatch.suffix), why)

    def add_affixes(self, prefix: str, suffix: str, reason: Reason) -> None:
        """Record that strings between prefix and suffix may name members of any class."""
        queries = self._queries
        if (prefix, suffix) in queries.affixes:
            return
        queries.affixes[prefix, suffix] = None
        queries.string_reason = queries.string_reason or reason
        for text in list(queries.strings):
            self._keep_spelled(prefix + text + suffix, reason)

    def add_string(self, text: str) -> None:
        """Record a string of the slice."""
        queries = self._queries
        if text in queries.strings:
            return
        queries.strings[text] = None
        for module, why in list(self._spelled.items()):
            self._keep_global(module, text, why)
        if queries.string_reason is not None:
            for prefix, suffix in list(queries.affixes):
                self._keep_spelled(prefix + text + suffix, queries.string_reason)

    def look_in(self, module: Module, reason: Reason) -> None:
        """Record that a string names the module: computed names may be names in it."""
        if module not in self._looked_in:
            self._looked_in[module] = reason
            strings, names = self._queries.strings, self._record.names.all_names(module)
            for name in names:
                self._holders.setdefault(name, []).append(module)
            for prefix, suffix in list(self._queries.affixes):
                for name in names:
                    middle = name[len(prefix) : len(name) - len(suffix)]
                    if middle in strings and name == prefix + middle + suffix:
                        self._keep_global(module, name, reason)
            for pattern in list(self._queries.patterns):
                if pattern.owner is None:
                    self._keep_globals_like(module, pattern.prefix, pattern.suffix, reason)
            if self._lists_found is not None:
                self._keep_globals_like(module, "", "", self._lists_found)

    def list_found(self, reason: Reason) -> None:
        """Record that the module whose names are listed may be one that a string names."""
        if self._lists_found is None:
            self._lists_found = reason
            for module in list(self._looked_in):
                self._keep_globals_like(module, "", "", reason)

    def _keep_globals_like(self, module: Module, prefix: str, suffix: str, reason: Reason) -> None:
        for name in self._record.names.all_names(module):
            if name.startswith(prefix) and name.endswith(suffix):
                self._keep_global(module, name, reason)

    def _keep_spelled(self, name: str, reason: Reason) -> None:
        for module in self._holders.get(name, ()):
            self._keep_global(module, name, reason)
        for cls in self._instances.with_member(name):
            self._members.keep_found(cls, name, reason)

    # ------------------------------------------------------------------ modules

    def escape_module(self, module: Module, why: Reason) -> None:
        """Record that the module escapes: names on unknown receivers may be its own."""
        if module in self._escaped:
            return
        self._escaped[module] = None
        self._record.need_module(module)
        for name, reason in list(self._queries.live_names.items()):
            self._keep_global(module, name, reason)

    def spell_module(self, module: Module, reason: Reason) -> None:
        """Record that code in a string imports names from the module."""
        if module not in self._spelled:
            self._spelled[module] = reason
            for text in list(self._queries.strings):
                self._keep_global(module, text, reason)

    def _keep_global(self, module: Module, name: str, reason: Reason) -> None:
        if self._record.names.defines(module, name):
            self._keep_name(module, name, "value", reason)


_NEVER_QUERIED = CONSTRUCTION | {
    "__enter__", "__exit__", "__aenter__", "__aexit__", "__await__", "__copy__", "__deepcopy__",
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__del__", "__init_subclass__", "__sizeof__", "__dir__", "__call__",
}  # fmt: skip
"""Special methods that external code does not call on an object, unless it says so."""
_NEVER_QUERIED_ON_KNOWN = _NEVER_QUERIED - {"__call__"}
