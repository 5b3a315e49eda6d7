"""Sources of a package's interface: stub packages, installed packages, typeshed.

Files are read but nothing is imported, as installed packages may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ....slicer.packaging.installed import owners, site_folders

_TYPESHED = Path("jedi", "third_party", "typeshed")
_MOST = 2_000_000
"""The largest file in bytes; larger ones are data rather than an interface."""


@dataclass(frozen=True, slots=True)
class Source:
    """One place that declares the interface of a top-level package."""

    name: str
    """Its name in a reason: `types-docker`, `typeshed`, `installed docker`."""
    stated: str
    """Name and version, for the record of inputs."""
    place: Path
    """The package's folder, or its file without the extension."""
    endings: tuple[str, ...]
    """Extensions of the files that count, in order of precedence."""

    def text(self, module: str) -> tuple[str, bool, bool] | None:
        """Return a module's text, whether it is a package, and whether it is a stub file."""
        path = self.place.joinpath(*module.split(".")[1:])
        for ending in self.endings:
            for file, is_package in (
                (path / f"__init__{ending}", True),
                (path.with_name(f"{path.name}{ending}"), False),
            ):
                text = _read(file)
                if text is not None:
                    return text, is_package, ending == ".pyi"
        return None


@lru_cache(maxsize=4096)
def _read(file: Path) -> str | None:
    try:
        if not file.is_file() or file.stat().st_size > _MOST:
            return None
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def sources_of(top: str) -> tuple[Source, ...]:
    """Return the sources of a top-level package's interface, the best first."""
    return _sources(top, site_folders())


@lru_cache(maxsize=512)
def _sources(top: str, folders: tuple[str, ...]) -> tuple[Source, ...]:
    places = tuple(map(Path, folders))
    installed = [source for folder in places for source in _installed(folder, top)]
    return (
        *(source for folder in places for source in _stub_packages(folder, top)),
        *(source for source in installed if _is_typed(source.place)),
        *(source for folder in places for source in _typeshed(folder, top)),
        *(source for source in installed if not _is_typed(source.place)),
    )


def _stub_packages(folder: Path, top: str) -> Iterator[Source]:
    place = folder / f"{top}-stubs"
    if place.is_dir():
        name, version = next(owners(str(folder), place.name), (place.name, ""))
        yield Source(name, f"stub package: {name} {version}".strip(), place, (".pyi",))


def _installed(folder: Path, top: str) -> Iterator[Source]:
    place = folder / top
    if place.is_dir() or any((folder / f"{top}{ending}").is_file() for ending in (".py", ".pyi")):
        name, version = next(owners(str(folder), top), (top, ""))
        stated = f"installed interface: {name} {version}".strip()
        yield Source(f"installed {name}", stated, place, (".pyi", ".py"))


def _is_typed(place: Path) -> bool:
    files = (place / "py.typed", place / "__init__.pyi", place.with_name(f"{place.name}.pyi"))
    return any(file.is_file() for file in files)


def _typeshed(folder: Path, top: str) -> Iterator[Source]:
    home = folder / _TYPESHED
    for part in _typeshed_index(home).get(top, ()):
        _, version = next(owners(str(folder), "jedi"), ("jedi", ""))
        stated = f"typeshed of jedi {version}: {part.name}"
        yield Source("typeshed", stated, part / top, (".pyi",))


@lru_cache(maxsize=16)
def _typeshed_index(home: Path) -> dict[str, tuple[Path, ...]]:
    """Return top-level name → the folders of typeshed that contain it.

    Both of distributions and of the standard library.
    """
    found: dict[str, list[Path]] = {}
    for part in (*_listing(home / "stubs"), home / "stdlib"):
        for file in _listing(part):
            found.setdefault(file.name.removesuffix(".pyi"), []).append(part)
    return {top: tuple(parts) for top, parts in found.items()}


def _listing(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
