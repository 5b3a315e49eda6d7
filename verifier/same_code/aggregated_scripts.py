"""Compare a script assembled by somebody else with what a slice keeps.

A model that writes one script with a function and its dependencies may alter the function, rewrite
dependencies, or leave them out. A slice knows the dependencies, so each of its definitions is
looked up in the script by qualified name and compared by syntax tree.

The place of a definition does not count: neither its file, its order, a branch around it, nor a
class that stands for its module by name. Neither do comments, layout, quotes, parentheses, the
spelling of numbers, a `u` prefix, and a redundant `pass`. Differences in docstrings, annotations,
decorators, parameters and bases are reported separately. Imports are not compared, since the script
has its own layout, nor are statements that bind no name. A class is compared without its body: kept
members have verdicts of their own, and others do not count.

Among several definitions of one name, each of the slice's is matched with the most similar one, and
two equal ones may share one. What the script rebinds later is no longer the repository's.
"""

from __future__ import annotations

import ast
import copy
import difflib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from ...slicer.model import Slice
from ..script.kept_statements import KeptStatement, flat, kept_statements, names_bound
from ..script.module_statements import (
    DEFINITION,
    FUNCTION,
    first_line_of,
    is_overload,
    statements_of,
)
from .definition_differences import (
    Difference,
    decorators_of,
    differences_between,
    lists_differ,
    quoted_source,
    source_of,
)

Kind = Literal[
    "same", "docstring", "annotations", "decorators", "bases", "signature", "altered", "missing"
]
"""From the least to the most serious. `docstring` and the next four: only that part differs, and
perhaps earlier ones; `altered`: the body, or a bound value."""
Sort = Literal["function", "class", "method", "variable", "statement"]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""All kinds, in this order."""
SUBSTANCE: frozenset[Kind] = frozenset({"bases", "signature", "altered", "missing"})
"""Kinds that may change behaviour. Decorators may, too, and are counted separately."""

_IMPORT = (ast.Import, ast.ImportFrom)
_COMPOUND = (
    *(ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith),
    *(ast.For, ast.AsyncFor, ast.While, ast.Match),
)


@dataclass(frozen=True, slots=True)
class ComparedDefinition:
    """A definition that the slice keeps, and its verdict."""

    path: str
    qualname: str
    """Qualified name; for a statement that binds several all of them, as `Class.a, b`."""
    sort: Sort
    line: int
    """First line in the repository, decorators included."""
    kind: Kind
    script_line: int = 0
    """First line in the script; 0 if missing."""
    differences: tuple[Difference, ...] = ()
    """One difference for each part that differs, the body's last."""
    why: str = ""
    """Replacement of a missing definition, if any."""
    lost_bases: tuple[str, ...] = ()
    missing_members: tuple[str, ...] = ()
    """For a class: kept members that the script lacks."""
    altered_members: tuple[str, ...] = ()
    """For a class: kept members that differ."""
    added: tuple[str, ...] = ()
    """Names that only the script's class binds; this is no alteration."""

    @property
    def detail(self) -> str:
        """Return the most serious difference in one line; empty if nothing differs."""
        if self.kind == "missing":
            return self.why
        return next((str(d) for d in self.differences if d.part == self.kind), "")

    def __str__(self) -> str:
        result = f"missing: {self.why}" if self.kind == "missing" else self.detail or "same"
        return f"{self.path}::{self.qualname} (line {self.line}): {result}"


@dataclass(frozen=True, slots=True)
class AggregatedVerdicts:
    """The verdicts on a script."""

    targets: tuple[ComparedDefinition, ...]
    """Every definition of the targets; for a class, its members too."""
    dependencies: tuple[ComparedDefinition, ...]
    """All other kept definitions, without imports."""
    error: str = ""
    """Why the script cannot be read; it then counts as empty."""

    @property
    def target(self) -> Kind:
        """Return the verdict on the target: the most serious one of its definitions."""
        found: list[Kind] = [each.kind for each in self.targets if each.kind != "missing"]
        if not found:
            return "missing"
        return max(found, key=KINDS.index) if len(found) == len(self.targets) else "altered"

    @property
    def different(self) -> tuple[ComparedDefinition, ...]:
        """Return all definitions that differ, the targets first."""
        return tuple(c for c in (*self.targets, *self.dependencies) if c.kind != "same")


def compared(folder: Path, sliced: Slice, script: str) -> AggregatedVerdicts:
    """Compare a script with what a slice keeps of the repository in a folder.

    Args:
        folder: The repository, as it was sliced.
        sliced: What the script should hold.
        script: The text that somebody else has put together; it is only read.

    Raises:
        OSError: a file of the repository cannot be read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escape sequences
        kept = tuple(kept_statements(folder, sliced.manifest))
        try:
            body = statements_of(script).body
            return _verdicts(_matches(kept, body), _Script.of(body))
        except SyntaxError as error:
            why = f"line {error.lineno}: {error.msg}"
        except (ValueError, RecursionError, MemoryError) as error:
            why = f"{type(error).__name__}: {error}"
        nowhere = [_missing(each) for each in kept]
        return replace(_verdicts(nowhere, _Script.of([])), error=why)


# ------------------------------------------------------------------------ what belongs together


@dataclass(frozen=True, slots=True)
class _Match:
    """A kept statement and its match in the script."""

    kept: KeptStatement
    node: ast.stmt | None = None
    differences: tuple[Difference, ...] = ()
    members: tuple[_Match, ...] = ()

    @property
    def kind(self) -> Kind:
        if self.node is None:
            return "missing"
        kinds: list[Kind] = ["same", *(each.part for each in self.differences)]
        return max(kinds, key=KINDS.index)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs, including the members."""
        return self.kind == "same" and all(each.is_same for each in self.members)


def _missing(kept: KeptStatement) -> _Match:
    """Return the match of a statement that is missing with its body."""
    return _Match(kept, members=tuple(_missing(each) for each in kept.members))


@dataclass(frozen=True, slots=True)
class _Place:
    """A statement of the script that may match a kept one."""

    node: ast.stmt
    names: frozenset[str]
    module: str = ""
    """The class around it that stands for a module, if any."""

    def may_be(self, kept: KeptStatement) -> bool:
        """Whether it binds one of the names at a permitted place."""
        is_branch = isinstance(self.node, _COMPOUND) and not isinstance(kept.node, _COMPOUND)
        is_there = self.module in {"", kept.module} and not self.names.isdisjoint(kept.names)
        return is_there and not is_branch and not isinstance(self.node, _IMPORT)


def _places(body: Sequence[ast.stmt], modules: AbstractSet[str]) -> Iterator[_Place]:
    for node in flat(body):
        yield _Place(node, names_bound(node))
        if isinstance(node, ast.ClassDef) and node.name in modules:
            for inner in flat(node.body):
                yield _Place(_freed(inner), names_bound(inner), node.name)


def _freed(node: ast.stmt) -> ast.stmt:
    """Return a static method without its decorator, so that it compares like a plain function."""
    if not isinstance(node, FUNCTION):
        return node
    free = copy.copy(node)
    free.decorator_list = [
        each for each in node.decorator_list if source_of(each) != "staticmethod"
    ]
    return free


def _matches(kept: Sequence[KeptStatement], body: Sequence[ast.stmt]) -> tuple[_Match, ...]:
    """Return the best match for each kept statement in a body."""
    there = tuple(_places(body, {each.module for each in kept if not each.prefix}))
    pairs = [
        (at, where, _paired(each, place.node))
        for at, each in enumerate(kept)
        for where, place in enumerate(there)
        if place.may_be(each)
    ]
    pairs.sort(key=lambda pair: (_rank(pair[2]), pair[0], pair[1]))
    chosen: dict[int, tuple[_Match, _Place]] = {}
    taken: set[int] = set()
    for at, where, match in pairs:
        # A text that two files share may match both; any other match counts once.
        if match.is_same or (at not in chosen and where not in taken):
            chosen.setdefault(at, (match, there[where]))
            taken.add(where)
    matched = {id(inner) for where in taken for inner in ast.walk(there[where].node)}
    others = [p for p in there if id(p.node) not in matched and not isinstance(p.node, _COMPOUND)]
    found = [match for match, _ in chosen.values()]
    return tuple(
        _bound_again(*chosen[at], others) if at in chosen else _left(each, found)
        for at, each in enumerate(kept)
    )


def _left(kept: KeptStatement, chosen: Iterable[_Match]) -> _Match:
    """Return the result for an unmatched statement; a missing overload is only an annotation."""
    if is_overload(kept.node):
        for match in chosen:
            if match.node is not None and match.kept.names == kept.names:
                difference = Difference("annotations", match.node.lineno, "an overload is gone")
                return _Match(kept, match.node, (difference,))
    return _missing(kept)


def _paired(kept: KeptStatement, node: ast.stmt) -> _Match:
    if isinstance(kept.node, ast.ClassDef) and isinstance(node, ast.ClassDef):
        members = _matches(kept.members, node.body)
    else:
        members = tuple(_missing(each) for each in kept.members)
    return _Match(kept, node, tuple(differences_between(kept.node, node)), members)


def _rank(match: _Match) -> tuple[int, int, bool, float]:
    """Return a sort key that is smaller for more similar matches."""
    assert match.node is not None
    grave = KINDS.index(match.kind)
    if not grave and match.is_same:
        return 0, 0, False, 0.0
    kept, node = match.kept.node, match.node
    members = sum(not each.is_same for each in match.members)
    role = lists_differ(decorators_of(kept), decorators_of(node))
    words = difflib.SequenceMatcher(None, source_of(kept).split(), source_of(node).split())
    return grave, members, role, -words.quick_ratio()


def _bound_again(match: _Match, place: _Place, others: Sequence[_Place]) -> _Match:
    """Return the match, with later rebindings of the name added as differences."""
    last = place.node.end_lineno or place.node.lineno
    for other in others:
        node, names = other.node, other.names.intersection(match.kept.names)
        is_later = node.lineno > last and other.module == place.module
        if names and is_later and not (_accompanies(node) or _brings(node, match.kept.module)):
            detail = f"{', '.join(sorted(names))} is bound again: {quoted_source(node)}"
            again = Difference("altered", node.lineno, detail)
            return replace(match, differences=(*match.differences, again))
    return match


def _brings(node: ast.stmt, module: str) -> bool:
    """Whether a statement imports from the definition's own module."""
    return isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == module


def _accompanies(node: ast.stmt) -> bool:
    """Whether a function accompanies another one: a property's setter, an overload."""
    return isinstance(node, FUNCTION) and (
        is_overload(node)
        or any(
            isinstance(part, ast.Name) and part.id == node.name
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        )
    )


# ------------------------------------------------------------------------ what is told


@dataclass(frozen=True, slots=True)
class _Script:
    """The uses of names in a script, besides their definitions at the expected place."""

    imports: Mapping[str, int]
    """Lines of imports by name."""
    anywhere: Mapping[str, int]
    """Lines of all functions and classes by name, anywhere."""
    patches: Mapping[str, ast.stmt]
    """Assignments to class attributes from outside, by qualified name."""

    @classmethod
    def of(cls, body: Sequence[ast.stmt]) -> _Script:
        """Read a script's statements."""
        imports: dict[str, int] = {}
        patches: dict[str, ast.stmt] = {}
        for node in flat(body):
            if isinstance(node, _IMPORT):
                imports |= dict.fromkeys(names_bound(node), node.lineno)
            elif isinstance(node, ast.Assign):
                dotted = [t for t in node.targets if isinstance(t, ast.Attribute)]
                patches |= dict.fromkeys(map(source_of, dotted), node)
        nodes = [inner for each in body for inner in ast.walk(each)]
        anywhere = {n.name: n.lineno for n in nodes if isinstance(n, DEFINITION)}
        return cls(imports, anywhere, patches)

    def why_missing(self, kept: KeptStatement) -> str:
        """Return what the script has in place of a missing definition."""
        for name in () if kept.prefix else kept.names:
            if name in self.imports:
                return f"the script imports it on line {self.imports[name]}"
            if name in self.anywhere:
                return f"the name stands elsewhere, on line {self.anywhere[name]}"
        return "the script does not define it"

    def patched(self, match: _Match) -> _Match:
        """Return the match, with later patches by the script added."""
        node = self.patches.get(match.kept.qualname) if match.node else None
        if node is None:
            return match
        patch = Difference("altered", node.lineno, f"replaced from outside: {quoted_source(node)}")
        return replace(match, differences=(*match.differences, patch))


def _verdicts(found: Iterable[_Match], script: _Script) -> AggregatedVerdicts:
    targets: list[ComparedDefinition] = []
    dependencies: list[ComparedDefinition] = []
    pending = list(found)[::-1]
    while pending:
        match = script.patched(pending.pop())
        members = [script.patched(each) for each in match.members]
        verdict = _verdict(match, members, script)
        (targets if match.kept.is_target else dependencies).append(verdict)
        pending += reversed(match.members)
    return AggregatedVerdicts(tuple(targets), tuple(dependencies))


def _verdict(match: _Match, members: Sequence[_Match], script: _Script) -> ComparedDefinition:
    kept, node = match.kept, match.node
    verdict = ComparedDefinition(
        kept.path, kept.qualname, _sort(kept), first_line_of(kept.node), match.kind,
        missing_members=tuple(m.kept.qualname for m in members if m.node is None),
        altered_members=tuple(m.kept.qualname for m in members if m.node and not m.is_same),
    )  # fmt: skip
    if node is None:
        return replace(verdict, why=script.why_missing(kept))
    verdict = replace(verdict, script_line=first_line_of(node), differences=match.differences)
    if not (isinstance(kept.node, ast.ClassDef) and isinstance(node, ast.ClassDef)):
        return verdict
    lost = _last_names(kept.node.bases).difference(_last_names(node.bases))
    added = _bound_in(node) - _bound_in(kept.node)
    return replace(verdict, lost_bases=tuple(sorted(lost)), added=tuple(sorted(added)))


def _sort(kept: KeptStatement) -> Sort:
    if isinstance(kept.node, FUNCTION):
        return "method" if kept.prefix else "function"
    if isinstance(kept.node, ast.ClassDef):
        return "class"
    return "statement" if isinstance(kept.node, _COMPOUND) else "variable"


def _last_names(bases: Sequence[ast.expr]) -> frozenset[str]:
    """Return names of bases without the modules before them."""
    return frozenset(source_of(base).partition("[")[0].rpartition(".")[2] for base in bases)


def _bound_in(node: ast.ClassDef) -> frozenset[str]:
    return frozenset(name for each in flat(node.body) for name in names_bound(each))
