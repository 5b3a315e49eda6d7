"""Imports and definitions of the target's file that a candidate may use and the slice lacks.

Imports are external ones, as far as they are installed, or of modules that the script carries. They
are kept one name at a time, so that a candidate carries no more than it uses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...slicer import Repository
from ...slicer.closure.start.target_definitions import find_goal
from ...slicer.emission.manifest.requirements import RequiredDistributions, needs_of
from ...slicer.errors import SourceError
from ...slicer.model import Target
from ...slicer.repo.import_roots import STDLIB
from ...slicer.repo.module import Module
from ...slicer.repo.units import is_typing_test
from ...slicer.syntax.scopes import bound_in, imported_as
from ...verifier.execution.environments import Lock
from ...verifier.scoring.candidates.definition_blocks import split_name
from ...verifier.scoring.candidates.file_neighbours import neighbours
from ...verifier.scoring.candidates.offered_names import OfferedName
from ...verifier.scoring.substitute import template
from ...verifier.script.source_map import carried_texts

_Import = ast.Import | ast.ImportFrom
_IsThere = Callable[[_Import], bool]


def allowed_imports(
    repository: Repository,
    target: Target,
    lock: Lock | None,
    distributions: Sequence[tuple[str, str]] = (),
) -> tuple[OfferedName, ...]:
    """Return imports that candidates may use, by name; without a lock, only of the standard
    library.

    Args:
        repository: the target's repository.
        target: the target, whose file is read.
        lock: the installed distributions.
        distributions: modules, each with the requirement that provides it.
    """
    goal = find_goal(repository, target)
    needs = needs_of(repository, [goal], distributions)

    def is_there(node: _Import) -> bool:
        return _is_there(node, goal.module, needs, lock)

    body = goal.module.source.tree.body
    return tuple(sorted(_offered(body, is_there), key=lambda each: (each.name, each.code)))


def carried_imports(repository: Repository, target: Target, script: str) -> tuple[OfferedName, ...]:
    """Return imports that candidates may use between the script's own carried modules.

    Args:
        repository: the target's repository.
        target: the target, whose file is read.
        script: the slice's script in the layout `modules`; in others all names are in one module.
    """
    module = find_goal(repository, target).module
    bound = {path: bound_in(ast.parse(text).body) for path, text in carried_texts(script).items()}

    def is_there(node: _Import) -> bool:
        if isinstance(node, ast.Import):
            return False
        (alias,) = node.names
        base = module.resolve_relative(node.level, node.module)
        try:
            found = base and repository.find_module(base, module)
        except SourceError:
            return False
        return isinstance(found, Module) and alias.name in bound.get(found.path, ())

    return tuple(_offered(module.source.tree.body, is_there)) if bound else ()


def missing_siblings(
    repository: Repository, target: Target, script: str, imports: Sequence[OfferedName]
) -> tuple[OfferedName, ...]:
    """Return definitions of the target's file and class that the script lacks and can add.

    Args:
        repository: the target's repository.
        target: the target, whose file is read.
        script: the slice's script.
        imports: imports that candidates may use.

    Raises:
        NoHoleError: no candidate can take the target's place.
    """
    body = find_goal(repository, target).module.source.tree.body
    siblings = tuple(neighbours(body, split_name(target.qualname)))
    found = template(script, target.path, target.qualname, (*imports, *siblings)).offered
    return tuple(each for each in found if each.kind != "import")


def _offered(body: Sequence[ast.stmt], is_there: _IsThere) -> Iterator[OfferedName]:
    """Yield the imports of names that only imports bind."""
    found: dict[str, list[ast.stmt]] = {}
    other: set[str] = set()
    for is_typing, node in _statements(body):
        if is_typing and not isinstance(node, _Import):
            continue
        given = dict(_given(node, is_there))
        for name, statement in given.items():
            found.setdefault(name, []).append(statement)
        other |= bound_in([node]) - given.keys()
    for name, statements in found.items():
        if name not in other:
            parts = statements if all(map(_is_package, statements)) else statements[-1:]
            yield from (OfferedName(name, text) for text in dict.fromkeys(map(ast.unparse, parts)))


def _statements(body: Iterable[ast.stmt]) -> Iterator[tuple[bool, ast.stmt]]:
    """Yield imports, name by name, and other statements; with whether for type checkers."""
    for node in body:
        if isinstance(node, ast.If) and is_typing_test(node.test):
            yield from ((True, inner) for _, inner in _statements(node.body))
            yield from _statements(node.orelse)
        elif isinstance(node, _Import):
            yield from ((False, part) for part in _parts(node))
        else:
            yield False, node


def _parts(node: _Import) -> Iterator[_Import]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield ast.Import([alias])
        else:
            yield ast.ImportFrom(node.module, [alias], node.level)


def _given(node: ast.stmt, is_there: _IsThere) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that a statement imports from installed modules, with a statement each."""
    if isinstance(node, _Import):
        if is_there(node):
            yield imported_as(node.names[0]), node
    elif isinstance(node, ast.Try):
        tried = [part for _, part in _statements([*node.body, *node.orelse])]
        instead = [part for each in node.handlers for _, part in _statements(each.body)]
        names = [imported_as(part.names[0]) for part in tried if isinstance(part, _Import)]
        for name in dict.fromkeys(names):
            first = [p for p in tried if _binds(p, name) and _is_given(p, is_there)]
            then = [p for p in instead if _binds(p, name) and _is_given(p, is_there)]
            if any(isinstance(part, _Import) for part in first):
                caught = ast.ExceptHandler(ast.Name("ImportError"), None, then or [ast.Pass()])
                yield name, ast.Try(first, [caught], [], [])
            elif len(then) == 1 and isinstance(then[0], _Import):
                yield name, then[0]


def _is_given(node: ast.stmt, is_there: _IsThere) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return is_there(node)
        case ast.Assign(targets=[ast.Name()], value=ast.Constant()):
            return True
        case _:
            return False


def _binds(node: ast.stmt, name: str) -> bool:
    return bound_in([node]) == frozenset([name])


def _is_package(node: ast.stmt) -> bool:
    """Whether an import binds a package, as imports of other modules in it may too."""
    return isinstance(node, ast.Import) and not node.names[0].asname


def _is_there(
    node: _Import, importer: Module, needs: RequiredDistributions, lock: Lock | None
) -> bool:
    """Whether an import of one name is of the standard library or an installed distribution."""
    (alias,) = node.names
    module = alias.name if isinstance(node, ast.Import) else node.module or ""
    if alias.name == "*" or module == "__future__" or getattr(node, "level", 0):
        return False
    if _is_own(module, importer, needs.repository):
        return False
    if module.partition(".")[0] in STDLIB:
        return True
    imported = module if isinstance(node, ast.Import) else f"{module}.{alias.name}"
    name = needs.distribution(imported)
    return bool(lock and name and lock.version(name))


def _is_own(module: str, importer: Module, repository: Repository) -> bool:
    """Whether the repository has the module, or its top-level package."""
    try:
        found = repository.find_module(module, importer)
        top = repository.find_module(module.partition(".")[0], importer)
    except SourceError:
        return True
    return found is not None or isinstance(top, Module)
