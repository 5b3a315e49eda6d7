"""Top-level statements that bind names which their text does not show, as `globals()[name] = x`."""

from __future__ import annotations

import re

from .repository import Module
from .units import Unit

_FILLS = re.compile(
    r"\b(?:globals|locals|vars)\(\)\s*(?:\[|\.update\(|\.setdefault\(|\.__setitem__)"
    r"|\bsetattr\(\s*(?:sys\.)?modules\["
    r"|\bexec\("
)
_CALLED = re.compile(r"\b(\w++)\(")


def name_fillers(module: Module) -> tuple[Unit, ...]:
    """The statements of the module, itself or through a function of it that they call."""
    known: tuple[Unit, ...] | None = module.__dict__.get("_name_fillers")
    if known is None:
        known = module.__dict__["_name_fillers"] = _found(module)
    return known


def _found(module: Module) -> tuple[Unit, ...]:
    if not _FILLS.search(module.source.text):
        return ()
    texts = [(unit, _text(module, unit)) for unit in module.units]
    functions = {
        unit.binds[0] for unit, text in texts if unit.kind == "function" and _FILLS.search(text)
    }
    return tuple(
        unit
        for unit, text in texts
        if unit.kind not in ("import", "function", "class", "main", "typing", "prelude")
        and (_FILLS.search(text) or not functions.isdisjoint(_CALLED.findall(text)))
    )


def _text(module: Module, unit: Unit) -> str:
    return "".join(module.source.lines[unit.first - 1 : unit.last])
