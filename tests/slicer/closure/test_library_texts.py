"""Text methods of built-in classes go on to others of the object, whichever class they stand in."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

OTHER = """\
class Other({base}):
    def __repr__(self):
        return "another"

    def __str__(self):
        return {base}.__str__(self)

    def __iter__(self):
        return iter(())
"""


@pytest.mark.parametrize("base", ["tuple", "list", "dict", "set", "frozenset", "object"])
def test_a_text_is_made_of_repr(base: str, tmp_path: Path) -> None:
    kept = _kept(OTHER.format(base=base), tmp_path)
    assert "mod.py::Other.__repr__" in kept
    assert "mod.py::Other.__iter__" not in kept


def _kept(text: str, folder: Path) -> set[str]:
    """What a method keeps where nobody makes instances in the slice."""
    (folder / "mod.py").write_text(text)
    target = "mod.py::Other.__str__"
    sliced = slice_function(
        Repository(folder), target, instances=("mod.py::Other",), constructors=False
    )
    return {f"{d.path}::{d.qualname}" for d in sliced.manifest.definitions}
