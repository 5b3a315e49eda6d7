"""Top-level statements that bind names not in their text, as `globals()[name] = x` does."""

from __future__ import annotations

import re

from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.memo import memo

_FILLS = re.compile(
    r"\b(?:globals|locals|vars)\(\)\s*(?:\[|\.update\(|\.setdefault\(|\.__setitem__)"
    r"|(?<!\*)(?<!format_map\()(?<!substitute\()(?<!dict\()(?<!len\()\b(?:globals|locals|vars)\(\)\s*[,)]|\bsetattr\(\s*(?:sys\.)?modules\["
    r"|\bexec\(|\bmodules\[__name__\](?:\.__class__)?\s*=(?!=)"
)
_REPLACES = re.compile(r"\bmodules\[__name__\]\s*=(?!=)|\w\]?\.__class__\s*=(?!=)")
_NAMESPACE = re.compile(
    r"^([^\W\d]\w*)[ \t]*=[ \t]*((?:globals|locals|vars)\(\)|(?:sys\.)?modules\[__name__\])", re.M
)
"""A name bound to the module, or to its namespace."""
_CALLED = re.compile(r"\b(\w++)\(")


@memo
def name_fillers(module: Module) -> tuple[Unit, ...]:
    """Return the module's statements that bind such names, directly or through its functions."""
    return _found(module)


def replaces_itself(module: Module) -> bool:
    """Whether the module replaces itself by an object in `sys.modules`, or changes its class."""
    return bool(name_fillers(module)) and _REPLACES.search(module.source.text) is not None


def _found(module: Module) -> tuple[Unit, ...]:
    fills = _binding_pattern(module.source.text)
    if not fills.search(module.source.text):
        return ()
    texts = [(unit, module.text_of(unit)) for unit in module.units]
    functions = {
        unit.binds[0] for unit, text in texts if unit.kind == "function" and fills.search(text)
    }
    return tuple(
        unit
        for unit, text in texts
        if unit.kind not in ("import", "function", "class", "main", "typing", "prelude")
        and (fills.search(text) or not functions.isdisjoint(_CALLED.findall(text)))
    )


def _binding_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for statements that bind computed names, with aliases of the namespace."""
    spelled = _FILLS.pattern
    for name, what in _NAMESPACE.findall(text):
        if what.endswith("()"):
            spelled += rf"|\b{name}\s*(?:\[|\.update\(|\.setdefault\()"
        else:
            spelled += rf"|\bsetattr\(\s*{name}\b|\b{name}\.__class__\s*=(?!=)"
    return re.compile(spelled)
