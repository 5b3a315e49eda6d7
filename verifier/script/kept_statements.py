"""The statements that a slice keeps, as the repository has them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ...slicer.model import Manifest
from ...slicer.repo.units import bound_names, is_main_test
from .module_statements import DEFINITION, first_line_of, statements_of
from .source_map import original_text
from .target_lines import target_definitions

_IMPORT = (ast.Import, ast.ImportFrom)
_COMPOUND = (
    *(ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith),
    *(ast.For, ast.AsyncFor, ast.While, ast.Match),
)
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


@dataclass(frozen=True, slots=True)
class KeptStatement:
    """A statement of the repository that binds names, with the kept parts of its body."""

    path: str
    prefix: str
    names: tuple[str, ...]
    node: ast.stmt
    is_target: bool
    members: tuple[KeptStatement, ...] = ()

    @property
    def qualname(self) -> str:
        """Return all names that it binds, after its class."""
        return self.prefix + ", ".join(self.names)

    @property
    def module(self) -> str:
        """Return the last part of its module's name."""
        path = PurePosixPath(self.path)
        return path.parent.name if path.stem == "__init__" else path.stem


@dataclass(frozen=True, slots=True)
class _File:
    """The manifest's entries for one file."""

    path: str
    targets: frozenset[int]
    """First lines of targets."""
    members: frozenset[int]
    """Lines of kept class members."""

    def compared_parts(
        self,
        nodes: Sequence[ast.stmt],
        prefix: str = "",
        *,
        is_whole: bool = False,
        is_target: bool = False,
    ) -> Iterator[KeptStatement]:
        """Yield the compared parts of these statements; a branch with a target inside is split.

        Args:
            nodes: Statements that stand in the file itself, or in the body of one class.
            prefix: The class, with a dot.
            is_whole: Whether the manifest says nothing of what classes among them keep: all.
            is_target: Whether they are part of a target.
        """
        for node in nodes:
            names = _own_names(node)
            first, last = first_line_of(node), node.end_lineno or node.lineno
            if not names:
                continue
            if isinstance(node, _COMPOUND) and any(first < at <= last for at in self.targets):
                parts = [each for each in flat([node]) if not isinstance(each, _COMPOUND)]
                yield from self.compared_parts(parts, prefix, is_whole=True, is_target=is_target)
                continue
            found = KeptStatement(
                self.path, prefix, names, node, is_target or first in self.targets
            )
            if isinstance(node, ast.ClassDef):
                yield replace(found, members=tuple(self._members(node, found, is_whole=is_whole)))
            else:
                yield found

    def _members(
        self, node: ast.ClassDef, found: KeptStatement, *, is_whole: bool
    ) -> Iterator[KeptStatement]:
        is_whole = is_whole or bool(found.prefix)
        body = [each for each in node.body if is_whole or first_line_of(each) in self.members]
        prefix = f"{found.prefix}{node.name}."
        yield from self.compared_parts(body, prefix, is_whole=is_whole, is_target=found.is_target)


def kept_statements(folder: Path, manifest: Manifest) -> Iterator[KeptStatement]:
    """Yield the statements that a slice's manifest names, read from the repository, without
    imports.

    Args:
        folder: The repository.
        manifest: What the slice keeps, by file and lines.
    """
    paths = dict.fromkeys(d.path for d in manifest.definitions)
    for path in paths:
        text = original_text(folder / path)
        here = [d for d in manifest.definitions if d.path == path]
        targets = frozenset(
            found.first_line
            for target in manifest.targets
            if target.path == path
            for found in target_definitions(text, manifest, target)
        )
        members = frozenset(
            line for d in here if "." in d.qualname for line in range(d.first_line, d.last_line + 1)
        )
        file = _File(path, targets, members)
        for d in here:
            if "." not in d.qualname and d.kind != "import":
                found = statements_of(text).between(d.first_line, d.last_line)
                yield from file.compared_parts([each.node for each in found])


def _own_names(node: ast.stmt) -> tuple[str, ...]:
    """Return what a statement binds other than by an import."""
    names = dict.fromkeys(bound_names(node))
    if isinstance(node, (*_IMPORT, *_COMPOUND)):
        imported = [
            n for inner in flat([node]) if isinstance(inner, _IMPORT) for n in names_bound(inner)
        ]
        return tuple(name for name in names if name not in imported)
    return tuple(names)


def names_bound(node: ast.stmt) -> frozenset[str]:
    """Return names that a statement binds in its own scope."""
    return frozenset(bound_names(node))


def flat(body: Sequence[ast.AST]) -> Iterator[ast.stmt]:
    """Yield statements of a body and its branches, outside functions, classes and the main
    block.
    """
    pending = list(reversed(body))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and not node.orelse and is_main_test(node.test):
            continue
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, DEFINITION):
            inner = [each for field in _BLOCKS for each in getattr(node, field, ())]
            pending += reversed(inner)
