"""Query jedi, which infers backwards from a source position."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self

from ...repo.repository import Repository
from ..open_calls import OpenCall
from .import_guard import installed_paths, standard_paths
from .receiver_answers import Answer


class _Name(Protocol):
    """The attributes of a `jedi.api.classes.Name` that are used here."""

    type: str
    name: str
    full_name: str | None
    line: int | None
    module_path: Path | None


class Jedi:
    """Queries jedi with a new `jedi.Script` for each call; a context manager.

    A script memoises what it has inferred, sometimes incompletely: of all parameters that are
    pytest fixtures it knows only the first (0.20). With new scripts no answer depends on earlier
    queries; parsed files are shared.

    Args:
        repository: the repository whose calls are queried.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._jedi = import_module("jedi")
        self._settings: Any = import_module("jedi.settings")
        # the running interpreter: jedi imports extension modules from it only
        self._environment: Any = import_module("jedi.api.environment").InterpreterEnvironment()
        self._environment.get_sys_path = standard_paths
        self._projects: dict[tuple[str, ...], Any] = {}
        # a private cache of parsed files: none is shared with other runs, none stays
        self._cache = tempfile.TemporaryDirectory(prefix="slice-func-")
        self._before = self._settings.cache_directory, self._settings.auto_import_modules
        self._settings.cache_directory = self._cache.name
        self._settings.auto_import_modules = []

    def __enter__(self) -> Self:
        return self

    def definitions_of_call(self, call: OpenCall) -> tuple[Answer, ...]:
        """Return the definitions that the call may run, sorted; empty if unknown."""
        if call.name is None:  # jedi can only be queried about names
            return ()
        script = self._jedi.Script(
            self._repository.source(call.path).text,
            path=self._repository.path / call.path,
            environment=self._environment,
            project=self._project(call.path),
        )
        found: list[_Name] = script.infer(call.line, call.column)
        answers = {answer for name in found if (answer := self._answer(name)) is not None}
        return tuple(sorted(answers, key=lambda a: (a.path or "", a.line, a.name, a.what)))

    def __exit__(self, *_: object) -> None:
        """Restore the settings and remove the cache."""
        self._settings.cache_directory, self._settings.auto_import_modules = self._before
        self._cache.cleanup()

    def _project(self, path: str) -> object:
        roots = self._repository.import_roots(path)
        known = self._projects.get(roots)
        if known is None:
            folders = [str(self._repository.path / root) for root in roots]
            standard = set(standard_paths())
            others = [p for p in installed_paths(self._repository.path) if p not in standard]
            known = self._projects[roots] = self._jedi.Project(
                self._repository.path, added_sys_path=[*folders, *others], smart_sys_path=False
            )
        return known

    def _answer(self, name: _Name) -> Answer | None:
        what, file = name.type, name.module_path
        if what not in ("function", "class", "instance"):
            return None
        if file is None or file.suffix != ".py" or not file.is_relative_to(self._repository.path):
            return Answer(None, 0, name.full_name or name.name, what)
        path = file.relative_to(self._repository.path).as_posix()
        return Answer(path, name.line or 0, name.name, what)
