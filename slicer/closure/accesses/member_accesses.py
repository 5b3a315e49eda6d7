"""Queries that a use puts to its receiver's values: members, operators, computed names."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...analysis.scopes.definitions import ClassInfo
from ...analysis.uses.use_records import (
    PUBLIC,
    VALUE_ROLES,
    DispatchUse,
    DynamicUse,
    EscapeUse,
    ListedUse,
    ProtocolUse,
    Role,
)
from ...analysis.uses.values_with_members import flattened, has_only_if_stored
from ...analysis.values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    SuperValue,
    Value,
    Values,
    is_abstract,
    ordered,
)
from ...model import Gap
from ...repo.repository import Module
from ...syntax.call_shapes import CallShape
from ..classes.member_queries import Dispatch, Pattern
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason
from ..modules.kept_bindings import KeptBindings


class ReceiverQueries:
    """Puts the queries of one slice to classes and modules."""

    def __init__(self, record: ClosureRecord, bindings: KeptBindings) -> None:
        self._record = record
        self._inference = record.inference
        self._bindings = bindings
        self._classes = bindings.classes
        self._questions = bindings.classes.questions
        self._watched: dict[ClassInfo, Reason] = {}
        self._watches_all: Reason | None = None
        """Why all classes are watched: code calls `__subclasses__()` on an unknown class."""
        self._passed: list[tuple[ProtocolUse, Reason, str]] = []
        """Values passed to methods of unknown receivers, with the name of the method."""

    # ------------------------------------------------------------------ members

    @property
    def watched(self) -> Mapping[ClassInfo, Reason]:
        """Classes on which `__subclasses__()` is called, each with the reason."""
        if self._watches_all is None:
            return self._watched
        return dict.fromkeys(self._record.classes, self._watches_all) | self._watched

    def use_member(self, values: Values, name: str, role: Role, reason: Reason) -> None:
        """Record that an attribute of some values is read, written or called."""
        reason = Reason(f"uses .{name}", reason.by, reason.path, reason.line)
        if values is None:
            self._questions.live_name(name, reason)
            if name == "__subclasses__":
                self._watches_all = self._watches_all or reason
            return
        for value in ordered(values):
            match value:
                case ExternalInstance() | External() if has_only_if_stored(value, name):
                    self._questions.live_name(name, reason)
                case Instance(cls=cls):
                    self._questions.access(cls, name, reason)
                case ClassValue(cls=cls):
                    self._classes.keep(cls, reason)
                    self._questions.access(cls, name, reason)
                    self._use_of_class(cls, name, role, reason)
                    if name == "__subclasses__":
                        self._watched.setdefault(cls, reason)
                    elif name == "__dict__":
                        use = DynamicUse(frozenset({value}), "", "", reason.line, role == "data")
                        self.use_pattern(use, reason)
                case ModuleValue() if name == "__dict__":
                    self.use_pattern(DynamicUse(frozenset({value}), "", "", reason.line), reason)
                case ModuleValue(module=found, importer=importer):
                    self._bindings.keep_member(found, importer, name, role, reason)
                case SuperValue(cls=cls):
                    self._questions.access_super(cls, name, reason)
                    if self._inference.constructor(cls, name) is not None:
                        self._classes.instantiate(cls, reason)
                case ExternalInstance(name=kind):
                    self._questions.access_abstract(kind, name, reason)
                case _:
                    continue

    def _use_of_class(self, cls: ClassInfo, name: str, role: Role, reason: Reason) -> None:
        found = self._inference.find_member(cls, name)
        if found is not None:
            for unit in found[1]:
                if any(map(_gets_its_class, unit.nodes)):
                    self._classes.instantiate(cls, reason)
            return
        if self._inference.constructor(cls, name) is not None:
            self._classes.instantiate(cls, reason)
        for value in ordered(self._inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                self._questions.access(value.cls, name, reason)
        if role in VALUE_ROLES:
            nested = self._inference.class_member(cls, name, bound=False)
            for value in ordered(nested):
                if isinstance(value, ClassValue):
                    self._classes.instantiate(value.cls, reason)

    # ------------------------------------------------------------------ protocols

    def use_protocol(self, use: ProtocolUse, why: Reason) -> None:
        """Record that an operator or builtin calls members of some values."""
        if use.members is None:
            self._hand_out(None if is_abstract(use.values) else use.values, why)
        elif use.members[:1] == PUBLIC and use.method:
            self._passed.append((use._replace(method=""), why, use.method))
        elif use.members[:1] == PUBLIC:
            why = Reason("handed to external code", why.by, why.path, why.line)
            for value in ordered(use.values):
                if isinstance(value, Instance):
                    named = frozenset(use.members[1:])
                    self._classes.members.keep_public(value.cls, named, why)
        else:
            for name in use.members:
                reason = Reason(f"uses {name}", why.by, why.path, why.line)
                if use.values is None:
                    self._questions.live_name(name, reason)
                    continue
                for value in flattened(ordered(use.values)):
                    self._operate(value, name, reason)

    def escape(self, use: EscapeUse, reason: Reason) -> None:
        """Record that values escape to external code, which may call their public methods."""
        reason = Reason("handed to external code", reason.by, reason.path, reason.line)
        for value in flattened(ordered(use.values)):
            for cls in self._passed_classes(value, makes=use.makes):
                if use.calls:
                    self._questions.access(cls, "__call__", reason)
                if isinstance(value, FunctionValue):
                    self._questions.escape_instances(cls, reason)  # as any object may be
                if use.is_asking:
                    self._classes.members.keep_public(cls, use.named, reason)
                elif self._inference.external_bases(cls):
                    # methods that external bases call may run
                    named = use.named or frozenset({_NO_MEMBER})
                    self._classes.members.keep_public(cls, named, reason)

    def _passed_classes(self, value: Value, *, makes: bool) -> list[ClassInfo]:
        """Return classes of the instances that escape with the value, or by calling it."""
        match value:
            case Instance(cls=cls):
                return [cls]
            case ClassValue(cls=cls) if makes:
                return [cls]
            case FunctionValue(function=function) if makes:
                results = ordered(self._inference.returned(function))
                return [result.cls for result in results if isinstance(result, Instance)]
            case _:
                return []

    def use_call(self, values: Values, shape: CallShape, reason: Reason) -> None:
        """Record that the values are called: `__call__` of the instances among them runs."""
        reason = Reason("uses __call__", reason.by, reason.path, reason.line)
        if values is None or _CALLABLE in {getattr(v, "name", "") for v in values}:
            self._questions.live_call(shape, reason)
        for value in flattened(ordered(values)):
            if not isinstance(value, ExternalInstance) or value.name != _CALLABLE:
                self._operate(value, "__call__", reason)

    def _hand_out(self, values: Values, reason: Reason) -> None:
        """Record that values escape to external code, which may call their special members."""
        reason = Reason("passed to external code", reason.by, reason.path, reason.line)
        if values is None:
            self._questions.escape_unknown(reason)
        for value in ordered(values):
            if isinstance(value, (Instance, ClassValue)):
                self._questions.escape_instances(value.cls, reason)

    def _operate(self, value: Value, name: str, reason: Reason) -> None:
        """Record that an operation looks up the name on the type of the value."""
        match value:
            case Instance(cls=cls):
                self._questions.access(cls, name, reason)
            case ClassValue(cls=cls):
                for meta in ordered(self._inference.metaclass(cls)):
                    if isinstance(meta, ClassValue):
                        self._questions.access(meta.cls, name, reason)
                if name == "__class_getitem__":
                    self._questions.access(cls, name, reason)
            case ExternalInstance(name=kind):
                self._questions.access_abstract(kind, name, reason)
            case _:
                return

    def escape_to_unknown_methods(self) -> None:
        """Treat arguments of unknown methods as escaped if no repository class has the method."""
        passed, self._passed = self._passed, []
        for use, why, method in passed:
            if method not in self._classes.instances.having:
                self.use_protocol(use, why)

    # ------------------------------------------------------------------ computed names

    def use_dispatch(self, use: DispatchUse, objects: Values, reason: Reason) -> None:
        """Record an access to a member named after the class of one of the objects."""
        is_known = objects is not None and all(isinstance(v, Instance) for v in objects)
        is_open = not objects and not any(isinstance(v, Parameter) for v in use.objects or ())
        if is_open or not is_known or any(not isinstance(v, Instance) for v in use.values or ()):
            self.use_pattern(DynamicUse(use.values, use.prefix, use.suffix, use.line), reason)
            return
        shown = f"{use.prefix}<class>{use.suffix}"
        reason = Reason(f"computes a member name {shown}", reason.by, reason.path, reason.line)
        for value in ordered(use.values):
            for kind in ordered(objects):
                if isinstance(value, Instance) and isinstance(kind, Instance):
                    dispatch = Dispatch(value.cls, use.prefix, use.suffix, kind.cls)
                    self._questions.add_dispatch(dispatch, reason)
        detail = f"attribute name computed at run time; kept members {shown} by the slice's classes"
        gap = Gap("dynamic-attribute", reason.path, reason.line, detail, "kept wide")
        self._record.gaps.setdefault(gap)

    def use_all(self, use: ListedUse, reason: Reason) -> None:
        """Record that code lists members of the values; unknown ones may be named modules."""
        if use.values:
            self.use_pattern(
                DynamicUse(use.values, "", "", reason.line, use.is_method_left), reason
            )
        elif use.values is None:
            self._questions.list_found(reason)

    def use_pattern(self, use: DynamicUse, reason: Reason) -> None:
        """Record an access to a computed attribute name; an empty set of values needs nothing."""
        if use.values is not None and not use.values:
            return
        shown = f"{use.prefix}*{use.suffix}"
        reason = Reason(f"computes a member name {shown}", reason.by, reason.path, reason.line)
        detail = f"attribute name computed at run time; kept every member {shown}"
        if use.values is None:
            if len(use.prefix + use.suffix) > _SHORT or _is_word(use.prefix):
                self._questions.add_pattern(Pattern(None, use.prefix, use.suffix), reason)
            else:
                detail = (
                    "attribute name computed at run time on an unknown receiver; "
                    "kept members named by text in the slice"
                )
                self._questions.add_affixes(use.prefix, use.suffix, reason)
        for value in ordered(use.values):
            match value:
                case Instance(cls=cls) | ClassValue(cls=cls) | SuperValue(cls=cls):
                    pattern = Pattern(cls, use.prefix, use.suffix, use.is_method_left)
                    self._questions.add_pattern(pattern, reason)
                case ModuleValue(module=Module() as module):
                    for name in self._record.names.all_names(module):
                        if name.startswith(use.prefix) and name.endswith(use.suffix):
                            self._bindings.keep_name(module, name, "value", reason)
                    self._bindings.serve_like(module, use.prefix, use.suffix, reason)
                case _:
                    continue
        gap = Gap("dynamic-attribute", reason.path, reason.line, detail, "kept wide")
        self._record.gaps.setdefault(gap)


def _gets_its_class(member: ast.stmt) -> bool:
    """Whether the class member is a class method, whose callers pass it the class."""
    match member:
        case ast.FunctionDef(decorator_list=made) | ast.AsyncFunctionDef(decorator_list=made):
            return any(isinstance(d, ast.Name) and d.id == "classmethod" for d in made)
        case ast.Assign(value=ast.Call(func=ast.Name(id="classmethod"))):
            return True
        case _:
            return False


_CALLABLE = "typing.Callable"
_NO_MEMBER = ""
"""A name that no member has; an empty set of names would mean any name."""

_SHORT = 3
"""Prefixes and suffixes of a computed name up to this length carry no meaning."""


def _is_word(prefix: str) -> bool:
    """Whether the prefix names a purpose of the members: `do_`, `on_`."""
    return len(prefix) >= _SHORT and prefix.endswith("_") and prefix[0].isalpha()
