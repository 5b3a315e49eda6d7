"""What an interpreter needs, found from its files without running it: an allow-list.

Of an installation that is the program, the libraries beside it and the standard library. What was
installed into it is no part of that: a virtual environment has its own.
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
"""Of a standard library: folders of other people's code, and wheels of it."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as the sandbox must show it."""

    executable: Path
    """Its own path: a virtual environment is known by the path that it is started with."""
    environment: Path | None = None
    """Folder of the virtual environment that it belongs to."""
    libraries: tuple[Path, ...] = ()
    """Folders that hold the standard library, and libraries of the system beside it."""
    packages: tuple[Path, ...] = ()
    """Folders of what was installed without a virtual environment, where that is to be seen."""
    programs: tuple[Path, ...] = ()
    """Files to show, too."""
    links: tuple[tuple[str, str], ...] = ()
    """Symbolic links outside these folders: where they point, and their path."""
    covered: tuple[Path, ...] = ()
    """Folders inside those to show that are not shown."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """All that are shown, at their own paths."""
        own = () if self.environment is None else (self.environment,)
        return tuple(dict.fromkeys((*own, *self.libraries, *self.packages)))


def find_interpreter(python: Path | None) -> Interpreter:
    """The interpreter at this path, or the one that runs us.

    Raises:
        SandboxError: there is no such program, or no standard library beside it.
    """
    executable = Path(os.path.abspath(python or sys.executable))  # noqa: PTH100 - links stay
    if not executable.exists() or not os.access(executable, os.X_OK):
        raise SandboxError(f"no interpreter at {executable}: create the environment first")
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
    """Whether it has what is installed outside of it, too."""
    text = (environment / "pyvenv.cfg").read_text(encoding="utf-8")
    return _SYSTEM_TOO.search(text) is not None


_SYSTEM_TOO = re.compile(r"^include-system-site-packages\s*=\s*true", re.IGNORECASE | re.MULTILINE)


def pythons_in(folders: Iterable[Path]) -> list[Path]:
    """Folders of Python's libraries, of whatever version, directly in these."""
    patterns = ("python*", "pypy*")
    found = (each for folder in folders for pattern in patterns for each in folder.glob(pattern))
    return sorted(each for each in found if each.is_dir())


def exposed(hidden: Iterable[Path], shown: Iterable[Path | str]) -> tuple[Path, ...]:
    """Where folders to hide lie in folders to show, by the paths of the latter."""
    places = [each.resolve() for each in hidden]
    found = {
        Path(top, place.relative_to(Path(top).resolve()))
        for top in shown
        for place in places
        if place.is_relative_to(Path(top).resolve())
    }
    return tuple(sorted(found))


def refuse_exposed(hidden: Iterable[Path], shown: Iterable[Path | str]) -> None:
    """For executors that cannot cover a folder.

    Raises:
        SandboxError: a folder to hide lies in one to show.
    """
    for folder in exposed(hidden, shown):
        raise SandboxError(f"scripts could read {folder}: move that folder elsewhere")


def _hops(executable: Path) -> list[Path]:
    """The path, what it links to, and so on to the program itself."""
    hops = [executable]
    while hops[-1].is_symlink() and len(hops) < _MOST_LINKS:
        target = hops[-1].parent / hops[-1].readlink()
        hops.append(Path(os.path.normpath(target)))
    real = hops[-1].resolve()
    return hops if hops[-1] == real else [*hops, real]


def _prefix(real: Path) -> Path:
    """The installation that a program in `bin` belongs to."""
    return real.parent.parent if real.parent.name == "bin" else real.parent


def _standard_library(real: Path) -> Path:
    """The folder of the standard library, by the landmark that Python itself looks for.

    Raises:
        SandboxError: there is none, so what the program needs is not known.
    """
    version = re.search(r"\d+\.\d+", real.name)
    pattern = f"*{version[0]}" if version else "*.*"
    for name in _LIBRARIES:
        for folder in sorted((_prefix(real) / name).glob(pattern)):
            if (folder / "os.py").is_file():
                return folder
    raise SandboxError(f"no standard library beside {real}: take another interpreter")


def _shown_with(library: Path, prefix: Path) -> Iterable[Path]:
    """The standard library, and what lies beside it where that is an installation of its own."""
    if prefix == Path("/usr"):
        yield library
        return
    for name in _LIBRARIES:
        if (prefix / name).is_dir() and not (prefix / name).is_symlink():
            yield prefix / name


def _installed(library: Path) -> list[Path]:
    """Where packages are that belong to no virtual environment."""
    places = _existing(library, _INSTALLED)
    if library.parent == Path("/usr/lib"):  # Debian's
        local = Path("/usr/local/lib", library.name, "dist-packages")
        places += [
            each for each in (library.parent / "python3/dist-packages", local) if each.is_dir()
        ]
    return places


def _existing(folder: Path, names: Iterable[str]) -> list[Path]:
    return [folder / name for name in names if (folder / name).is_dir()]
