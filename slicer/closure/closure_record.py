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
from .parameters.parameter_values import Parameters
from .repository_analysis import Analysis

Asker = tuple[Use, Module, str]
"""A use, the module that it stands in, and the label of the definition."""


Asked = tuple[Module | None, str]
"""A module's name; or (`None`) a member of that name, whoever has it."""


class Record:
    """Shared by all parts of one run of the worklist."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.names = analysis.names
        self.inference = analysis.inference
        self.modules: dict[str, KeptModule] = {}
        self._beside: dict[str, KeptModule] = {}
        """By path: modules whose name another one has taken."""
        self.classes: dict[ClassInfo, None] = {}
        self.annotating: dict[ClassInfo, Reason] = {}
        """Classes that annotations name: code that reads these may make instances."""
        self.gaps: dict[Gap, None] = {}
        self.unbound: dict[str, list[Gap]] = {}
        """Names that nothing binds, each with its gaps: a statement may make builtins of them."""
        self.externals: dict[ExternalImport, None] = {}
        self.load_edges: dict[tuple[str, str], None] = {}
        """(importing module, imported module) of every kept import."""
        self.mentioned: set[str] = set()
        """Dotted names of external objects that the kept code mentions."""
        self.flags: set[str] = set()
        """What the kept code reads that nothing else tells, such as `__annotations__`."""
        self.live_objects: dict[tuple[Module, str], Reason] = {}
        self.registries: dict[tuple[Module, str], None] = {}
        """Objects of other distributions with which kept definitions are decorated: what sets them
        up counts, what else they decorate does not."""
        self.presence: dict[tuple[Module, str], dict[str, Reason]] = {}
        """Tables that are asked whether a key is there, each with the labels of those who ask."""
        self.mappers: dict[Value, Reason] = {}
        """Base classes and databases of mappers of which all tables are asked for."""
        self.submodules: dict[tuple[Module, str], Reason] = {}
        """Dotted names outside that are reached as attributes of packages, each with who does."""
        self.askers: dict[Asked, dict[str, None]] | None = None
        """Names, each with the labels of all that ask for it; only where somebody wants to know."""
        self.effects: dict[tuple[Module, str], dict[str, None]] = {}
        """Objects, each with the labels of statements that are kept for what they do to it."""
        self.queue: deque[tuple[Module, str, Uses]] = deque()
        self.again: deque[Asker] = deque()
        """Uses of parameters of which more is known by now, each once."""
        self._pending: set[Asker] = set()
        self.parameters: Parameters[Asker] = Parameters(analysis.inference)

    def note(self, asked: Asked, by: str) -> None:
        """A definition asks for a name, perhaps one that others have asked for before."""
        if self.askers is not None:
            self.askers.setdefault(asked, {}).setdefault(by)

    def need_module(self, module: Module) -> KeptModule:
        """The module's record; its parent packages come with it."""
        kept = self.modules.get(module.name)
        if kept is None:
            kept = self.modules[module.name] = KeptModule(module)
            for ancestor in self.names.ancestors(module):
                if isinstance(ancestor, Module):
                    self.need_module(ancestor)
        if kept.module.path != module.path:
            return self._not_carried(module, kept.module)
        return kept

    def _not_carried(self, module: Module, first: Module) -> KeptModule:
        """A record beside the others: of two files that load by one name, a process has one."""
        detail = f"{first.path} is the module {module.name} here"
        self.gaps.setdefault(Gap("unresolved-import", module.path, 1, detail))
        return self._beside.setdefault(module.path, KeptModule(module))

    def load(self, module: Module | Namespace) -> None:
        """The module is imported as such."""
        if isinstance(module, Module):
            self.need_module(module).must_load = True

    def live_object(self, module: Module, name: str, why: Reason) -> None:
        """Record that the object of that name is live, so that what changes it counts."""
        self.live_objects.setdefault((module, name), why)

    def wake(self, askers: Iterable[Asker]) -> None:
        """These uses are to be followed again, with what is known by then."""
        for asker in askers:
            if asker not in self._pending:
                self._pending.add(asker)
                self.again.append(asker)

    def next_woken(self) -> Asker:
        """The use that waits longest."""
        asker = self.again.popleft()
        self._pending.discard(asker)
        return asker

    def enqueue(self, module: Module, label: str, uses: Uses) -> None:
        """The uses of a kept definition are to be followed."""
        if uses is not NO_USES:
            self.queue.append((module, label, uses))
