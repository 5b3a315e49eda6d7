"""The `flat` layout: one plain script, where merging the modules provably changes nothing.

The parts of the modules stand in the order in which importing the target's module would load them.
Imports between them disappear, since what they bring is bound above under the same name. `merge`
either gives that script's parts, or says in a sentence why there cannot be one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..closure import Closure, KeptModule
from ..data import find_data
from ..model import Edit, LineMap
from ..names import ImportedExternal, ImportedModule, ImportedName
from ..repository import Module
from ..units import Unit
from .loading import load_edges
from .parts import (
    OWN,
    Part,
    PartNames,
    Taken,
    future_flags,
    has_annotations,
    is_inert,
    outside,
    part_names,
    read_part,
    typing_imports,
)
from .pieces import ModuleText, Piece, module_text

_VISIBLE_NAME = frozenset({"__name__", "__package__", "__spec__", "__module__", "__loader__",
                           "__path__", "globals", "vars", "dir", "__globals__", "eval", "exec",
                           "__builtins__", "locals"})  # fmt: skip
_NAME_READERS = ("sys.modules", "pickle.", "inspect.getmodule", "typing.get_type_hints", "copyreg.",
                 "multiprocessing", "concurrent.futures.ProcessPoolExecutor", "importlib.resources",
                 "importlib.import_module", "pkgutil.", "dill.", "cloudpickle.",
                 "joblib.")  # fmt: skip
_FRAME_READERS = ("sys._getframe", "inspect.stack", "inspect.currentframe", "inspect.getfile",
                  "inspect.getsource", "inspect.getabsfile", "importlib.", "runpy.", "doctest.",
                  "unittest.mock.patch")  # fmt: skip
"""What tells the modules of one script apart, and only that."""

_MODULE_NAMES = frozenset({"__doc__", "__getattr__", "__dir__", "__annotations__", "__path__",
                           "__file__", "__name__", "__package__", "__spec__", "__loader__",
                           "__builtins__", "__dict__", "__cached__"})  # fmt: skip
"""Names that mean something to the module in which they stand."""

_COOKIE = re.compile(r"coding[:=]")
_TYPING_ONLY = "its names are defined in this script or not needed"
_HERE = "its definitions stand in this script"


@dataclass(frozen=True, slots=True)
class Merged:
    """The parts of a flat script, in order."""

    texts: tuple[ModuleText, ...]
    edits: tuple[Edit, ...]


def needs_name(closure: Closure) -> bool:
    """Whether kept code may see its module's name or object."""
    return bool(closure.flags & _VISIBLE_NAME) or any(
        name.startswith(_NAME_READERS) for name in closure.mentioned
    )


def merge(
    closure: Closure, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    data: Mapping[str, bytes],
) -> Merged | str:  # fmt: skip
    """The parts of a flat script, or why there cannot be one."""
    reason = next(_visible(closure, data, _NAME_READERS), "")
    if reason:
        return reason
    written = [name for name, text in texts.items() if not text.is_empty]
    if written == [targets[0].name] and not _imports_own(closure, written[0]):
        (text,) = (texts[name] for name in written)
        return Merged((text,), text.edits)
    return _Merge(closure, written).result(targets)


def _visible(
    closure: Closure, data: Mapping[str, bytes], readers: tuple[str, ...]
) -> Iterator[str]:
    if data:
        yield "code reads files beside its module"
    elif find_data(closure).shows_file:
        yield "code can see the name of its own file"
    for name in sorted(closure.flags & _VISIBLE_NAME):
        yield f"code can see its module through {name}"
    yield from _mentions(closure, readers)


def _mentions(closure: Closure, readers: tuple[str, ...]) -> Iterator[str]:
    for name in sorted(n for n in closure.mentioned if n.startswith(readers)):
        yield f"code can see its module through {name}"


def _imports_own(closure: Closure, name: str) -> bool:
    """Whether the kept text of the module imports from the repository at all."""
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

    def result(self, targets: Sequence[Module]) -> Merged | str:
        """Every check in turn, the cheap ones first; then the text."""
        reason = next(self._obstacles(targets), "")
        if reason:
            return reason
        writer = _PartWriter(self)
        return Merged(*writer.write([self.parts[name] for name in self.order]))

    def _obstacles(self, targets: Sequence[Module]) -> Iterator[str]:
        if len(self.parts) > 1:
            yield from _mentions(self.closure, _FRAME_READERS)
            for part in self.parts.values():
                if _COOKIE.search(part.module.path):
                    yield f"{part.module.path}: in a comment, the name would be an encoding"
        for part in self.parts.values():
            yield from part.obstacles
        yield from _Loading(self.closure, self.parts, self.order).run(targets)
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
        """Annotations are compiled alike in all parts."""
        flags = {name: future_flags(self.parts[name]) for name in self.order}
        every = frozenset[str]().union(*flags.values())
        for name, own in flags.items():
            missing = sorted(every - own)
            if missing and (missing != ["annotations"] or has_annotations(self.parts[name])):
                path = self.parts[name].module.path
                yield f"{path} is not under `from __future__ import {missing[0]}`, another part is"

    def _late(self, part: Part) -> Iterator[str]:
        """Imports that do not stand at module level bring nothing of the repository."""
        for line, node in self.names[part.module.name].late:
            for alias in node.names:
                match self.closure.names.imported(part.module, node, alias):
                    case ImportedExternal() if alias.name != "*" or isinstance(node, ast.Import):
                        continue
                    case _:
                        yield f"{part.module.path}:{line}: imports {alias.name} inside other code"

    def _special(self, part: Part) -> Iterator[str]:
        """No name that means something else in each module."""
        own = self.names[part.module.name]
        for name in sorted(_MODULE_NAMES & (own.uses.keys() | own.binds.keys())):
            yield f"{part.module.path}: {name} belongs to one module"

    def _taken(self, part: Part) -> Iterator[str]:
        """What a part takes from another is bound there, and never again."""
        rebound = {name for names in self.names.values() for name in names.rebound}
        for item in part.taken:
            if not item.name:
                yield from self._used_as_object(part, item)
            elif not self._gives(item.source, item.name):
                path = item.source.path
                yield f"{part.at(item.unit)}: {path} has no kept definition of {item.name}"
            elif not item.is_renamed and item.name in rebound:
                yield f"{part.at(item.unit)}: {item.name} may be rebound after this import"

    def _used_as_object(self, part: Part, item: Taken) -> Iterator[str]:
        """An import of a module is there to load it, and nobody uses the name."""
        others = (t for p in self.parts.values() for t in p.taken if t.source is part.module)
        used = item.bound in self.names[part.module.name].uses
        if used or any(other.name == item.bound for other in others):
            yield f"{part.at(item.unit)}: module {item.source.name} is used as an object"

    def _gives(self, module: Module, name: str) -> bool:
        part = self.parts.get(module.name)
        if part is None or part.module is not module:
            return False
        taken = any(item.name and item.bound == name for item in part.taken)
        return taken or name in self.names[module.name].binds

    def _foreign(self, part: Part) -> Iterator[str]:
        """No part binds what another takes from builtins, or does not find."""
        own = self.names[part.module.name]
        known = {*own.binds, *(t.bound for t in part.taken if t.name)}
        known.update(self.typing_names(part))
        for name, line in own.uses.items():
            others = self.owners.get(name)
            if others and name not in known:
                path = self.parts[others[0]].module.path
                yield f"{part.module.path}:{line}: {name} means something else in {path}"

    def _clashes(self) -> Iterator[str]:
        """Names are disjoint, but for imports of the same thing."""
        for name, owners in self.owners.items():
            if len(owners) > 1:
                identities = {self.names[owner].binds[name] for owner in owners}
                if len(identities) > 1 or OWN in identities:
                    paths = [self.parts[owner].module.path for owner in owners[:2]]
                    yield f"{paths[0]} and {paths[1]} both bind {name}"

    # ------------------------------------------------------------------ type checkers

    def _typing(self, part: Part) -> Iterator[str]:
        """What type checkers see of other parts is bound in the script under the same name."""
        uses = self.names[part.module.name].uses
        meant = {*self.typing_names(part)}
        for unit, node, alias in typing_imports(part):
            bound = alias.asname or alias.name
            if bound in uses and bound not in meant:
                match self.closure.names.imported(part.module, node, alias):
                    case ImportedModule(module=source) | ImportedName(module=source):
                        if source.name in self.parts:
                            yield f"{part.at(unit)}: type checkers take {bound} from another part"
                    case _:
                        continue

    def typing_names(self, part: Part) -> Iterator[str]:
        """Names imported for type checkers that mean the same in the script."""
        for unit, node, alias in typing_imports(part):
            match self.closure.names.imported(part.module, node, alias):
                case ImportedName(module=source, name=name):
                    bound = alias.asname or alias.name
                    if bound == name and self._gives(source, name):
                        yield bound
                case ImportedExternal() if alias.name != "*":
                    item = outside(unit, node, alias)
                    owners = self.owners.get(item.bound, ())
                    found = {self.names[owner].binds[item.bound] for owner in owners}
                    if found == {item.identity}:
                        yield item.bound
                case _:
                    continue

    def is_superfluous(self, part: Part, unit: Unit) -> bool:
        """Whether a block for type checkers imports nothing but what is defined or not needed."""
        uses = self.names[part.module.name].uses
        found = {*self.typing_names(part)}
        imports = all(
            isinstance(top, ast.If)
            and not top.orelse
            and all(isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)) for node in top.body)
            for top in unit.nodes
        )
        return imports and all(name in found for name in unit.binds if name in uses)


# ------------------------------------------------------------------------ order


class _Loading:
    """Python's own order of loading, followed from the target's module."""

    def __init__(self, closure: Closure, parts: Mapping[str, Part], order: list[str]) -> None:
        self.closure = closure
        self.parts = parts
        self.order = order
        self.done: set[str] = set()
        self.running: set[str] = set()

    def run(self, targets: Sequence[Module]) -> Iterator[str]:
        """Fill the order; gives the obstacles on the way."""
        for target in targets:
            yield from self._load(target.name)

    def _load(self, name: str) -> Iterator[str]:
        kept = self.closure.modules.get(name)
        if kept is None or name in self.done or name in self.running:
            return
        for ancestor in self.closure.names.ancestors(kept.module):
            yield from self._load(ancestor.name)
        if name in self.done or name in self.running:
            return
        self.running.add(name)
        part = self.parts.get(name)
        if part is not None:
            yield from self._run(part)
            self.order.append(name)
        self.running.discard(name)
        self.done.add(name)

    def _run(self, part: Part) -> Iterator[str]:
        taken: dict[int, list[Taken]] = {}
        for item in part.taken:
            taken.setdefault(item.unit.index, []).append(item)
        active: Unit | None = None
        for unit in part.units:
            for item in taken.get(unit.index, ()):
                if item.source.name in self.running:
                    yield f"{part.at(unit)}: imports in a circle with {item.source.path}"
                before = len(self.order)
                yield from self._load(item.source.name)
                loaded = self.order[before:]
                if active is not None and any(map(self._is_active, loaded)):
                    yield f"{part.at(unit)}: imports after code that runs (line {active.first})"
            if active is None and not self._is_inert(part, unit):
                active = unit

    def _is_active(self, name: str) -> bool:
        part = self.parts[name]
        return not all(self._is_inert(part, unit) for unit in part.units)

    def _is_inert(self, part: Part, unit: Unit) -> bool:
        return is_inert(part.module, unit, self.closure.inference)


# ------------------------------------------------------------------------ text


class _PartWriter:
    """The text of the parts, without what merging makes superfluous."""

    def __init__(self, merge: _Merge) -> None:
        self.merge = merge
        self.edits: list[Edit] = []
        self.imported: set[str] = set()
        """Imports of other distributions that stand above."""
        self.renamed: set[tuple[str, str]] = set()
        """(name, alias) of the assignments that stand above."""

    def write(self, parts: Sequence[Part]) -> tuple[tuple[ModuleText, ...], tuple[Edit, ...]]:
        texts = [self._text(part) for part in parts]
        edits = sorted(self.edits, key=lambda e: (e.path, e.line))
        return tuple(t for t in texts if t.pieces), tuple(edits)

    def _text(self, part: Part) -> ModuleText:
        kept = part.kept
        copy = KeptModule(part.module, dict(kept.units), dict(kept.aliases), dict(kept.stars),
                          kept.members, kept.must_load)  # fmt: skip
        self._drop_typing(part, copy)
        assignments = self._replace_taken(part, copy)
        shortened = self._drop_repeated(part, copy)
        text = module_text(copy, with_docstring=False)
        pieces = sorted([*text.pieces, *assignments], key=lambda piece: piece.line)
        for edit in text.edits:
            again = edit.line in shortened and edit.what.startswith("import shortened")
            why = "names not needed, or imported further up"
            self.edits.append(replace(edit, why=why) if again else edit)
        return ModuleText(part.module, tuple(pieces), (), text.future if pieces else ())

    def _edit(self, part: Part, unit: Unit, what: str, why: str) -> None:
        self.edits.append(Edit(part.module.path, unit.first, what, why))

    def _drop_typing(self, part: Part, copy: KeptModule) -> None:
        """Leave out blocks for type checkers, and the import of the name that they test."""
        dropped = [u for u in part.typing if self.merge.is_superfluous(part, u)]
        if not dropped:
            return
        for unit in dropped:
            del copy.units[unit.index]
            self._edit(part, unit, "imports for type checkers removed", _TYPING_ONLY)
        tested = _tested(dropped)
        uses = self.merge.names[part.module.name].uses
        needed = _tested([u for u in part.typing if u not in dropped]) | uses.keys() | {
            t.name for p in self.merge.parts.values() for t in p.taken if t.source is part.module
        }  # fmt: skip
        for item in part.outside:
            if item.bound in tested and item.bound not in needed:
                _shorten(part, copy, item.unit, {item.spelled})

    def _replace_taken(self, part: Part, copy: KeptModule) -> list[Piece]:
        """Leave out imports of other parts; `from x import f as g` becomes `g = f`."""
        assignments: list[Piece] = []
        for unit in dict.fromkeys(item.unit for item in part.taken):
            items = [item for item in part.taken if item.unit is unit]
            del copy.units[unit.index]
            names = dict.fromkeys((i.name, i.bound) for i in items if i.is_renamed)
            fresh = [pair for pair in names if pair not in self.renamed]
            self.renamed.update(fresh)
            shown = "; ".join(f"{bound} = {name}" for name, bound in names)
            sources = ", ".join(dict.fromkeys(item.source.name for item in items))
            what = f"replaced by `{shown}`" if shown else "removed"
            self._edit(part, unit, f"import of {sources} {what}", _HERE)
            if fresh:
                assignments.append(_assignment(part, unit, fresh))
        return assignments

    def _drop_repeated(self, part: Part, copy: KeptModule) -> set[int]:
        """Leave out imports of other distributions that stand above; gives the lines shortened."""
        repeated: dict[Unit, set[str]] = {}
        for item in part.outside:
            if item.unit.index in copy.units and self._is_left(copy, item.unit, item.spelled):
                if item.statement in self.imported:
                    repeated.setdefault(item.unit, set()).add(item.spelled)
                self.imported.add(item.statement)
        for unit, names in repeated.items():
            _shorten(part, copy, unit, names)
        return {unit.first for unit in repeated}

    @staticmethod
    def _is_left(copy: KeptModule, unit: Unit, spelled: str) -> bool:
        wanted = copy.aliases.get(unit.index)
        return wanted is None or spelled in wanted


def _tested(units: Sequence[Unit]) -> set[str]:
    """Names in the tests of blocks for type checkers."""
    return {
        node.id
        for unit in units
        for top in unit.nodes
        if isinstance(top, ast.If)
        for node in ast.walk(top.test)
        if isinstance(node, ast.Name)
    }


def _shorten(part: Part, copy: KeptModule, unit: Unit, names: set[str]) -> None:
    """Leave names out of an import; all of them: leave it out."""
    spelled = [item.spelled for item in part.outside if item.unit is unit]
    before = copy.aliases.get(unit.index) or dict.fromkeys(spelled)
    left = {name: None for name in before if name not in names}
    if not left:
        del copy.units[unit.index]
    elif len(unit.nodes) == 1:
        copy.aliases[unit.index] = left


def _assignment(part: Part, unit: Unit, names: Sequence[tuple[str, str]]) -> Piece:
    lines = part.module.source.lines
    end = "\r\n" if lines[unit.first - 1].endswith("\r\n") else "\n"
    blank = 0
    while blank < 2 and unit.first - 2 - blank >= 0 and not lines[unit.first - 2 - blank].strip():
        blank += 1
    text = "".join(f"{bound} = {name}{end}" for name, bound in names)
    return Piece(unit.first, text, blank, is_verbatim=False)


def flat_script(texts: Sequence[ModuleText]) -> tuple[str, tuple[LineMap, ...]]:
    """One plain script: each module's pieces in order, a comment line before each module's part."""
    written: list[str] = []
    maps: list[LineMap] = []
    line = 1

    def put(text: str) -> None:
        nonlocal line
        written.append(text)
        line += _line_ends(text)

    def put_piece(piece: Piece, path: str) -> None:
        if piece.is_verbatim:
            maps.append(LineMap(line, path, piece.line, _line_ends(piece.text)))
        put(piece.text)

    docstring = _docstring(texts[0]) if len(texts) == 1 else ()
    future: dict[str, tuple[Piece, str]] = {}
    for text in texts:
        for piece in text.future:
            future.setdefault(piece.text, (piece, text.module.path))
    for piece, path in [*((p, texts[0].module.path) for p in docstring), *future.values()]:
        put("\n" * piece.blank_before if written else "")
        put_piece(piece, path)
    for text in texts:
        for index, piece in enumerate(text.pieces[len(docstring) :]):
            is_first = index == 0 and len(texts) > 1
            blank = max(piece.blank_before, 1) if is_first else piece.blank_before
            put("\n" * blank if written else "")
            put(f"# {text.module.path}\n" if is_first else "")
            put_piece(piece, text.module.path)
    return "".join(written), tuple(maps)


def _docstring(text: ModuleText) -> tuple[Piece, ...]:
    """The piece of the module's docstring, which stands above the `__future__` imports."""
    lines = text.module.source.docstring_lines
    if lines is None or not text.pieces:
        return ()
    first = text.pieces[0]
    ends = first.line + _line_ends(first.text) - 1
    return (first,) if first.line <= lines[0] and ends >= lines[1] else ()


def _line_ends(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
