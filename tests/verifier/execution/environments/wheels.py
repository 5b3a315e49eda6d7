"""Tiny wheels, made by the tests, so that no network is needed."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wheel:
    """A wheel with one module."""

    name: str
    version: str = "1.0"
    code: str = ""
    requires: tuple[str, ...] = ()
    tag: str = "py3-none-any"
    module: str = ""
    """Dotted, if it is not called like the distribution."""

    def write(self, folder: Path) -> Path:
        """The wheel's file."""
        stem = self.name.replace("-", "_")
        module = self.module.replace(".", "/") or stem
        info = f"{stem}-{self.version}.dist-info"
        requires = "".join(f"Requires-Dist: {r}\n" for r in self.requires)
        files = {
            f"{module}.py": self.code or f"VERSION = {self.version!r}\n",
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {self.name}\n"
            f"Version: {self.version}\n{requires}",
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\n"
            f"Tag: {self.tag}\n",
        }
        record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
        place = folder / f"{stem}-{self.version}-{self.tag}.whl"
        with zipfile.ZipFile(place, "w") as archive:
            for name, text in {**files, f"{info}/RECORD": record}.items():
                archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)
        return place


def index(folder: Path, *wheels: Wheel) -> Path:
    """A folder of wheels, and of a source distribution that must not be built."""
    folder.mkdir()
    for wheel in wheels:
        wheel.write(folder)
    return folder
