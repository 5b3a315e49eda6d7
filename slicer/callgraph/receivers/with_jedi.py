"""Asks jedi, which infers backwards from the place that it is asked about."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ...repository import Repository
from ..open_calls import OpenCall
from .guard import installed_paths, standard_paths
from .model import Answer, in_order


class _Name(Protocol):
    """What we read of a `jedi.api.classes.Name`."""

    type: str
    name: str
    full_name: str | None
    line: int | None
    module_path: Path | None


class Jedi:
    """One `jedi.Script` for the file that is being asked about.

    Args:
        repository: whose calls it is asked about.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._jedi = import_module("jedi")
        self._settings: Any = import_module("jedi.settings")
        # the running interpreter; jedi imports extension modules, and these only from here
        self._environment: Any = import_module("jedi.api.environment").InterpreterEnvironment()
        self._environment.get_sys_path = standard_paths
        self._path = ""
        self._script: Any = None
        # its own cache of parsed files: none is read that another run has left, none stays
        self._cache = tempfile.TemporaryDirectory(prefix="slice-func-")
        self._before = self._settings.cache_directory, self._settings.auto_import_modules
        self._settings.cache_directory = self._cache.name
        self._settings.auto_import_modules = []

    def prepare(self) -> None:
        """Nothing: jedi reads what a question needs."""

    def ask(self, call: OpenCall) -> tuple[Answer, ...]:
        """The definitions that the call may mean."""
        if call.name is None:  # jedi is asked about names
            return ()
        if self._script is None or call.path != self._path:
            self._path, self._script = call.path, self._open(call.path)
        found: list[_Name] = self._script.infer(call.line, call.column)
        return in_order(map(self._answer, found))

    def forget(self) -> None:
        """The script remembers what it has inferred, so a new one is made."""
        self._script = None

    def close(self) -> None:
        """Put the settings back and remove the cache."""
        self._script = None
        self._settings.cache_directory, self._settings.auto_import_modules = self._before
        self._cache.cleanup()

    def _open(self, path: str) -> object:
        repository = self._repository
        roots = [str(repository.path / root) for root in repository.import_roots(path)]
        standard = set(standard_paths())
        others = [p for p in installed_paths(repository.path) if p not in standard]
        project = self._jedi.Project(
            repository.path, added_sys_path=[*roots, *others], smart_sys_path=False
        )
        return self._jedi.Script(
            repository.source(path).text,
            path=repository.path / path,
            environment=self._environment,
            project=project,
        )

    def _answer(self, name: _Name) -> Answer | None:
        what, file = name.type, name.module_path
        if what not in ("function", "class", "instance"):
            return None
        if file is None or file.suffix != ".py" or not file.is_relative_to(self._repository.path):
            return Answer(None, 0, name.full_name or name.name, what)
        path = file.relative_to(self._repository.path).as_posix()
        return Answer(path, name.line or 0, name.name, what)
