"""The installed distribution that provides an import name, by the file lists in its metadata."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import lru_cache

from ..syntax.requirement import normal

_METADATA = ".dist-info"


@lru_cache(maxsize=1024)
def installed_distribution(top: str) -> str | None:
    """Return the only installed distribution that has the top-level module; `None` if it is not
    unique.

    The running interpreter's installation is searched. Nothing is imported.
    """
    found = {
        name
        for folder in site_folders()
        if _has_module(folder, top)
        for name, _ in owners(folder, top)
    }
    return found.pop() if len(found) == 1 else None


def site_folders() -> tuple[str, ...]:
    """Return the folders in which the running interpreter's distributions are installed."""
    return tuple(
        dict.fromkeys(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    )


@lru_cache(maxsize=16)
def _listing(folder: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(folder)))
    except OSError:
        return ()


def _has_module(folder: str, top: str) -> bool:
    return any(name == top or name.startswith(f"{top}.") for name in _listing(folder))


def owners(folder: str, top: str) -> Iterator[tuple[str, str]]:
    """Yield the distributions whose record lists a file of the module, each with its version."""
    listed = re.compile(rf"^{re.escape(top)}(?:/|\.(?:py|pyd|[\w.-]*so),)", re.MULTILINE)
    for name in _listing(folder):
        if name.endswith(_METADATA):
            place = os.path.join(folder, name)
            if listed.search(_read(os.path.join(place, "RECORD"))):
                named = re.search(r"(?m)^Name:\s*(\S+)", _read(os.path.join(place, "METADATA")))
                stem, _, version = name.removesuffix(_METADATA).rpartition("-")
                yield (named[1] if named else stem), version


def has_code(folder: str, distribution: str, module: str) -> bool:
    """Whether the record of a distribution installed in the folder lists code of the module.

    Data files in a folder of that name, which could be imported as a namespace, do not count.
    """
    place = re.escape(module.replace(".", "/"))
    listed = re.compile(rf"^{place}(?:[/.][^,\n]*)?\.(?:py|pyd|so),", re.MULTILINE)
    for name in _listing(folder):
        stem = name.removesuffix(_METADATA).rpartition("-")[0]
        if name.endswith(_METADATA) and normal(stem) == normal(distribution):
            return listed.search(_read(os.path.join(folder, name, "RECORD"))) is not None
    return False


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""
