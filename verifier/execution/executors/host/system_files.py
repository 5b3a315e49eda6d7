"""What scripts see of the machine beside an interpreter: the same few things with every executor.

A program, a font or a library that happens to be installed here is nothing that a verdict may
depend on, and any of them may hold the original. So only what nearly every machine has is shown.
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
"""Files and folders that libraries of the system read."""
BIN = Path("/usr/bin")
"""Where the programs are inside, whatever the place they come from."""
_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
_LIBRARIES = ("lib", "lib32", "lib64", "libx32")


def programs() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files of those programs, each with the names in `/usr/bin` that stand for it."""
    names: dict[Path, list[str]] = {}
    for name in PROGRAMS:
        found = shutil.which(name, path=_PATH)
        if found is not None:
            names.setdefault(Path(found).resolve(), []).append(name)
    for path in sorted(names):
        yield path, tuple(names[path])


def library_folders() -> list[Path]:
    """Folders of shared libraries; not a link among them."""
    by_architecture = sorted(Path("/usr/lib").glob("*-linux-*")) or [Path("/usr/lib")]
    places = [*by_architecture, Path("/usr/lib64"), *(Path("/", name) for name in _LIBRARIES)]
    return [each for each in places if each.is_dir() and not each.is_symlink()]


def data() -> list[Path]:
    """What there is of the data."""
    return [Path(each) for each in DATA if Path(each).exists()]


def links() -> list[tuple[str, Path]]:
    """Links to those folders: where they point, and their path."""
    libraries = (Path("/", name) for name in _LIBRARIES)
    programs = [("bin", Path("/usr/sbin")), ("usr/bin", Path("/bin")), ("usr/bin", Path("/sbin"))]
    return [*programs, *((str(each.readlink()), each) for each in libraries if each.is_symlink())]
