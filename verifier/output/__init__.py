"""Scripts for people and other programs: the slice with tests that need nothing else of
slice-func.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    from .exporter import Exporter

EXPORTERS = ("eval_script", "test_script")
"""Names of the exporters: of their module, of their field in the record, and of their file."""


def exporter_named(name: str) -> Exporter:
    """Return an exporter; its module is loaded on first use."""
    from importlib import import_module

    found: Exporter = import_module(f".{name}", __name__).EXPORTER
    return found
