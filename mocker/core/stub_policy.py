"""The modules that cannot run where a script runs, and how settings change the list.

A row of `stub_policy.tsv` has the reason, then import names; it applies to everything below a name,
too. Modules without a row stay real, or a family replaces a layer below them. `computation` marks a
module that sounds like one of the outside world, and is not; `answered` one that has a family of
its own although it lies below a stubbed name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...slicer.packaging.name_tables import read_rows
from ...slicer.syntax.requirement import normal
from ..contacts import is_below

if TYPE_CHECKING:
    from ...slicer.model import External
    from ..settings import Settings

_REASONS = {
    "hardware": "needs hardware",
    "another platform": "is of another platform",
    "a host program": "is inside a program that is not here",
    "a licence": "needs a licence",
    "a CUDA device": "needs a CUDA device, or hours to build",
    "a display": "needs a display, a loudspeaker or a user",
    "a live session": "needs somebody who is logged in",
    "a cloud": "asks a service that wants an account",
    "a server": "is inside a server that is not here",
}
_REAL = frozenset({"computation", "answered"})
"""Kinds of modules that are not stubbed: they run, or have a family of their own."""
OF_MACHINES = frozenset({_REASONS["hardware"], _REASONS["another platform"]})
"""Reasons that tie a module to a machine."""

POLICY: dict[str, str] = {
    name: why for why, names in read_rows(__file__, "stub_policy.tsv") for name in names.split()
}
"""Import name (with a final `*`: a prefix) → the reason to stub it, or `computation`."""

_SHARED = frozenset(
    shared
    for name, kind in POLICY.items()
    if kind == "answered"
    for shared in (name[:at] for at, letter in enumerate(name) if letter == ".")
    if any(is_below(shared, listed) and why not in _REAL for listed, why in POLICY.items())
)
"""Stubbed namespaces with an unstubbed package in them: never stubbed as a whole."""

_BEGINNINGS = tuple(name[:-1] for name in POLICY if name.endswith("*"))


@dataclass(frozen=True, slots=True)
class Stubbed:
    """A module that must be stubbed, and the reason."""

    module: str
    reason: str
    is_gap: bool = False
    """Whether no distribution is known to provide it."""


def must_stub(external: External, settings: Settings) -> Stubbed | None:
    """Return why an imported module has to be stubbed; `None` if it stays real.

    Args:
        external: the module, with its distribution.
        settings: `real` takes precedence, then `stubs`, then the table.
    """
    if is_named(external, settings.real):
        return None
    if is_named(external, settings.stubs):
        return Stubbed(
            _stubbed_part(external, settings.stubs),
            "is stubbed because it was asked for, or cannot be installed",
        )
    module = import_root(external)
    listed = _listed(module)
    if listed is not None:
        name, kind = listed
        if kind in _REAL or module in _SHARED:
            return None
        return Stubbed(_own_part(module, name), _REASONS[kind])
    if external.distribution is None and not external.is_standard:
        return Stubbed(external.module, "nobody knows where to get", is_gap=True)
    return None


def import_root(external: External) -> str:
    """Return the imported module; in a shared namespace, the imported package below it."""
    if external.module in _SHARED and external.names:
        return f"{external.module}.{external.names[0]}"
    return external.module


def _own_part(module: str, listed: str) -> str:
    """Return the part of a module to stub: the listed name, or a package of a shared namespace."""
    if listed not in _SHARED:
        return listed
    parts = module.split(".")
    tops = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((top for top in tops if is_below(top, listed) and top not in _SHARED), module)


def _listed(module: str) -> tuple[str, str] | None:
    """Return the longest listed name that a module equals or lies below, and its kind."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in POLICY:
            return name, POLICY[name]
    beginning = next((b for b in _BEGINNINGS if parts[0].startswith(b)), None)
    return None if beginning is None else (parts[0], POLICY[f"{beginning}*"])


def is_named(external: External, names: tuple[str, ...]) -> bool:
    """Whether one of these names is the module, lies above it, or is its distribution."""
    distribution = normal(external.distribution) if external.distribution else None
    module = import_root(external)
    return any(is_below(module, n) or normal(n) == distribution for n in names)


def _stubbed_part(external: External, names: tuple[str, ...]) -> str:
    """Return the module to stub: the longest of the names above it, else itself."""
    module = import_root(external)
    named = [name for name in names if is_below(module, name)]
    return max(named, key=len) if named else module
