"""The record of one closure: what is kept so far, and which uses wait to be followed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from ..analysis.scopes.definitions import ClassInfo
from ..analysis.uses.use_records import NO_USES, Use, Uses
from ..analysis.values.abstract_values import Value
from ..model import Gap
from ..repo.repository import Module, Namespace
from .kept_definitions import ExternalImport, KeptModule, Reason
from .parameters.parameter_values import ParameterValues
from .repository_analysis import Analysis

Asker = tuple[Use, Module, str]
"""A use, its module, and the label of its definition."""


QueriedName = tuple[Module | None, str]
"""A module and a name in it; or `None` and the name of a member, on any class."""


class ClosureRecord:
    """The state that all parts of one run of the worklist share."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.names = analysis.names
        self.inference = analysis.inference
        self.modules: dict[str, KeptModule] = {}
        self._namesakes: dict[str, KeptModule] = {}
        """Path → module whose name another loaded module already has."""
        self.classes: dict[ClassInfo, None] = {}
        self.annotating: dict[ClassInfo, Reason] = {}
        """Classes in annotations: code that reads the annotations may instantiate them."""
        self.gaps: dict[Gap, None] = {}
        self.unbound: dict[str, list[Gap]] = {}
        """Unbound names, each with its gaps: a statement may turn them into builtins."""
        self.externals: dict[ExternalImport, None] = {}
        self.load_edges: dict[tuple[str, str], None] = {}
        """(importing module, imported module) of every kept import."""
        self.mentioned: set[str] = set()
        """Dotted names of external objects that the kept code mentions."""
        self.flags: set[str] = set()
        """Implicit inputs of the kept code, such as `__annotations__`."""
        self.live_objects: dict[tuple[Module, str], Reason] = {}
        self.registries: dict[tuple[Module, str], None] = {}
        """External objects whose methods decorate kept definitions: their set-up counts, further
        definitions that they decorate do not.
        """
        self.presence: dict[tuple[Module, str], dict[str, Reason]] = {}
        """Tables that are tested for a key, each with the labels of the testing definitions."""
        self.mappers: dict[Value, Reason] = {}
        """Base classes and databases of mappers whose tables are all used."""
        self.submodules: dict[tuple[Module, str], Reason] = {}
        """External dotted names that are reached as attributes of packages, each with its user."""
        self.askers: dict[QueriedName, dict[str, None]] | None = None
        """Names, each with the labels of all definitions that use it; `None` unless requested."""
        self.effects: dict[tuple[Module, str], dict[str, None]] = {}
        """Objects, each with the labels of statements that are kept because they change it."""
        self.queue: deque[tuple[Module, str, Uses]] = deque()
        self.again: deque[Asker] = deque()
        """Uses of parameters of which more is known by now, without repeats."""
        self._pending: set[Asker] = set()
        self.parameters: ParameterValues[Asker] = ParameterValues(analysis.inference)

    def register_use(self, queried: QueriedName, by: str) -> None:
        """Record that a definition uses a name, even if other definitions use it already."""
        if self.askers is not None:
            self.askers.setdefault(queried, {}).setdefault(by)

    def need_module(self, module: Module) -> KeptModule:
        """Return the module's record; its parent packages are kept with it."""
        kept = self.modules.get(module.name)
        if kept is None:
            kept = self.modules[module.name] = KeptModule(module)
            for ancestor in self.names.ancestors(module):
                if isinstance(ancestor, Module):
                    self.need_module(ancestor)
        if kept.module.path != module.path:
            return self._shadowed_module(module, kept.module)
        return kept

    def _shadowed_module(self, module: Module, first: Module) -> KeptModule:
        """Return a separate record: a process can load only one file of a module name."""
        detail = f"{first.path} is the module {module.name} here"
        self.gaps.setdefault(Gap("unresolved-import", module.path, 1, detail))
        return self._namesakes.setdefault(module.path, KeptModule(module))

    def load(self, module: Module | Namespace) -> None:
        """Record that the module itself is imported."""
        if isinstance(module, Module):
            self.need_module(module).must_load = True

    def live_object(self, module: Module, name: str, reason: Reason) -> None:
        """Record that the object is live, so that statements which change it count."""
        self.live_objects.setdefault((module, name), reason)

    def wake(self, askers: Iterable[Asker]) -> None:
        """Schedule these uses to be followed again, with what is known by then."""
        for asker in askers:
            if asker not in self._pending:
                self._pending.add(asker)
                self.again.append(asker)

    def next_woken(self) -> Asker:
        """Return the use that has waited longest."""
        asker = self.again.popleft()
        self._pending.discard(asker)
        return asker

    def enqueue(self, module: Module, label: str, uses: Uses) -> None:
        """Schedule the uses of a kept definition to be followed."""
        if uses is not NO_USES:
            self.queue.append((module, label, uses))
