"""The mock families, in the order of precedence: each gets the contacts that earlier ones left.

A family is a folder, listed here. Its `names.txt` has the outside names that it listens to, so that
only families that may apply to a slice are imported. Whether one does apply is decided by its own
`applies`. `<absent>` in the list stands for modules that are missing or must not run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from ..contacts import Border, Contact, Family
from ..core.stub_policy import must_stub

_ABSENT = ("unresolved-import", "undefined-name", "compiled-extension")
"""Kinds of gaps that a missing module leaves."""


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family that may not have been imported yet."""

    module: str
    """Dotted name of its folder in this package."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names it listens to, with all below them; `<absent>` for missing modules."""
        return _names(self.module)

    def listens_to(self, border: Border) -> bool:
        """Whether the slice names something that the family listens to."""
        named = border.named(*self.names) or border.modules(*self.names)
        return bool(named) or ("<absent>" in self.names and _lacks(border))

    def contacts(self, border: Border) -> tuple[Contact, ...]:
        """Return the contacts that call for the family; empty if it does not apply."""
        applies = self.family().applies
        return applies(border) if applies else border.touching(*self.names)

    def family(self) -> Family:
        """Import and return the family."""
        found: Family = import_module(f".{self.module}.family", __name__).FAMILY
        return found


@cache
def _names(module: str) -> tuple[str, ...]:
    file = os.path.join(os.path.dirname(__file__), *module.split("."), "names.txt")
    with open(file, "rb", buffering=0) as stream:  # buffers would cost more than the rest
        return tuple(stream.read().decode().split())


def _lacks(border: Border) -> bool:
    manifest = border.sliced.manifest
    return any(gap.kind in _ABSENT for gap in manifest.gaps) or any(
        must_stub(external, border.settings) for external in manifest.externals
    )


_ORDER = (
    # missing modules: families that know the package come before the one that knows none
    "packages.settings",
    "screens.tkinter",
    "screens.qt",
    "screens.pages",
    "models.old_openai",
    "machine.hardware",
    "packages.stubbed",
    # network clients, each before the ones it is built on
    "http.requests",
    "http.httpx",
    "http.httpcore",
    "http.aiohttp",
    "http.urllib",
    "http.remote_tables",
    "messages.mail",
    "messages.file_transfer",
    "http.websockets",
    "http.sockets",
    # models and clouds
    "models.openai",
    "models.anthropic",
    "models.google",
    "models.langchain",
    "models.litellm",
    "models.other",
    "models.hubs",
    "models.data_sets",
    "models.torch",
    "clouds.azure",
    "clouds.google",
    "clouds.firestore",
    "clouds.bigquery",
    "clouds.aws",
    # databases
    "databases.sqlalchemy",
    "databases.alembic",
    "databases.sqlite",
    "databases.django_orm",
    "databases.postgres",
    "databases.mysql",
    "databases.mongo",
    "databases.redis",
    "machine.task_queues",
    # screens, browsers, people and frameworks
    "screens.pygame",
    "screens.plots",
    "screens.selenium",
    "screens.playwright",
    "messages.chat_bots",
    "web.django",
    "web.flask",
    "web.asgi",
    "web.servers",
    "web.templates",
    # the machine: files and clocks are replaced last, after all setup of the others
    "machine.processes",
    "machine.environment",
    "databases.dbm",
    "packages.versions",
    "packages.own_metadata",
    "machine.files",
    "machine.clock",
    "machine.randomness",
    "machine.terminal",
    "machine.host",
    "machine.schedulers",
)

FAMILIES = tuple(map(FamilyEntry, _ORDER))
