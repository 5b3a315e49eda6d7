"""The input and the output of a layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..closure.worklist import Closure
from ..model import Edit, EmittedFile, Layout, LineMap
from ..repo.repository import Module
from .kept_text import ModuleText


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """The input of a layout: the kept texts, and the names that the script must bind."""

    closure: Closure
    targets: Sequence[Module]
    bound: Mapping[str, Sequence[str]]
    """Module of a target → names that the script must bind."""
    texts: Mapping[str, ModuleText]
    """Kept text by module name."""
    data: Mapping[str, bytes]
    """Data files by path."""


@dataclass(frozen=True, slots=True)
class Emission:
    """A written slice."""

    source: str
    files: tuple[EmittedFile, ...]
    layout: Layout
    layout_reason: str
    lines: tuple[LineMap, ...]
    edits: tuple[Edit, ...]
    data: tuple[str, ...]


def script_emission(
    source: str, layout: Layout, reason: str, lines: tuple[LineMap, ...],
    edits: tuple[Edit, ...] = (), data: tuple[str, ...] = (),
) -> Emission:  # fmt: skip
    """Return the emission of one script."""
    files = (EmittedFile("slice.py", source.encode("utf-8")),)
    return Emission(source, files, layout, reason, lines, edits, data)


def all_edits(texts: Mapping[str, ModuleText]) -> tuple[Edit, ...]:
    """Return the edits of all modules, in the order of their positions."""
    edits = (edit for text in texts.values() for edit in text.edits)
    return tuple(sorted(edits, key=lambda edit: (edit.path, edit.line)))
