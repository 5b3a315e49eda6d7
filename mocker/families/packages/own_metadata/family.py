"""The repository's own distribution: its metadata is found as if it were installed."""

from __future__ import annotations

from collections.abc import Iterator

from .....slicer.model import Gap
from .....slicer.packaging.build_metadata import (
    EntryPoint,
    entry_points_text,
    own_distributions,
    own_entry_points,
)
from .....slicer.repo.repository import Module
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_GAP = "own-metadata"
_ASKING = (
    "version", "metadata", "distribution", "from_name", "get_distribution", "require",
    "entry_points", "iter_entry_points",
)  # fmt: skip
_MODULES = ("importlib.metadata", "importlib_metadata", "pkg_resources")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that read metadata of the repository's own distribution."""
    return border.touching(*_MODULES) if _versions(border) else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The distribution has the name and version of the build files; `0.0.0` if the build computes
    it.

    It has the entry points whose modules the slice holds.
    """
    del contacts
    why = "the own distribution is known by its build files"
    found = [name for name in _MODULES if border.touching(name)]
    given = f"{_versions(border)!r}, {entry_points_text(_entry_points(border))!r}"
    return Mock(
        treated=tuple(ModuleTreatment(name, "faked", why) for name in found),
        setup=f"know_own_distributions({given})\n",
        pieces=("own_metadata",),
        filled=tuple(gap.detail for gap in _metadata_gaps(border)),
    )


def _versions(border: Border) -> dict[str, str]:
    """Return normalised name → version, of the distributions that the slice asks for."""
    found: dict[str, str] = {}
    for gap in _metadata_gaps(border):
        found |= own_distributions(border.repository, gap.path)
    return dict(sorted(found.items()))


def _entry_points(border: Border) -> list[EntryPoint]:
    """Return the entry points with carried modules, for all files that ask."""
    repository = border.repository
    carried = {definition.path for definition in border.sliced.manifest.definitions}
    found: set[EntryPoint] = set()
    for gap in _metadata_gaps(border):
        asking = repository.module_at(gap.path)
        for point in own_entry_points(repository, gap.path):
            module = repository.find_module(point.module, asking)
            if isinstance(module, Module) and module.path in carried:
                found.add(point)
    return sorted(found)


def _metadata_gaps(border: Border) -> Iterator[Gap]:
    """Yield the gaps for calls that ask for the name, the version or all metadata."""
    for gap in border.sliced.manifest.gaps:
        if gap.kind == _GAP and gap.detail.partition("(")[0].endswith(_ASKING):
            yield gap


FAMILY = Family("own-metadata", stub, applies)
