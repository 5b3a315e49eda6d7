"""Which layouts there are, by their names."""

from __future__ import annotations

from importlib import import_module

from ..model import Layout, Manifest
from .layouts import NAMES

SCRIPT = "script"
"""Asks for the first layout that is one script and can be written."""
EMITS = (SCRIPT, *NAMES)
"""What can be asked for."""


def layout_of(manifest: Manifest) -> Layout:
    """The layout that a slice is written in."""
    return _named(manifest.layout)


def candidates(wanted: str) -> tuple[Layout, ...]:
    """The layouts that may be taken where one of `EMITS` is asked for, in order."""
    if wanted != SCRIPT:
        return (_named(wanted),)
    return tuple(layout for layout in map(_named, NAMES) if not layout.is_tree)


def _named(name: str) -> Layout:
    found: Layout = import_module(f".layouts.{name}", __package__).LAYOUT
    return found
