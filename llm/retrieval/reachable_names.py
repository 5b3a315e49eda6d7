"""Retrieval by what code can reach: names that the unfinished file imports, and what those use.

A function mostly uses what its file imports, in particular what nothing else in the file uses; and
what it uses, uses more. That needs no body: the scores spread from the names of the unfinished file
along imports, as in personalised PageRank (Jeh and Widom, 2003), and similarity of words decides
among what is as near.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...slicer.errors import SliceFuncError
from ...slicer.repo.module import Module
from ...slicer.repo.repository import Repository
from .chunks import Chunk
from .code_corpus import CodeCorpus
from .ranking import Query, Ranker, scaled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"[^\W\d]\w*")
_DEPTH = 6
"""Re-exports that are followed."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a way of reaching a chunk is worth; tuned on repositories of their own."""

    unused: float = 1.0
    """A name that the file imports and nothing in it uses yet."""
    drafted: float = 1.5
    """A name that a draft of the target uses."""
    mentioned: float = 0.7
    """A name that stands in the target's head or its docstring."""
    used: float = 0.5
    """Any other name that the file imports."""
    of_module: float = 0.6
    """Share of a module's score that its definitions have."""
    member: float = 0.7
    """Share of a class's score that its members have."""
    onward: float = 0.5
    """Share of a chunk's score that what it uses has."""
    words: float = 0.5
    """Weight of similarity beside reach."""
    steps: int = 2


@dataclass(frozen=True, slots=True)
class Hole:
    """An unfinished file."""

    path: str
    text: str
    """Its text, with a hole for the target's body."""
    head: str
    """The target's signature and docstring."""
    draft: str = ""
    """An attempt at the target."""


class NameGraph:
    """What the names in each chunk of a repository may mean."""

    def __init__(self, repository: Repository, corpus: CodeCorpus) -> None:
        """Take a repository, and its corpus."""
        self._repository = repository
        self._corpus = corpus
        self._bound: dict[str, Mapping[str, tuple[str, str]]] = {}
        self._unfinished: tuple[tuple[str, str], Mapping[str, tuple[str, str]]] = ("", ""), {}

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], list[int]]:
        """Chunks by path and qualified name."""
        found: dict[tuple[str, str], list[int]] = {}
        for number, each in enumerate(self._corpus.chunks):
            if each.kind != "block":
                found.setdefault((each.path, each.name), []).append(number)
        return found

    @cached_property
    def _by_file(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, each in enumerate(self._corpus.chunks):
            found.setdefault(each.path, []).append(number)
        return found

    @cached_property
    def _members(self) -> dict[tuple[str, str], list[int]]:
        """Chunks by path and the class that they are in."""
        found: dict[tuple[str, str], list[int]] = {}
        for number, each in enumerate(self._corpus.chunks):
            owner = each.name.rpartition(".")[0]
            if owner and each.kind != "block":
                found.setdefault((each.path, owner), []).append(number)
        return found

    def scores(self, hole: Hole, weights: Weights) -> NDArray[np.float32]:
        """Return for each chunk how near it is to what the unfinished file can name."""
        import numpy as np

        found = np.zeros(len(self._corpus.chunks), dtype=np.float32)
        for number, score in self._first(hole, weights):
            found[number] = max(found[number], score)
        front = {int(number) for number in np.flatnonzero(found)}
        for _ in range(weights.steps):
            front = self._spread(found, front, hole, weights)
        return found

    def _first(self, hole: Hole, weights: Weights) -> Iterator[tuple[int, float]]:
        mentioned, drafted = set(_WORD.findall(hole.head)), set(_WORD.findall(hole.draft))
        uses = _uses(hole.text)
        for name, (path, symbol) in self._names_of(hole.path, hole).items():
            score = weights.used if uses.get(name, 0) else weights.unused
            if name in mentioned:
                score = max(score, weights.mentioned)
            if name in drafted:
                score = max(score, weights.drafted)
            if symbol:
                for number in self._chunks_for(path, symbol):
                    yield number, score
                continue
            for number in self._by_file.get(path, ()):  # a module as a whole
                chunk = self._corpus.chunks[number]
                last = chunk.name.rpartition(".")[2] if chunk.kind != "block" else ""
                is_drafted = last in drafted and name in drafted
                yield number, weights.drafted if is_drafted else weights.of_module * score

    def _spread(
        self, found: NDArray[np.float32], front: set[int], hole: Hole, weights: Weights
    ) -> set[int]:
        """Pass scores on from some chunks; return those whose score has grown."""
        grown: set[int] = set()
        for number in sorted(front):
            chunk, score = self._corpus.chunks[number], float(found[number])
            onward = [(each, weights.onward) for each in self._used_by(chunk, hole)]
            if chunk.kind == "class":
                members = self._members.get((chunk.path, chunk.name), ())
                onward += [(each, weights.member) for each in members]
            for each, share in onward:
                if share * score > found[each]:
                    found[each] = share * score
                    grown.add(each)
        return grown

    def _used_by(self, chunk: Chunk, hole: Hole) -> Iterator[int]:
        names = self._names_of(chunk.path, hole)
        words = chunk.symbols
        for word in sorted(words & names.keys()):
            path, symbol = names[word]
            if symbol:
                yield from self._chunks_for(path, symbol)
        owner = chunk.name.rpartition(".")[0]
        for number in self._by_file.get(chunk.path, ()):
            other = self._corpus.chunks[number]
            last = other.name.rpartition(".")[2]
            is_sibling = other.name.rpartition(".")[0] in ("", owner)
            if last in words and is_sibling and other.kind != "block":
                yield number

    def _chunks_for(self, path: str, symbol: str) -> Iterator[int]:
        found = self._by_name.get((path, symbol))
        if found is not None:
            yield from found
            return
        for number in self._by_file.get(path, ()):  # a variable of the module
            chunk = self._corpus.chunks[number]
            if chunk.kind == "block" and not chunk.name and symbol in chunk.symbols:
                yield number
                return

    def _names_of(self, path: str, hole: Hole) -> Mapping[str, tuple[str, str]]:
        """Return what imported names of a file mean: a path and a symbol, empty for a module.

        Of the unfinished file only what it shows counts: its target may import more.
        """
        if path == hole.path:
            if self._unfinished[0] != (path, hole.text):
                found = dict(self._imported(path, hole.text))
                self._unfinished = (path, hole.text), found
            return self._unfinished[1]
        if path not in self._bound:
            self._bound[path] = dict(self._imported(path, None))
        return self._bound[path]

    def _imported(self, path: str, text: str | None) -> Iterator[tuple[str, tuple[str, str]]]:
        try:
            module = self._repository.module_at(path)
            tree = module.source.tree if text is None else ast.parse(text)
        except (SliceFuncError, OSError, SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    for alias in node.names:
                        found = self._module(alias.name, module)
                        if found is not None:
                            yield alias.asname or alias.name.partition(".")[0], (found, "")
                case ast.ImportFrom():
                    base = module.resolve_relative(node.level, node.module)
                    for alias in node.names if base else ():
                        meant = self._symbol(str(base), alias.name, module, _DEPTH)
                        if meant is not None:
                            yield alias.asname or alias.name, meant
                case _:
                    continue

    def _module(self, name: str, importer: Module) -> str | None:
        try:
            found = self._repository.find_module(name, importer)
        except SliceFuncError:
            return None
        return found.path if isinstance(found, Module) else None

    def _symbol(self, base: str, name: str, importer: Module, depth: int) -> tuple[str, str] | None:
        """Return the file that defines an imported name, through re-exports."""
        path = self._module(base, importer)
        inner = self._module(f"{base}.{name}", importer)
        if path is None:
            return (inner, "") if inner else None
        if (path, name) in self._by_name:
            return path, name
        try:
            module = self._repository.module_at(path)
            bindings = module.bindings
        except (SliceFuncError, OSError):
            return None
        for node in ast.walk(module.source.tree) if depth else ():
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (alias.asname or alias.name) == name or alias.name == "*":
                        onward = module.resolve_relative(node.level, node.module)
                        meant = name if alias.name == "*" else alias.name
                        if onward and (onward, meant) != (base, name):
                            found = self._symbol(onward, meant, module, depth - 1)
                            if found is not None:
                                return found
        if inner:
            return inner, ""
        return (path, name) if name in bindings else None


def _uses(text: str) -> dict[str, int]:
    """Return how often each name is read in a file."""
    found: dict[str, int] = {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found[node.id] = found.get(node.id, 0) + 1
    return found


def reachable(graph: NameGraph, hole: Hole, similar: Ranker, weights: Weights) -> Ranker:
    """Rank by reach from an unfinished file, and by similarity where reach is equal."""

    def rank(corpus: CodeCorpus, query: Query) -> NDArray[np.float32]:
        near, alike = graph.scores(hole, weights), scaled(similar(corpus, query))
        return (near + weights.words * alike).astype(near.dtype)

    return rank
