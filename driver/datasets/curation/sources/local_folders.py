"""Folders: a clone, bare or with files, a repository that is no clone, or a folder of those."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .....slicer.errors import RepositoryError
from ....places.repository_origin import commit_of, common_folder, git_folder, origin_address
from ..candidates import Candidate, Rejection
from .addresses import name_of_address, name_of_folder
from .source import Said, Source, SourceOptions

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
_DEPTH = 3
"""How many folders down repositories are looked for."""


def _takes(word: str) -> bool:
    return Path(word).is_dir()


def _read(word: str, options: SourceOptions) -> Iterator[Said]:
    """Yield the repositories of a folder, sorted by path.

    Raises:
        RepositoryError: there is none.
    """
    folder = Path(word)
    found = list(_repositories(folder, _DEPTH))
    if not found and any(folder.rglob("*.py")):
        found = [folder]
    if not found:
        raise RepositoryError(
            f"{word} holds no repository", "name a clone, or a folder that holds clones"
        )
    for place in found:
        yield candidate_at(place)


def candidate_at(place: Path) -> Said:
    """Return the repository in a folder; a clone is read at its commit."""
    place = place.absolute()  # rows may be read from another folder
    git = place if _is_bare(place) else git_folder(place)
    if git is None:
        return Candidate(name_of_folder(_name(place)), str(place), folder=place)
    commit = commit_of(git)
    address = origin_address(git)
    repo = (name_of_address(address) if address else None) or name_of_folder(_name(place))
    if commit is None:
        return Rejection(repo, str(place), "commit", "its HEAD names no commit")
    return Candidate(repo, str(place), commit, git=common_folder(git))


def _repositories(folder: Path, depth: int) -> Iterator[Path]:
    if _is_repository(folder):
        yield folder
    elif depth:
        try:
            inner = sorted(each for each in folder.iterdir() if each.is_dir())
        except OSError:
            return
        for each in inner:
            if not each.name.startswith(".") and not each.is_symlink():
                yield from _repositories(each, depth - 1)


def _is_repository(folder: Path) -> bool:
    has_git = (folder / ".git").exists() or _is_bare(folder)
    return has_git or any((folder / mark).is_file() for mark in _MARKS)


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir()


def _name(place: Path) -> str:
    """Return the folder's name; for `owner+name/repo` or `name/.git` that of the folder above."""
    full = place.resolve()
    if full.name in ("repo", "repo.git", ".git"):
        full = full.parent
    return full.name.removesuffix(".git")


SOURCE = Source(_takes, _read)
