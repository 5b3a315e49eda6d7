"""Imports of loaded modules that do not begin a line: whether a module has any, and what they load.

A text search answers the first part, so that few modules need to be parsed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from contextlib import suppress

from ...analysis.inference import Inference
from ...errors import SourceError
from ...repo.module_files import located, modules_in, roots_of
from ...repo.repository import Repository
from ...syntax.import_names import IMPORTS_BY_NAME, import_names
from ...syntax.import_time_code import called_in
from ...syntax.memo import memo
from .import_texts import imports_of, outline_of
from .run_imports import RunImport, run_imports

_AFTER_CODE = re.compile(r"[:;][ \t]*+(?:from|import)[ \t]")
"""An import that may share its line with code before it."""
_NOT_FIRST = re.compile(rf"^[ \t]++(?:from|import)[ \t]|{_AFTER_CODE.pattern}", re.M)
"""An import that does not begin a line."""
_ALL, _RUN = "*", "."
"""Stand for the whole module, and for its import-time code."""


class NestedImports:
    """Nested imports in one repository."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._repository = inference.repository

    def of(self, name: str, path: str) -> tuple[RunImport, ...]:
        """Return the modules that the statements import, other than by import statements."""
        return _imports_run(self._repository, name, path, self._inference)

    def loaded_by(self, name: str, path: str) -> Iterator[tuple[str, str]]:
        """Yield names and paths of the modules that these imports load."""
        roots = roots_of(self._repository, name, path)
        for item in self.of(name, path):
            found = located(self._repository, item.name, roots)
            if found is None:
                continue
            yield item.name, found
            if item.has_all and found.endswith("/__init__.py"):
                for inner in modules_in(self._repository, item.name, found):
                    below = located(self._repository, inner, roots)
                    if below is not None:
                        yield inner, below

    def may_load_more(self, name: str, path: str, loaded: Container[str]) -> bool:
        """Whether a block, or a called function, may import a module that is not loaded."""
        has_imports, calls = _run(self._repository, path)
        if not self._has_all(name, path, loaded):
            own = outline_of(self._repository, path).importing
            parts = [_RUN] if has_imports else []
            parts += sorted({chain[-1] for chain in calls} & own.keys())
            if not all(self._has_all(name, path, loaded, part) for part in parts):
                return True
        return any(
            self._imports_more(*called, loaded)
            for head, *rest in calls
            for called in self._called(name, path, head, rest)
        )

    def _called(
        self, name: str, path: str, head: str, rest: list[str]
    ) -> Iterator[tuple[str, str, str]]:
        """Yield (module, path, name) candidates in other modules for the dotted name of a call."""
        names = imports_of(self._repository, name, path)
        roots = roots_of(self._repository, name, path)
        origins = names.origins.get(head, ())
        last = rest[-1] if rest else head
        modules = sorted({*(names.modules if rest and not origins else ()), *names.stars})
        candidates = [(base, last if rest else imported) for base, imported in origins]
        candidates += [(f"{base}.{imported}", last) for base, imported in origins if rest]
        candidates += [(module, last) for module in modules]
        for module, function in candidates:
            found = located(self._repository, module, roots)
            if found is not None:
                yield module, found, function

    def _imports_more(self, name: str, path: str, function: str, loaded: Container[str]) -> bool:
        """Whether the function of the module may import a module that is not loaded."""
        if self._has_all(name, path, loaded):
            return False
        with suppress(SourceError):
            return function in outline_of(self._repository, path).importing and not self._has_all(
                name, path, loaded, function
            )
        return False

    def _has_all(self, name: str, path: str, loaded: Container[str], part: str = _ALL) -> bool:
        """Whether all modules that the module, or a part, may import are loaded, by its text."""
        known = _all_imported(self._repository, name, path, part)
        return known is not None and all(each in loaded for each in known)


@memo
def _imports_run(
    repository: Repository, name: str, path: str, inference: Inference
) -> tuple[RunImport, ...]:
    with suppress(SourceError):
        return run_imports(repository.module(path, name), inference)
    return ()


@memo
def _all_imported(
    repository: Repository, name: str, path: str, part: str
) -> tuple[str, ...] | None:
    """Return modules that lines at any depth import; `None` if code imports by name.

    `part` selects the import-time code, or the functions of one name.
    """
    try:
        text = repository.text(path)
    except SourceError:
        return ()
    outline = outline_of(repository, path)
    if part != _ALL:
        text = outline.run if part == _RUN else outline.importing[part]
    if IMPORTS_BY_NAME.search(text) or _AFTER_CODE.search(text):
        return None
    is_all = part == _ALL
    names = imports_of(repository, name, path) if is_all else import_names(name, path, text)
    roots = roots_of(repository, name, path)
    every = {*names.modules, *names.stars, *(base for base, _ in names.bound)}
    return tuple(each for each in sorted(every) if located(repository, each, roots))


@memo
def _run(repository: Repository, path: str) -> tuple[bool, list[list[str]]]:
    """Return whether the import-time code may import, and the names that it calls."""
    run = outline_of(repository, path).run
    imports = _NOT_FIRST.search(run) or IMPORTS_BY_NAME.search(run)
    return imports is not None, [chain for chain in called_in(run) if chain]
