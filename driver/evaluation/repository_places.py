"""The repository of an environment as an agent may read it: without the target and its copies."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...llm.agents.contract import Passage
from ...llm.retrieval.code_corpus import CodeCorpus, corpus_of
from ...llm.retrieval.copy_holes import without_copies
from ...llm.retrieval.embedders import Embedder, embedder_named
from ...llm.retrieval.index_store import IndexStore
from ...llm.retrieval.ranking import Query, Ranker, best_chunks, bm25, dense, hybrid
from ...llm.retrieval.reachable_names import Hole, NameGraph, Weights, reachable
from ...llm.retrieval.source_files import source_files
from ...llm.retrieval.target_guard import HiddenTarget, hidden_target
from ...llm.tools import REPOSITORY_TOOLS, CodeIndex, openai_schema
from ...llm.tools.code_index import index_of
from ...slicer import Repository
from ...slicer.errors import OptionError, SliceFuncError
from ..datasets.building.checkouts import Checkout, open_checkout
from ..datasets.building.plan import RepositoryPlan
from ..datasets.storage.columns import EnvironmentRow
from ..datasets.storage.dataset import Dataset
from ..settings.cache_folders import cache_folder
from .agent_tools import call_tool
from .dependency_context import dependency_context

_KEPT = 2
"""Repositories that stay open."""
LAMBDA = 0.3
"""Weight of vectors in the hybrid ranking, tuned on repositories of their own."""
RETRIEVERS = ("reachable", "bm25", "dense", "hybrid")
TOOL_SCHEMAS: tuple[dict[str, Any], ...] = tuple(map(openai_schema, REPOSITORY_TOOLS))


@dataclass(slots=True)
class _Opened:
    """A repository at its commit, as it is."""

    checkout: Checkout
    repository: Repository
    corpus: CodeCorpus
    graph: NameGraph
    index: CodeIndex | None = None
    """The index of the last environment: files that are the same keep their records."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(slots=True)
class RepositoryPlace:
    """The repository around one environment."""

    target: HiddenTarget
    hole: Hole
    opened: _Opened
    retriever: str
    _index: CodeIndex | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def dependencies(self, row: EnvironmentRow) -> str:
        """Return R2E's context (Jain et al., 2024): whole top-level statements, the target's last.

        They are those that the target needs, directly or not, each below its file's path; of the
        target's file too, where the target has a hole.

        Raises:
            SliceFuncError: there is no slice of the target.
        """
        with self.opened.lock:
            return dependency_context(
                self.opened.repository,
                f"{row.path}::{row.qualname}",
                self.hole.text,
                self._shown,
            )

    def search(self, query: str, count: int) -> list[Passage]:
        """Return the passages of other files that fit a query best."""
        draft = query.removeprefix(self.hole.head)
        hole = Hole(self.hole.path, self.hole.text, self.hole.head, draft)
        ranker = self._ranker(hole)
        asked = Query(f"{self.hole.path}\n{query}", self.target, other_files=True)
        with self._lock:
            found = best_chunks(self.opened.corpus, asked, ranker, count)
        return [Passage(each.path, each.first, each.last, each.text) for each in found]

    def call_tool(self, name: str, arguments: str) -> str:
        """Return what a repository tool answers, or what is wrong with the call."""
        with self._lock:
            if self._index is None:
                self._index = self._overlaid()
            return call_tool(self._index, name, arguments)

    def _ranker(self, hole: Hole) -> Ranker:
        match self.retriever:
            case "bm25":
                return bm25
            case "dense":
                return dense
            case "hybrid":
                return hybrid(LAMBDA)
            case _:
                return reachable(self.opened.graph, hole, bm25, Weights())

    def _overlaid(self) -> CodeIndex:
        """Return an index of the repository's code with a hole for the target and its copies."""
        folder = Path(tempfile.mkdtemp(prefix="overlay-", dir=_overlays()))
        base = self.opened.repository.path
        changed = {self.hole.path: self.hole.text, **dict(self._without_copies())}
        for path in source_files(base):
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if path in changed:
                file.write_text(changed[path], "utf-8", "surrogateescape", newline="")
            else:
                _linked(base / path, file)
        with self.opened.lock:
            found = index_of(Repository(folder), self.opened.index)
            self.opened.index = found
        weakref.finalize(found, shutil.rmtree, folder, ignore_errors=True)
        return found

    def _without_copies(self) -> Iterator[tuple[str, str]]:
        """Yield other files that hold a copy of the target, with a hole in its place."""
        chunks = self.opened.corpus.chunks
        for path in sorted({each.path for each in chunks if self.target.is_in(each)}):
            if path != self.target.path:
                text = (self.opened.repository.path / path).read_bytes()
                yield path, self._shown(path, text.decode("utf-8", "surrogateescape"))

    def _shown(self, path: str, text: str) -> str:
        return without_copies(path, text, self.target)


@dataclass(slots=True)
class RepositoryPlaces:
    """Opens the repositories of a dataset; few stay open."""

    dataset: Dataset
    retriever: str = "reachable"
    embedder: str = "hashed"
    make: Callable[[RepositoryPlan], Checkout] = open_checkout
    _plans: dict[str, RepositoryPlan] = field(default_factory=dict[str, RepositoryPlan])
    _open: OrderedDict[str, _Opened] = field(default_factory=OrderedDict[str, _Opened])
    _model: Embedder | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def place(self, row: EnvironmentRow, file_with_hole: str, head: str) -> RepositoryPlace:
        """Return the repository around an environment.

        Args:
            row: the environment.
            file_with_hole: text of the target's file with the hole, and without its copies.
            head: signature and docstring of the target.

        Raises:
            SliceFuncError: the repository cannot be had.
        """
        with self._lock:
            opened = self._opened(row)
        first = _line_of(opened.repository, row)
        last = first + row.code.strip("\n").count("\n")
        name = row.qualname.rpartition(".")[2]
        target = hidden_target(row.path, first, last, name, row.code)
        return RepositoryPlace(target, Hole(row.path, file_with_hole, head), opened, self.retriever)

    def _opened(self, row: EnvironmentRow) -> _Opened:
        known = self._open.get(row.repo)
        if known is not None:
            self._open.move_to_end(row.repo)
            return known
        if self._model is None:
            self._model = embedder_named(self.embedder)
        checkout = self.make(self._plan(row))
        store = IndexStore(cache_folder() / "retrieval")
        repository = Repository(checkout.folder)
        corpus = corpus_of(checkout.folder, self._model, store)
        found = _Opened(checkout, repository, corpus, NameGraph(repository, corpus))
        self._open[row.repo] = found
        while len(self._open) > _KEPT:
            self._open.popitem(last=False)[1].checkout.close()
        return found

    def _plan(self, row: EnvironmentRow) -> RepositoryPlan:
        if not self._plans:
            self._plans = {
                each.repo: RepositoryPlan(each.repo, each.source, each.commit)
                for each in self.dataset.repositories()
            }
        plan = self._plans.get(row.repo)
        if plan is None:
            raise OptionError(
                f"{row.repo}: the dataset does not say where it is from",
                "use a dataset that slice-func build has written, or a context without repository",
            )
        return RepositoryPlan(plan.repo, plan.source, row.commit or plan.commit)


def _line_of(repository: Repository, row: EnvironmentRow) -> int:
    """Return the first line of an environment's original in its repository's file.

    Raises:
        OptionError: the file has another text.
    """
    with suppress(SliceFuncError):
        text = repository.text(row.path)
        start = text.find(row.code.strip("\n"))
        if start >= 0:
            return text.count("\n", 0, start) + 1
    raise OptionError(
        f"{row.repo}: {row.path} does not hold {row.qualname} as the dataset has it",
        "use the commit of the dataset",
    )


def _overlays() -> Path:
    folder = cache_folder() / "overlays"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _linked(source: Path, file: Path) -> None:
    """Make the file another name of the source, or a copy where that cannot be."""
    try:
        os.link(source, file)
    except OSError:
        shutil.copy2(source, file)
