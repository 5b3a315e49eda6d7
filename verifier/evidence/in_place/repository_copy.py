"""A read-only copy of a repository for untrusted runs."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ....slicer.packaging.generated_files import built_files
from ....slicer.repo.file_tree import is_skipped, join
from ....slicer.repo.import_roots import package_root
from ....slicer.syntax.memo import memo

if TYPE_CHECKING:
    from ....slicer import Repository

MOST_BYTES = 1 << 30
_READABLE, _ENTERABLE = 0o444, 0o755


@memo
def copy_of(repository: Repository) -> tempfile.TemporaryDirectory[str] | None:
    """Return a folder with the repository's files, which lives as long as the returned object.

    Hidden folders, virtual environments and compiled files are left out; metadata and generated
    modules are included. `None` if the files are too large together.
    """
    paths = list(_files(repository, ""))
    if sum((repository.path / path).stat().st_size for path in paths) > MOST_BYTES:
        return None
    made = tempfile.TemporaryDirectory(prefix="slice-func-repository-")
    folders = sorted({parent for path in paths for parent in Path(path).parents})
    for folder in folders:
        place = Path(made.name, folder)
        place.mkdir(exist_ok=True)
        place.chmod(_ENTERABLE)
    for path in paths:
        _put(repository.path / path, Path(made.name, path))
    for path, content in _built(repository):
        place = Path(made.name, path)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.parent.chmod(_ENTERABLE)
            place.write_bytes(content)
            place.chmod(_READABLE)
    return made


def _built(repository: Repository) -> Iterator[tuple[str, bytes]]:
    """Yield the files that installing and building would write, for each folder of packages."""
    paths: dict[str, str] = {}
    for path in repository.python_files():
        root = package_root(repository, path)
        if root == "" or root != path.rpartition("/")[0]:
            paths.setdefault(root, path)
    for root, path in sorted(paths.items()):
        yield from built_files(repository, path, root)


def _files(repository: Repository, folder: str) -> Iterator[str]:
    names = repository.listing(folder)
    if "pyvenv.cfg" in names:
        return
    for name in sorted(names):
        path = join(folder, name)
        full = repository.path / path
        if not name.endswith("/"):
            if full.is_file():
                yield path
        elif not is_skipped(name[:-1]) and not full.is_symlink():
            yield from _files(repository, path[:-1])


def _put(source: Path, place: Path) -> None:
    """Link a file that everybody can read; copy any other."""
    if source.stat().st_mode & _READABLE == _READABLE:
        with suppress(OSError):
            os.link(source.resolve(), place)
            return
    shutil.copyfile(source, place)
    place.chmod(_READABLE)
