"""The repository that the tools read, as it is at each call, and the environments made of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ....llm.tools import CodeIndex, ToolInputError
from ....llm.tools.code_index import index_of, stamp_of, target_named
from ....slicer import Repository, SliceFuncError
from ....slicer.model import Target
from ...batch.worker import Work
from ...record.environment_files import RECORD, Environment, read_environment
from ...settings.options import Options, Verification

if TYPE_CHECKING:
    from ....slicer.graph import CallGraph
    from ....slicer.model import Slice
    from ....verifier.execution.executors.choose_executor import Choice
    from ...batch.entries import Entry

_LOST = frozenset({"out_of_time", "worker_died"})
"""Reasons that another try may not have."""
SECONDS = 120
"""Default time limit for the environment of one function."""


@dataclass(frozen=True, slots=True)
class WorkspaceOptions:
    """What is fixed when the tools are served."""

    repository: str
    environments: Path
    """Folder in which environments are kept."""
    roots: tuple[str, ...] = ()
    """Extra import roots."""
    executor: str | None = None
    """Name of the executor; by default the first sandbox that works here."""
    installs: bool = True
    """Whether what scripts import is installed."""
    report: Callable[[str], None] = lambda _line: None
    """Receives messages for people, line by line."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an environment must reach, in per cent, and the time that it may take."""

    branches: int = 80
    killed: int = 80
    unseen: int = 80
    seconds: int = SECONDS


class _State:
    """One state of the repository's files, with what is computed from it when it is needed."""

    def __init__(self, repository: Repository, former: CodeIndex | None) -> None:
        self.repository = repository
        self._former = former
        self.slices: dict[tuple[str, Options], Slice] = {}

    @cached_property
    def index(self) -> CodeIndex:
        found = index_of(self.repository, self._former)
        self._former = None
        return found

    @property
    def latest_index(self) -> CodeIndex | None:
        """The index if it was needed, else that of an earlier state."""
        return self.__dict__.get("index", self._former)

    @cached_property
    def graph(self) -> CallGraph:
        from ....slicer.graph import call_graph

        return call_graph(self.repository)


class Workspace:
    """A repository for tools. Its files may change between calls; each call sees their new state.

    Short calls take turns, and so do long ones; a short call does not wait for a long one.
    """

    def __init__(self, options: WorkspaceOptions) -> None:
        """Open the repository.

        Raises:
            SliceFuncError: it is no folder, or a root does not lie in it.
        """
        self.options = options
        self._state = _State(self._opened(), None)
        self._stamp = _stamp_of(self._state.repository)
        self._built: dict[tuple[Target, Thresholds], Entry] = {}
        self._reading = threading.RLock()
        self._building = threading.Lock()

    def _opened(self) -> Repository:
        return Repository(self.options.repository, roots=self.options.roots)

    @contextmanager
    def turn(self) -> Generator[None]:
        """Wait for other calls that read the repository; look whether its files have changed."""
        with self._reading:
            repository = self._opened()
            stamp = _stamp_of(repository)
            if stamp != self._stamp:
                self._state = _State(repository, self._state.latest_index)
                self._stamp = stamp
                self._built.clear()
            yield

    @property
    def repository(self) -> Repository:
        """The repository, in its present state."""
        return self._state.repository

    @property
    def index(self) -> CodeIndex:
        """The index of its code."""
        return self._state.index

    @property
    def graph(self) -> CallGraph:
        """Its call graph and dependency graph."""
        return self._state.graph

    def target(self, name: str) -> Target:
        """Return the target that a name means: `path::qualname`, or a name that is unique.

        Raises:
            SliceFuncError: there is none, or several.
        """
        given = name.strip()
        path, mark, qualname = given.partition("::")
        if mark and path and qualname:
            return Target(self.repository.normal_path(path), qualname)
        return target_named(self.index, given)

    def sliced(self, name: str, options: Options) -> Slice:
        """Return the slice of a function, method or class.

        Raises:
            SliceFuncError: it cannot be sliced.
        """
        from ...pipeline.passes import compile_slice

        key = (str(self.target(name)), options)
        found = self._state.slices.get(key)
        if found is None:
            found = self._state.slices[key] = compile_slice(self.repository, [key[0]], options)
        return found

    # ------------------------------------------------------------------ environments

    def built(self, name: str, thresholds: Thresholds) -> Entry:
        """Return the outcome of making an environment of a function, in a process of its own.

        An accepted environment is kept in the folder of environments.

        Raises:
            SliceFuncError: there is no such function, or no sandbox.
        """
        from ...batch.worker_processes import entries_in_processes

        with self.turn():
            target = self.target(name)
            self._check_function(target)
            known = self._built.get((target, thresholds))
        if known is not None:
            return known
        with self._building:
            work = replace(self._work, verification=self._verification(thresholds))
            (entry,) = entries_in_processes(work, [target], jobs=1, seconds=thresholds.seconds)
        if not _LOST.intersection(each.code for each in entry.reasons):
            self._built[target, thresholds] = entry
        return entry

    def _check_function(self, target: Target) -> None:
        """Refuse what is no function, before a process is started for it.

        Raises:
            SliceFuncError: it is none.
        """
        from ...pipeline.accepted_targets import require_function

        require_function(self.repository.path, self.sliced(str(target), Options()))

    @cached_property
    def _work(self) -> Work:
        return Work(
            self.options.repository,
            self.options.roots,
            Options(),
            environments=str(self.options.environments),
            choice=self.choice,
            records_all=False,
        )

    @cached_property
    def choice(self) -> Choice:
        """The sandbox that works here."""
        from ....verifier.execution.executors.choose_executor import choose

        found = choose(wanted=self.options.executor)
        for line in found.lines():
            self.options.report(line)
        return found

    def _verification(self, thresholds: Thresholds) -> Verification:
        return Verification(
            test=True,
            min_branches=thresholds.branches,
            min_killed=thresholds.killed,
            min_unseen=thresholds.unseen,
            installs=self.options.installs,
            executor=self.options.executor,
        )

    def environments(self) -> dict[str, Path]:
        """Return the folders of the kept environments, by their targets as `path::qualname`."""
        places = sorted(self.options.environments.rglob(RECORD))
        return {name: place.parent for place in places if (name := _target_in(place))}

    def environment(self, name: str) -> tuple[Path, Environment]:
        """Return a kept environment, and its folder.

        Raises:
            ToolInputError: there is none of that name.
            EnvironmentRecordError: it was changed.
        """
        known = self.environments()
        folder = known.get(name.strip())
        if folder is None:
            near = [each for each in known if each.rpartition("::")[2] == name.strip()]
            if len(near) == 1:
                folder = known[near[0]]
        if folder is None:
            names = ", ".join(known)
            advice = f"there are {names}" if names else "make one with make_environment"
            raise ToolInputError(f"there is no environment {name}", advice)
        return folder, read_environment(folder)


def _target_in(record: Path) -> str:
    """Return the target that a record names; empty for a file that is no record."""
    try:
        environment = read_environment(record.parent)
    except SliceFuncError:
        return ""
    target = environment.record["target"]
    return f"{target['path']}::{target['qualname']}"


def _stamp_of(repository: Repository) -> Sequence[object]:
    """Return what tells one state of the repository's files from another."""
    found: list[object] = []
    top = (name for name in repository.listing("") if not name.endswith(("/", ".py")))
    for path in (*sorted(top), *repository.python_files()):
        try:
            found.append((path, stamp_of(repository, path)))
        except OSError:
            continue
    return found
