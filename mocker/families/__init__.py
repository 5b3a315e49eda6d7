"""The mock families, in the order in which they are asked: each takes what is left to it.

A family is a folder, listed here. Its `names.txt` holds the outside names that it listens to, so
that only those families are imported which may have something to do in a slice. Whether one has is
for its own `applies` to say. `<absent>` there stands for modules that are not there, or must not run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from ..contacts import Border, Contact, Family
from ..core.stub_policy import must_stub

_ABSENT = ("unresolved-import", "undefined-name", "compiled-extension")
"""Kinds of the gaps that a module leaves which is not there."""


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family that may not have been imported yet."""

    module: str
    """Its folder in this one, dotted."""

    @property
    def names(self) -> tuple[str, ...]:
        """What it listens to: these, and what lies below them; `<absent>` for what is not there."""
        return _names(self.module)

    def listens_to(self, border: Border) -> bool:
        """Whether the slice names something that the family listens to."""
        named = border.named(*self.names) or border.modules(*self.names)
        return bool(named) or ("<absent>" in self.names and _lacks(border))

    def contacts(self, border: Border) -> tuple[Contact, ...]:
        """What in the slice calls for the family; empty where there is nothing to do."""
        applies = self.family().applies
        return applies(border) if applies else border.touching(*self.names)

    def family(self) -> Family:
        """The family itself."""
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
    # modules that are not there: stand-ins that know their package go before the one that knows none
    "packages.settings",
    "screens.tkinter",
    "screens.qt",
    "screens.pages",
    "models.old_openai",
    "machine.hardware",
    "packages.stubbed",
    # clients of the network, each above what it is built on
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
    # the machine: files and clocks are replaced last, when all others have been set up
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
