"""State of the process that a module sets while it loads: set with what reads it, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

_STATES = {
    "curses": ("curses.setupterm('dumb')", "curses.tigetnum('colors')"),
    "decimal": ("decimal.getcontext().prec = 3", "decimal.Decimal(1) / 3"),
    "locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.getlocale()"),
}


@pytest.mark.parametrize("module", _STATES)
def test_it_is_kept_where_it_is_read(module: str, tmp_path: Path) -> None:
    sets, reads = _STATES[module]
    assert sets in _sliced(tmp_path, f"import {module}\n{sets}\ndef f(): return {reads}\n")


@pytest.mark.parametrize("module", _STATES)
def test_it_is_left_out_where_nothing_reads_it(module: str, tmp_path: Path) -> None:
    sets = _STATES[module][0]
    assert sets not in _sliced(tmp_path, f"import {module}\n{sets}\ndef f(): return 1\n")


def _sliced(folder: Path, text: str) -> str:
    (folder / "m.py").write_text(text)
    return slice_function(Repository(folder), "m.py::f").source
