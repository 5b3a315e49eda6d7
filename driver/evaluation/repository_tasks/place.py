"""The repository of a task as an agent may read it: as it is at the start.

Of a class that is to be written, its copies have holes.
"""

from __future__ import annotations

import tempfile
import threading
import weakref
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from shutil import rmtree

from ....llm.agents import Passage
from ....llm.retrieval.code_corpus import CodeCorpus, corpus_of
from ....llm.retrieval.copy_holes import without_copies
from ....llm.retrieval.embedders import embedder_named
from ....llm.retrieval.index_store import IndexStore
from ....llm.retrieval.ranking import Query, best_chunks, bm25, dense, hybrid
from ....llm.retrieval.source_files import source_files
from ....llm.retrieval.target_guard import HiddenTarget, hidden_target
from ....llm.tools import CodeIndex
from ....llm.tools.code_index import index_of
from ....slicer import Repository
from ....verifier.execution.commands.sandboxed_command import copied
from ...settings.cache_folders import cache_folder
from ..agent_tools import call_tool
from ..options import EvaluationOptions
from ..repository_places import LAMBDA
from .grading import Grader, apply_edits
from .task_file import RepositoryTask
from .test_paths import is_test_file


@dataclass(slots=True, weakref_slot=True)
class StartPlace:
    """A copy of the files at the start, which is made when it is first read."""

    task: RepositoryTask
    grader: Grader
    options: EvaluationOptions
    _folder: Path | None = None
    _corpus: CodeCorpus | None = None
    _index: CodeIndex | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, query: str, count: int) -> list[Passage]:
        """Return the passages that fit a query best."""
        rankers = {"bm25": bm25, "dense": dense, "hybrid": hybrid(LAMBDA)}
        ranker = rankers.get(self.options.retriever, bm25)  # without a target nothing is reachable
        with self._lock:
            if self._corpus is None:
                store = IndexStore(cache_folder() / "retrieval")
                model = embedder_named(self.options.embedder)
                self._corpus = corpus_of(self._start(), model, store)
            found = best_chunks(self._corpus, Query(query), ranker, count)
        return [Passage(each.path, each.first, each.last, each.text) for each in found]

    def call_tool(self, name: str, arguments: str) -> str:
        """Return what a repository tool answers, or what is wrong with the call."""
        with self._lock:
            if self._index is None:
                self._index = index_of(Repository(self._start()))
            return call_tool(self._index, name, arguments)

    def _start(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="slice-func-start-"))
            weakref.finalize(self, rmtree, self._folder, ignore_errors=True)
            copied(self.grader.checkout(self.task).folder, self._folder)
            apply_edits(self._folder, self.task.start)
            if self.task.family == "class":  # its tests say what it does
                for path in list(source_files(self._folder)):
                    file = self._folder / path
                    if is_test_file(path):
                        file.unlink()
                        continue
                    text = file.read_bytes().decode("utf-8", "surrogateescape")
                    shown = shown_text(self.task, path, text)
                    if shown != text:
                        file.write_text(shown, "utf-8", "surrogateescape", newline="")
        return self._folder


def shown_text(task: RepositoryTask, path: str, text: str) -> str:
    """Return what may be shown of a file at the start: it has holes for copies of the class."""
    code = str(task.metadata.get("code", "")) if task.family == "class" else ""
    return without_copies(path, text, _target(task.path, task.name, code)) if code else text


@lru_cache(maxsize=8)
def _target(path: str, name: str, code: str) -> HiddenTarget:
    return hidden_target(path, 0, -1, name, code)  # no line of the start is its own


def open_place(task: RepositoryTask, grader: Grader, options: EvaluationOptions) -> StartPlace:
    """Return the repository of a task."""
    return StartPlace(task, grader, options)
