"""The files and folders of a repository; each folder is listed once, on first use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_SKIPPED_FOLDERS = frozenset(
    {"__pycache__", "node_modules", "site-packages", "dist-packages", "venv", "virtualenv"}
)


class FileTree:
    """A folder on disk. Inner paths use forward slashes; the folder is the empty path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listings: dict[str, frozenset[str]] = {}

    def listing(self, folder: str) -> frozenset[str]:
        """Return the names in a folder, with `/` after folders; empty if the folder does not exist.

        Links that lead out of the tree, or nowhere, are left out: their content is not part of it.
        """
        known = self._listings.get(folder)
        if known is None:
            known = self._listings[folder] = frozenset(self._list(folder))
        return known

    def _list(self, folder: str) -> Iterator[str]:
        if not self.is_folder(folder):
            return
        try:
            with os.scandir(self.path / folder) as entries:
                found = list(entries)
        except OSError:
            return
        for entry in found:
            if not entry.is_symlink() or self._leads_inside(entry.path):
                yield f"{entry.name}/" if _is_folder(entry) else entry.name

    def _leads_inside(self, link: str) -> bool:
        try:
            real = os.path.realpath(link, strict=True)
        except OSError:  # a broken or cyclic link
            return False
        return real == self._real or real.startswith(os.path.join(self._real, ""))

    @cached_property
    def _real(self) -> str:
        return os.path.realpath(self.path)

    def is_file(self, path: str) -> bool:
        """Whether the repository has this file (in this exact case)."""
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder)

    def is_folder(self, path: str) -> bool:
        """Whether the repository has this folder; the empty path counts."""
        folder, _, name = path.rpartition("/")
        return not path or f"{name}/" in self.listing(folder)

    def is_link(self, path: str) -> bool:
        """Whether the path is a symbolic link."""
        return os.path.islink(self.path / path)

    def python_files(self) -> Iterator[str]:
        """Yield the Python files, sorted, without virtual environments and hidden folders."""
        return self.files(".py")

    def files(self, ending: str, folder: str = "") -> Iterator[str]:
        """Yield the files with this ending, sorted, in the whole tree or one folder."""
        return self._walk(folder, frozenset({os.path.realpath(self.path / folder)}), ending)

    def _walk(self, folder: str, above: frozenset[str], ending: str) -> Iterator[str]:
        names = self.listing(folder)
        if "pyvenv.cfg" in names:
            return
        for name in sorted(names):
            path = f"{folder}/{name}" if folder else name
            if name.endswith(ending):
                yield path
            elif name.endswith("/") and not is_skipped(name[:-1]):
                real = os.path.realpath(self.path / path)
                if real not in above and not self.is_link(path[:-1]):
                    yield from self._walk(path[:-1], above | {real}, ending)

    @cached_property
    def python_folders(self) -> tuple[str, ...]:
        """Return the folders that contain Python files, shallow ones first."""
        folders = {path.rpartition("/")[0] for path in self.python_files()}
        return tuple(sorted(folders, key=lambda folder: (folder.count("/"), folder)))

    def holds_python(self, folder: str) -> bool:
        """Whether the folder or one below it contains a Python file."""
        names = self.listing(folder)
        if any(name.endswith(".py") for name in names):
            return True
        return any(
            self.holds_python(f"{folder}/{name[:-1]}")
            for name in sorted(names)
            if name.endswith("/")
            and not is_skipped(name[:-1])
            and not self.is_link(f"{folder}/{name[:-1]}")
        )


def join(*parts: str) -> str:
    """Join the non-empty parts to a path."""
    return "/".join(part for part in parts if part)


def is_skipped(name: str) -> bool:
    """Whether a folder of that name is hidden, or contains build products or installed packages."""
    return name.startswith(".") or name in _SKIPPED_FOLDERS or name.endswith(".egg-info")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a longer chain of links than the system follows
        return False
