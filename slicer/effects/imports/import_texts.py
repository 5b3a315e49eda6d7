"""Facts about imports and import-time code, read from file texts once for a repository."""

from __future__ import annotations

from ...repo.repository import Repository
from ...syntax.import_names import ImportNames, import_names
from ...syntax.import_time_code import (
    ImportTimeNames,
    aliases_in,
    contents_in,
    heirs_in,
    surface_of_code,
    words_in,
)
from ...syntax.memo import memo
from ...syntax.outline import Outline


@memo
def imports_of(repository: Repository, name: str, path: str) -> ImportNames:
    """Return the imports of the module with that name and path."""
    return import_names(name, path, repository.text(path))


@memo
def outline_of(repository: Repository, path: str) -> Outline:
    """Return the outline of the file."""
    return Outline(repository.text(path))


@memo
def surface_of(repository: Repository, path: str) -> ImportTimeNames:
    """Return the names in the file's import-time code."""
    return surface_of_code(outline_of(repository, path).run)


@memo
def words_of(repository: Repository, path: str) -> frozenset[str]:
    """Return all names in the text of the file."""
    return frozenset(words_in(repository.text(path)))


@memo
def aliases_of(repository: Repository, path: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return names that are assigned a dotted name, split into parts."""
    return aliases_in(repository.text(path))


@memo
def assigned_call_names(repository: Repository, path: str) -> dict[str, tuple[str, ...]]:
    """Return names that are assigned a call or display, with the names in it."""
    return contents_in(repository.text(path))


@memo
def heirs_of(repository: Repository, path: str) -> dict[str, tuple[str, ...]]:
    """Return the classes of the file, each with the names in its bases."""
    return heirs_in(repository.text(path))
