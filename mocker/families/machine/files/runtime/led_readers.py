"""Functions that open files below Python, led to what is offered."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from .....world.core.world import replace
from .file_places import _path_text, _place_of
from .files import note_written


def lead_readers(*names: str) -> None:
    """Have functions that open files below Python find what is offered."""
    for dotted in names:
        module, _, name = dotted.rpartition(".")
        try:
            owner = importlib.import_module(module)
            real = getattr(owner, name)
        except (ImportError, AttributeError):
            continue
        replace(owner, name, _led_reader(real, writes=name in ("imwrite", "write", "save")))


def _led_reader(real: Any, *, writes: bool) -> Any:
    @functools.wraps(real)
    def call(path: Any, *arguments: Any, **named: Any) -> Any:
        text = _path_text(path)
        place = None if text is None else _place_of(text, writes=writes)
        if place is None:
            return real(path, *arguments, **named)
        value = real(place.path, *arguments, **named)
        if writes:
            note_written(place.named, place.path)
        return value

    return call
