"""Metadata of the repository's own distribution, as an installer would have written it."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from typing import Any

from .on_import import on_import
from .world import undo_with


class OwnDistribution(importlib.metadata.Distribution):
    """A name and a version."""

    def __init__(self, name: str, version: str) -> None:
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def read_text(self, filename: str) -> str | None:
        """The only file that it has."""
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        """Where a file would be."""
        return path


class OwnDistributions:
    """What `importlib.metadata` asks beside the folders of `sys.path`."""

    held: dict[str, OwnDistribution] = {}

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> None:
        """No module comes from here."""

    @classmethod
    def find_distributions(cls, context: Any = None) -> Iterator[OwnDistribution]:
        """The one of a name, or all."""
        asked = getattr(context, "name", None)
        for name, found in cls.held.items():
            if asked is None or name == re.sub(r"[-_.]+", "-", asked).lower():
                yield found


def know_own_distributions(versions: dict[str, str]) -> None:
    """Have the metadata of distributions: normalised name → version."""

    def add(module: Any) -> None:
        for name, version in versions.items():
            if name not in module.working_set.by_key:
                module.working_set.add(module.Distribution(project_name=name, version=version))

    OwnDistributions.held = {name: OwnDistribution(name, versions[name]) for name in versions}
    sys.meta_path.append(OwnDistributions)
    undo_with(sys.meta_path.remove, OwnDistributions)
    on_import("pkg_resources", add)
