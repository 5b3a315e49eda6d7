"""AST equivalence: whether a slice's target, and all else in it, is the repository's own code.

Each kept definition gets two verdicts: whether the syntax trees are equal including docstrings,
decorators and annotations, and whether they are without docstrings and annotations. Comments and
layout are not part of a tree. Imports are not compared, since layouts shorten them and say so.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ...slicer.emission.choose_layout import layout_of
from ...slicer.model import Definition, DefinitionKind, Manifest, Slice, Target
from ...slicer.syntax.gc_pause import paused
from ..script.bare_trees import bare
from ..script.module_statements import Statement, first_line_of, name_of, statements_of
from ..script.source_map import SourceMap, lines_of, original_text, texts_of_tree
from ..script.target_lines import target_definitions

COMPARED: tuple[DefinitionKind, ...] = ("function", "method", "class", "variable", "statement")

Nodes = tuple[ast.stmt, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A definition of the repository compared with the slice's version."""

    path: str
    qualname: str
    line: int
    """First line in the repository, decorators included."""
    is_equal: bool
    """Whether the trees are equal; for a class without its pruned members."""
    is_equal_bare: bool
    """Whether the trees are equal without docstrings and annotations."""
    is_edited: bool
    """Whether the manifest lists an edit in it."""
    why: str = ""
    """The difference, in a few words; empty if there is none."""
    diff: str = ""
    """A unified diff from the repository's text to the slice's, if both exist."""

    def __str__(self) -> str:
        return f"{self.path}::{self.qualname} (line {self.line}): {self.why or 'same tree'}"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The verdicts on a slice."""

    targets: tuple[Comparison, ...]
    """Every definition of the targets, also several of one name."""
    definitions: tuple[Comparison, ...]
    """Every kept definition, the targets' included."""

    @property
    def ast_equal(self) -> bool:
        """Whether the targets equal the repository's; edits are no excuse."""
        return bool(self.targets) and all(c.is_equal for c in self.targets)

    @property
    def ast_equal_bare(self) -> bool:
        """Whether the targets equal the repository's without docstrings and annotations."""
        return bool(self.targets) and all(c.is_equal_bare for c in self.targets)

    @property
    def dependencies_equal(self) -> bool:
        """Whether all kept definitions equal the repository's, except for listed edits."""
        return all(c.is_equal or c.is_edited for c in self.definitions)

    @property
    def dependencies_equal_bare(self) -> bool:
        """Whether all kept definitions do so without docstrings and annotations."""
        return all(c.is_equal_bare or c.is_edited for c in self.definitions)

    @property
    def different(self) -> tuple[Comparison, ...]:
        """Return unlisted differences; for the targets all differences."""
        found = [c for c in self.targets if not c.is_equal]
        found += [c for c in self.definitions if not (c.is_equal or c.is_edited)]
        return tuple(dict.fromkeys(found))


def equivalence(folder: Path, sliced: Slice) -> Equivalence:
    """Compare a slice with the repository in a folder.

    Raises:
        SyntaxError: the slice does not parse.
        OSError: a file of the repository cannot be read.
    """
    manifest = sliced.manifest
    kept = [d for d in manifest.definitions if d.kind in COMPARED]
    with paused():
        find = _finder(sliced)
        return Equivalence(
            targets=tuple(c for t in manifest.targets for c in _targets(folder, find, manifest, t)),
            definitions=tuple(_compared(folder, find, manifest, definition) for definition in kept),
        )


def _targets(folder: Path, find: _Find, manifest: Manifest, target: Target) -> Iterator[Comparison]:
    """Yield comparisons of all definitions of a name, also those in branches."""
    text = original_text(folder / target.path)
    found = tuple(target_definitions(text, manifest, target))
    if not found:
        why = "the repository has no such name"
        yield Comparison(target.path, target.qualname, 0, False, False, False, why)
    for definition in found:
        yield _compared(folder, find, manifest, definition)


def _compared(folder: Path, find: _Find, manifest: Manifest, definition: Definition) -> Comparison:
    text = original_text(folder / definition.path)
    first, last = definition.first_line, definition.last_line
    original = statements_of(text).between(first, last)
    found = [_against(original, ours) for ours in find(definition, original)]
    found.sort(key=lambda verdict: (not verdict.is_equal, not verdict.is_equal_bare))
    verdict = found[0] if found else _Verdict((), "", False, False)
    why = diff = ""
    if not verdict.is_equal:
        why = _why(verdict, original)
        here = f"{definition.path}:{first}"
        diff = _diff(text, here, original, verdict) if verdict.ours else ""
    is_edited = any(e.path == definition.path and first <= e.line <= last for e in manifest.edits)
    equal, bare_too = verdict.is_equal, verdict.is_equal_bare
    return Comparison(
        definition.path, definition.qualname, first, equal, bare_too, is_edited, why, diff
    )


# ------------------------------------------------------------------------ what a slice holds

_Ours = tuple[Statement, ...]
_Find = Callable[[Definition, Sequence[Statement]], Iterator[tuple[str, _Ours]]]
"""Yields possible counterparts in the slice, with their text."""


def _finder(sliced: Slice) -> _Find:
    if layout_of(sliced.manifest).is_tree:
        return _ByName(texts_of_tree(sliced)).find
    return _ByLine(SourceMap.of(sliced.source, sliced.manifest)).find


@dataclass(frozen=True, slots=True)
class _ByLine:
    """Finds statements in a script by the line map."""

    source_map: SourceMap

    def find(
        self, definition: Definition, original: Sequence[Statement]
    ) -> Iterator[tuple[str, _Ours]]:
        start = self.source_map.start(definition.path, definition.first_line)
        if start is None or not original:
            return
        text, first = start
        statements = statements_of(text)
        end = self.source_map.start(definition.path, definition.last_line)
        ours = statements.between(first, end[1]) if end else ()
        pruned = statements.at.get(first)
        if not ours and pruned and isinstance(pruned.node, ast.ClassDef):
            ours = (pruned,)  # its last line was removed with its last member
        if ours and ours[0].inside == original[0].inside:
            yield text, ours


@dataclass(frozen=True, slots=True)
class _ByName:
    """Finds statements in a pruned tree, which has no line map, by place, name and kind."""

    texts: Mapping[str, str]

    def find(
        self, definition: Definition, original: Sequence[Statement]
    ) -> Iterator[tuple[str, _Ours]]:
        text = self.texts.get(definition.path)
        if text is None or not original:
            return
        count = len(original)
        here = statements_of(text).inside.get(original[0].inside, ())
        for at in range(len(here) - count + 1):
            ours = tuple(here[at : at + count])
            if [_sort(s.node) for s in ours] == [_sort(s.node) for s in original]:
                yield text, ours


def _sort(node: ast.stmt) -> tuple[str, str]:
    """Return kind and name: only statements with equal ones are compared."""
    return type(node).__name__, name_of(node)


# ------------------------------------------------------------------------ comparison


@dataclass(frozen=True, slots=True)
class _Verdict:
    ours: _Ours
    text: str
    is_equal: bool
    is_equal_bare: bool


def _against(original: Sequence[Statement], found: tuple[str, _Ours]) -> _Verdict:
    text, ours = found
    theirs, mine = _nodes(original), _nodes(ours)
    if _is_same(theirs, mine):
        return _Verdict(ours, text, True, True)
    return _Verdict(ours, text, False, _is_same(_bare(theirs), _bare(mine)))


def _nodes(statements: Sequence[Statement]) -> Nodes:
    return tuple(statement.node for statement in statements)


def _bare(nodes: Nodes) -> Nodes:
    return tuple(bare(node) for node in nodes)


def _is_same(theirs: Nodes, mine: Nodes) -> bool:
    return len(theirs) == len(mine) and all(map(_is_same_tree, theirs, mine))


def _is_same_tree(theirs: ast.stmt, mine: ast.stmt) -> bool:
    if _are_equal(theirs, mine):
        return True
    if not (isinstance(theirs, ast.ClassDef) and isinstance(mine, ast.ClassDef)):
        return False
    # Members may have been pruned: the rest stays in order, and each kept member is compared
    # separately as well.
    rest = iter(theirs.body)
    left = [member for member in mine.body if not isinstance(member, ast.Pass)]
    return _head(theirs) == _head(mine) and all(
        any(_are_equal(member, other) for other in rest) for member in left
    )


def _are_equal(theirs: ast.AST, mine: ast.AST) -> bool:
    """Whether two trees are equal but for positions; faster than comparing dumps."""
    pending: list[tuple[object, object]] = [(theirs, mine)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            pending += [(getattr(one, f, None), getattr(other, f, None)) for f in one._fields]
        elif isinstance(one, list) and isinstance(other, list):
            ours, others = cast("list[object]", one), cast("list[object]", other)
            if len(ours) != len(others):
                return False
            pending += zip(ours, others, strict=True)
        elif one != other:
            return False
    return True


def _head(node: ast.ClassDef) -> tuple[str, ...]:
    """Return a class without its body, for comparison."""
    parts = (*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", ()))
    return (node.name, *(ast.dump(part) for part in parts))


def _why(verdict: _Verdict, original: Sequence[Statement]) -> str:
    if not original:
        return "the repository has no such statement"
    if not verdict.ours:
        return "the slice does not hold it"
    if verdict.is_equal_bare:
        return "docstrings or annotations differ"
    return "the tree differs"


def _diff(text: str, place: str, original: Sequence[Statement], verdict: _Verdict) -> str:
    pruned = _pruned(original, verdict.ours)
    first = original[0].first
    theirs = [s for at, s in enumerate(_lines(text, original), first) if at not in pruned]
    mine = _lines(verdict.text, verdict.ours)
    if pruned:  # blank lines around removed members are ignored
        theirs, mine = [s for s in theirs if s.strip()], [s for s in mine if s.strip()]
    names = f"repository, {place}", f"slice, line {verdict.ours[0].first}"
    return "\n".join(difflib.unified_diff(theirs, mine, *names, lineterm=""))


def _lines(text: str, statements: Sequence[Statement]) -> Sequence[str]:
    return lines_of(text)[statements[0].first - 1 : statements[-1].last]


def _pruned(original: Sequence[Statement], ours: _Ours) -> set[int]:
    """Return the lines of class members that the slice lacks entirely."""
    theirs, mine = original[0].node, ours[0].node
    if not (isinstance(theirs, ast.ClassDef) and isinstance(mine, ast.ClassDef)):
        return set()
    left = {_subject(member) for member in mine.body}
    return {
        line
        for member in theirs.body
        if _subject(member) not in left
        for line in range(first_line_of(member), (member.end_lineno or member.lineno) + 1)
    }


def _subject(member: ast.stmt) -> tuple[str, str]:
    """Return the kind of a member and the names it binds."""
    targets = [getattr(member, "target", None), *getattr(member, "targets", [])]
    bound = [ast.dump(target) for target in targets if target is not None]
    return type(member).__name__, name_of(member) or ", ".join(bound)
