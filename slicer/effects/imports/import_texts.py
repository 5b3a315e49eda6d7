"""Facts about imports and import-time code, read from file texts once for a repository."""

from __future__ import annotations

from ...repo.repository import Repository
from ...syntax.import_names import ImportNames, import_names
from ...syntax.import_time_code import (
    Surface,
    aliases_in,
    contents_in,
    heirs_in,
    surface_of_code,
    words_in,
)
from ...syntax.memo import once
from ...syntax.outline import Outline


@once
def imports_of(repository: Repository, name: str, path: str) -> ImportNames:
    """What the module of that name and path imports."""
    return import_names(name, path, repository.text(path))


@once
def outline_of(repository: Repository, path: str) -> Outline:
    """The functions and classes of the file."""
    return Outline(repository.text(path))


@once
def surface_of(repository: Repository, path: str) -> Surface:
    """What importing the file does."""
    return surface_of_code(outline_of(repository, path).run)


@once
def words_of(repository: Repository, path: str) -> frozenset[str]:
    """All names that the text of the file mentions."""
    return frozenset(words_in(repository.text(path)))


@once
def aliases_of(repository: Repository, path: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names of the file that are assigned a dotted name, with the parts of that."""
    return aliases_in(repository.text(path))


@once
def made_of(repository: Repository, path: str) -> dict[str, tuple[str, ...]]:
    """Names of the file that a call or display is assigned to, with the names in that."""
    return contents_in(repository.text(path))


@once
def heirs_of(repository: Repository, path: str) -> dict[str, tuple[str, ...]]:
    """Classes of the file, each with the names in its bases."""
    return heirs_in(repository.text(path))
