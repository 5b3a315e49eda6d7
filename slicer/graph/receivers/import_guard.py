"""Keep jedi from importing anything of the repository.

jedi finds modules on the running interpreter's search path, and imports extension modules of the
standard library to inspect them. A repository on that path (`python -m` in its folder, an editable
install) could put its own file in such a module's place. So while jedi is queried, the path
contains nothing of the repository, and only Python's own finders are active.
"""

from __future__ import annotations

import sys
import sysconfig
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
from pathlib import Path

_OWN_FINDERS: tuple[object, ...] = (BuiltinImporter, FrozenImporter, PathFinder)


@contextmanager
def installed_only(repository: Path) -> Generator[None]:
    """Restrict imports to installed packages, without those of the repository."""
    path, finders = sys.path, sys.meta_path
    sys.path = installed_paths(repository)
    sys.meta_path = [finder for finder in finders if finder in _OWN_FINDERS]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.path, sys.meta_path = path, finders


def installed_paths(repository: Path) -> list[str]:
    """Return the search path without relative folders and without the repository's own.

    An environment inside the repository stays if it is the running one.
    """
    return [path for path in sys.path if _is_installed(path, repository)]


def standard_paths() -> list[str]:
    """Return the folders of the standard library, including those of extension modules."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    return [
        path
        for path in sys.path
        if any(Path(path).is_relative_to(folder) for folder in folders)
        and not {"site-packages", "dist-packages"} & set(Path(path).parts)
    ]


def _is_installed(path: str, repository: Path) -> bool:
    folder = Path(path)
    if not folder.is_absolute():
        return False
    if not folder.resolve().is_relative_to(repository):
        return True
    prefixes = (sys.prefix, sys.exec_prefix, sys.base_prefix)
    return any(
        prefix != str(repository) and folder.is_relative_to(prefix)
        and Path(prefix).is_relative_to(repository)
        for prefix in prefixes
    )  # fmt: skip
