"""The layouts by name, and the choice of one."""

from __future__ import annotations

from importlib import import_module

from ..model import Layout, Manifest
from .layouts import NAMES

SCRIPT = "script"
"""Requests the first layout that is one script and can be written."""
EMITS = (SCRIPT, *NAMES)
"""Names of layouts that a user may request."""


def layouts() -> tuple[Layout, ...]:
    """Return all layouts, in the order in which they are tried."""
    return tuple(map(_named, NAMES))


def layout_of(manifest: Manifest) -> Layout:
    """Return the layout that a slice is written in."""
    return _named(manifest.layout)


def candidates(wanted: str) -> tuple[Layout, ...]:
    """Return the layouts to try for a request, one of `EMITS`, in order."""
    if wanted != SCRIPT:
        return (_named(wanted),)
    return tuple(layout for layout in layouts() if not layout.is_tree)


def _named(name: str) -> Layout:
    found: Layout = import_module(f".layouts.{name}", __package__).LAYOUT
    return found
