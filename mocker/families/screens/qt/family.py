"""Qt under each of its bindings: classes that keep state and can be subclassed, without a
display.
"""

from __future__ import annotations

import ast
import re

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....world import runtime_text

_BINDINGS = ("PyQt5", "PyQt6", "PySide2", "PySide6", "qtpy", "pyqtgraph.Qt")
_CLASS = re.compile(r"\bQ[A-Z]\w*")
_PART = """\
import {top}


def __getattr__(name):
    return {top}.member(name)


__all__ = [*{top}.__all__, *{names}]
"""


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """One package for each binding that the slice uses."""
    tops = [top for top in _BINDINGS if border.modules(top)]
    modules: dict[str, str] = {}
    names = sorted({*_CLASS.findall(border.sliced.source)})
    for top in tops:
        modules[top] = runtime_text("stand_in_qt")
        parts = {c.name.split(".")[1] for c in contacts if c.name.startswith(f"{top}.")}
        parts |= {m.split(".")[1] for m in border.modules(top) if "." in m}
        for part in {p for p in parts if p[:1].isupper() or p == "uic"}:
            modules[f"{top}.{part}"] = _PART.format(top=top, names=names)
    reason = "there is no display; what stands in keeps state and connects signals"
    return Mock(
        treated=tuple(ModuleTreatment(top, "stubbed", reason) for top in tops),
        setup=f"QT_OWN = frozenset({sorted(_own(border))!r})\n",
        pieces=("stubs",),
        modules=tuple(StubModule(name, text) for name, text in sorted(modules.items())),
    )


def _own(border: Border) -> set[str]:
    """Return the attributes that the slice sets: objects have them only from then on."""
    found: set[str] = set()
    for path in {d.path for d in border.sliced.manifest.definitions}:
        for node in ast.walk(border.repository.source(path).tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
    return found


FAMILY = Family("qt", stub)
