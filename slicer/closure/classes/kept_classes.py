"""Keeping classes: the class statement with what its creation needs, and what instances need."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...analysis.external.base_class_hooks import abstract_methods
from ...analysis.scopes.definitions import ClassInfo
from ...analysis.uses.use_records import Role
from ...analysis.values.abstract_values import ClassValue, External, ordered
from ...repo.repository import STDLIB, Module
from ...syntax.builtin_models import ALWAYS_KEPT, CALLED_BY_PYTHON, CLASS_CREATION, CONSTRUCTION
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason, class_label
from .abstract_classes import abstract_members
from .class_structure import ClassStructure
from .dispatch import MemberDispatch
from .implemented_protocols import is_protocol
from .kept_members import KeptMembers
from .live_instances import LiveInstances
from .member_queries import MemberQueries


class ClassKeeper:
    """The kept classes of one slice; `keep_name` keeps what a global name means in a module."""

    def __init__(
        self, record: ClosureRecord, keep_name: Callable[[Module, str, Role, Reason], None]
    ) -> None:
        self._record = record
        self._inference = record.inference
        self._structure = ClassStructure(record.analysis)
        self.queries = MemberQueries(record.inference)
        self.instances = LiveInstances(record.inference)
        self.members = KeptMembers(record, self.keep)
        self.questions = MemberDispatch(
            record, self.queries, self.instances, self.members, keep_name
        )
        self._constructed: dict[ClassInfo, None] = {}
        """Live classes that the slice itself may instantiate."""
        self._exposes_all: Reason | None = None
        self._refused: dict[ClassInfo, tuple[str, ...]] = {}
        """Abstract classes that are called, with their abstract members."""

    # ------------------------------------------------------------------ the class itself

    def keep(self, cls: ClassInfo, reason: Reason) -> None:
        """Keep the class statement, and the members that its creation needs."""
        record = self._record
        if cls in record.classes:
            return
        record.classes[cls] = None
        if (outer := _outermost(cls)) is not None and outer.is_prunable:
            self.keep(outer, reason)
            self.members.keep_holding(outer, cls.node, reason)
            return
        kept = record.need_module(cls.module)
        kept.units.setdefault(cls.unit.index, reason)
        label = class_label(cls)
        if not cls.is_prunable:
            record.enqueue(cls.module, label, record.analysis.unit_uses(cls.module, cls.unit))
            return
        kept.members.setdefault(cls.unit.index, {})
        record.enqueue(cls.module, label, record.analysis.header_uses(cls))
        creation = Reason("read when the class is made", label, cls.module.path, cls.node.lineno)
        self._keep_structure(cls, creation)
        for value in ordered(self._inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                self.instantiate(value.cls, creation)
                self.questions.escape_to_creator(value.cls, creation)
                if self._inference.find_member(value.cls, "__prepare__") is not None:
                    for name in ("__getitem__", "__setitem__", "__delitem__"):
                        self.questions.live_name(name, creation)  # the body runs in its result
                if self._inference.find_member(value.cls, "__call__") is not None:
                    # a call of one class of this metaclass may return an instance of another
                    self.instantiate(cls, creation)
        self._keep_collected(cls, creation)
        self._decorated(cls, creation)

    def _keep_collected(self, cls: ClassInfo, creation: Reason) -> None:
        """Keep the members that the code which creates the class accesses."""
        making = self._record.analysis.creators.making(cls)
        if self._inference.is_enum(cls) or making.is_passed_on:
            self.instantiate(cls, creation)
        for name in making.queried:
            self.members.keep_found(cls, name, creation)
        if making.collected:
            for name in cls.table:
                if name.startswith(making.collected) and not name.startswith("__"):
                    self.members.keep_class_statements(cls, name, creation)
        for member in cls.members if making.collects_marked else ():
            if self._structure.may_be_marked(cls, member):
                self.members.keep_unit(cls, member, creation)

    def _keep_structure(self, cls: ClassInfo, reason: Reason) -> None:
        mro = self._inference.mro(cls)
        wide = self._structure.has_meaningful_assignments(cls)
        for member in cls.members:
            if self._structure.is_structural(cls, member, wide=wide):
                self.members.keep_unit(cls, member, reason)
        for owner in mro[1:]:
            for name in sorted(CLASS_CREATION & set(owner.table)):
                self.members.keep_class_statements(owner, name, reason)

    def _decorated(self, cls: ClassInfo, reason: Reason) -> None:
        """Record the effects of a class decorator, which receives the class."""
        for decorator in cls.node.decorator_list:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            values = self._inference.evaluate(func, cls.enclosing)
            names = {v.name for v in values or () if isinstance(v, External)}
            if "functools.total_ordering" in names:
                for name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__"):
                    self.questions.access(cls, name, reason)
            if values is not None and all(self._structure.leaves_alone(v) for v in values):
                continue
            self.questions.escape_to_creator(cls, reason)
            if values is None or any(not isinstance(v, External) for v in values):
                self.instantiate(cls, reason)

    def tested(self, cls: ClassInfo, reason: Reason) -> None:
        """Keep all members of a protocol that `isinstance` tests."""
        inference = self._inference
        self.members.keep_found(cls, "__subclasshook__", reason)
        for owner in inference.mro(cls) if is_protocol(inference, cls) else ():
            for name in owner.table if is_protocol(inference, owner) else ():
                self.members.keep_class_statements(owner, name, reason)
                self.questions.live_name(name, reason)

    # ------------------------------------------------------------------ instances

    def instantiate(self, cls: ClassInfo, reason: Reason) -> None:
        """Record that the slice may instantiate the class."""
        if cls in self._constructed:
            return
        self._constructed[cls] = None
        self._keep_called(cls, CONSTRUCTION, reason)
        for name in ("__new__", "__init__"):
            if self._inference.find_member(cls, name) is None:
                self.members.missed(cls, name, reason)
        for base in self._inference.foreign_bases(cls):
            # of a target itself: the reason would read like another target
            lacked = (
                reason if reason.by else reason._replace(text="its class cannot be made without it")
            )
            for name in sorted(abstract_methods(base)):
                self.members.keep_found(cls, name, lacked)
        if self._exposes_all is not None:
            self.members.expose(cls, self._exposes_all, is_known=False)
        for owner in self._inference.mro(cls) if self._refused else ():
            for name in self._refused.get(owner, ()):
                self.members.keep_found(cls, name, reason)
        self.receive(cls, reason)

    def refuse(self, cls: ClassInfo, reason: Reason) -> None:
        """Record a call of the class; if it is abstract, it works for subclasses only."""
        if cls not in self._refused:
            names = self._refused[cls] = abstract_members(self._inference, cls)
            for made in [cls, *self._constructed] if names else ():
                if cls in self._inference.mro(made):
                    for name in names:
                        self.members.keep_found(made, name, reason)

    def receive(self, cls: ClassInfo, reason: Reason) -> None:
        """Record that instances of the class may exist in the slice, created there or passed in."""
        if cls in self.instances.classes:
            return
        self.instances.add(cls)
        self._keep_called(cls, _KEPT_WITH_INSTANCES, reason)
        if self._inference.is_enum(cls):
            self.members.keep_overrides(cls, None, reason)
        self.questions.replay_queries(cls)

    def _keep_called(self, cls: ClassInfo, names: frozenset[str], reason: Reason) -> None:
        made = Reason(
            f"may hold a {cls.node.name}", reason.by or class_label(cls), reason.path, reason.line
        )
        for owner in self._inference.mro(cls):
            self.keep(owner, reason)
            for name in owner.table:
                if name in names:
                    self.members.keep_class_statements(owner, name, made)

    def expose_all(self, reason: Reason) -> None:
        """Record that the caller may receive any instance that the slice creates."""
        self._exposes_all = reason
        for cls in list(self._constructed):
            self.members.expose(cls, reason, is_known=False)

    # ------------------------------------------------------------------ after the worklist

    def keep_registered(self) -> bool:
        """Keep members that decorators register with a live object; return whether any were."""
        registering = self._structure.registering
        live = self._record.live_objects
        found = [item for item, objects in registering.items() if any(o in live for o in objects)]
        for cls, member in found:
            objects = registering.pop((cls, member))
            label = class_label(cls)
            text = f"making its class puts it into {objects[0][1]}"
            why = Reason(text, label, cls.module.path, member.first)
            self.members.keep_unit(cls, member, why)
        return bool(found)

    def keep_annotations(self) -> bool:
        """Keep annotations of classes that code reads, and what they name; return whether any."""
        record = self._record
        reads = "__annotations__" in record.flags or record.mentioned & _ANNOTATION_READERS
        if not reads and not (
            "annotation" in record.flags and "inspect.signature" in record.mentioned
        ):
            return False
        before = len(self.members), len(self._constructed)
        for cls, why in list(record.annotating.items()):
            self.instantiate(cls, why)
        for cls in list(record.classes):
            for member in cls.members:
                if isinstance(member.node, ast.AnnAssign):
                    label = class_label(cls)
                    why = Reason("annotations are read", label, cls.module.path, member.first)
                    self.members.keep_unit(cls, member, why)
        return (len(self.members), len(self._constructed)) != before

    def keep_abstract(self) -> bool:
        """Keep abstract members and overrides that code queries; return whether any were."""
        record = self._record
        if "__abstractmethods__" not in record.flags | set(self.queries.live_names) and (
            "inspect.isabstract" not in record.mentioned
        ):
            return False
        before = len(self.members)
        for cls in list(record.classes):
            abstract = {n for each in self._inference.mro(cls)
                        for n in abstract_members(self._inference, each)}  # fmt: skip
            why = Reason(
                "abstract members are read", class_label(cls), cls.module.path, cls.node.lineno
            )
            for name in sorted(abstract):
                self.members.keep_found(cls, name, why)
        return len(self.members) != before

    def keep_library_hooks(self) -> bool:
        """Keep library hooks in classes that annotations name; return whether there were any.

        Hooks are special names unknown to the language, such as `__get_pydantic_core_schema__`. In
        other classes, only hooks that name a library which the slice uses count.
        """
        tops = {name.partition(".")[0] for name in self._record.mentioned} - _STANDARD
        before = len(self.members)
        annotating = self._record.annotating
        for cls in list(dict.fromkeys([*annotating, *self.instances.classes])) if tops else ():
            for name in self._inference.member_names(cls):
                if not _is_special(name) or name in CALLED_BY_PYTHON:
                    continue
                if cls in annotating or not tops.isdisjoint(name.split("_")):
                    label = class_label(cls)
                    text = f"a library may look for {name}"
                    why = Reason(text, label, cls.module.path, cls.node.lineno)
                    self.members.keep_found(cls, name, why)
                    self.instantiate(cls, why)
        return len(self.members) != before


def _outermost(cls: ClassInfo) -> ClassInfo | None:
    """Return the module-level class whose body contains the class, if there is one."""
    found: ClassInfo | None = None
    scope = cls.enclosing
    while scope.is_class and scope.owner is not None:
        found = scope.owner
        scope = found.enclosing
    return found


_STANDARD = STDLIB | {"builtins"}


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


_KEPT_WITH_INSTANCES = ALWAYS_KEPT - CONSTRUCTION
_ANNOTATION_READERS = frozenset(
    {"typing.get_type_hints", "inspect.get_annotations", "typing_extensions.get_type_hints",
     "dataclasses.fields", "annotationlib.get_annotations"}
)  # fmt: skip
