"""The system files that scripts see: the same few with every executor.

A verdict must not depend on programs, fonts or libraries that happen to be installed, and any of
them may contain the original. So only what nearly every machine has is visible.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = (
    "awk bash cat cp date echo env false find grep head ldconfig ln ls mkdir mv pwd rm sed sh "
    "sleep sort tail touch tr true uname wc which"
).split()
"""Programs that scripts may start."""
DATA = (
    "/etc/ld.so.cache",
    "/usr/lib/locale/C.utf8",
    "/usr/lib/ssl",
    "/usr/lib/terminfo",
    "/usr/share/terminfo",
    "/usr/share/zoneinfo",
)
"""Files and folders that system libraries read."""
BIN = Path("/usr/bin")
"""Folder of the programs inside, wherever they come from."""
_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
_LIBRARIES = ("lib", "lib32", "lib64", "libx32")


def programs() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the programs' files, each with its names in `/usr/bin`."""
    names: dict[Path, list[str]] = {}
    for name in PROGRAMS:
        found = shutil.which(name, path=_PATH)
        if found is not None:
            names.setdefault(Path(found).resolve(), []).append(name)
    for path in sorted(names):
        yield path, tuple(names[path])


def library_folders() -> list[Path]:
    """Return folders of shared libraries, without links."""
    by_architecture = sorted(Path("/usr/lib").glob("*-linux-*")) or [Path("/usr/lib")]
    places = [*by_architecture, Path("/usr/lib64"), *(Path("/", name) for name in _LIBRARIES)]
    return [each for each in places if each.is_dir() and not each.is_symlink()]


def data() -> list[Path]:
    """Return the existing data files and folders."""
    return [Path(each) for each in DATA if Path(each).exists()]


def links() -> list[tuple[str, Path]]:
    """Return links to those folders: target and path."""
    libraries = (Path("/", name) for name in _LIBRARIES)
    programs = [("bin", Path("/usr/sbin")), ("usr/bin", Path("/bin")), ("usr/bin", Path("/sbin"))]
    return [*programs, *((str(each.readlink()), each) for each in libraries if each.is_symlink())]
