"""One pinned source distribution of a real package."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sdist:
    """One pinned source distribution."""

    name: str
    version: str
    sha256: str
    packages: tuple[str, ...]
    """Import packages, as folders inside the unpacked sdist; only what is in them is a target."""
    root: str
    """The import root inside the unpacked sdist, `.` or `src`."""
    extras: str = ""
    """Extras to install, so that optional modules of the package import too."""
    tests: str | None = None
    """Folder of the test suite inside the unpacked sdist; `None` where there is none."""
    test_requirements: tuple[str, ...] = ()
    """What the suite needs besides the package's own dependencies."""

    @property
    def folder(self) -> str:
        """Name of the folder inside the archive."""
        return f"{self.name}-{self.version}"


def is_measured(path: str, sdist: Sdist) -> bool:
    """Whether a file of the sdist belongs to the package proper: not to tests or what is around."""
    inside = any(path.startswith(f"{package}/") for package in sdist.packages)
    return inside and not {"tests", "test", "docs", "examples"} & set(path.split("/")[:-1])
