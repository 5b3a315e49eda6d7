"""Metadata of the repository's own distribution, as an installer would have written it."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import undo_with


class OwnDistribution(importlib.metadata.Distribution):
    """A name, a version, and entry points as `entry_points.txt` lists them."""

    def __init__(self, name: str, version: str, entry_points: str) -> None:
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        self._texts = {"METADATA": about, "entry_points.txt": entry_points}

    def read_text(self, filename: str) -> str | None:
        """One of the two files that it has."""
        return self._texts.get(filename)

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


def know_own_distributions(versions: dict[str, str], entry_points: str = "") -> None:
    """Have the metadata of distributions: normalised name → version; entry points of the first."""

    def add(module: Any) -> None:
        for name, texts in given.items():
            if name not in module.working_set.by_key:
                place = f"the own {name}"  # without one it is not among all
                own = module.Distribution(place, None, name, versions[name])
                own._ep_map = module.EntryPoint.parse_map(texts, own)
                module.working_set.add(own)

    given = dict.fromkeys(versions, "")
    given.update(dict.fromkeys(list(versions)[:1], entry_points))
    OwnDistributions.held = {
        name: OwnDistribution(name, versions[name], texts) for name, texts in given.items()
    }
    sys.meta_path.append(OwnDistributions)
    undo_with(sys.meta_path.remove, OwnDistributions)
    on_import("pkg_resources", add)
