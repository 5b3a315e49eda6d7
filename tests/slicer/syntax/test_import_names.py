"""Imports are read by text: what they bind, and texts that are odd or very long."""

from __future__ import annotations

from slicefunc.slicer.syntax.import_names import import_names


def test_names_are_found_under_those_that_stand_for_them() -> None:
    text = "from .reg import (\n    add as put,  # a comment\n    TABLE,\n)\nimport os, a.b as c\n"
    found = import_names("pkg.mod", "pkg/mod.py", text)
    assert found.bound == {("pkg.reg", "add"): ("put",), ("pkg.reg", "TABLE"): ("TABLE",)}
    assert found.origins == {"put": (("pkg.reg", "add"),), "TABLE": (("pkg.reg", "TABLE"),)}
    assert {"os", "a.b"} <= found.modules


def test_a_name_that_is_imported_very_often_is_noted_once() -> None:
    found = import_names("m", "m.py", "from b import " + "a, " * 100_000 + "c\n")
    assert found.bound == {("b", "a"): ("a",), ("b", "c"): ("c",)}


def test_very_many_dots_lead_nowhere() -> None:
    assert import_names("m", "m.py", "from " + "." * 100_000 + "import x").bound == {}
    assert import_names("m", "m.py", "from " + "." * 100_000 + " x").bound == {}
