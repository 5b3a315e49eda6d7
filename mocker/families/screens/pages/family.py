"""Scripted user interfaces: streamlit's pages, and PySimpleGUI's windows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....shapes.answer_shape import Variant, variants_at
from ....source.target_reach import target_text
from ....world import runtime_text

_REASONS = {
    "streamlit": "there is no browser; what is shown is noted",
    "PySimpleGUI": "there is no display; each event of a window comes once",
    "FreeSimpleGUI": "there is no display; each event of a window comes once",
}


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The packages are replaced as a whole."""
    del contacts
    tops = [top for top in _REASONS if border.modules(top)]
    texts = {top: f"stand_in_{top.replace('Free', 'Py')}" for top in tops}
    given = dict(_session(border)) if "streamlit" in tops else {}
    return Mock(
        treated=tuple(ModuleTreatment(top, "stubbed", _REASONS[top]) for top in tops),
        setup=f"give_session_state({given!r})\n" if any(given.values()) else "",
        pieces=("stubs", "as_data", *(["session_state"] if "streamlit" in tops else [])),
        modules=tuple(StubModule(top, runtime_text(name)) for top, name in texts.items()),
    )


_KEY = r"""session_state(?:\.([a-zA-Z]\w*)\b(?!\()|\[\s*["']([^"']+)["']\s*\])"""
_READ = re.compile(_KEY + r"""(?!\s*(?::[^=\n]+)?=(?!=))|session_state\.get\(\s*["']([^"']+)["']""")
_WRITTEN = re.compile(_KEY + r"\s*(?::[^=\n]+)?=(?!=)")
_MOST_VARIANTS = 8


def _session(border: Border) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the variants of the session's content: the keys that are read.

    By default it has the keys that the slice never sets; those that it sets may have been set
    before.
    """
    set_here = {name for found in _WRITTEN.findall(border.sliced.source) for name in found}
    read = [name for found in _READ.findall(target_text(border)) for name in found if name]
    known = {name: _values(border, name) for name in dict.fromkeys(read)}
    first = {name: found[0].value for name, found in known.items() if name not in set_here}
    yield "default", first
    others = [
        (name, each)
        for name, variants in known.items()
        for each in variants
        if name in set_here or each is not variants[0]
    ]
    told = [(f"{name}_{each.name}", name, each.value) for name, each in others]
    told += [(key, name, v) for name, found in known.items() for key, v in _less(name, found[0])]
    for variant, name, value in told[:_MOST_VARIANTS]:
        yield variant, {**first, name: value}


def _values(border: Border, name: str) -> tuple[Variant, ...]:
    """Return the possible values of a key, true ones first, as sessions mostly hold these."""
    place = "streamlit.session_state"
    found = variants_at(border, f"{place}.{name}", f"{place}['{name}']", f"{place}.get('{name}')")
    return tuple(sorted(found, key=lambda variant: not variant.value))


def _less(name: str, variant: Variant) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield a record with its flags cleared one after another, cumulatively."""
    if not isinstance(variant.value, dict):
        return
    record = cast("dict[str, object]", variant.value)
    for key in [key for key, value in record.items() if value is True]:
        record = {**record, key: False}
        yield f"{name}_not_{key}", record


FAMILY = Family("pages", stub)
