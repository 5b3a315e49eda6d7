"""Locks: every distribution of an environment with its version, as stored text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ....slicer.syntax.requirement import normal

_ENTRY = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;\\]+)\s*(?:;\s*(?P<marker>.*))?"
)
_HASH = re.compile(r"--hash=([a-z0-9]+:[0-9a-f]+)")


@dataclass(frozen=True, slots=True, order=True)
class LockedPackage:
    """One distribution at one version."""

    name: str
    """Normalised name."""
    version: str
    marker: str = ""
    hashes: tuple[str, ...] = ()
    """Digests of the files that may be installed, as `sha256:…`."""

    def text(self) -> str:
        """Return the entry in the format of requirements files."""
        marker = f" ; {self.marker}" if self.marker else ""
        hashes = "".join(f" \\\n    --hash={digest}" for digest in self.hashes)
        return f"{self.name}=={self.version}{marker}{hashes}\n"


@dataclass(frozen=True, slots=True)
class Lock:
    """The contents of an environment."""

    python: str
    """Python version it was resolved for, such as `3.11`."""
    platform: str
    """Platform it was resolved for, such as `linux-x86_64`."""
    packages: tuple[LockedPackage, ...]
    """Packages, sorted by name."""
    exclude_newer: str = ""
    """Upload time after which files were ignored; empty for no limit."""

    @property
    def digest(self) -> str:
        """Return the digest that names the environment, equal for locks with the same versions."""
        pins = [f"{p.name}=={p.version};{p.marker}" for p in self.packages]
        text = "\n".join([self.python, self.platform, *pins])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def text(self) -> str:
        """Return the lock as a requirements file, with its conditions in comments."""
        bound = f"# exclude-newer {self.exclude_newer}\n" if self.exclude_newer else ""
        head = f"# python {self.python}\n# platform {self.platform}\n{bound}"
        return head + "".join(package.text() for package in self.packages)

    def version(self, distribution: str) -> str | None:
        """Return the version of a distribution; `None` if it is not in the lock."""
        wanted = normal(distribution)
        return next((p.version for p in self.packages if p.name == wanted), None)


def read_lock(text: str) -> Lock:
    """Read a lock from `Lock.text`, or from an installer's output, which names no Python."""
    header = dict(re.findall(r"(?m)^# (python|platform|exclude-newer) (\S+)$", text))
    packages = sorted(_packages(re.sub(r"\\\n", " ", text).splitlines()))
    return Lock(
        header.get("python", ""), header.get("platform", ""), tuple(packages),
        header.get("exclude-newer", ""),
    )  # fmt: skip


def _packages(lines: Iterable[str]) -> Iterable[LockedPackage]:
    for line in lines:
        hashes = tuple(sorted(_HASH.findall(line)))
        found = _ENTRY.match(_HASH.sub("", line).strip())
        if found:
            marker = (found["marker"] or "").strip()
            yield LockedPackage(normal(found["name"]), found["version"], marker, hashes)
