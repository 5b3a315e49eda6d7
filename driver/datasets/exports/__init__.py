"""Exports: environments in the formats that trainers and harnesses read, a module a format."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from .exporter import Exporter

FORMATS = (
    "harbor",
    "inspect",
    "verifiers",
    "openenv",
    "trl",
    "verl",
    "skyrl",
    "nemo-gym",
    "swe-bench",
    "llamafactory",
    "huggingface",
    "repost",
)
"""Names of the formats; the module of each has underscores for hyphens."""


def exporter_named(name: str) -> Exporter:
    """Return the exporter of one of `FORMATS`; its module is loaded on first use."""
    from importlib import import_module

    found: Exporter = import_module(f".formats.{name.replace('-', '_')}", __name__).EXPORTER
    return found
