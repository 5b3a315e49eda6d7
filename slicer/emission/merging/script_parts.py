"""The part of a flat script that one module contributes, with what it imports, binds, uses and
runs.

A part is built once for each slice, from what the closure kept. `ScriptPart.obstacles` lists, as
sentences, whatever merging into one script would change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...analysis.inference import module_global_writers
from ...analysis.names.name_resolution import ImportedExternal, ImportedModule, ImportedName, Names
from ...analysis.scopes.definitions import module_class
from ...analysis.uses.use_records import ImportUse, NameUse, Uses
from ...closure.kept_definitions import KeptModule
from ...closure.worklist import Closure
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.nodes import walk

OWN = ""
"""Identity of a binding that is the part's own."""

_NO_LONGER_FLAGS = frozenset(
    "nested_scopes generators division absolute_import with_statement print_function "
    "unicode_literals generator_stop".split()
)
"""Names of `__future__` that every supported Python enables."""


@dataclass(frozen=True, slots=True)
class RepositoryImport:
    """A name that a part imports from another module of the repository."""

    unit: Unit
    source: Module
    name: str
    """The name in `source`; empty where the import brings the module itself."""
    bound: str
    """The name that the import binds."""

    @property
    def is_renamed(self) -> bool:
        """Whether the name differs between the two modules."""
        return bool(self.name) and self.name != self.bound


@dataclass(frozen=True, slots=True)
class ExternalImport:
    """A name that a part imports from another distribution."""

    unit: Unit
    bound: str
    """The name that the import binds."""
    path: str
    """The alias as written, after `as` too; `KeptModule.aliases` contains it."""
    statement: str
    """A key for the imported object, equal for all imports with the same effect."""
    identity: str
    """A key for the meaning of the name."""


@dataclass(frozen=True, slots=True)
class ScriptPart:
    """The kept text of one module, as far as merging is concerned."""

    module: Module
    kept: KeptModule
    units: tuple[Unit, ...]
    """Kept statements in order, without those for type checkers."""
    typing: tuple[Unit, ...]
    """Kept statements that run for type checkers only."""
    repository_imports: tuple[RepositoryImport, ...]
    external_imports: tuple[ExternalImport, ...]
    obstacles: tuple[str, ...]

    def at(self, unit: Unit) -> str:
        """Return the position of a statement as `path:line`."""
        return f"{self.module.path}:{unit.first}"


@dataclass(frozen=True, slots=True)
class PartNames:
    """The module-level names of a part."""

    binds: Mapping[str, str]
    """Name → identity; `OWN` unless exactly one import binds it."""
    uses: Mapping[str, int]
    """Name → line of its first use, own names included."""
    rebound: frozenset[str]
    """Names that functions may rebind."""
    late: tuple[tuple[int, ast.Import | ast.ImportFrom], ...]
    """Imports inside functions, classes and compound statements."""


def read_part(kept: KeptModule, names: Names) -> ScriptPart:
    """Return the part of a module."""
    taken: list[RepositoryImport] = []
    others: list[ExternalImport] = []
    obstacles: list[str] = []
    kept_units = [u for u in kept.module.units if u.index in kept.units]
    for unit in kept_units:
        if unit.kind != "import":
            continue
        before = len(taken), len(others)
        for node in unit.nodes:
            if not isinstance(node, (ast.Import, ast.ImportFrom)) or _is_future(node):
                continue
            for item in _imports(kept, unit, node, names):
                match item:
                    case RepositoryImport():
                        taken.append(item)
                    case ExternalImport():
                        others.append(item)
                    case _:
                        obstacles.append(f"{kept.module.path}:{unit.first}: {item}")
        if len(unit.nodes) > 1 and len(taken) > before[0] and len(others) > before[1]:
            obstacles.append(f"{kept.module.path}:{unit.first}: several imports share a line")
    return ScriptPart(
        kept.module, kept,
        tuple(u for u in kept_units if not _is_typing(u) and not _is_future_unit(u)),
        tuple(u for u in kept_units if _is_typing(u)),
        tuple(taken), tuple(others), tuple(obstacles),
    )  # fmt: skip


def _is_typing(unit: Unit) -> bool:
    """Whether the statement never runs."""
    return unit.kind == "typing"


def typing_imports(
    part: ScriptPart,
) -> Iterator[tuple[Unit, ast.Import | ast.ImportFrom, ast.alias]]:
    """Yield the imports for type checkers only, one by one."""
    for unit in part.typing:
        for top in unit.nodes:
            for node in top.body if isinstance(top, ast.If) else ():
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    for alias in node.names:
                        yield unit, node, alias


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_future_unit(unit: Unit) -> bool:
    return all(_is_future(node) for node in unit.nodes)


def _imports(
    kept: KeptModule, unit: Unit, node: ast.Import | ast.ImportFrom, names: Names
) -> Iterator[RepositoryImport | ExternalImport | str]:
    wanted = kept.aliases.get(unit.index)
    for alias in node.names:
        spelled = alias.asname or alias.name
        if wanted is not None and spelled not in wanted:
            continue
        if alias.name == "*" and isinstance(node, ast.ImportFrom):
            yield from _star(kept, unit, node, names)
            continue
        match names.imported(kept.module, node, alias):
            case ImportedName(module=source, name=name):
                yield RepositoryImport(unit, source, name, spelled)
            case ImportedModule(module=Module() as source):
                bound = spelled if isinstance(node, ast.ImportFrom) else spelled.split(".")[0]
                yield RepositoryImport(unit, source, "", bound)
            case ImportedExternal():
                yield external_import(unit, node, alias)
            case ImportedModule():
                yield f"package {alias.name} without __init__.py is imported as an object"
            case _:
                yield f"{alias.name} is not in the repository"


def _star(
    kept: KeptModule, unit: Unit, node: ast.ImportFrom, names: Names
) -> Iterator[RepositoryImport | str]:
    source = names.star_source(kept.module, node)
    if isinstance(source, Module) and unit.index in kept.stars:
        for name in kept.stars[unit.index]:
            yield RepositoryImport(unit, source, name, name)
    else:
        yield "a star import may bind any name"


def external_import(
    unit: Unit, node: ast.Import | ast.ImportFrom, alias: ast.alias
) -> ExternalImport:
    """Return what one alias of an external import brings."""
    spelled = alias.asname or alias.name
    if isinstance(node, ast.ImportFrom):
        statement = f"{node.module}:{alias.name}"
        return ExternalImport(unit, spelled, spelled, f"{statement}:{spelled}", statement)
    meaning = alias.name if alias.asname else alias.name.split(".")[0]
    bound = alias.asname or meaning
    return ExternalImport(unit, bound, spelled, f"{alias.name} as {bound}", meaning)


# ------------------------------------------------------------------------ names


def part_names(part: ScriptPart, closure: Closure) -> PartNames:
    """Return the module-level names of the part, without imports from other parts."""
    binds: dict[str, str] = {}
    uses: dict[str, int] = {}
    late: list[tuple[int, ast.Import | ast.ImportFrom]] = []
    for item in part.external_imports:
        _bind(binds, item.bound, item.identity)
    for item in part.repository_imports:
        if item.is_renamed:
            _bind(binds, item.bound, f"{item.source.name}:{item.name}")
    for unit in part.units:
        if unit.kind == "import":
            continue
        for name in unit.binds:
            binds[name] = OWN
        for found in unit_uses(part.kept, unit, closure):
            for use in found.uses:
                if isinstance(use, NameUse) and use.module is part.module:
                    uses.setdefault(use.name, use.line)
                elif isinstance(use, ImportUse):
                    late.append((use.line, use.node))
        for name, line in _class_reads(part, unit):
            uses.setdefault(name, line)
    rebound = frozenset(module_global_writers(part.module)) & uses.keys()
    binds.update(dict.fromkeys(rebound, OWN))
    return PartNames(binds, uses, rebound, tuple(late))


def _bind(binds: dict[str, str], name: str, identity: str) -> None:
    binds[name] = identity if binds.get(name, identity) == identity else OWN


def unit_uses(kept: KeptModule, unit: Unit, closure: Closure) -> Iterator[Uses]:
    """Yield the uses of a statement's kept text."""
    analysis = closure.analysis
    if unit.index not in kept.members or not isinstance(unit.node, ast.ClassDef):
        yield analysis.unit_uses(kept.module, unit)
        return
    cls = module_class(kept.module, unit, unit.node)
    yield analysis.header_uses(cls)
    for member in cls.members:
        if member.index in kept.members[unit.index]:
            yield analysis.member_uses(cls, member)


def _class_reads(part: ScriptPart, unit: Unit) -> Iterator[tuple[str, int]]:
    """Yield module-level names that class bodies read before they bind them."""
    lines = part.module.source.lines[unit.first - 1 : unit.last]
    if not any("class " in line for line in lines):
        return
    for top in kept_statement_nodes(part, unit):
        if top not in unit.nodes and not isinstance(top, _SCOPES):
            yield from _loads(top)
        for cls in walk(top):
            if isinstance(cls, ast.ClassDef):
                for node in cls.body:
                    if not isinstance(node, _SCOPES):
                        yield from _loads(node)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def kept_statement_nodes(part: ScriptPart, unit: Unit) -> tuple[ast.stmt, ...]:
    """Return the statements of a unit; of a partly kept class, its kept members."""
    if unit.index not in part.kept.members or not isinstance(unit.node, ast.ClassDef):
        return unit.nodes
    wanted = part.kept.members[unit.index]
    members = module_class(part.module, unit, unit.node).members
    return tuple(node for m in members if m.index in wanted for node in m.nodes)


def _loads(node: ast.stmt) -> Iterator[tuple[str, int]]:
    for inner in walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id, inner.lineno


# ------------------------------------------------------------------------ flags


def future_flags(part: ScriptPart) -> frozenset[str]:
    """Return the `__future__` flags that change how the part's text is compiled."""
    return part.module.source.future_flags - _NO_LONGER_FLAGS


def has_annotations(part: ScriptPart) -> bool:
    """Whether `from __future__ import annotations` changes the meaning of the part's text."""
    for unit in part.units:
        for node in kept_statement_nodes(part, unit):
            for inner in walk(node):
                match inner:
                    case ast.arg(annotation=ast.expr()) | ast.AnnAssign():
                        return True
                    case ast.FunctionDef(returns=ast.expr()):
                        return True
                    case ast.AsyncFunctionDef(returns=ast.expr()):
                        return True
                    case _:
                        continue
    return False
