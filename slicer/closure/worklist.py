"""The dependency closure: a worklist over definitions, live classes and live member names.

Starting from the target, every use of a kept definition keeps whatever it may mean. A member of a
class is kept when the slice may hold an instance and may access the member's name on a receiver of
that class (rapid type analysis by member name: Bacon and Sweeney, OOPSLA 1996).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..analysis.scopes.definitions import ClassInfo
from ..analysis.uses.use_records import (
    FORMATS,
    MAKES_CLASSES,
    CallUse,
    ComputedUse,
    DeclaredUse,
    DispatchUse,
    DynamicUse,
    EscapeUse,
    GapUse,
    HomeUse,
    ImportUse,
    InstanceCallUse,
    ListedNamesUse,
    ListedUse,
    MappedUse,
    MemberUse,
    ModuleUse,
    NameUse,
    OverriddenUse,
    PackageUse,
    PathEndUse,
    PathUse,
    ProtocolUse,
    ReplacedUse,
    Role,
    StoreUse,
    SubmoduleUse,
    TablesUse,
    Use,
)
from ..analysis.values.abstract_values import (
    NOTHING,
    ClassValue,
    Instance,
    ModuleValue,
    Parameter,
    Value,
    Values,
    ordered,
)
from ..effects.loaded_modules import LoadedModules
from ..model import Gap
from ..repo.repository import Module, Namespace
from ..repo.units import Unit
from ..syntax.builtin_models import TEXT
from .accesses.listed_members import ListedMembers
from .accesses.member_accesses import ReceiverQueries
from .accesses.stored_attributes import StoredAttributes
from .closure_record import Asker, ClosureRecord, QueriedName
from .kept_definitions import KeptModule, Reason
from .modules.kept_bindings import KeptBindings
from .modules.named_modules import NamedModules
from .modules.reached_modules import HomeModules
from .repository_analysis import Analysis


class Closure:
    """One run of the worklist, with the kept definitions."""

    def __init__(self, analysis: Analysis) -> None:
        self._record = record = ClosureRecord(analysis)
        self._bindings = KeptBindings(record)
        self._named = NamedModules(record, self._bindings)
        self._homes = HomeModules(record, self._bindings)
        self._receivers = ReceiverQueries(record, self._bindings)
        self._listed_members = ListedMembers(record, self._receivers)
        self._stored = StoredAttributes(record, self._bindings.classes)
        self.class_keeper = self._bindings.classes
        self.analysis = analysis
        self.names = analysis.names
        self.inference = analysis.inference
        self.modules = record.modules
        self.classes = record.classes
        self.gaps = record.gaps
        self.externals = record.externals
        self.mentioned = record.mentioned
        self.flags = record.flags
        self.load_edges = record.load_edges
        self.live_objects = record.live_objects
        self.registries = record.registries
        self.effects = record.effects
        self.presence = record.presence
        self.entering: dict[Module, None] = {}
        """Modules that may add entries to such a table."""
        self.mappers = record.mappers
        self.submodules = record.submodules
        self.loaded: LoadedModules
        self.constructs_parameters = True
        self.as_package = False
        self.is_slice = False
        """Whether a target lies in a script that is itself a slice."""
        self._seen: dict[Asker, frozenset[Value]] = {}
        """Uses of parameters, with the values that were already processed."""
        self._runs_text = False
        self._spelled: dict[str, None] = {}
        """Attribute names in the strings of the slice."""
        self._fields: dict[str, None] = {}
        """Attributes that format fields of the slice read and that were not queried yet."""
        self.bound: tuple[tuple[Module, str], ...] = ()
        """The names that the user of the slice accesses."""

    # ------------------------------------------------------------------ the worklist

    @property
    def watched(self) -> Mapping[ClassInfo, Reason]:
        """Classes on which `__subclasses__()` is called, each with the reason."""
        return self._receivers.watched

    def run(self) -> None:
        """Process uses until nothing new is kept."""
        record = self._record
        while self._has_work():
            while record.again:
                self._process(*record.next_woken())
            if not record.queue:
                continue
            module, label, uses = record.queue.popleft()
            record.flags |= uses.flags
            record.mentioned |= uses.externals
            for text in sorted(uses.strings):
                self.class_keeper.questions.add_string(text)
            for use in uses.uses:
                self._process(use, module, label)
            self._record_strings(uses.attributes, Reason("", label, module.path, 1))
            self._fields.update(dict.fromkeys(sorted(uses.fields)))
            if FORMATS in record.flags:
                self._query_fields(Reason("", label, module.path, 1))
            for word in sorted(uses.words & module.bindings.keys()):
                # text that runs as code may mention any name of the module
                self.keep_name(module, word, "value", Reason("", label, module.path, 1))

    def _has_work(self) -> bool:
        record = self._record
        if not (record.queue or record.again):
            record.wake(record.parameters.open_unreached())
        if not (record.queue or record.again):
            self._receivers.escape_to_unknown_methods()
        if not (record.queue or record.again):
            self._stored.open_unseen()
        if not (record.queue or record.again):
            self._listed_members.look()
            self._homes.look()
        if not (record.queue or record.again):
            self.class_keeper.questions.keep_hiding()
        if MAKES_CLASSES in record.flags:
            self.class_keeper.questions.open_dispatches()
        return bool(record.queue or record.again)

    def _process(self, use: Use, module: Module, label: str) -> None:  # noqa: C901 - a case for each kind of use
        self._note_asker(use, label)
        if self._is_repeated(use):
            return
        record = self._record
        why = Reason("", label, module.path, use.line)
        asker = use, module, label
        match use:
            case NameUse():
                self._bindings.keep_name(use.module, use.name, use.role, why)
            case MemberUse():
                values = self._unseen(self._resolved(use.values, asker), use, asker)
                self._receivers.use_member(values, use.name, use.role, why)
            case ReplacedUse():
                self.class_keeper.questions.query_replaced_attribute(use.name, why)
            case StoreUse():
                self._store(use, asker, why)
            case ComputedUse():
                self._stored.compute(use, asker, why)
            case DeclaredUse():
                self._stored.declare(use.declared, self._resolved(use.values, asker), why)
            case OverriddenUse():
                self.class_keeper.questions.query_mro(use.name, why)
            case ProtocolUse():
                values = self._resolved(use.values, asker)
                self._receivers.use_protocol(use._replace(values=values), why)
            case EscapeUse():
                values = self._resolved(use.values, asker)
                self._receivers.escape(use._replace(values=values), why)
            case CallUse():
                record.wake(record.parameters.bind(use))
                self._stored.pass_arguments(use, asker, why)
                self._construct(use, why)
            case InstanceCallUse():
                self._receivers.use_call(self._resolved(use.values, asker), use.shape, why)
            case DynamicUse():
                self._receivers.use_pattern(self._of_modules(use, asker), why)
            case ListedNamesUse():
                values = self._resolved(use.values, asker)
                self._listed_members.query(use._replace(values=values), why)
            case ListedUse():
                self._receivers.use_all(use._replace(values=self._listed(use.values, asker)), why)
            case DispatchUse():
                self._receivers.use_dispatch(use, self._resolved(use.objects, asker), why)
            case ImportUse():
                for alias in use.node.names:
                    self._bindings.follow_import(use.module, use.node, alias, use.role, why)
            case ModuleUse() | PackageUse() | PathUse() | PathEndUse() | MappedUse() | HomeUse():
                self._load_named(use, asker, why)
            case SubmoduleUse() | TablesUse():
                self._note(use, why)
            case GapUse():
                self._record_gap(use, module, why)

    def _note(self, use: SubmoduleUse | TablesUse, reason: Reason) -> None:
        """Record a use whose definitions are searched in the statements of all loaded modules."""
        match use:
            case SubmoduleUse():
                self._record.submodules.setdefault((use.module, use.name), reason)
            case TablesUse():
                self._record.mappers.setdefault(use.owner, reason)

    def _note_asker(self, use: Use, label: str) -> None:
        """Record which definition uses a name, even if other definitions use it already."""
        match use if self._record.askers is not None else None:
            case NameUse(module=owner, name=name):
                self._record.register_use((owner, name), label)
            case MemberUse(name=name):
                self._record.register_use((None, name), label)
            case ProtocolUse(members=members):
                for name in members or ():
                    self._record.register_use((None, name), label)
            case _:
                return

    def _load_named(
        self, use: ModuleUse | PackageUse | PathUse | PathEndUse | MappedUse | HomeUse,
        reader: Asker,
        reason: Reason,
    ) -> None:  # fmt: skip
        """Keep modules that are imported by name."""
        match use:
            case ModuleUse():
                self._named.load_by_name(use, reason)
            case PackageUse():
                values = self._listed(use.values, reader)
                self._named.load_packages(use._replace(values=values), reason)
            case PathUse():
                self._named.add_module_path(use, reason)
            case PathEndUse():
                self._named.add_module_suffix(use, reason)
            case MappedUse():
                self._named.load_mapped(use, reason)
            case HomeUse():
                self._homes.add(use, self._listed(use.values, reader), reason)

    def _record_gap(self, use: GapUse, module: Module, reason: Reason) -> None:
        """Record a gap, and keep the strings and names that the undecided code may mean."""
        if use.kind == "dynamic-name":
            self._bindings.read_globals(module, reason)
        if use.kind == "dynamic-import":
            self._named.load_paths()
        if use.kind == "dynamic-code" and not self._runs_text:
            self._runs_text = True
            self._record_strings(self._spelled, reason)
        self._record.gaps.setdefault(Gap(use.kind, module.path, use.line, use.detail))

    def _store(self, use: StoreUse, reader: Asker, reason: Reason) -> None:
        """Record that values are stored in an attribute, without unknown ones."""
        parts = [self._resolved(frozenset({value}), reader) for value in ordered(use.values)]
        values = frozenset(value for part in parts for value in part or ())
        receivers = self._resolved(use.receivers, reader)
        self._stored.add(use._replace(values=values, receivers=receivers), reason)

    def _resolved(self, values: Values, reader: Asker) -> Values:
        """Return the values, with parameters replaced by the values that they hold."""
        return self._record.parameters.resolve(values, reader)

    def _unseen(self, values: Values, use: MemberUse, reader: Asker) -> Values:
        """Return the subset of the values with which this use of parameters was not seen before."""
        if values is None or values is use.values:
            return values
        seen = self._seen.get(reader, NOTHING)
        self._seen[reader] = seen | values
        return values - seen

    def _listed(self, values: Values, reader: Asker) -> Values:
        """Return the resolved values; if unknown, all known arguments of the parameters."""
        resolved = self._resolved(values, reader)
        return (
            self._record.parameters.resolve_parameters(values, reader)
            if resolved is None and values
            else resolved
        )

    def _of_modules(self, use: DynamicUse, reader: Asker) -> DynamicUse:
        """Return the use with its parameters replaced by the modules among their arguments."""
        if not any(isinstance(value, Parameter) for value in use.values or ()):
            return use
        given = self._record.parameters.resolve_parameters(use.values, reader) or ()
        return use._replace(values=frozenset(v for v in given if isinstance(v, ModuleValue)))

    def _is_repeated(self, use: Use) -> bool:
        """Whether the use only repeats earlier queries; most uses do, so this is tested first."""
        questions = self.class_keeper.questions
        match use:
            case NameUse(module=owner, name=name, role=role):
                return self._bindings.is_kept(owner, name, role)
            case MemberUse(values=None, name=name):
                return questions.is_live(name)
            case MemberUse(values=values, name=name) if values is not None and len(values) == 1:
                (value,) = values
                return isinstance(value, Instance) and questions.is_accessed(value.cls, name)
            case ProtocolUse(values=None, members=(_, *_) as members, method=""):
                return all(map(questions.is_live, members))
            case _:
                return False

    def _record_strings(self, attributes: Iterable[str], reason: Reason) -> None:
        """Record names in strings of the slice, which may be parts of code that it runs."""
        for name in sorted(attributes):
            self._spelled.setdefault(name)
            if self._runs_text:
                self._receivers.use_member(None, name, "value", reason)

    def _query_fields(self, reason: Reason) -> None:
        """Record accesses by format texts of the slice on unknown values."""
        for name in list(self._fields):
            self._receivers.use_member(None, name, "value", reason)
        if self._fields:
            for name in TEXT:  # the attributes' values are formatted
                self._receivers.use_member(None, name, "value", reason)
        self._fields.clear()

    def _construct(self, use: CallUse, reason: Reason) -> None:
        """Record that a call instantiates a class; with `type(self)(...)`, maybe a subclass."""
        keeper = self.class_keeper
        for value in ordered(use.callee):
            if isinstance(value, ClassValue):
                keeper.instantiate(value.cls, reason)
                keeper.refuse(value.cls, reason)
                for other in keeper.instances.deriving(value.cls) if use.is_computed else ():
                    keeper.instantiate(other, reason)

    # ------------------------------------------------------------------ for other passes

    @property
    def loads_paths(self) -> bool:
        """Whether the slice imports modules by names that are computed at run time."""
        return self._named.loads_paths

    def name_path(self, module: Module, path: str, reason: Reason) -> None:
        """Record a string in the module that may name a module, or a member of one."""
        self._named.add_module_path(PathUse(module, path, reason.line), reason)

    def track_all_readers(self) -> None:
        """Record all uses of a name from now on, and not only the first."""
        self._record.askers = {}

    @property
    def askers(self) -> dict[QueriedName, dict[str, None]]:
        """Return the names, each with the labels of all definitions that use it."""
        return self._record.askers or {}

    def need_module(self, module: Module) -> KeptModule:
        """Return the module's record; its parent packages are kept with it."""
        return self._record.need_module(module)

    def load(self, module: Module | Namespace) -> None:
        """Record that the module itself is imported."""
        self._record.load(module)

    def live_object(self, module: Module, name: str, reason: Reason) -> None:
        """Record that the object is live, so that statements which change it count."""
        self._record.live_object(module, name, reason)

    def keep_name(self, module: Module, name: str, role: Role, reason: Reason) -> None:
        """Keep what a global name means in the module."""
        self._bindings.keep_name(module, name, role, reason)

    def keep_binding(
        self, module: Module, unit: Unit, name: str, role: Role, reason: Reason
    ) -> None:
        """Keep one statement for a name that it binds."""
        self._bindings.keep_binding(module, unit, name, role, reason)

    def keep_whole(self, module: Module, unit: Unit, reason: Reason) -> None:
        """Keep a statement with everything that it mentions."""
        self._bindings.keep_whole(module, unit, reason)

    def keep_entire(self, module: Module, text: str) -> None:
        """Keep everything that the module defines; `text` says why."""
        self._bindings.keep_entire(module, text)

    @property
    def size(self) -> int:
        """Number of statements and members that are kept so far."""
        kept = self.modules.values()
        return sum(len(each.units) + sum(map(len, each.members.values())) for each in kept)

    @property
    def unbound(self) -> frozenset[str]:
        """Names that no statement binds so far."""
        return frozenset(self._record.unbound)

    def found_builtin(self, name: str) -> None:
        """Record that a statement turns the name into a builtin, and drop the gaps for it."""
        for gap in self._record.unbound.pop(name, ()):
            self.gaps.pop(gap, None)

    def is_queried(self, cls: ClassInfo, name: str) -> bool:
        """Whether the slice may access the attribute on the class or on a derived class."""
        return self.class_keeper.queries.is_queried(cls, name)
