"""The dependency closure: a worklist over definitions, live classes and live member names.

Starting from the target, every use of a kept definition keeps what it may mean.
A member of a class is kept when an instance may exist in the slice and its name is asked for on a
receiver that may be that class (rapid type analysis by member name: Bacon and Sweeney, OOPSLA
1996).
"""

from __future__ import annotations

import ast
from collections import deque
from dataclasses import dataclass, field

from .definitions import ClassInfo, FunctionInfo, module_class, module_scope
from .effects import Effects
from .hooks import (
    abstract_methods,
    base_defines,
    external_hooks,
    hook_matches,
    shapes_subclasses,
)
from .infer import TRANSPARENT_DECORATORS, Inference, decorator_name, module_global_writers
from .known import (
    ABSTRACT_METHODS,
    ALWAYS_KEPT,
    CLASS_CREATION,
    CONSTRUCTION,
    FALLBACKS,
    OPERATIONS,
    PLAIN_BASES,
    PLAIN_DECORATORS,
)
from .loaded import LoadedModules
from .model import Gap
from .names import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
    Missing,
    Names,
    Unresolved,
)
from .parameters import Parameters
from .repository import Module, Namespace, Repository
from .roots import Object
from .units import Unit
from .uses.asked_values import flattened
from .uses.collector import UseCollector
from .uses.records import (
    NO_USES,
    PUBLIC,
    VALUE_ROLES,
    CallUse,
    DynamicUse,
    GapUse,
    ImportUse,
    MemberUse,
    ModuleUse,
    NameUse,
    ProtocolUse,
    Role,
    Use,
    Uses,
)
from .values import (
    ABSTRACT,
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    SuperValue,
    Value,
    Values,
    is_abstract,
    ordered,
)

_Asked = tuple[Use, Module, str]
"""A use, the module that it stands in, and the label of the definition."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a definition is kept: what mentions it, and where."""

    text: str
    by: str
    """Label of the definition that mentions it."""
    path: str
    line: int


@dataclass(eq=False)
class KeptModule:
    """What is kept of one module; filled by the closure, then only read."""

    module: Module
    units: dict[int, Reason] = field(default_factory=dict[int, Reason])
    """Index of each kept top-level unit."""
    aliases: dict[int, dict[str, None]] = field(default_factory=dict[int, dict[str, None]])
    """Kept names of an import unit; a unit that is not here keeps all of its names."""
    stars: dict[int, dict[str, None]] = field(default_factory=dict[int, dict[str, None]])
    """Names that a star import of a local module is narrowed to."""
    members: dict[int, dict[int, Reason]] = field(default_factory=dict[int, dict[int, Reason]])
    """Kept members of the class that a unit is."""
    must_load: bool = False
    """Whether it is imported for more than its names (`import pkg.mod`, an effect)."""


@dataclass(frozen=True, slots=True)
class ExternalImport:
    """A name taken from another distribution."""

    module: str
    name: str | None
    path: str
    line: int


class Analysis:
    """What is known of one repository, shared by all of its targets."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.names = Names(repository)
        self.inference = Inference(self.names)
        self.effects = Effects(self.inference)
        self._uses: dict[tuple[Module, ast.AST, str], Uses] = {}

    def unit_uses(self, module: Module, unit: Unit) -> Uses:
        """Uses of a whole top-level unit."""
        key = (module, unit.node, "unit")
        known = self._uses.get(key)
        if known is None:
            collector = UseCollector(self.inference, module, unit)
            collector.scope = module_scope(module)
            collector.see_all(unit.nodes)
            known = self._uses[key] = collector.result()
        return known

    def header_uses(self, cls: ClassInfo) -> Uses:
        """Uses of a class statement without its members."""
        key = (cls.module, cls.node, "header")
        known = self._uses.get(key)
        if known is None:
            collector = UseCollector(self.inference, cls.module, cls.unit)
            collector.scope = cls.enclosing
            collector.see_class_header(cls)
            known = self._uses[key] = collector.result()
        return known

    def member_uses(self, cls: ClassInfo, member: Unit) -> Uses:
        """Uses of one member of a class."""
        key = (cls.module, member.node, "member")
        known = self._uses.get(key)
        if known is None:
            collector = UseCollector(self.inference, cls.module, cls.unit)
            collector.scope = cls.scope
            collector.see_all(member.nodes)
            known = self._uses[key] = collector.result()
        return known


class Closure:
    """One run of the worklist."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.names = analysis.names
        self.inference = analysis.inference
        self.modules: dict[str, KeptModule] = {}
        self.gaps: dict[Gap, None] = {}
        self.externals: dict[ExternalImport, None] = {}
        self.mentioned: set[str] = set()
        """Dotted names of external objects that the kept code mentions."""
        self.flags: set[str] = set()
        self.load_edges: dict[tuple[str, str], None] = {}
        """(importing module, imported module) of every kept import."""
        self.classes: dict[ClassInfo, None] = {}
        self.instantiated: dict[ClassInfo, None] = {}
        """Classes of which the slice may hold instances."""
        self._exposes_all: Reason | None = None
        self.loaded: LoadedModules
        self.constructs_parameters = True
        self.as_package = False
        self.is_slice = False
        """Whether a target lies in a script that is itself a slice."""
        self.bound: tuple[tuple[Module, str], ...] = ()
        """The names that the slice is asked for."""
        self.constructed: dict[ClassInfo, None] = {}
        """Those of which it may make some."""
        self.watched: dict[ClassInfo, Reason] = {}
        """Classes that are asked for their subclasses."""
        self.globals_read: dict[Module, None] = {}
        self.escaped_modules: dict[Module, None] = {}
        self.live_names: dict[str, Reason] = {}
        self.accessed: dict[ClassInfo, dict[str, Reason]] = {}
        self.abstract_accessed: dict[str, dict[str, Reason]] = {}
        """Abstract type → names asked for on its instances."""
        self.super_accessed: dict[ClassInfo, dict[str, Reason]] = {}
        self.patterns: dict[tuple[ClassInfo | None, str, str], Reason] = {}
        self.all_members: dict[ClassInfo | None, Reason] = {}
        """Classes (`None`: all) whose dunder members external code may call."""
        self.live_objects: dict[tuple[Module, str], Reason] = {}
        self.strings: dict[str, None] = {}
        self._string_reason: Reason | None = None
        self._spelled_modules: dict[Module, Reason] = {}
        """Modules that text imports names from: any text may be one of the names."""
        self._affixes: dict[tuple[str, str], None] = {}
        self._lineage: dict[ClassInfo, list[ClassInfo]] = {}
        """Class → those of `instantiated` that derive from it, itself among them."""
        self._having: dict[str, list[ClassInfo]] = {}
        """Member name → those of `instantiated` that define or inherit it."""
        self._derived: list[ClassInfo] = []
        """Those of `instantiated` that have a base outside of the repository."""
        self._handed: list[tuple[ProtocolUse, Reason, str]] = []
        """What is passed to methods of unknown receivers, by the name of the method."""
        self._registering: dict[tuple[ClassInfo, Unit], tuple[Object, ...]] = {}
        """Members whose decorators put them into objects, and these objects."""
        self._seen_members: set[tuple[ClassInfo, int]] = set()
        self._seen_names: set[tuple[Module, str, Role]] = set()
        self._seen_access: set[tuple[ClassInfo, str]] = set()
        self._woken: set[tuple[ClassInfo, str | None]] = set()
        self._queue: deque[tuple[Module, str, Uses]] = deque()
        self._again: deque[_Asked] = deque()
        """Uses of parameters of which more is known by now."""
        self._parameters: Parameters[_Asked] = Parameters(analysis.inference)

    # ------------------------------------------------------------------ the worklist

    def run(self) -> None:
        """Process uses until nothing new is kept."""
        while self._has_work():
            while self._again:
                self._process(*self._again.popleft())
            if not self._queue:
                continue
            module, label, uses = self._queue.popleft()
            self.flags |= uses.flags
            self.mentioned |= uses.externals
            for text in sorted(uses.strings):
                self._add_string(text)
            for use in uses.uses:
                self._process(use, module, label)
            for word in sorted(uses.words & module.bindings.keys()):
                # text that is run as code may mention any name of the module
                self.keep_name(module, word, "value", Reason("", label, module.path, 1))

    def _has_work(self) -> bool:
        if not (self._queue or self._again):
            self._again.extend(self._parameters.open_unreached())
        if not (self._queue or self._again):
            handed, self._handed = self._handed, []
            for use, why, method in handed:
                if method not in self._having:  # else it is a method of ours that gets them
                    self.use_protocol(use, why)
        return bool(self._queue or self._again)

    def _process(self, use: Use, module: Module, label: str) -> None:
        why = Reason("", label, module.path, use.line)
        match use:
            case NameUse():
                self.keep_name(use.module, use.name, use.role, why)
            case MemberUse():
                values = self._parameters.resolve(use.values, (use, module, label))
                self.use_member(values, use.name, use.role, why, module)
            case ProtocolUse():
                values = self._parameters.resolve(use.values, (use, module, label))
                self.use_protocol(use._replace(values=values), why)
            case CallUse():
                self._again.extend(self._parameters.bind(use))
                self._construct(use, why)
            case DynamicUse():
                self.use_pattern(use, why)
            case ImportUse():
                for alias in use.node.names:
                    self.follow_import(use.module, use.node, alias, "base", why)
            case ModuleUse():
                self.load_by_name(use, why)
            case GapUse():
                if use.kind == "dynamic-name":
                    self.read_globals(module, why)
                self.gaps.setdefault(Gap(use.kind, module.path, use.line, use.detail))

    def _construct(self, use: CallUse, why: Reason) -> None:
        """Calling a class makes an instance; `type(self)(...)` perhaps one of a subclass."""
        for value in ordered(use.callee):
            if isinstance(value, ClassValue):
                self.instantiate(value.cls, why)
                for other in list(self._lineage.get(value.cls, ())) if use.is_computed else ():
                    self.instantiate(other, why)

    def _enqueue(self, module: Module, label: str, uses: Uses) -> None:
        if uses is not NO_USES:
            self._queue.append((module, label, uses))

    def read_globals(self, module: Module, why: Reason) -> None:
        """Code of the module looks through its globals: every class kept there is a value."""
        if module not in self.globals_read:
            self.globals_read[module] = None
            for cls in list(self.classes):
                if cls.module is module:
                    self.instantiate(cls, why)

    # ------------------------------------------------------------------ modules

    def need_module(self, module: Module) -> KeptModule:
        """The module's record; its parent packages come with it."""
        kept = self.modules.get(module.name)
        if kept is None:
            kept = self.modules[module.name] = KeptModule(module)
            for ancestor in self.names.ancestors(module):
                if isinstance(ancestor, Module):
                    self.need_module(ancestor)
        return kept

    def load(self, module: Module | Namespace) -> None:
        """The module is imported as such."""
        if isinstance(module, Module):
            self.need_module(module).must_load = True

    def load_by_name(self, use: ModuleUse, why: Reason) -> None:
        """`import_module("a.b")`: everything in it may be asked for."""
        found = self.names.repository.find_module(use.name, use.module)
        if isinstance(found, Module):
            self.load(found)
            self.load_edges.setdefault((use.module.name, found.name))
            self.escape_module(found, why)
            if use.is_text and found not in self._spelled_modules:
                self._spelled_modules[found] = why
                for text in [t for t in self.strings if t in found.bindings]:
                    self.keep_name(found, text, "value", why)
        elif found is None and not use.is_text:
            top = use.name.split(".")[0]
            if isinstance(self.names.repository.find_module(top, use.module), Module):
                detail = f"import_module({use.name!r}): no such module in the repository"
                self.gaps.setdefault(Gap("unresolved-import", why.path, why.line, detail))
            else:
                self.externals.setdefault(ExternalImport(use.name, None, why.path, why.line))

    def escape_module(self, module: Module, why: Reason) -> None:
        """The module object is handed on: names asked for on unknown receivers may be its own."""
        if module in self.escaped_modules:
            return
        self.escaped_modules[module] = None
        self.need_module(module)
        for name, reason in list(self.live_names.items()):
            self._escaped_member(module, name, reason)

    def _escaped_member(self, module: Module, name: str, why: Reason) -> None:
        if name in module.bindings:
            self.keep_name(module, name, "value", why)

    # ------------------------------------------------------------------ names

    def keep_name(self, module: Module, name: str, role: Role, why: Reason) -> None:
        """Keep what a global name means in the module."""
        key = (module, name, role)
        if key in self._seen_names:
            return
        self._seen_names.add(key)
        why = Reason(why.text or f"uses {name}", why.by, why.path, why.line)
        match self.names.lookup(module, name):
            case Bound(units=units):
                for unit in units:
                    self.keep_binding(module, unit, name, role, why)
            case FromStar(local=local, external=external):
                for unit, node, source in local:
                    self.keep_star(module, unit, node, source, name, why)
                    self.keep_name(source, name, role, why)
                for unit, node in external:
                    self.keep_whole(module, unit, why)
                    self.externals.setdefault(
                        ExternalImport(node.module or "", name, module.path, node.lineno)
                    )
                for unit in module.bindings.get(name, ()):
                    self.keep_binding(module, unit, name, role, why)
            case Builtin():
                return
            case Missing():
                self._missing(module, name, role, why)

    def _missing(self, module: Module, name: str, role: Role, why: Reason) -> None:
        self.live_object(module, name, why)  # some statement may set it on the module object
        if name in module_global_writers(module):
            return
        if "__getattr__" in module.bindings and why.path != module.path:
            self.keep_name(module, "__getattr__", "value", why)
            self._keep_strings_of(module, name, why)
        elif role not in ("annotation", "store"):
            detail = f"name {name!r} is bound nowhere"
            self.gaps.setdefault(Gap("undefined-name", why.path, why.line, detail))

    def _keep_strings_of(self, module: Module, name: str, why: Reason) -> None:
        # a lazy `__getattr__` imports a submodule or hands out a binding of another name
        submodule = self.names.repository.submodule(module.name, name, module)
        if isinstance(submodule, Module):
            self.load(submodule)
            self.escape_module(submodule, why)

    def keep_binding(self, module: Module, unit: Unit, name: str, role: Role, why: Reason) -> None:
        """Keep one statement for the name that it binds."""
        kept = self.need_module(module)
        if unit.kind == "import" and len(unit.nodes) == 1:
            self._keep_alias(kept, unit, name, role, why)
            return
        if role not in _WRITING:
            self.live_object(module, name, why)
        node = unit.node
        if unit.kind == "class" and isinstance(node, ast.ClassDef):
            cls = module_class(module, unit, node)
            self.keep_class(cls, why)
            if role in VALUE_ROLES or module in self.globals_read:
                self.instantiate(cls, why)
            if role == "test" or role in VALUE_ROLES:
                self._tested(cls, why)
            return
        self.keep_whole(module, unit, why, role)
        if role in VALUE_ROLES and unit.kind == "statement":
            for value in ordered(self.inference.global_values(module, name)):
                if isinstance(value, ClassValue):
                    self.instantiate(value.cls, why)

    def keep_whole(self, module: Module, unit: Unit, why: Reason, role: Role = "value") -> None:
        """Keep a statement with everything that it mentions."""
        kept = self.need_module(module)
        if unit.kind == "function":
            self._reach(module, unit, role)
        if unit.index in kept.units:
            return
        kept.units[unit.index] = why
        if unit.kind == "import":
            for node in unit.nodes:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    for alias in node.names:
                        self.follow_import(module, node, alias, "value", why)
            return
        for name in unit.binds if role not in _WRITING else ():
            self.live_object(module, name, why)
        self._enqueue(module, unit_label(module, unit), self.analysis.unit_uses(module, unit))

    def _reach(self, module: Module, unit: Unit, role: Role) -> None:
        """The function is called by its name, or may be called by anybody."""
        for node in unit.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                scope = module_scope(module)
                is_plain = self.inference.function_value(node, scope) is not None
                is_call = role == "call" and is_plain and len(module.bindings[node.name]) == 1
                function = FunctionInfo(module, node, scope, None)
                self._again.extend(self._parameters.reach(function, is_call=is_call))

    def _keep_alias(self, kept: KeptModule, unit: Unit, name: str, role: Role, why: Reason) -> None:
        kept.units.setdefault(unit.index, why)
        aliases = kept.aliases.setdefault(unit.index, {})
        node = unit.node
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        for alias in node.names:
            bound = alias.asname or alias.name
            if name in (bound, bound.split(".")[0] if isinstance(node, ast.Import) else bound):
                aliases.setdefault(bound)
                self.follow_import(kept.module, node, alias, role, why)

    def keep_star(
        self,
        module: Module,
        unit: Unit,
        node: ast.ImportFrom,
        source: Module,
        name: str,
        why: Reason,
    ) -> None:
        """Keep a star import of a local module for one name."""
        kept = self.need_module(module)
        kept.units.setdefault(unit.index, why)
        kept.stars.setdefault(unit.index, {}).setdefault(name)
        self.need_module(source)
        self.load_edges.setdefault((module.name, source.name))
        if unit.kind != "import":
            self._enqueue(module, unit_label(module, unit), self.analysis.unit_uses(module, unit))

    def follow_import(
        self, module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, role: Role,
        why: Reason,
    ) -> None:  # fmt: skip
        """Keep what one alias of an import brings."""
        if alias.name == "*":
            self._follow_star(module, node, why)
            return
        match self.names.imported(module, node, alias):
            case ImportedModule(module=found):
                self.load(found)
                self.load_edges.setdefault((module.name, found.name))
                if role in VALUE_ROLES and isinstance(found, Module):
                    self.escape_module(found, why)
            case ImportedName(module=source, name=name):
                self.need_module(source)
                self.load_edges.setdefault((module.name, source.name))
                self.keep_name(source, name, role, why)
            case ImportedExternal():
                if isinstance(node, ast.ImportFrom):
                    item = ExternalImport(node.module or "", alias.name, module.path, node.lineno)
                else:
                    item = ExternalImport(alias.name, None, module.path, node.lineno)
                self.externals.setdefault(item)
            case Unresolved(name=name):
                self._unresolved(module, node, name)

    def _follow_star(self, module: Module, node: ast.Import | ast.ImportFrom, why: Reason) -> None:
        if not isinstance(node, ast.ImportFrom):
            return
        source = self.names.star_source(module, node)
        if source is None:
            self.externals.setdefault(
                ExternalImport(node.module or "", "*", module.path, node.lineno)
            )
        elif isinstance(source, Module):
            self.load(source)
            self.load_edges.setdefault((module.name, source.name))

    def _unresolved(self, module: Module, node: ast.stmt, name: str) -> None:
        compiled = self.names.repository.compiled_sibling(name, module)
        if compiled:
            gap = Gap(
                "compiled-extension",
                module.path,
                node.lineno,
                f"{name} is compiled from {compiled}",
            )
        else:
            gap = Gap(
                "unresolved-import", module.path, node.lineno, f"no module {name} in the repository"
            )
        self.gaps.setdefault(gap)

    # ------------------------------------------------------------------ classes

    def keep_class(self, cls: ClassInfo, why: Reason) -> None:
        """Keep the class statement, and the members that making the class needs."""
        if cls in self.classes:
            return
        self.classes[cls] = None
        kept = self.need_module(cls.module)
        kept.units.setdefault(cls.unit.index, why)
        label = class_label(cls)
        if not cls.is_prunable:
            self._enqueue(cls.module, label, self.analysis.unit_uses(cls.module, cls.unit))
            return
        kept.members.setdefault(cls.unit.index, {})
        self._enqueue(cls.module, label, self.analysis.header_uses(cls))
        mro = self.inference.mro(cls)
        wide = self._keeps_assignments(cls)
        creation = Reason("read when the class is made", label, cls.module.path, cls.node.lineno)
        for member in cls.members:
            if self._is_structural(cls, member, wide=wide):
                self.keep_member_unit(cls, member, creation)
        for owner in mro[1:]:
            for name in sorted(CLASS_CREATION & set(owner.table)):
                self.keep_members(owner, name, creation)
        for value in ordered(self.inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                self.instantiate(value.cls, creation)
                self.all_members.setdefault(value.cls, creation)
                self._apply_all_members(value.cls, creation)
        if self._is_enum(cls):
            self.instantiate(cls, creation)
        self._decorated(cls, creation)

    def _decorated(self, cls: ClassInfo, why: Reason) -> None:
        """A class decorator gets the class into its hands."""
        for decorator in cls.node.decorator_list:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            values = self.inference.evaluate(func, cls.enclosing)
            names = {v.name for v in values or () if isinstance(v, External)}
            if "functools.total_ordering" in names:
                for name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__"):
                    self.access(cls, name, why)
            if values is not None and all(self._leaves_alone(v) for v in values):
                continue
            self.all_members.setdefault(cls, why)
            self._apply_all_members(cls, why)
            if values is None or any(not isinstance(v, External) for v in values):
                self.instantiate(cls, why)

    def _leaves_alone(self, decorator: Value) -> bool:
        """Whether a class decorator neither stores the class nor asks it for members."""
        match decorator:
            case External(name=name):
                return name in PLAIN_DECORATORS
            case FunctionValue(function=function):
                return not self.analysis.effects.function_effects(function)[0]
            case _:
                return False

    def _tested(self, cls: ClassInfo, why: Reason) -> None:
        """`isinstance` with a protocol asks for all of the protocol's members."""
        for owner in self.inference.mro(cls) if self._is_protocol(cls) else ():
            for name in owner.table if self._is_protocol(owner) else ():
                self.keep_members(owner, name, why)
                self.live_name(name, why)

    def _is_protocol(self, cls: ClassInfo) -> bool:
        bases = (value for base in self.inference.bases(cls) for value in base or ())
        return any(isinstance(v, External) and v.name.endswith(".Protocol") for v in bases)

    def expose(self, cls: ClassInfo, why: Reason) -> None:
        """The caller gets hold of instances: operators and built-ins work on them."""
        why = Reason("the caller may apply operators to it", why.by, why.path, why.line)
        self.wake(cls, None, why)
        for owner in self.inference.mro(cls):
            for name in owner.table:
                if name.startswith("__") and name.endswith("__"):
                    self.keep_members(owner, name, why)

    def keep_entire(self, module: Module) -> None:
        """Keep everything that the module defines."""
        for unit in module.units:
            why = Reason("the package is shared with an external", "", module.path, unit.first)
            if unit.kind not in ("main", "prelude"):
                node = unit.node
                if unit.kind == "class" and isinstance(node, ast.ClassDef):
                    cls = module_class(module, unit, node)
                    self.instantiate(cls, why)
                    for member in cls.members:
                        self.keep_member_unit(cls, member, why)
                else:
                    self.keep_whole(module, unit, why)

    def expose_all(self, why: Reason) -> None:
        """The caller may get hold of any instance that the slice makes."""
        self._exposes_all = why
        for cls in list(self.constructed):
            self.expose(cls, why)

    def keep_annotations(self) -> bool:
        """Keep annotated assignments of kept classes where code reads annotations."""
        if "__annotations__" not in self.flags and not self.mentioned & _ANNOTATION_READERS:
            return False
        before = len(self._seen_members)
        for cls in list(self.classes):
            for member in cls.members:
                if isinstance(member.node, ast.AnnAssign):
                    label = class_label(cls)
                    why = Reason("annotations are read", label, cls.module.path, member.first)
                    self.keep_member_unit(cls, member, why)
        return len(self._seen_members) != before

    def _is_enum(self, cls: ClassInfo) -> bool:
        return any(b.startswith("enum.") for b in self.inference.external_bases(cls))

    def _keeps_assignments(self, cls: ClassInfo) -> bool:
        """Whether class-level assignments have a meaning of their own (fields, enum members)."""
        if cls.node.decorator_list or any(a.node.keywords for a in self.inference.mro(cls)):
            return True
        if any(map(shapes_subclasses, self._foreign_bases(cls))):
            return True
        return any(
            a.node.decorator_list or "__init_subclass__" in a.table
            for a in self.inference.mro(cls)[1:]
        )

    def _is_structural(self, cls: ClassInfo, member: Unit, *, wide: bool) -> bool:
        """Whether the member takes part in making the class."""
        match member.node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
                if len(member.nodes) > 1:
                    return True
                if node.name in CLASS_CREATION:
                    return True
                return self._registers(node, member, cls)
            case ast.ClassDef():
                return wide
            case ast.Assign() | ast.AnnAssign():
                if wide or not member.binds:
                    return True
                return any(
                    (n.startswith("__") and n.endswith("__") and n not in OPERATIONS)
                    or self._overrides(cls, n)
                    for n in member.binds
                )
            case ast.Expr(value=ast.Constant()):
                return False
            case ast.Pass():
                return False
            case _:
                return True

    def _overrides(self, cls: ClassInfo, name: str) -> bool:
        """Whether an external base may read the attribute: it has one of that name."""
        return any(base_defines(base, name) for base in self._foreign_bases(cls))

    def keep_registered(self) -> bool:
        """Keep members that decorators put into a live object; whether there were any."""
        found = [item for item, objects in self._registering.items()
                 if any(o in self.live_objects for o in objects)]  # fmt: skip
        for cls, member in found:
            objects = self._registering.pop((cls, member))
            label = class_label(cls)
            text = f"its decorator puts it into {objects[0][1]}"
            self.keep_member_unit(cls, member, Reason(text, label, cls.module.path, member.first))
        return bool(found)

    def _registers(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, member: Unit, cls: ClassInfo
    ) -> bool:
        """Whether a decorator of the member may put it where others find it."""
        for decorator in node.decorator_list:
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            if decorator_name(decorator) in TRANSPARENT_DECORATORS:
                continue
            values = self.inference.evaluate(func, cls.scope)
            if values is None:
                if not self._is_wrapping(func, cls):
                    return True
                continue
            for value in ordered(values):
                match value:
                    case External(name=name) if name in PLAIN_DECORATORS:
                        continue
                    case FunctionValue(function=function):
                        objects = self.analysis.effects.function_effects(function)[0]
                        if objects:
                            self._registering[cls, member] = objects
                        if _sets_attribute(function.node):
                            return True
                    case ClassValue():
                        continue
                    case _:
                        return True
        return False

    def _is_wrapping(self, func: ast.expr, cls: ClassInfo) -> bool:
        # a decorated local decorator: unknown value, but one of ours
        return (
            isinstance(func, ast.Name)
            and self.analysis.effects.resolve(cls.module, func.id) is not None
        )

    def take(self, cls: ClassInfo, why: Reason) -> None:
        """The target is called with, or on, an instance of the class."""
        if self.constructs_parameters:
            self.instantiate(cls, why)
        else:
            self.receive(cls, why)

    def instantiate(self, cls: ClassInfo, why: Reason) -> None:
        """The slice may make instances of the class."""
        if cls in self.constructed:
            return
        self.constructed[cls] = None
        self._keep_called(cls, CONSTRUCTION, why)
        for name in ("__new__", "__init__"):
            if self.inference.find_member(cls, name) is None:
                self._missed(cls, name, why)
        for base in self._foreign_bases(cls):
            for name in sorted(abstract_methods(base)):
                self._keep_found(cls, name, why)
        if self._exposes_all is not None:
            self.expose(cls, self._exposes_all)
        self.receive(cls, why)

    def _keep_called(self, cls: ClassInfo, names: frozenset[str], why: Reason) -> None:
        made = Reason(f"may hold a {cls.node.name}", why.by or class_label(cls), why.path, why.line)
        for owner in self.inference.mro(cls):
            self.keep_class(owner, why)
            for name in owner.table:
                if name in names:
                    self.keep_members(owner, name, made)

    def receive(self, cls: ClassInfo, why: Reason) -> None:
        """Instances of the class may exist in the slice, made there or handed in."""
        if cls in self.instantiated:
            return
        self.instantiated[cls] = None
        mro = self.inference.mro(cls)
        for owner in mro:
            self._lineage.setdefault(owner, []).append(cls)
        for name in self.inference.member_names(cls):
            self._having.setdefault(name, []).append(cls)
        if self._foreign_bases(cls):
            self._derived.append(cls)
        self._keep_called(cls, ALWAYS_KEPT - CONSTRUCTION, why)
        if self._is_enum(cls):
            self.wake(cls, None, why)
        for owner in mro:
            for name, reason in list(self.accessed.get(owner, {}).items()):
                self._keep_found(cls, name, reason)
            for name, reason in list(self.super_accessed.get(owner, {}).items()):
                self._keep_after(cls, owner, name, reason)
            if owner in self.all_members:
                self._apply_all_members(cls, self.all_members[owner])
        self._keep_live(cls)
        for kind, asked in list(self.abstract_accessed.items()):
            if self._implements(cls, kind):
                for name, reason in list(asked.items()):
                    self._keep_found(cls, name, reason)
        for (scope, prefix, suffix), reason in list(self.patterns.items()):
            if scope is None or scope in mro:
                self._apply_pattern(cls, prefix, suffix, reason)
        if None in self.all_members:
            self._apply_all_members(cls, self.all_members[None])
        if self._string_reason is not None:
            for name in self.inference.member_names(cls):
                if self._is_spelled(name):
                    self._keep_found(cls, name, self._string_reason)

    def _is_spelled(self, name: str) -> bool:
        """Whether a text of the slice, between some prefix and suffix, gives the name."""
        return any(
            name.startswith(prefix)
            and name.endswith(suffix)
            and name[len(prefix) : len(name) - len(suffix)] in self.strings
            for prefix, suffix in self._affixes
        )

    def _keep_live(self, cls: ClassInfo) -> None:
        """Keep what is asked for on unknown receivers."""
        names = self.inference.member_names(cls)
        for name in names:
            if name in self.live_names:
                self._keep_found(cls, name, self.live_names[name])
        missing = self.live_names if self._foreign_bases(cls) else FALLBACKS
        for name in [n for n in missing if n in self.live_names and n not in names]:
            self._keep_found(cls, name, self.live_names[name])

    def wake(self, cls: ClassInfo, entry: str | None, why: Reason) -> None:
        """Code of an external base runs on the class: it may call what the class overrides.

        `entry` is the member of the base that runs; `None` means any of them.
        """
        if (cls, entry) in self._woken or (cls, None) in self._woken:
            return
        self._woken.add((cls, entry))
        bases = self._foreign_bases(cls)
        if entry is not None:
            bases = [base for base in bases if base_defines(base, entry)]
        if not bases:
            return
        text = f"may hold a {cls.node.name}, which may override a method of {bases[0]}"
        why = Reason(text, why.by or class_label(cls), why.path, why.line)
        hooks: set[str] | None = set()
        for base in bases:
            known = external_hooks(base, entry)
            if known is None:
                hooks = None
                break
            hooks |= known
        for owner in self.inference.mro(cls):
            for name in owner.table:
                if hooks is None or any(hook_matches(h, name) for h in hooks):
                    self.keep_members(owner, name, why)

    def _foreign_bases(self, cls: ClassInfo) -> list[str]:
        return [b for b in self.inference.external_bases(cls) if b not in PLAIN_BASES]

    def _missed(self, cls: ClassInfo, name: str, why: Reason) -> None:
        """No class of ours defines the member: an external base may, and its code then runs."""
        if self._foreign_bases(cls) and name not in self.inference.assigned_attributes(cls):
            self.wake(cls, name, why)

    # ------------------------------------------------------------------ members

    def use_member(
        self, values: Values, name: str, role: Role, why: Reason, module: Module
    ) -> None:
        """An attribute of some values is read, written or called."""
        why = Reason(f"uses .{name}", why.by, why.path, why.line)
        if values is None:
            self.live_name(name, why)
            return
        for value in ordered(values):
            match value:
                case Instance(cls=cls):
                    self.access(cls, name, why)
                case ClassValue(cls=cls):
                    self.keep_class(cls, why)
                    self.access(cls, name, why)
                    self._class_access(cls, name, role, why)
                    if name == "__subclasses__":
                        self.watched.setdefault(cls, why)
                    elif name == "__dict__":
                        self.use_pattern(DynamicUse(frozenset({value}), "", "", why.line), why)
                case ModuleValue(module=found, importer=importer):
                    self.use_module_member(found, importer, name, role, why)
                case SuperValue(cls=cls):
                    self.access_super(cls, name, why)
                case ExternalInstance(name=kind):
                    self.access_abstract(kind, name, why)
                case _:
                    continue

    def _class_access(self, cls: ClassInfo, name: str, role: Role, why: Reason) -> None:
        found = self.inference.find_member(cls, name)
        if found is not None:
            for unit in found[1]:
                for node in unit.nodes:
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
                        isinstance(d, ast.Name) and d.id == "classmethod"
                        for d in node.decorator_list
                    ):
                        self.instantiate(cls, why)
            return
        for value in ordered(self.inference.metaclass(cls)):
            if isinstance(value, ClassValue):
                self.access(value.cls, name, why)
        if role in VALUE_ROLES:
            nested = self.inference.class_member(cls, name, bound=False)
            for value in ordered(nested):
                if isinstance(value, ClassValue):
                    self.instantiate(value.cls, why)

    def use_module_member(
        self, module: Module | Namespace, importer: Module, name: str, role: Role, why: Reason
    ) -> None:
        """`module.name`."""
        if isinstance(module, Module):
            self.need_module(module)
            if self.names.defines(module, name):
                self.keep_name(module, name, role, why)
                return
        submodule = self.names.repository.submodule(module.name, name, importer)
        if submodule is not None:
            self.load(submodule)
            if role in VALUE_ROLES and isinstance(submodule, Module):
                self.escape_module(submodule, why)
        elif isinstance(module, Module) and not name.startswith("__"):
            self.keep_name(module, name, role, why)

    def live_name(self, name: str, why: Reason) -> None:
        """The name is asked for on an unknown receiver."""
        if name in self.live_names:
            return
        self.live_names[name] = why
        for cls in list(self._having.get(name, ())):
            self._keep_found(cls, name, why)
        others = self.instantiated if name in FALLBACKS else self._derived
        for cls in [c for c in others if name not in self.inference.member_names(c)]:
            self._keep_found(cls, name, why)
        for module in list(self.escaped_modules):
            self._escaped_member(module, name, why)

    def access(self, cls: ClassInfo, name: str, why: Reason) -> None:
        """The name is asked for on the class, an instance, or a subclass of it."""
        key = (cls, name)
        if key in self._seen_access:
            return
        self._seen_access.add(key)
        self.accessed.setdefault(cls, {})[name] = why
        self._keep_found(cls, name, why)
        if self.inference.find_member(cls, name) is None and (
            self.inference.find_member(cls, "__getattr__") is not None
        ):
            self.live_name(name, why)  # the class may hand the question on
        for other in list(self._lineage.get(cls, ())):
            if other is not cls:
                self._keep_found(other, name, why)

    def access_abstract(self, kind: str, name: str, why: Reason) -> None:
        """The name is asked for on a type outside, such as `Mapping`: ours may derive from it."""
        known = self.abstract_accessed.setdefault(kind, {})
        if name in known:
            return
        known[name] = why
        for cls in list(self.instantiated):
            if self._implements(cls, kind):
                self._keep_found(cls, name, why)

    def _implements(self, cls: ClassInfo, kind: str) -> bool:
        if not kind.startswith(ABSTRACT) and kind != "typing.Callable":
            return kind in self.inference.external_bases(cls)
        method = ABSTRACT_METHODS.get(kind.removeprefix(ABSTRACT))
        return (
            method is None
            or self.inference.find_member(cls, method) is not None
            or self.inference.find_member(cls, "__getattr__") is not None
            or any(base_defines(base, method) for base in self.inference.external_bases(cls))
        )

    def access_super(self, cls: ClassInfo, name: str, why: Reason) -> None:
        """`super().name` in a method of the class."""
        known = self.super_accessed.setdefault(cls, {})
        if name in known:
            return
        known[name] = why
        self._keep_after(cls, cls, name, why)
        for other in list(self._lineage.get(cls, ())):
            self._keep_after(other, cls, name, why)

    def _keep_after(self, cls: ClassInfo, owner: ClassInfo, name: str, why: Reason) -> None:
        mro = self.inference.mro(cls)
        for ancestor in mro[mro.index(owner) + 1 :]:
            if name in ancestor.table:
                self.keep_members(ancestor, name, why)
                return
        self._missed(cls, name, why)

    def _keep_found(self, cls: ClassInfo, name: str, why: Reason) -> None:
        is_private = name.startswith("__") and not name.endswith("__")
        for ancestor in self.inference.mro(cls):
            if name in ancestor.table:
                self.keep_members(ancestor, name, why)
                if not is_private:  # a private name means each class's own
                    return
        if is_private:
            return
        self._missed(cls, name, why)
        if name in FALLBACKS:
            self._keep_found(cls, FALLBACKS[name], why)

    def keep_members(self, cls: ClassInfo, name: str, why: Reason) -> None:
        """Keep all statements of the class body that bind the name."""
        for member in cls.table.get(name, ()):
            self.keep_member_unit(cls, member, why)

    def keep_member_unit(self, cls: ClassInfo, member: Unit, why: Reason) -> None:
        """Keep one statement of a class body."""
        key = (cls, member.index)
        if key in self._seen_members:
            return
        self._seen_members.add(key)
        self.keep_class(cls, why)
        if not cls.is_prunable:
            return
        kept = self.need_module(cls.module)
        kept.members.setdefault(cls.unit.index, {})[member.index] = why
        label = member_label(cls, member)
        self._enqueue(cls.module, label, self.analysis.member_uses(cls, member))
        for name in member.binds:
            # an overload, a setter, both branches of an `if`: one name is all its statements
            self.keep_members(cls, name, why)

    # ------------------------------------------------------------------ protocols and patterns

    def use_protocol(self, use: ProtocolUse, why: Reason) -> None:
        """An operator or builtin asks some values for members."""
        if use.members is None:
            if is_abstract(use.values):
                use = use._replace(values=None)
            why = Reason("passed to external code", why.by, why.path, why.line)
            if use.values is None:
                if None not in self.all_members:
                    self.all_members[None] = why
                    for cls in list(self.instantiated):
                        self._apply_all_members(cls, why)
                return
            for value in ordered(use.values):
                if isinstance(value, (Instance, ClassValue)) and value.cls not in self.all_members:
                    self.all_members[value.cls] = why
                    for cls in [value.cls, *self._lineage.get(value.cls, ())]:
                        self._apply_all_members(cls, why)
            return
        if use.members[:1] == PUBLIC and use.method:
            self._handed.append((use._replace(method=""), why, use.method))
            return
        if use.members[:1] == PUBLIC:
            why = Reason("handed to external code", why.by, why.path, why.line)
            for value in ordered(use.values):
                if isinstance(value, Instance):
                    self._keep_public(value.cls, frozenset(use.members[1:]), why)
            return
        for name in use.members:
            reason = Reason(f"uses {name}", why.by, why.path, why.line)
            if use.values is None:
                self.live_name(name, reason)
                continue
            for value in flattened(ordered(use.values)):
                match value:
                    case Instance(cls=cls):
                        self.access(cls, name, reason)
                    case ClassValue(cls=cls):
                        for meta in ordered(self.inference.metaclass(cls)):
                            if isinstance(meta, ClassValue):
                                self.access(meta.cls, name, reason)
                        if name == "__class_getitem__":
                            self.access(cls, name, reason)
                    case ExternalInstance(name=kind):
                        self.access_abstract(kind, name, reason)
                    case _:
                        continue

    def _keep_public(self, cls: ClassInfo, named: frozenset[str], why: Reason) -> None:
        """Keep the public members, or those of them that are named."""
        self.wake(cls, None, why)
        for owner in self.inference.mro(cls):
            for name in owner.table:
                if not name.startswith("_") and (not named or name in named):
                    self._keep_found(cls, name, why)

    def _apply_all_members(self, cls: ClassInfo, why: Reason) -> None:
        self.wake(cls, None, why)
        is_known = any(owner in self.all_members for owner in self.inference.mro(cls))
        for owner in self.inference.mro(cls):
            for name in owner.table:
                if (
                    name.startswith("__")
                    and name.endswith("__")
                    and (name not in _NEVER_ASKED or (is_known and name == "__call__"))
                ):
                    self._keep_found(cls, name, why)

    def use_pattern(self, use: DynamicUse, why: Reason) -> None:
        """A computed attribute name."""
        shown = f"{use.prefix}*{use.suffix}"
        why = Reason(f"computes a member name {shown}", why.by, why.path, why.line)
        detail = f"attribute name computed at run time; kept every member {shown}"
        if use.values is None:
            if len(use.prefix + use.suffix) > _SHORT:
                self._add_pattern(None, use, why)
            else:
                detail = (
                    "attribute name computed at run time on an unknown receiver; "
                    "kept members named by text in the slice"
                )
                self._use_strings(use, why)
        for value in ordered(use.values):
            match value:
                case Instance(cls=cls) | ClassValue(cls=cls) | SuperValue(cls=cls):
                    self._add_pattern(cls, use, why)
                case ModuleValue(module=Module() as module):
                    for name in module.bindings:
                        if name.startswith(use.prefix) and name.endswith(use.suffix):
                            self.keep_name(module, name, "value", why)
                case _:
                    continue
        self.gaps.setdefault(Gap("dynamic-attribute", why.path, why.line, detail, "kept wide"))

    def _add_pattern(self, cls: ClassInfo | None, use: DynamicUse, why: Reason) -> None:
        key = (cls, use.prefix, use.suffix)
        if key in self.patterns:
            return
        self.patterns[key] = why
        for other in [*([cls] if cls else []), *self.instantiated]:
            if cls is None or cls in self.inference.mro(other):
                self._apply_pattern(other, use.prefix, use.suffix, why)

    def _apply_pattern(self, cls: ClassInfo, prefix: str, suffix: str, why: Reason) -> None:
        if not prefix + suffix:
            self.wake(cls, None, why)
        for owner in self.inference.mro(cls):
            for name in owner.table:
                if name.startswith(prefix) and name.endswith(suffix):
                    self._keep_found(cls, name, why)

    def _use_strings(self, use: DynamicUse, why: Reason) -> None:
        """Texts of the slice, with the short prefix and suffix, may name members of any class."""
        affixes = (use.prefix, use.suffix)
        if affixes in self._affixes:
            return
        self._affixes[affixes] = None
        self._string_reason = self._string_reason or why
        for text in list(self.strings):
            self._keep_named(use.prefix + text + use.suffix, why)

    def _add_string(self, text: str) -> None:
        if text in self.strings:
            return
        self.strings[text] = None
        for module, why in list(self._spelled_modules.items()):
            if text in module.bindings:
                self.keep_name(module, text, "value", why)
        if self._string_reason is not None:
            for prefix, suffix in list(self._affixes):
                self._keep_named(prefix + text + suffix, self._string_reason)

    def _keep_named(self, name: str, why: Reason) -> None:
        for cls in list(self._having.get(name, ())):
            self._keep_found(cls, name, why)

    # ------------------------------------------------------------------ effects

    def is_asked(self, cls: ClassInfo, name: str) -> bool:
        """Whether the slice may ask the class, or one that derives from it, for the attribute."""
        if name.startswith("__") or name in self.live_names or self._is_spelled(name):
            return True

        def is_kin(other: ClassInfo | None) -> bool:
            mro = self.inference.mro
            return other is None or cls in mro(other) or other in mro(cls)

        return (
            any(name in asked for asked in self.abstract_accessed.values())
            or any(name in asked and is_kin(other) for other, asked in self.accessed.items())
            or any(
                name.startswith(prefix) and name.endswith(suffix) and is_kin(other)
                for other, prefix, suffix in self.patterns
            )
        )

    def live_object(self, module: Module, name: str, why: Reason) -> None:
        """Record that the object of that name is live, so that what changes it counts."""
        self.live_objects.setdefault((module, name), why)


def unit_label(module: Module, unit: Unit) -> str:
    """How a top-level unit is called in reasons."""
    return f"{module.path}::{unit.binds[0] if unit.binds else f'<line {unit.first}>'}"


def class_label(cls: ClassInfo) -> str:
    """How a class is called in reasons."""
    return f"{cls.module.path}::{cls.qualname}"


def member_label(cls: ClassInfo, member: Unit) -> str:
    """How a member is called in reasons."""
    name = member.binds[0] if member.binds else f"<line {member.first}>"
    return f"{cls.module.path}::{cls.qualname}.{name}"


def _sets_attribute(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator marks the function, so that somebody can find it later."""
    args = node.args.posonlyargs + node.args.args
    name = args[0].arg if args else ""
    return any(
        isinstance(item, ast.Attribute)
        and isinstance(item.ctx, ast.Store)
        and isinstance(item.value, ast.Name)
        and item.value.id == name
        for item in ast.walk(node)
    )


_WRITING = ("write", "store")
"""Roles in which an object is changed or replaced, and not read."""
_ANNOTATION_READERS = frozenset(
    {"typing.get_type_hints", "inspect.get_annotations", "typing_extensions.get_type_hints",
     "dataclasses.fields", "annotationlib.get_annotations"}
)  # fmt: skip
_SHORT = 3
"""Prefixes and suffixes of a computed name no longer than this say nothing by themselves."""
_NEVER_ASKED = CONSTRUCTION | {
    "__enter__", "__exit__", "__aenter__", "__aexit__", "__await__", "__copy__", "__deepcopy__",
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__del__", "__init_subclass__", "__sizeof__", "__dir__", "__call__",
}  # fmt: skip
"""Dunders that handing an object to external code does not call, unless that code says so."""
