"""Merge modules into the parts of one script, where that provably changes nothing.

The parts of the modules are ordered as importing the target's module would load them. Imports
between them disappear, since their names are bound above. `merge` returns either the script's
parts, or one sentence that says why they cannot be merged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...analysis.names.name_resolution import ImportedExternal, ImportedModule, ImportedName
from ...closure.kept_definitions import KeptModule
from ...closure.worklist import Closure
from ...model import Edit
from ...repo.repository import Module
from ...repo.units import Unit
from ...resources.data_files import find_data
from ...syntax.nodes import walk
from ..kept_text import ModuleText
from ..module_loading.module_level_imports import load_edges
from ..visible_names import NAME_READERS, VISIBLE_NAME, has_textual_dataclass
from .part_order import PartOrder
from .part_text import PartWriter
from .script_parts import (
    OWN,
    PartNames,
    RepositoryImport,
    ScriptPart,
    external_import,
    future_flags,
    has_annotations,
    kept_statement_nodes,
    part_names,
    read_part,
    typing_imports,
)

_FRAME_READERS = ("sys._getframe", "inspect.stack", "inspect.currentframe", "inspect.getfile",
                  "inspect.getsource", "inspect.getabsfile", "importlib.", "runpy.", "doctest.",
                  "unittest.mock.patch")  # fmt: skip
"""Functions whose only effect is to tell the modules of one script apart."""

_MODULE_NAMES = frozenset({"__doc__", "__getattr__", "__dir__", "__annotations__", "__path__",
                           "__file__", "__name__", "__package__", "__spec__", "__loader__",
                           "__builtins__", "__dict__", "__cached__"})  # fmt: skip
"""Names with a special meaning in each module."""

_COOKIE = re.compile(r"coding[:=]")
_RELATIVE = re.compile(r"\bfrom[ \t]*\.")


@dataclass(frozen=True, slots=True)
class FlatParts:
    """The parts of a flat script, in order."""

    texts: tuple[ModuleText, ...]
    edits: tuple[Edit, ...]


def merge(
    closure: Closure, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    data: Mapping[str, bytes],
) -> FlatParts | str:  # fmt: skip
    """Return the parts of a flat script, or the reason why they cannot be merged."""
    obstacles = (*_visible(closure, data, NAME_READERS), *_absent_relatives(closure))
    if obstacles:
        return obstacles[0]
    written = [name for name, text in texts.items() if not text.is_empty]
    if written == [targets[0].name] and not _imports_own(closure, written[0]):
        (text,) = (texts[name] for name in written)
        return FlatParts((text,), text.edits)
    return _Merge(closure, written).result(targets)


def _visible(
    closure: Closure, data: Mapping[str, bytes], readers: tuple[str, ...]
) -> Iterator[str]:
    if data:
        yield "code reads files beside its module"
    elif find_data(closure).shows_file:
        yield "code can see the name of its own file"
    for name in sorted(closure.flags & VISIBLE_NAME):
        yield f"code can see its module through {name}"
    if has_textual_dataclass(closure):
        yield "a dataclass looks its module up, for annotations that are text"
    yield from _mentions(closure, readers)


def _mentions(closure: Closure, readers: tuple[str, ...]) -> Iterator[str]:
    for name in sorted(n for n in closure.mentioned if n.startswith(readers)):
        yield f"code can see its module through {name}"


def _absent_relatives(closure: Closure) -> Iterator[str]:
    """Yield relative imports that the repository cannot resolve: they stay, and need a package."""
    for kept in closure.modules.values():
        module = kept.module
        if not _RELATIVE.search(module.source.text):
            continue
        part = read_part(kept, closure.names)
        for unit in part.units:
            for node in (n for top in kept_statement_nodes(part, unit) for n in walk(top)):
                if isinstance(node, ast.ImportFrom) and node.level:
                    for alias in _kept_names(kept, unit, node):
                        match closure.names.imported(module, node, alias):
                            case ImportedModule() | ImportedName():
                                continue
                            case _:
                                yield (
                                    f"{module.path}:{node.lineno}: a relative import of what is"
                                    " not in the repository needs its package"
                                )


def _kept_names(kept: KeptModule, unit: Unit, node: ast.ImportFrom) -> Iterator[ast.alias]:
    wanted = kept.aliases.get(unit.index)
    return (a for a in node.names if wanted is None or (a.asname or a.name) in wanted)


def _imports_own(closure: Closure, name: str) -> bool:
    """Whether the kept text of the module imports anything from the repository."""
    return any(importer == name for importer, _ in closure.load_edges) or bool(
        load_edges(closure.modules[name], closure.names)
    )


class _Merge:
    """One attempt to merge."""

    def __init__(self, closure: Closure, written: Sequence[str]) -> None:
        self.closure = closure
        self.parts = {n: read_part(closure.modules[n], closure.names) for n in written}
        self.names: dict[str, PartNames] = {}
        self.order: list[str] = []
        self.owners: dict[str, list[str]] = {}
        """Name → the modules whose parts bind it."""

    def result(self, targets: Sequence[Module]) -> FlatParts | str:
        """Run every check, cheap ones first; then return the text."""
        reason = next(self._obstacles(targets), "")
        if reason:
            return reason
        writer = PartWriter(self.parts, self.names, self.is_superfluous)
        return FlatParts(*writer.write([self.parts[name] for name in self.order]))

    def _obstacles(self, targets: Sequence[Module]) -> Iterator[str]:
        if len(self.parts) > 1:
            yield from _mentions(self.closure, _FRAME_READERS)
            for part in self.parts.values():
                if _COOKIE.search(part.module.path):
                    yield f"{part.module.path}: in a comment, the name would be an encoding"
        for part in self.parts.values():
            yield from part.obstacles
        yield from PartOrder(self.closure, self.parts, self.order).run(targets)
        for name, part in self.parts.items():
            self.names[name] = part_names(part, self.closure)
            yield from self._late(part)
        for name in sorted(self.parts.keys() - set(self.order)):
            path = self.parts[name].module.path
            yield f"{path} is needed, but no kept import at module level loads it"
        yield from self._flags()
        for name in self.order:
            for bound in self.names[name].binds:
                self.owners.setdefault(bound, []).append(name)
        for name in self.order:
            yield from self._special(self.parts[name])
            yield from self._taken(self.parts[name])
            yield from self._foreign(self.parts[name])
            yield from self._typing(self.parts[name])
        yield from self._clashes()

    # ------------------------------------------------------------------ checks

    def _flags(self) -> Iterator[str]:
        """Check that annotations are compiled alike in all parts."""
        flags = {name: future_flags(self.parts[name]) for name in self.order}
        every = frozenset[str]().union(*flags.values())
        for name, own in flags.items():
            missing = sorted(every - own)
            if missing and (missing != ["annotations"] or has_annotations(self.parts[name])):
                path = self.parts[name].module.path
                yield f"{path} is not under `from __future__ import {missing[0]}`, another part is"

    def _late(self, part: ScriptPart) -> Iterator[str]:
        """Check that imports below module level bring nothing from the repository."""
        for line, node in self.names[part.module.name].late:
            for alias in node.names:
                match self.closure.names.imported(part.module, node, alias):
                    case ImportedExternal() if alias.name != "*" or isinstance(node, ast.Import):
                        continue
                    case _:
                        yield f"{part.module.path}:{line}: imports {alias.name} inside other code"

    def _special(self, part: ScriptPart) -> Iterator[str]:
        """Check that no name is used that means something else in each module."""
        own = self.names[part.module.name]
        for name in sorted(_MODULE_NAMES & (own.uses.keys() | own.binds.keys())):
            yield f"{part.module.path}: {name} belongs to one module"

    def _taken(self, part: ScriptPart) -> Iterator[str]:
        """Check that names which a part imports from another are bound there, and never rebound."""
        rebound = {name for names in self.names.values() for name in names.rebound}
        for item in part.repository_imports:
            if not item.name:
                yield from self._used_as_object(part, item)
            elif not self._gives(item.source, item.name):
                path = item.source.path
                yield f"{part.at(item.unit)}: {path} has no kept definition of {item.name}"
            elif not item.is_renamed and item.name in rebound:
                yield f"{part.at(item.unit)}: {item.name} may be rebound after this import"

    def _used_as_object(self, part: ScriptPart, item: RepositoryImport) -> Iterator[str]:
        """Check that an imported module is only loaded, and its name is not used."""
        others = (
            t for p in self.parts.values() for t in p.repository_imports if t.source is part.module
        )
        used = item.bound in self.names[part.module.name].uses
        if used or any(other.name == item.bound for other in others):
            yield f"{part.at(item.unit)}: module {item.source.name} is used as an object"

    def _gives(self, module: Module, name: str) -> bool:
        part = self.parts.get(module.name)
        if part is None or part.module is not module:
            return False
        taken = any(item.name and item.bound == name for item in part.repository_imports)
        return taken or name in self.names[module.name].binds

    def _foreign(self, part: ScriptPart) -> Iterator[str]:
        """Check that no part binds a name that another takes from builtins, or leaves unbound."""
        own = self.names[part.module.name]
        known = {*own.binds, *(t.bound for t in part.repository_imports if t.name)}
        known.update(self.typing_names(part))
        for name, line in own.uses.items():
            others = self.owners.get(name)
            if others and name not in known:
                path = self.parts[others[0]].module.path
                yield f"{part.module.path}:{line}: {name} means something else in {path}"

    def _clashes(self) -> Iterator[str]:
        """Check that names are disjoint, except for imports of the same object."""
        for name, owners in self.owners.items():
            if len(owners) > 1:
                identities = {self.names[owner].binds[name] for owner in owners}
                if len(identities) > 1 or OWN in identities:
                    paths = [self.parts[owner].module.path for owner in owners[:2]]
                    yield f"{paths[0]} and {paths[1]} both bind {name}"

    # ------------------------------------------------------------------ type checkers

    def _typing(self, part: ScriptPart) -> Iterator[str]:
        """Check that names imported for type checkers are bound under the same name."""
        uses = self.names[part.module.name].uses
        typing_only = {*self.typing_names(part)}
        for unit, node, alias in typing_imports(part):
            bound = alias.asname or alias.name
            if bound in uses and bound not in typing_only:
                match self.closure.names.imported(part.module, node, alias):
                    case ImportedModule(module=source) | ImportedName(module=source):
                        if source.name in self.parts:
                            yield f"{part.at(unit)}: type checkers take {bound} from another part"
                    case _:
                        continue

    def typing_names(self, part: ScriptPart) -> Iterator[str]:
        """Yield the names imported for type checkers that mean the same in the script."""
        for unit, node, alias in typing_imports(part):
            match self.closure.names.imported(part.module, node, alias):
                case ImportedName(module=source, name=name):
                    bound = alias.asname or alias.name
                    if bound == name and self._gives(source, name):
                        yield bound
                case ImportedExternal() if alias.name != "*":
                    item = external_import(unit, node, alias)
                    owners = self.owners.get(item.bound, ())
                    found = {self.names[owner].binds[item.bound] for owner in owners}
                    if found == {item.identity}:
                        yield item.bound
                case _:
                    continue

    def is_superfluous(self, part: ScriptPart, unit: Unit) -> bool:
        """Whether a block for type checkers imports only names that are defined or not needed."""
        uses = self.names[part.module.name].uses
        found = {*self.typing_names(part)}
        imports = all(
            isinstance(top, ast.If)
            and not top.orelse
            and all(isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)) for node in top.body)
            for top in unit.nodes
        )
        return imports and all(name in found for name in unit.binds if name in uses)
