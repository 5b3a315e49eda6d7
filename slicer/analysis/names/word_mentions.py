"""Python files of a repository that mention a word, and calls of a name in those files.

A text search runs first, so that only files that can matter are parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from ...errors import SourceError
from ...repo.repository import Module, Repository
from ...repo.units import Unit
from ...repo.word_index import WordIndex
from ...syntax.nodes import children
from ..scopes.definitions import (
    ClassInfo,
    Scope,
    comprehension_scope,
    function_scope,
    module_class,
    module_scope,
    nested_class,
)

MAX_PARSED = 20
"""Maximum number of files mentioning a word that are parsed for a suggestion, in order of paths."""

_CALLED = re.compile(r"(?<!\bdef )(?<!\bclass )\b(\w+)[ \t]*\(")


@dataclass(frozen=True, slots=True)
class _Chain:
    """A node that opens a scope, with the enclosing ones."""

    node: ast.AST
    around: _Chain | None


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call somewhere in the repository."""

    module: Module
    unit: Unit
    call: ast.Call
    chain: _Chain | None

    @property
    def scope(self) -> Scope:
        """The scope in which the arguments are evaluated."""
        return _scope(self.module, self.unit, self.chain)


class Mentions:
    """The words of a repository's Python files, read on first use."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._words = WordIndex()
        self._calls: dict[tuple[str, int], dict[str, list[CallSite]]] = {}
        self._called: dict[str, dict[str, list[int]]] = {}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that are searched."""
        return tuple(self.repository.python_files())

    @cached_property
    def _index(self) -> WordIndex:
        for path in self.paths:
            with suppress(SourceError):
                self._words.add(path, self.repository.read_data(path))
        return self._words

    def files(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return the files that contain all of the words, sorted."""
        return self._index.files(words)

    def files_with_base(self, name: str) -> tuple[str, ...]:
        """Return the files with a class whose bases mention the name, sorted."""
        return self._index.files_with_base(name)

    def modules(self, paths: Iterable[str], limit: int | None = MAX_PARSED) -> Iterator[Module]:
        """Yield the first files as parsed modules; files that do not parse are skipped."""
        for path in islice(paths, limit):
            try:
                yield self.repository.module_at(path)
            except SourceError:
                continue

    def calls(self, name: str) -> Iterator[CallSite]:
        """Yield the calls of the name, or of an attribute with that name."""
        for module in self.modules(self.files([name])):
            for index in self._callers(module).get(name, ()):
                yield from self._calls_in(module, module.units[index]).get(name, ())

    def _callers(self, module: Module) -> dict[str, list[int]]:
        """Return name before a parenthesis → indices of the top-level statements with it."""
        table = self._called.get(module.path)
        if table is None:
            table = self._called[module.path] = {}
            lines = module.source.lines
            for unit in module.units:
                text = "".join(lines[unit.first - 1 : unit.last])
                for name in dict.fromkeys(_CALLED.findall(text)):
                    table.setdefault(name, []).append(unit.index)
        return table

    def _calls_in(self, module: Module, unit: Unit) -> dict[str, list[CallSite]]:
        key = (module.path, unit.index)
        table = self._calls.get(key)
        if table is None:
            table = self._calls[key] = {}
            for node in unit.nodes:
                for call, chain in _walk(node, None):
                    name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
                    if name and (call.args or call.keywords):
                        table.setdefault(name, []).append(CallSite(module, unit, call, chain))
        return table


def _walk(node: ast.AST, chain: _Chain | None) -> Iterator[tuple[ast.Call, _Chain | None]]:
    stack: list[tuple[ast.AST, _Chain | None]] = [(node, chain)]
    while stack:
        item, around = stack.pop()
        if isinstance(item, ast.Call):
            yield item, around
        inner = _Chain(item, around) if isinstance(item, _SCOPES) else around
        stack.extend(
            (child, inner)
            for child in reversed(children(item))
            if not isinstance(child, (ast.Name, ast.Constant))
        )


_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def _scope(module: Module, unit: Unit, chain: _Chain | None) -> Scope:
    if chain is None:
        return module_scope(module)
    parent = _scope(module, unit, chain.around)
    match chain.node:
        case ast.ClassDef() as node:
            if chain.around is None and unit.kind == "class":
                return module_class(module, unit, node).scope
            return nested_class(parent, unit, node).scope
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() as node:
            return function_scope(node, parent, parent.owner if parent.is_class else None)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() as node:
            return comprehension_scope(node, parent)
        case _:
            return parent


def top_classes(module: Module) -> Iterator[ClassInfo]:
    """Yield the classes at the top level of a module."""
    for unit in module.units:
        if unit.kind == "class":
            for node in unit.nodes:
                if isinstance(node, ast.ClassDef):
                    yield module_class(module, unit, node)
