"""A repository on this machine: its name, its latest commit, and its objects."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ....slicer.errors import OptionError
from ...datasets.building.plan import RepositoryPlan
from ...places.git_objects import GitObjects, git_objects
from ...places.repository_origin import commit_of, common_folder, git_folder


@contextmanager
def local_repository(
    source: str, name: str | None = None
) -> Generator[tuple[RepositoryPlan, GitObjects]]:
    """Return a clone's plan and objects, within a `with` statement.

    Args:
        source: folder of a clone, bare or not.
        name: name of the repository; by default that of the folder.

    Raises:
        OptionError: it is no clone, or git is not installed.
    """
    folder = Path(source).resolve()
    git = git_folder(folder) or (folder if (folder / "objects").is_dir() else None)
    commit = commit_of(git) if git else None
    if git is None or commit is None:
        raise OptionError(f"{source}: no clone of a repository", "name a folder with its history")
    label = name or _label(folder)
    with git_objects(common_folder(git), commit) as objects:
        if objects is None:
            raise OptionError("git is not installed", "install git")
        yield replace(RepositoryPlan(label, str(folder)), commit=commit), objects


def _label(folder: Path) -> str:
    """Return a name for a folder: of one called `owner+name`, the name that it stands for."""
    last = folder.parent.name if folder.name in ("repo", ".git") else folder.name
    return last.replace("+", "/")
