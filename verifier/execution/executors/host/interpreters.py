"""The files that an interpreter needs, found without running it: an allow-list.

For an installation these are the program, its libraries and the standard library. Packages
installed into it are excluded: a virtual environment has its own.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ....errors import SandboxError

_MOST_LINKS = 40


_LIBRARIES = ("lib", "lib64")
_INSTALLED = ("site-packages", "dist-packages")
_NOT_SHOWN = (*_INSTALLED, "ensurepip/_bundled", "test")
"""Folders of a standard library with third-party code or wheels."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as the sandbox must show it."""

    executable: Path
    """Its own path: a virtual environment is recognised by the path it is started with."""
    environment: Path | None = None
    """Folder of its virtual environment."""
    libraries: tuple[Path, ...] = ()
    """Folders with the standard library and the system's libraries beside it."""
    packages: tuple[Path, ...] = ()
    """Folders of packages outside virtual environments, if they should be visible."""
    programs: tuple[Path, ...] = ()
    """Further files that must be visible."""
    links: tuple[tuple[str, str], ...] = ()
    """Symbolic links outside these folders: target and path."""
    covered: tuple[Path, ...] = ()
    """Folders inside visible ones that stay hidden."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """Return all visible folders, at their own paths."""
        own = () if self.environment is None else (self.environment,)
        return tuple(dict.fromkeys((*own, *self.libraries, *self.packages)))


def find_interpreter(python: Path | None) -> Interpreter:
    """Return the interpreter at this path, or the running one.

    Raises:
        SandboxError: the program or its standard library is missing.
    """
    executable = Path(os.path.abspath(python or sys.executable))  # noqa: PTH100 - links stay
    if not executable.exists() or not os.access(executable, os.X_OK):
        raise SandboxError(f"no interpreter at {executable}", "create the environment first")
    hops = _hops(executable)
    real = hops[-1]
    library = _standard_library(real)
    libraries = tuple(_shown_with(library, _prefix(real)))
    others = [each for each in pythons_in(libraries) if each.resolve() != library.resolve()]
    covered = [*others, *_existing(library, _NOT_SHOWN)]
    packages: list[Path] = []
    environment = _environment(executable)
    if environment is None or _shows_more(environment):
        packages = _installed(library)
        covered = [each for each in covered if each not in packages]
    found = Interpreter(
        executable, environment, libraries, tuple(packages), (real,), covered=tuple(covered)
    )
    links = tuple(
        (str(target), str(link))
        for link, target in itertools.pairwise(hops)
        if not any(link.is_relative_to(folder) for folder in found.folders)
    )
    return replace(found, links=links)


def _environment(executable: Path) -> Path | None:
    folder = executable.parent.parent
    return folder if (folder / "pyvenv.cfg").exists() else None


def _shows_more(environment: Path) -> bool:
    """Whether a virtual environment includes system packages."""
    text = (environment / "pyvenv.cfg").read_text(encoding="utf-8")
    return _SYSTEM_TOO.search(text) is not None


_SYSTEM_TOO = re.compile(r"^include-system-site-packages\s*=\s*true", re.IGNORECASE | re.MULTILINE)


def pythons_in(folders: Iterable[Path]) -> list[Path]:
    """Return folders of Python libraries, of any version, directly in these folders."""
    patterns = ("python*", "pypy*")
    found = (each for folder in folders for pattern in patterns for each in folder.glob(pattern))
    return sorted(each for each in found if each.is_dir())


def exposed(hidden: Iterable[Path], shown: Iterable[Path | str]) -> tuple[Path, ...]:
    """Return where folders to hide lie inside visible ones, by the paths of the latter."""
    places = [each.resolve() for each in hidden]
    found = {
        Path(top, place.relative_to(Path(top).resolve()))
        for top in shown
        for place in places
        if place.is_relative_to(Path(top).resolve())
    }
    return tuple(sorted(found))


def refuse_exposed(hidden: Iterable[Path], shown: Iterable[Path | str]) -> None:
    """Refuse visible folders that contain a hidden one, for executors that cannot cover folders.

    Raises:
        SandboxError: a folder to hide lies in a visible one.
    """
    for folder in exposed(hidden, shown):
        raise SandboxError(f"scripts could read {folder}", "move that folder elsewhere")


def _hops(executable: Path) -> list[Path]:
    """Return the path and the targets of its links, up to the program itself."""
    hops = [executable]
    while hops[-1].is_symlink() and len(hops) < _MOST_LINKS:
        target = hops[-1].parent / hops[-1].readlink()
        hops.append(Path(os.path.normpath(target)))
    real = hops[-1].resolve()
    return hops if hops[-1] == real else [*hops, real]


def _prefix(real: Path) -> Path:
    """Return the installation folder of a program in `bin`."""
    return real.parent.parent if real.parent.name == "bin" else real.parent


def _standard_library(real: Path) -> Path:
    """Return the folder of the standard library, by the landmark that Python itself uses.

    Raises:
        SandboxError: there is none, so the program's needs are unknown.
    """
    version = re.search(r"\d+\.\d+", real.name)
    pattern = f"*{version[0]}" if version else "*.*"
    for name in _LIBRARIES:
        for folder in sorted((_prefix(real) / name).glob(pattern)):
            if (folder / "os.py").is_file():
                return folder
    raise SandboxError(f"no standard library beside {real}", "take another interpreter")


def _shown_with(library: Path, prefix: Path) -> Iterable[Path]:
    """Yield the standard library, and its neighbours if the installation is its own."""
    if prefix == Path("/usr"):
        yield library
        return
    for name in _LIBRARIES:
        if (prefix / name).is_dir() and not (prefix / name).is_symlink():
            yield prefix / name


def _installed(library: Path) -> list[Path]:
    """Return the folders of packages outside virtual environments."""
    places = _existing(library, _INSTALLED)
    if library.parent == Path("/usr/lib"):  # Debian's layout
        local = Path("/usr/local/lib", library.name, "dist-packages")
        places += [
            each for each in (library.parent / "python3/dist-packages", local) if each.is_dir()
        ]
    return places


def _existing(folder: Path, names: Iterable[str]) -> list[Path]:
    return [folder / name for name in names if (folder / name).is_dir()]
